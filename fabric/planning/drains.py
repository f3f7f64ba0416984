"""Which step of a drain a change is, and where the traffic is counted that has to leave."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fabric.configuration import Change as TextChange
from fabric.devices.model import Device, Switch
from fabric.planning.both_ends.coupling import is_marking_routes
from fabric.planning.model import DevicePlan, Drain
from fabric.planning.ways import FABRIC
from fabric.platforms.registry import platform


def drained(plan: DevicePlan, device: Device, changes: Iterable[TextChange], *, is_shut: bool) -> DevicePlan:
    """The plan of a device, with the step of its drain. `is_shut`: the changes take its sessions down."""
    if not device.drained:
        return plan
    step: Drain = ""
    if is_shut:
        step = "shut"
    elif is_marking_routes(platform(device.platform), device, changes):
        step = "graceful"
    return msgspec.structs.replace(plan, drains=step, fabric_ports=fabric_ports(device))


def fabric_ports(device: Device) -> tuple[str, ...]:
    """The ports of a switch towards other switches: hosts and management carry on when it is drained."""
    if not isinstance(device, Switch):
        return ()
    return tuple(port.name for port in device.ports if port.role in FABRIC and port.enabled)

"""Neutral switches, put on Nokia hardware."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from fabric.devices.model import HostAddressing, ManagementPort, Switch
from fabric.hardware import Software, SwitchModel
from fabric.platforms.srlinux import PLATFORM
from fabric.qos.model import BufferBudget, WatchdogTimers
from fabric.rendering.render import print_switch
from tests.platforms.eos import cases, devices

BUDGET = BufferBudget(160_000_000, 30_000_000, Fraction(3, 16), None, "test")
TIMERS = WatchdogTimers("forward", 200, 200, 100)


def hardware(model: str = "Nokia 7220 IXR-H5-64D") -> SwitchModel:
    """64 cages of eight lanes."""
    made = devices.hardware()
    return msgspec.structs.replace(
        made,
        id="nokia-test",
        vendor="Nokia",
        model=model,
        software=(Software(name="srlinux", source="test"),),
    )


def on_nokia(device: Switch, model: str = "Nokia 7220 IXR-H5-64D") -> Switch:
    """The same switch on Nokia's hardware: ports renamed, the buffer known."""
    box = hardware(model)
    names = {port.name: PLATFORM.port_name(port.slot, box) for port in device.ports}
    replace = msgspec.structs.replace
    sessions = tuple(replace(one, port=names.get(one.port, one.port)) for one in device.routing.neighbors)
    timers = TIMERS if device.queueing and device.queueing.watchdog else None
    queueing = device.queueing and replace(device.queueing, budget=BUDGET, watchdog=timers)
    return replace(
        device,
        platform="srlinux",
        release="25.3.1",
        hardware=box,
        ports=tuple(replace(port, name=names[port.name]) for port in device.ports),
        routing=replace(device.routing, neighbors=sessions),
        queueing=queueing,
    )


def sayable(device: Switch) -> Switch:
    """Without what SR Linux does not say: VLANs, bonds, some services; numbers within its ranges."""
    replace, routing = msgspec.structs.replace, device.routing
    services = replace(device.services, snmp=None, tacacs=None, gnmi=None)
    services = replace(services, ssh=replace(services.ssh, allow=()))
    return replace(
        on_nokia(device),
        ports=tuple(replace(port, vlan=0, bond=0) for port in on_nokia(device).ports),
        gateways=(),
        bond_system=0,
        host_addressing=HostAddressing("static"),
        services=services,
        routing=replace(
            on_nokia(device).routing,
            max_paths=min(routing.max_paths, 256),
            bfd_multiplier=min(routing.bfd_multiplier, 20),
            load_balancing="ecmp",
        ),
        management=ManagementPort(device.management.addresses, device.management.gateway, "MGMT"),
        extra=(),
    )


def printed(device: Switch) -> str:
    """The configuration of a switch. `Invalid` if SR Linux cannot say it."""
    return print_switch(device, PLATFORM).text


CASES = {name: (lambda make=make: sayable(make())) for name, make in cases.CASES.items() if name != "jericho"}
"""The cases of the other platforms, as far as SR Linux says them."""

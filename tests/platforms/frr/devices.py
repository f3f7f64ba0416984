"""Switches to try the platform on: the generic ones, as Spectrum switches that run FRR."""

from __future__ import annotations

import msgspec

from fabric.devices.model import HostAddressing, Switch
from fabric.intent.model import Management, Services
from fabric.platforms.frr import PLATFORM
from tests.platforms.eos import cases, devices


def linux(made: Switch) -> Switch:
    """The same switch under Linux: other hardware and port names, no watchdog, services of the system only."""
    hardware = msgspec.structs.replace(made.hardware, asic="NVIDIA Spectrum-4", model="NVIDIA SN5600")
    replace = msgspec.structs.replace
    names = {port.name: PLATFORM.port_name(port.slot, hardware) for port in made.ports}
    ports = tuple(replace(port, name=names[port.name]) for port in made.ports)
    sessions = tuple(replace(one, port=names.get(one.port, one.port)) for one in made.routing.neighbors)
    queueing = made.queueing and replace(made.queueing, watchdog=None)
    return replace(
        made,
        platform="frr",
        release=None,
        hardware=hardware,
        ports=ports,
        queueing=queueing,
        host_addressing=HostAddressing("static"),
        routing=replace(made.routing, neighbors=sessions, load_balancing="ecmp"),
        services=Services(management=Management(), lldp=False),
    )


NAMES = (
    "leaf", "spine", "superspine", "ipv6", "dual stack", "unnumbered", "default vrf", "lossy", "no policy", "drained",
    "external", "zone",
)  # fmt: skip
CASES = {name: lambda name=name: linux(cases.CASES[name]()) for name in NAMES}
leaf, spine = (lambda: linux(devices.leaf())), (lambda: linux(devices.spine(4, 2)))

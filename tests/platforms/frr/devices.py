"""Switches to try the platform on: the generic ones, as Spectrum switches that run FRR."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from fabric.devices.model import ExtraLines, HostAddressing, Switch
from fabric.diagnostics import Origin
from fabric.intent.model import Hashing, Management, Services
from fabric.platforms.frr import PLATFORM
from tests.platforms.eos import cases, devices


def linux(made: Switch) -> Switch:
    """The same switch under Linux: no watchdog, bond or relay, services of the system only."""
    hardware = msgspec.structs.replace(made.hardware, asic="NVIDIA Spectrum-4", model="NVIDIA SN5600")
    replace = msgspec.structs.replace
    names = {port.name: PLATFORM.port_name(port.slot, hardware) for port in made.ports}
    ports = tuple(replace(port, name=names[port.name], bond=0) for port in made.ports)
    assignment = made.host_addressing.assignment
    sessions = tuple(replace(one, port=names.get(one.port, one.port)) for one in made.routing.neighbors)
    queueing = made.queueing and replace(made.queueing, watchdog=None)
    return replace(
        made,
        platform="frr",
        release=None,
        hardware=hardware,
        ports=ports,
        gateways=tuple(replace(one, arp_hosts=False) for one in made.gateways),
        bond_system=0,
        queueing=queueing,
        host_addressing=HostAddressing("static" if assignment == "dhcp_relay" else assignment),
        routing=replace(made.routing, neighbors=sessions, load_balancing="ecmp"),
        services=Services(management=Management(), lldp=False),
    )


NAMES = (
    "leaf", "spine", "superspine", "ipv6", "dual stack", "unnumbered", "vlan gateway", "slaac", "default vrf", "lossy",
    "no policy", "drained", "external", "guarded", "zone",
)  # fmt: skip
leaf, spine = (lambda: linux(devices.leaf())), (lambda: linux(devices.spine(4, 2)))


def hashed() -> Switch:
    """Paths are chosen by fewer fields and a seed of the tier; as many paths as FRR has."""
    fields = Hashing(fields=("src_ip", "dst_ip", "src_port"), seed="per_tier")
    return devices.change_routing(leaf(), hashing=fields, hash_seed=3, max_paths=256)


def extended() -> Switch:
    """Lines of our own in each file that takes them."""
    place = Origin(("overrides", 0))
    blocks = {
        "paths": "bgp as-path access-list MINE seq 5 permit ^65000",
        "interfaces": "auto dummy0\niface dummy0\n    link-type dummy",
        "sysctl": "net.ipv4.tcp_ecn = 1",
    }
    return devices.change(leaf(), extra=tuple(ExtraLines(name, text, place) for name, text in blocks.items()))


CASES: dict[str, Callable[[], Switch]] = {
    **{name: lambda name=name: linux(cases.CASES[name]()) for name in NAMES},
    "hashed": hashed,
    "extended": extended,
}

"""Switches to try the platform on: those of another platform's tests, as a QFX."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from fabric.devices.model import LinkRole, Neighbor, Switch
from fabric.hardware import Buffer, SwitchModel
from fabric.platforms.junos import PLATFORM
from fabric.platforms.junos.names import port_name
from fabric.qos.model import BufferBudget
from fabric.rendering.render import print_switch
from tests.platforms.eos import devices as others
from tests.platforms.eos.devices import address, change, change_routing, host_port, leaf, session, spine

BUFFER = Buffer(total_bytes=165_000_000, source="test")


def hardware(model: str = "Juniper QFX5240-64OD") -> SwitchModel:
    """64 cages of eight lanes."""
    return msgspec.structs.replace(others.hardware(), id="juniper-test", model=model, buffer=BUFFER)


def as_qfx(device: Switch, model: str = "Juniper QFX5240-64OD") -> Switch:
    """The same switch with a QFX's ports and buffer."""
    names = {port.name: port_name(port.slot, device.hardware) for port in device.ports}
    neighbors: tuple[Neighbor, ...] = tuple(
        msgspec.structs.replace(one, port=names.get(one.port, one.port)) for one in device.routing.neighbors
    )
    routing = msgspec.structs.replace(device.routing, neighbors=neighbors, keepalive_ms=3000, hold_ms=9000)
    queueing = device.queueing
    if queueing is not None:
        budget = BufferBudget(BUFFER.total_bytes, 20_000_000, Fraction(4, 33), None, "test")
        queueing = msgspec.structs.replace(queueing, budget=budget)
    return change(
        device,
        platform="junos",
        hardware=hardware(model),
        ports=tuple(msgspec.structs.replace(port, name=names[port.name]) for port in device.ports),
        routing=routing,
        queueing=queueing,
    )


def unnumbered() -> Switch:
    """A leaf whose links to the spines have no addresses."""
    device = leaf()
    ports = tuple(
        msgspec.structs.replace(port, addresses=(), link_local=True) if port.role is LinkRole.UP else port
        for port in device.ports
    )
    neighbors = tuple(
        msgspec.structs.replace(one, address=None, family=6) for one in device.routing.neighbors
    )
    return change_routing(change(device, ports=ports), neighbors=neighbors)


def ipv6() -> Switch:
    """A leaf with IPv6 links."""
    ports = tuple(
        msgspec.structs.replace(port, addresses=(address(f"fd00:128::{2 * i:x}/127"),))
        for i, port in enumerate(leaf().ports, start=1)
    )
    sessions = tuple(session(port) for port in ports if port.role is LinkRole.UP)
    return change_routing(leaf(ports=ports), neighbors=sessions, families=(6,))


def unused() -> Switch:
    """A leaf with a port that nothing is plugged into."""
    empty = host_port(
        9, role=LinkRole.UNUSED, peer="", peer_port="", enabled=False, addresses=(), queueing=None
    )
    device = leaf()
    return change(device, ports=(*device.ports[:4], empty, *device.ports[4:]), drained=True)


CASES = {
    "leaf": leaf,
    "spine": lambda: spine(superspines=2),
    "superspine": lambda: change(spine(), name="superspine-0", role="superspine"),
    "unnumbered": unnumbered,
    "ipv6": ipv6,
    "unused": unused,
    "flowlet": lambda: change_routing(leaf(), load_balancing="flowlet"),
    "per packet": lambda: change_routing(leaf(), load_balancing="per_packet"),
}


def device_of(case: str) -> Switch:
    """A case by name."""
    return as_qfx(CASES[case]())


def printed(device: Switch) -> str:
    """The configuration of a switch. `Invalid` if Junos cannot say it."""
    return print_switch(device, PLATFORM).text

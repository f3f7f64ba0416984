"""Switches to try the platform on: those of another platform's tests as a QFX, and some more."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from fabric.devices.model import ExtraLines, HostAddressing, LinkRole, Neighbor, Relation, Switch
from fabric.diagnostics import Origin
from fabric.hardware import Buffer, SwitchModel
from fabric.platforms.junos import PLATFORM
from fabric.platforms.junos.names import port_name
from fabric.qos.model import BufferBudget
from fabric.rendering.render import print_switch
from tests.platforms.eos import devices as others
from tests.platforms.eos.cases import CASES as OTHERS
from tests.platforms.eos.devices import change, change_routing, host_port, leaf, spine

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


def unused() -> Switch:
    """A leaf with a port that nothing is plugged into."""
    empty = host_port(
        9, role=LinkRole.UNUSED, peer="", peer_port="", enabled=False, addresses=(), queueing=None
    )
    device = leaf()
    return change(device, ports=(*device.ports[:4], empty, *device.ports[4:]), drained=True)


def overridden() -> Switch:
    """Verbatim lines of an override."""
    text = "protocols {\n    rstp {\n        disable;\n    }\n}"
    return change(leaf(), extra=(ExtraLines("rstp", text, Origin(("overrides", 0))),))


def protected() -> Switch:
    """Unnumbered links with a password, and a spine that reuses AS numbers."""
    return change_routing(OTHERS["unnumbered"](), password="env:BGP", allow_own_asn=2)


def same_numbers() -> Switch:
    """A spine above leaves of one AS number."""
    made = spine(3, 1)
    one = tuple(
        msgspec.structs.replace(n, remote_asn=4_200_000_101) if n.relation is Relation.DOWN else n
        for n in made.routing.neighbors
    )
    return change_routing(made, neighbors=one)


def gateways() -> Switch:
    """VLANs with gateways here, static hosts, no VRF for management."""
    made = OTHERS["vlan gateway"]()
    management = msgspec.structs.replace(made.management, vrf="default")
    return change(made, host_addressing=HostAddressing("static"), management=management)


def one_list() -> Switch:
    """Every service, with one list for SSH and gNMI."""
    made = OTHERS["all services"]()
    wanted = made.services
    ssh = msgspec.structs.replace(wanted.ssh, allow=wanted.management.allow)
    return change(made, services=msgspec.structs.replace(wanted, ssh=ssh))


REFUSED = ("dual ToR", "guarded", "jericho", "notifying watchdog", "overridden")
CASES = {name: case for name, case in OTHERS.items() if name not in REFUSED} | {
    "all services": one_list,
    "unused": unused,
    "override": overridden,
    "protected": protected,
    "same numbers": same_numbers,
    "gateways": gateways,
    "per packet": lambda: change_routing(leaf(), load_balancing="per_packet"),
}


def device_of(case: str) -> Switch:
    """A case by name."""
    return as_qfx(CASES[case]())


def printed(device: Switch) -> str:
    """The configuration of a switch. `Invalid` if Junos cannot say it."""
    return print_switch(device, PLATFORM).text

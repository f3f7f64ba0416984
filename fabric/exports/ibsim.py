"""The netlist of a subnet for ibsim, InfiniBand's fabric simulator.

ibsim 0.10: the first node is where tools attach by default; both ends of every cable are listed; a blank line ends
a record; the GUID of an HCA's port is the HCA's plus the port's number, whatever it is in reality.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from fabric.devices.infiniband.model import EndKind, Subnet
from fabric.diagnostics import Refused

HEAD = "speed=7\nextspeed=7\nwidth=3\n"
"""All speeds up to HDR: ibsim 0.10 supports no faster one."""


def netlist(subnet: Subnet) -> str:
    """All nodes and cables, a subnet manager's host first. `Refused` for XDR: how its ports look there is unknown."""
    if subnet.planarized:
        reason = f"{subnet.network}: a port of XDR is several inner ports of several ASICs, and no source says which"
        raise Refused(reason, "simulate a network of NDR")
    cables = _cables(subnet)
    records = [*_adapters(subnet, cables), *_switches(subnet, cables)]
    return "\n".join([f"# {subnet.network}", HEAD, *records])


def switch_id(guid: int) -> str:
    """As ibsim calls a switch."""
    return f"S-{guid:016x}"


def adapter_id(guid: int) -> str:
    """As ibsim calls an HCA."""
    return f"H-{guid:016x}"


Cables = dict[int, list[tuple[int, str, int]]]
"""By node GUID: own port, the other node's id, its port."""


def _cables(subnet: Subnet) -> Cables:
    switches = {switch.guid for switch in subnet.switches}
    cables: Cables = defaultdict(list)
    for link in subnet.links:
        lower = switch_id(link.lower) if link.lower in switches else adapter_id(link.lower)
        cables[link.lower].append((link.lower_port, switch_id(link.upper), link.upper_port))
        cables[link.upper].append((link.upper_port, lower, link.lower_port))
    return cables


def _adapters(subnet: Subnet, cables: Cables) -> Iterator[str]:
    ports: dict[int, int] = defaultdict(int)
    names: dict[int, str] = {}
    for end in sorted(subnet.ends, key=lambda end: end.kind is not EndKind.SUBNET_MANAGER):
        ports[end.node_guid] = max(ports[end.node_guid], end.port)
        names[end.node_guid] = end.name
    for guid, count in ports.items():
        yield _record(f"caguids={guid:#x}", f'Ca\t{count} "{adapter_id(guid)}"', names[guid], cables[guid])


def _switches(subnet: Subnet, cables: Cables) -> Iterator[str]:
    for switch in subnet.switches:
        what = f'Switch\t{switch.ports} "{switch_id(switch.guid)}"'
        yield _record(f"switchguids={switch.guid:#x}", what, switch.name, cables[switch.guid])


def _record(guids: str, what: str, name: str, cables: list[tuple[int, str, int]]) -> str:
    ports = (f'[{port}]\t"{peer}"[{peer_port}]' for port, peer, peer_port in sorted(cables))
    return "\n".join((guids, f'{what}\t\t# "{name}"', *ports, ""))

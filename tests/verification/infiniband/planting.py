"""Faults of cabling, planted into a subnet, and what a discovery of it would find."""

from __future__ import annotations

import msgspec

from fabric.devices.infiniband.model import EndPort, Subnet, SubnetLink, SubnetSwitch
from fabric.verification.infiniband.reading.discovery import Discovered, SeenLink, SeenNode
from tests.infiniband.sites import SUPERPOD, compiled

RATES = {100_000: (4, "EDR"), 200_000: (4, "HDR"), 400_000: (4, "NDR")}


def superpod(units: int = 1) -> Subnet:
    """One scalable unit, or more: 12 switches and 250 HCAs each."""
    return compiled(SUPERPOD.format(units=units))["sm-1"][0].subnet


def found(subnet: Subnet) -> Discovered:
    """What there is to discover in a subnet that is just so."""
    nodes = {switch.guid: SeenNode("Switch", switch.ports, switch.name) for switch in subnet.switches}
    nodes |= {end.node_guid: SeenNode("Ca", 1, end.name) for end in subnet.ends}
    links: dict[tuple[int, int], SeenLink] = {}
    for link in subnet.links:
        lower, upper = (link.lower, link.lower_port), (link.upper, link.upper_port)
        links[lower] = SeenLink(upper, *RATES[link.speed_mbps])
        links[upper] = SeenLink(lower, *RATES[link.speed_mbps])
    lids = {(switch.guid, 0): switch.lid for switch in subnet.switches}
    lids |= {(end.node_guid, end.port): end.lid for end in subnet.ends}
    reached = _reached(subnet, links)
    return Discovered(
        {guid: node for guid, node in nodes.items() if guid in reached},
        {end: link for end, link in links.items() if end[0] in reached},
        {end: lid for end, lid in lids.items() if end[0] in reached},
    )


def _reached(subnet: Subnet, links: dict[tuple[int, int], SeenLink]) -> set[int]:
    """Nodes that the first manager can discover."""
    near: dict[int, set[int]] = {}
    for end, link in links.items():
        near.setdefault(end[0], set()).add(link.peer[0])
    start = next(end.node_guid for end in subnet.ends if end.host == "sm-1")
    seen, todo = {start}, [start]
    while todo:
        for guid in near.get(todo.pop(), ()):
            if guid not in seen:
                seen.add(guid)
                todo.append(guid)
    return seen


def switch(subnet: Subnet, name: str) -> SubnetSwitch:
    """A switch by name."""
    return next(switch for switch in subnet.switches if switch.name == name)


def nic(subnet: Subnet, host: str, number: int) -> EndPort:
    """A NIC of a host."""
    return next(end for end in subnet.ends if (end.host, end.nic) == (host, number))


def link_of(subnet: Subnet, host: str, number: int) -> SubnetLink:
    """The cable of a NIC."""
    guid = nic(subnet, host, number).node_guid
    return next(link for link in subnet.links if link.lower == guid)


def uplinks(subnet: Subnet, leaf: str, spine: str) -> tuple[SubnetLink, ...]:
    """The cables between two switches."""
    low, high = switch(subnet, leaf).guid, switch(subnet, spine).guid
    return tuple(link for link in subnet.links if (link.lower, link.upper) == (low, high))


def cabled(subnet: Subnet, gone: tuple[SubnetLink, ...], new: tuple[SubnetLink, ...] = ()) -> Subnet:
    """The subnet with some cables out and others in."""
    left = tuple(link for link in subnet.links if link not in gone)
    return msgspec.structs.replace(subnet, links=left + new)


def swapped(subnet: Subnet, one: SubnetLink, other: SubnetLink) -> Subnet:
    """Two cables with their upper ends exchanged."""
    crossed = (
        msgspec.structs.replace(one, upper=other.upper, upper_port=other.upper_port),
        msgspec.structs.replace(other, upper=one.upper, upper_port=one.upper_port),
    )
    return cabled(subnet, (one, other), crossed)


def without(subnet: Subnet, *names: str) -> Subnet:
    """The subnet with some switches or hosts dead."""
    guids = {switch.guid for switch in subnet.switches if switch.name in names}
    guids |= {end.node_guid for end in subnet.ends if end.host in names}
    return cabled(subnet, tuple(link for link in subnet.links if guids & {link.lower, link.upper}))


def written(seen: Discovered) -> str:
    """What ibnetdiscover would print of it, as far as it is read."""
    lines = []
    for guid, node in seen.nodes.items():
        letter = "S" if node.kind == "Switch" else "H"
        lid = f" base port 0 lid {seen.lids[guid, 0]} lmc 0" if node.kind == "Switch" else ""
        lines += [
            "",
            "vendid=0x0",
            f'{node.kind}\t{node.ports} "{letter}-{guid:016x}"\t\t# "{node.name}"{lid}',
        ]
        for (own, port), link in sorted(seen.links.items()):
            if own == guid:
                far = "S" if seen.nodes[link.peer[0]].kind == "Switch" else "H"
                lid = f"lid {seen.lids[own, port]} lmc 0 " if node.kind == "Ca" else ""
                tail = f'{lid}"x" {link.width}x{link.speed}'
                lines.append(f'[{port}]\t"{far}-{link.peer[0]:016x}"[{link.peer[1]}]\t\t# {tail}')
    return "\n".join(lines) + "\n"

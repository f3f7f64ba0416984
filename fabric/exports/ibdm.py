"""The cabling of a subnet for ibdiagnet and ibdm: a `.topo` file and the systems (`.ibnl`) that it names.

Formats: ibdm-topo-file(1) and ibdm-ibnl-file(1) of ibutils 1.5.7. A port is called `P` and its number, as all tools of
InfiniBand count it; an HCA `H` and the number of the NIC. The files say nothing of width and speed: that release knows
no speed above 10 Gb/s a lane.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from fabric.devices.infiniband.model import Subnet, SubnetLink, SubnetSwitch

Shape = tuple[tuple[int, int], ...]
"""NICs of a host in the subnet, each with the number of its last cabled port."""


def hosts(subnet: Subnet) -> dict[str, Shape]:
    """What each host has, by name."""
    nics_of: dict[str, dict[int, int]] = defaultdict(dict)
    for end in subnet.ends:
        nics = nics_of[end.host]
        nics[end.nic] = max(end.port, nics.get(end.nic, 0))
    return {name: tuple(sorted(nics.items())) for name, nics in nics_of.items()}


def host_type(shape: Shape) -> str:
    """`HOST-8H` for eight HCAs with a port each."""
    counts = {ports for _, ports in shape}
    if [nic for nic, _ in shape] == list(range(len(shape))) and len(counts) == 1:
        ports = counts.pop()
        return f"HOST-{len(shape)}H{f'{ports}P' if ports > 1 else ''}"
    return "HOST-" + "-".join(f"{nic}H{ports}P" for nic, ports in shape)


def switch_type(switch: SubnetSwitch) -> str:
    """`QM9700-64P`."""
    return f"{switch.model.upper()}-{switch.ports}P"


def systems(subnet: Subnet) -> dict[str, str]:
    """The text of each `.ibnl` file, by the name of its system."""
    texts = {switch_type(switch): _switch(switch) for switch in subnet.switches}
    texts |= {host_type(shape): _host(shape) for shape in dict.fromkeys(hosts(subnet).values())}
    return dict(sorted(texts.items()))


def _switch(switch: SubnetSwitch) -> str:
    ports = "".join(f"{port} -> P{port}\n" for port in range(1, switch.ports + 1))
    return f"TOPSYSTEM {switch_type(switch)}\n\nNODE SW {switch.ports} {switch.model.upper()} U1\n{ports}"


def _host(shape: Shape) -> str:
    nodes = (
        f"\nNODE CA {ports} ADAPTER H{nic}\n" + "".join(f"{p} -> H{nic}/P{p}\n" for p in range(1, ports + 1))
        for nic, ports in shape
    )
    return f"TOPSYSTEM {host_type(shape)}\n{''.join(nodes)}"


def topology(subnet: Subnet) -> Iterator[str]:
    """The `.topo` file: every cable once, below its upper switch."""
    switches = {switch.guid: switch for switch in subnet.switches}
    ends = {end.node_guid: (end.host, end.nic) for end in subnet.ends}
    types = {name: host_type(shape) for name, shape in hosts(subnet).items()}
    below: dict[int, list[SubnetLink]] = defaultdict(list)
    for link in subnet.links:
        below[link.upper].append(link)
    yield "# Made by fabric-as-code.\n"
    for switch in subnet.switches:
        yield f"{switch_type(switch)} {switch.name}\n"
        for link in sorted(below[switch.guid], key=lambda link: link.upper_port):
            yield f"   P{link.upper_port} -> {_lower(link, switches, ends, types)}\n"
        yield "\n"


def _lower(
    link: SubnetLink,
    switches: Mapping[int, SubnetSwitch],
    ends: Mapping[int, tuple[str, int]],
    types: Mapping[str, str],
) -> str:
    if link.lower in switches:
        switch = switches[link.lower]
        return f"{switch_type(switch)} {switch.name} P{link.lower_port}"
    host, nic = ends[link.lower]
    return f"{types[host]} {host} H{nic}/P{link.lower_port}"


def node_names(subnet: Subnet) -> Iterator[str]:
    """A node-name-map for infiniband-diags: node GUID and name of every switch and HCA."""
    for switch in subnet.switches:
        yield f'0x{switch.guid:016x} "{switch.name}"\n'
    for guid, name in dict.fromkeys((end.node_guid, end.name) for end in subnet.ends):
        yield f'0x{guid:016x} "{name}"\n'

"""What the tools of a running subnet would print: all as planned, routes by shortest paths, spread evenly."""

from __future__ import annotations

from collections import defaultdict, deque
from pathlib import Path

from fabric import api
from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import SubnetManager

RATES = {400_000: "4xNDR", 200_000: "4xHDR"}


def outputs(site: Path, folder: Path) -> tuple[int, int]:
    """Write topology and forwarding tables of a site's subnet. Its switches and HCA ports."""
    device = next(d for d in api.compile(site).devices.values() if isinstance(d, SubnetManager))
    folder.mkdir()
    (folder / "ibnetdiscover.txt").write_text(topology(device.subnet))
    with (folder / "dump_lfts.txt").open("w") as file:
        file.writelines(tables(device.subnet))
    return len(device.subnet.switches), len(device.subnet.ends)


def topology(subnet: Subnet) -> str:
    """As `ibnetdiscover` prints it."""
    letters = {switch.guid: "S" for switch in subnet.switches}
    ports: dict[int, list[tuple[int, int, int, str]]] = defaultdict(list)
    for link in subnet.links:
        rate = RATES[link.speed_mbps]
        ports[link.lower].append((link.lower_port, link.upper, link.upper_port, rate))
        ports[link.upper].append((link.upper_port, link.lower, link.lower_port, rate))
    lines = []
    for switch in subnet.switches:
        lines += ["", "vendid=0x0"]
        lines.append(
            f'Switch\t{switch.ports} "S-{switch.guid:016x}"\t\t# "{switch.name}" base port 0 lid {switch.lid} lmc 0'
        )
        lines += [
            f'[{port}]\t"{letters.get(far, "H")}-{far:016x}"[{far_port}]\t\t# "x" lid 1 {rate}'
            for port, far, far_port, rate in sorted(ports[switch.guid])
        ]
    for end in subnet.ends:
        ((port, far, far_port, rate),) = ports[end.node_guid]
        lines += ["", "vendid=0x0", f'Ca\t1 "H-{end.node_guid:016x}"\t\t# "{end.name}"']
        lines.append(f'[{port}] \t"S-{far:016x}"[{far_port}]\t\t# lid {end.lid} lmc 0 "x" lid 1 {rate}')
    return "\n".join(lines) + "\n"


def tables(subnet: Subnet) -> list[str]:
    """As `dump_lfts` prints them."""
    switches = {switch.guid for switch in subnet.switches}
    near: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    home: dict[int, tuple[int, int]] = {}
    for link in subnet.links:
        if link.lower in switches:
            near[link.lower][link.upper].append(link.lower_port)
            near[link.upper][link.lower].append(link.upper_port)
        else:
            home[link.lower] = (link.upper, link.upper_port)
    ways = {leaf: _ways(leaf, near) for leaf in {leaf for leaf, _ in home.values()}}
    place: dict[int, int] = defaultdict(int)
    ends = []
    for end in subnet.ends:
        leaf, port = home[end.node_guid]
        ends.append((end.lid, leaf, port, place[leaf]))
        place[leaf] += 1
    lines = []
    for switch in subnet.switches:
        lines.append(
            f"Unicast lids [0x0-0xffff] of switch Lid {switch.lid} guid {switch.guid:#018x} ({switch.name}):\n"
        )
        for lid, leaf, port, number in ends:
            ports = ways[leaf].get(switch.guid)
            out = ports[number % len(ports)] if ports else port
            lines.append(f"0x{lid:04x} {out:03d} : (Channel Adapter portguid 0x0: 'somebody mlx5_0')\n")
    return lines


def _ways(leaf: int, near: dict[int, dict[int, list[int]]]) -> dict[int, list[int]]:
    """By switch the ports that lead to a leaf on a shortest path."""
    far, todo = {leaf: 0}, deque([leaf])
    ways: dict[int, list[int]] = defaultdict(list)
    while todo:
        at = todo.popleft()
        for other in near[at]:
            if other not in far:
                far[other] = far[at] + 1
                todo.append(other)
            if far[other] == far[at] + 1:
                ways[other] += near[other][at]
    return ways

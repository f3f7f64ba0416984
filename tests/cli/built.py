"""Topologies made by hand: the smallest wiring that has every column filled."""

from __future__ import annotations

from array import array

from fabric.hardware import PortSlot
from fabric.intent.lock import Lock, NetworkLock
from fabric.topology.model import NONE, Facing, NetworkTopology, PortMap, Role, Topology


def network(
    *,
    units: int = 2,
    rails: int = 4,
    planes: int = 1,
    spines: int = 4,
    hosts: int = 4,
    superspines: int = 0,
    pods: int = 1,
) -> NetworkTopology:
    """Leaves per unit = rails x planes; every leaf to every spine of its pod and plane; hosts of each unit."""
    made = NetworkTopology()
    rows: list[tuple[str, Role, int, int, int, int, int]] = []
    per_pod = units // pods
    for u in range(units):
        for r in range(rails):
            for p in range(planes):
                rows.append(
                    (f"leaf-{u}-{r}" + (f"-{p}" if planes > 1 else ""), Role.LEAF, u, r, p, u // per_pod, 0)
                )
    for pod in range(pods):
        for p in range(planes):
            for s in range(spines):
                rows.append((f"spine-{pod}-{p}-{s}", Role.SPINE, NONE, NONE, p, pod, p))
    for p in range(planes):
        for s in range(superspines):
            rows.append((f"super-{p}-{s}", Role.SUPERSPINE, NONE, NONE, p, NONE, s))
    for u in range(units):
        for h in range(hosts):
            rows.append((f"gpu-{u}-{h}", Role.HOST, u, NONE, NONE, u // per_pod, h))
    made.name, made.technology = "compute", "ethernet"
    made.names = [row[0] for row in rows]
    made.role = array("i", [row[1] for row in rows])
    made.unit, made.rail, made.plane, made.pod, made.group = (
        array("i", [row[i] for row in rows]) for i in range(2, 7)
    )
    count = len(rows)
    made.ordinal, made.index = array("i", range(count)), array("i", range(count))
    start = {}
    for role in Role:
        ids = [i for i, row in enumerate(rows) if row[1] is role]
        first = ids[0] if ids else (max((r.stop for r in start.values()), default=0))
        start[role] = range(first, first + len(ids))
    made.role_start = start
    made.asn = array("q", [4_200_000_000 + i if row[1].is_switch else 0 for i, row in enumerate(rows)])
    made.loopback = array("q", [0x0AFF0000 + i if row[1].is_switch else NONE for i, row in enumerate(rows)])
    made.loopback6 = []
    links: list[tuple[int, int]] = []
    leaves = {(rows[i][2], rows[i][3], rows[i][4]): i for i in start[Role.LEAF]}
    for i in start[Role.HOST]:
        for r in range(rails):
            for p in range(planes):
                links.append((i, leaves[rows[i][2], r, p]))
    for low in start[Role.LEAF]:
        links += [(low, s) for s in start[Role.SPINE] if rows[s][4:6] == rows[low][4:6]]
    for low in start[Role.SPINE]:
        links += [(low, s) for s in start[Role.SUPERSPINE] if rows[s][4] == rows[low][4]]
    ports: list[list[int]] = [[] for _ in rows]
    for n, (a, b) in enumerate(links):
        ports[a].append(n)
        ports[b].append(n)
    made.port_base = array("i", [0])
    for mine in ports:
        made.port_base.append(made.port_base[-1] + len(mine))
    total = made.port_base[-1]
    made.peer, made.cable = array("i", [NONE] * total), array("i", [NONE] * total)
    made.address, made.prefix_length = array("q", [NONE] * total), array("i", [31] * total)
    made.address6, made.prefix6_length = [], array("i", [])
    for n, (a, b) in enumerate(links):
        one, two = made.port_base[a] + ports[a].index(n), made.port_base[b] + ports[b].index(n)
        made.peer[one], made.peer[two] = two, one
        made.cable[one] = made.cable[two] = n
        made.address[one], made.address[two] = 0x0A800000 + 2 * n + 1, 0x0A800000 + 2 * n
    maps: list[PortMap] = []
    made.port_map = array("i", [NONE] * count)
    for role in (Role.LEAF, Role.SPINE, Role.SUPERSPINE):
        if not start[role]:
            continue
        size = max(len(ports[i]) for i in start[role])
        down = {Role.LEAF: hosts, Role.SPINE: per_pod * rails, Role.SUPERSPINE: size}[role]
        slots = tuple(PortSlot(0, i + 1, 0, 1, 0, 4, 4, 400_000) for i in range(size))
        maps.append(
            PortMap(
                "dcs-7060x6-64pe", slots, tuple(Facing.DOWN if i < down else Facing.UP for i in range(size))
            )
        )
        for i in start[role]:
            made.port_map[i] = len(maps) - 1
    made.port_maps = tuple(maps)
    made.sizing = ()
    made.sizes = NetworkLock(
        units=units,
        units_per_pod=per_pod,
        host_slots=hosts,
        rails=rails,
        leaves_per_unit=rails,
        planes=planes,
        leaf_uplinks=spines,
        spines=spines,
        spine_groups=1,
        links_per_leaf_spine=1,
        superspines=superspines,
    )
    return made


def topology(**shape: int) -> Topology:
    """A site with that one network."""
    one = network(**shape)
    return Topology("lab", {"compute": one}, Lock(networks={"compute": one.sizes}))

"""Forwarding tables as a subnet manager's routing engine computes them, where those of the subnet are not given.

`minhop`, `updn` and `dnup` send to each destination by that port, of all that lead the shortest way, which has the
fewest destinations so far, and of equal ones by the first, or on three tiers by chance (OpenSM's osm_ucast_mgr.c and
osm_switch.c). Destinations come leaf by leaf: those with most ends first, equal ones in the order of their GUIDs as a
little-endian processor compares them; on a leaf port by port.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabric.devices.infiniband.model import Subnet
from fabric.devices.infiniband.routing_engines import SCATTER_SEED, is_scattered
from fabric.graph import Graph, Tier
from fabric.graph.model import Ints
from fabric.hardware import Catalogue
from fabric.simulation.forwarding import Forwarding, links_by_number, port_number
from fabric.simulation.routes import FAR, Routes
from fabric.topology.roles import NONE, Role

IN_TURN = "ftree"
"""Its destinations take links in turn, as `place` has them without tables."""
BALANCED = ("minhop", "updn", "dnup")
"""Engines that are computed here as OpenSM computes them."""
FREELY = "minhop"
"""Of these the one that also goes down, then up."""
ALONG_AXES = ("torus-2qos",)
"""First along one dimension, then along the next: of all shortest ways those to the neighbour of the first port."""
NEVER = np.int32(1 << 30)


def is_modelled(engine: str) -> bool:
    """Whether flows take the very paths of an engine, else those of `minhop` stand for them."""
    return engine in (IN_TURN, *BALANCED)


def tables_of(routes: Routes, subnet: Subnet, hardware: Catalogue) -> Forwarding:
    """What every switch does with what is for any host of the network, over the links that carry."""
    graph, count = routes.graph, routes.graph.count
    number, links = port_number(graph, hardware), links_by_number(graph, hardware)
    ends = _in_order(graph, subnet, number)
    hosts = ends[graph.tier[ends] == Tier.HOST]
    column = np.full(count, NONE, np.int32)
    column[hosts] = np.arange(len(hosts))
    hops = np.full((len(links), len(hosts)), NONE, np.int32)
    used = np.zeros(links.shape, np.int32)
    chance = _chance(routes, subnet, ends) if is_scattered(subnet) else None
    for own in np.split(ends, np.flatnonzero(np.diff(graph.upper[ends])) + 1):
        leaf = int(graph.upper[own[0]]) if len(own) else 0
        those, ports = _candidates(routes, leaf, number, along_axes=subnet.engine in ALONG_AXES)
        rows = np.arange(len(those))
        for end in own.tolist():
            ways = np.where(ports == NONE, NEVER, used[those[:, None], ports])
            nth = np.argmin(ways, axis=1) if chance is None else chance.among_least(ways, those)
            chosen = ports[rows, nth]
            used[those, chosen] += 1
            if column[end] != NONE:
                hops[those, column[end]] = links[those, chosen]
                hops[leaf, column[end]] = end + count
    return Forwarding(hops, column)


def _in_order(graph: Graph, subnet: Subnet, number: Ints) -> Ints:
    """Links to the ends at leaves, in the order in which an engine gives out ports."""
    guid = np.array([_swapped(switch.guid) for switch in subnet.switches], np.uint64)
    ends = np.flatnonzero(np.isin(graph.tier, (Tier.HOST, Tier.OUT)) & graph.carries).astype(np.int32)
    ends = ends[graph.role[graph.upper[ends]] == Role.LEAF]
    leaf = graph.upper[ends]
    of_leaf = np.bincount(leaf, minlength=len(subnet.switches))
    order = np.lexsort((number[graph.upper_port[ends]], guid[leaf], -of_leaf[leaf]))
    return np.asarray(ends[order], np.int32)


def _swapped(guid: int) -> int:
    return int.from_bytes(guid.to_bytes(8, "big"), "little")


def _candidates(routes: Routes, leaf: int, number: Ints, *, along_axes: bool) -> tuple[Ints, Ints]:
    """The switches that a leaf can be reached from, and of each the numbers of the ports that lead nearer, ascending.

    Behind the last of them NONE.
    """
    hops = routes.hops[:, leaf - routes.leaves.start]
    switches = np.flatnonzero((hops < FAR) & (hops > 0)).astype(np.int32)
    found = routes.next_hops(switches, np.full(len(switches), leaf - routes.leaves.start, np.int32))
    row = np.repeat(np.arange(len(switches)), found.width)
    ports = number[routes.near_port[found.links]]
    if along_axes:
        heads = routes.head[found.links]
        kept = heads == heads[found.first][row]
        row, ports = row[kept], ports[kept]
    order = np.lexsort((ports, row))
    row, ports = row[order], ports[order]
    width = np.bincount(row, minlength=len(switches))
    table = np.full((len(switches), max(1, int(width.max(initial=0)))), NONE, np.int32)
    table[row, np.arange(len(row)) - (np.cumsum(width) - width)[row]] = ports
    return switches, table


class _Chance:
    """`random()` of the C library (glibc's, of 31 words), seeded anew before each computation of all tables.

    Switch after switch takes a number for each destination that is not its own, ends first, then other switches.
    """

    def __init__(self, order: Ints, taken: Ints) -> None:
        self._next = np.zeros(len(order), np.int64)
        self._next[order] = np.cumsum(taken[order]) - taken[order]
        self._numbers = glibc_random(SCATTER_SEED, int(taken.sum()))

    def among_least(self, ways: Ints, switches: Ints) -> Ints:
        """One of the least of each row, by the next number of its switch."""
        least = ways == ways.min(axis=1, keepdims=True)
        number = self._numbers[self._next[switches]]
        self._next[switches] += 1
        wanted = number % least.sum(axis=1)
        return np.asarray((np.cumsum(least, axis=1) <= wanted[:, None]).sum(axis=1), np.int32)


def _chance(routes: Routes, subnet: Subnet, ends: Ints) -> _Chance:
    graph, count = routes.graph, len(subnet.switches)
    order = np.argsort(np.array([_swapped(switch.guid) for switch in subnet.switches], np.uint64))
    reached = routes.hops < FAR
    of_leaf = np.bincount(graph.upper[ends], minlength=count)[routes.leaves.start : routes.leaves.stop]
    others = of_leaf[None, :] * (reached & (routes.hops > 0))
    taken = others.sum(axis=1) + _other_switches(graph, subnet)
    return _Chance(order.astype(np.int32), taken.astype(np.int64))


def _other_switches(graph: Graph, subnet: Subnet) -> Ints:
    """How many other switches each can send to: all, or of those that route up and down whom it meets above."""
    count = len(subnet.switches)
    if subnet.engine == FREELY:
        return np.full(count, count - 1, np.int32)
    above = np.eye(count, dtype=np.float32)
    for tier in (Tier.SPINE, Tier.LEAF):
        links = graph.links(tier)
        links = links[graph.carries[links]]
        for lower, upper in np.unique(np.stack((graph.lower[links], graph.upper[links]), axis=1), axis=0):
            above[lower] = np.maximum(above[lower], above[upper])
    return np.asarray(np.count_nonzero(above @ above.T, axis=1) - 1, np.int32)


def glibc_random(seed: int, count: int) -> NDArray[np.int64]:
    """The first numbers that `random()` gives after `srandom(seed)`: each the sum of those 3 and 31 places before."""
    words = [seed]
    for _ in range(30):
        words.append(16807 * words[-1] % 0x7FFFFFFF)
    for _ in range(3):
        words.append(words[-31])
    skipped = 310
    for _ in range(skipped + count):
        words.append((words[-3] + words[-31]) & 0xFFFFFFFF)
    return np.array(words[34 + skipped :], np.int64) >> 1

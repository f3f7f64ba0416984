"""Shortest valley-free next hops of every switch to every leaf: what eBGP with equal-cost paths installs.

A way goes up, then across between switches of one tier, then down, each as often as need be, and never back. In a
tree that is up and down; between zones once across; in a torus or a dragonfly shortest ways across alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fabric.graph import Graph, Tier, leaves_below, with_equal_neighbours
from fabric.graph.model import Ints
from fabric.simulation.forwarding import Forwarding
from fabric.simulation.hashing import FIVE_TUPLE
from fabric.topology.roles import Role

FAR = 100
"""Hops to a leaf that cannot be reached."""
DOWN, ACROSS, UP = range(3)
"""The next hop leads there. The order is that of ways: what is reached by going down needs no other."""
AT_ONCE = 1 << 24
"""Candidates that are looked at together: some hundred MiB."""
Hops = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class NextHops:
    """Of pairs of a switch and a leaf: the links that lead nearer, in port order."""

    first: NDArray[np.int64]
    """Index into `links`; likewise `width` entries from there."""
    width: NDArray[np.int64]
    links: Ints
    """Directed links."""


@dataclass(frozen=True, eq=False)
class Routes:
    """Every switch's distance to every leaf, and the way to go on.

    Directed links: link l of the graph from its lower to its upper end is l, the other way l + count.
    """

    graph: Graph
    hops: Hops
    """Switch by leaf; FAR where there is no way."""
    way: Hops
    """Switch by leaf: DOWN, ACROSS or UP."""
    tail: Ints
    """The node that each directed link leaves."""
    head: Ints
    order: Ints
    """Directed links between switches that carry, by switch, way and port."""
    starts: NDArray[np.int64]
    """Of switch * 3 + way: the first in `order`; one more entry at the end."""
    fields: tuple[str, ...] = FIVE_TUPLE
    """What switches hash, in the words of the intent."""
    forwarding: Forwarding | None = None
    """Tables that a subnet manager has computed: single paths are theirs then."""
    engine: str = ""
    """Routing engine of the subnet manager whose tables are derived; empty: tables are given, or none are needed."""
    widths: Ints | None = None
    """Most equal paths that each switch uses; None: all there are."""

    @property
    def leaves(self) -> range:
        """Node ids of leaves."""
        return self.graph.nodes(Role.LEAF)

    @cached_property
    def near_port(self) -> Ints:
        """The port that each directed link leaves by."""
        return np.concatenate((self.graph.lower_port, self.graph.upper_port))

    def next_hops(self, switches: Ints, leaves: Ints) -> NextHops:
        """Where each switch sends what is for a leaf (counted from 0)."""
        keys = switches.astype(np.int64) * 3 + self.way[switches, leaves]
        counts = self.starts[keys + 1] - self.starts[keys]
        widths, links = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
        for part in _parts(counts):
            width, found = self._nearer(switches[part], leaves[part], keys[part], counts[part])
            widths.append(width)
            links.append(found)
        width = np.concatenate(widths)
        return NextHops(np.cumsum(width) - width, width, np.concatenate(links))

    def _nearer(
        self, switches: Ints, leaves: Ints, keys: NDArray[np.int64], counts: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], Ints]:
        """Of all links that lead the right way those whose other end is nearer by one."""
        ends = np.cumsum(counts)
        begins = ends - counts
        links = self.order[np.repeat(self.starts[keys] - begins, counts) + np.arange(counts.sum())]
        at = switches.astype(np.int64) * len(self.leaves) + leaves
        onward = self._head_rows[links] + np.repeat(leaves.astype(np.int64), counts)
        hops, way = self.hops.ravel(), self.way.ravel()
        nearer = hops[onward] == np.repeat(hops[at] - 1, counts)
        nearer &= way[onward] <= np.repeat(way[at], counts)
        links = links[nearer]
        before = np.concatenate(([0], np.cumsum(nearer)))
        width = before[ends] - before[begins]
        if self.widths is None:
            return width, links
        # Which of too many are used is a product's own choice: here those of the first ports.
        most = self.widths[switches]
        kept = np.arange(len(links)) - np.repeat(np.cumsum(width) - width, width) < np.repeat(most, width)
        return np.minimum(width, most), links[kept]

    @cached_property
    def _head_rows(self) -> NDArray[np.int64]:
        """Where the rows of the directed links' heads begin in `hops` and `way`."""
        return self.head.astype(np.int64) * len(self.leaves)


def _parts(counts: NDArray[np.int64]) -> list[slice]:
    """Slices of at most AT_ONCE candidates."""
    if not len(counts):
        return []
    bounds = np.searchsorted(np.cumsum(counts), np.arange(AT_ONCE, int(counts.sum()), AT_ONCE), side="right")
    edges = np.unique(np.concatenate(([0], bounds, [len(counts)])))
    return [slice(low, high) for low, high in pairwise(edges.tolist())]


def routes_of(graph: Graph) -> Routes:
    """The routes over the links that carry."""
    tail, head = np.concatenate((graph.lower, graph.upper)), np.concatenate((graph.upper, graph.lower))
    ways = _ways(graph)
    inner = np.flatnonzero((ways >= 0) & np.tile(graph.carries, 2)).astype(np.int32)
    keys = tail[inner].astype(np.int64) * 3 + ways[inner]
    port = np.concatenate((graph.lower_port, graph.upper_port))[inner]
    order = np.lexsort((port, keys))
    starts = np.searchsorted(keys[order], np.arange(len(graph.net.switches) * 3 + 1))
    hops, way = _distances(graph, tail, head, inner, ways[inner])
    return Routes(graph, hops, way, tail, head, inner[order], starts.astype(np.int64))


def own_hosts_alone(routes: Routes) -> Routes:
    """The same where leaves advertise no prefix of hosts: each reaches those that are cabled to it."""
    hops = np.full_like(routes.hops, FAR)
    leaves = routes.leaves
    hops[np.arange(leaves.start, leaves.stop), np.arange(len(leaves))] = 0
    return replace(routes, hops=hops)


def _ways(graph: Graph) -> NDArray[np.int8]:
    """DOWN, ACROSS or UP of each directed link between switches; -1 of others."""
    tree = np.isin(graph.tier, (Tier.LEAF, Tier.SPINE))
    across = np.where(graph.tier == Tier.ACROSS, ACROSS, -1)
    upward, downward = np.where(tree, UP, across), np.where(tree, DOWN, across)
    return np.concatenate((upward, downward)).astype(np.int8)


def _distances(
    graph: Graph, tail: Ints, head: Ints, inner: Ints, ways: NDArray[np.int8]
) -> tuple[Hops, Hops]:
    """Hops to each leaf and the first step, by switch."""
    below = leaves_below(graph)
    depth = graph.role[: below.shape[0]]
    hops = np.where(below, depth[:, None], FAR).astype(np.int8)
    way = np.zeros_like(hops)
    across = inner[ways == ACROSS]
    while len(across) and _relaxed(hops, way, (tail[across], head[across]), ACROSS):
        pass
    up = inner[ways == UP]
    for role in (Role.SPINE, Role.LEAF):  # from above: who is further up is settled by then
        those = up[graph.role[tail[up]] == role]
        _relaxed(hops, way, (tail[those], head[those]), UP)
    return hops, way


def _relaxed(hops: Hops, way: Hops, links: tuple[Ints, Ints], step: int) -> bool:
    """Shorten ways by one more step from the tails of links to their heads; whether any became shorter."""
    changed = False
    for switches, heads in with_equal_neighbours(*links):
        nearest = hops[heads].min(axis=0) + np.int8(1)
        own = hops[switches]
        better = nearest < own
        if better.any():
            changed = True
            hops[switches] = np.where(better, nearest, own)
            way[switches] = np.where(better, np.int8(step), way[switches])
    return changed

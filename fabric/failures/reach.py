"""Which leaves reach each other by a route that goes up and then down, and how many pairs a failure separates.

Where switches of one tier are joined (zones, a torus, a dragonfly) any walk counts: their routes are minimal paths
over the links that are left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fabric.failures.connected import tolerated
from fabric.failures.places import Longs, distinct
from fabric.failures.stand_ins import Parts
from fabric.graph import Graph, Tier, leaves_below
from fabric.graph.model import Bools
from fabric.topology.roles import Role

Bytes = NDArray[np.uint8]
UPWARD = (Tier.LEAF, Tier.SPINE)
BETWEEN = (*UPWARD, Tier.ACROSS)
BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.int64)
"""How many bits of a byte are set."""


class Reach:
    """Of one network, as it is without a failure."""

    def __init__(self, graph: Graph, alike: Callable[[], Longs] | None = None) -> None:
        """`alike`: of each switch one that it stands for, if symmetries say so."""
        self.graph = graph
        self._alike = alike
        self.leaves = graph.nodes(Role.LEAF)
        self.switches = len(graph.net.switches)
        self.is_tree = not bool((graph.tier == Tier.ACROSS).any())

    def pairs_lost(self, count: int, failure: Longs, link: Longs, alike: Longs | None = None) -> Longs:
        """Of each failure the pairs of leaves, each with a link left, that no longer reach each other.

        Entries are sorted by failure. `alike`: of each failure one that it stands for.
        """
        lost = np.zeros(count, np.int64)
        between = np.isin(self.graph.tier[link], BETWEEN)
        kills = np.zeros(count, np.bool_)
        if self.is_tree:  # no route crosses a leaf: one that is dead takes nothing from others
            dead = between & self._at_dead_leaves(failure, link)
            kills[failure[dead]] = True
            between &= ~dead
            between &= ~self._parts.have_stand_ins(count, failure[between], link[between])[failure]
        touched = distinct(failure[between])
        if not len(touched) or not len(self.leaves):
            return lost
        if not self.is_tree:
            touched = touched[self._elements(count, failure, link)[touched] > self._tolerated]
        starts = np.searchsorted(failure, np.arange(count + 1))
        touched = self._without_single_adjacencies(touched, (failure[between], link[between]), lost, kills)
        alike = np.arange(count) if alike is None else alike
        for one in distinct(alike[touched]).tolist():
            lost[one] = self._pairs_lost(link[starts[one] : starts[one + 1]])
        lost[touched] = lost[alike[touched]]
        return lost

    @cached_property
    def is_whole(self) -> bool:
        """Whether every leaf reaches every other without a failure."""
        return int(BITS[self.healthy].sum()) == len(self.leaves) ** 2

    @cached_property
    def _tolerated(self) -> int:
        graph = self.graph
        links = np.flatnonzero(np.isin(graph.tier, BETWEEN))
        lower, upper = (ends[links].astype(np.int64) for ends in (graph.lower, graph.upper))
        return tolerated(lower, upper, self.switches, self._alike() if self._alike else None)

    def _elements(self, count: int, failure: Longs, link: Longs) -> Longs:
        """Of each failure the switches that lose every link, and the links of others, parallel ones once."""
        graph, nodes = self.graph, len(self.graph.role)
        degree = np.bincount(graph.lower, minlength=nodes) + np.bincount(graph.upper, minlength=nodes)
        ends = np.stack((graph.lower[link], graph.upper[link])).astype(np.int64)
        keys = (failure * nodes + ends).ravel()
        found, at, gone = np.unique(keys, return_inverse=True, return_counts=True)
        is_dead = (gone == degree[found % nodes]) & (found % nodes < self.switches)
        elements = np.bincount(found[is_dead] // nodes, minlength=count)
        alone = np.isin(graph.tier[link], BETWEEN) & ~is_dead[at.ravel()].reshape(2, -1).any(axis=0)
        pairs = distinct((failure[alone] * nodes + ends[0, alone]) * nodes + ends[1, alone])
        elements += np.bincount(pairs // nodes**2, minlength=count)
        return elements

    def _at_dead_leaves(self, failure: Longs, link: Longs) -> Bools:
        """Which entries are links of a leaf that loses all of its links."""
        graph, nodes = self.graph, len(self.graph.role)
        switch = np.where(graph.tier[link] == Tier.LEAF, graph.lower[link], graph.upper[link])
        ends = np.concatenate((graph.upper, graph.lower[graph.tier == Tier.LEAF]))
        _keys, at, gone = np.unique(failure * nodes + switch, return_inverse=True, return_counts=True)
        is_dead = gone[at.ravel()] == np.bincount(ends, minlength=nodes)[switch]
        dead: Bools = is_dead & (graph.role[switch] == Role.LEAF)
        return dead

    def _without_single_adjacencies(
        self, touched: Longs, entries: tuple[Longs, Longs], lost: Longs, kills: Bools
    ) -> Longs:
        """Answers failures that part one leaf from one spine, or nobody from anybody; the others are left to do.

        With a leaf's link to a spine gone, it loses the leaves that it reaches by no other spine: all of them, so those
        failures are left to do that also kill a leaf (`kills`).
        """
        graph = self.graph
        failure, link = entries
        pair = graph.lower[link].astype(np.int64) * len(graph.role) + graph.upper[link]
        width = len(graph.role) ** 2
        keys, gone = np.unique(failure * width + pair, return_counts=True)
        whole = gone == self._parallel(keys % width)
        keys = keys[whole]
        of, pair = keys // width, keys % width
        many = np.bincount(of, minlength=len(lost))
        is_leaf = np.zeros(len(lost), np.bool_)
        lower, upper = pair // len(graph.role), pair % len(graph.role)
        is_leaf[of] = (graph.role[lower] == Role.LEAF) & (graph.role[upper] == Role.SPINE)
        if self.is_tree:
            is_leaf &= ~kills
            single = (many[of] == 1) & is_leaf[of]
            lost[of[single]] = self._only_by(lower[single], upper[single])
            left: Longs = touched[(many[touched] > 1) | ((many[touched] == 1) & ~is_leaf[touched])]
            return left
        return touched[many[touched] > 0]

    @cached_property
    def _parts(self) -> Parts:
        return Parts(self.graph, self._healthy_by_switch)

    @cached_property
    def _adjacencies(self) -> tuple[Longs, Longs]:
        graph = self.graph
        found = np.unique(graph.lower.astype(np.int64) * len(graph.role) + graph.upper, return_counts=True)
        return found[0], found[1]

    def _parallel(self, pairs: Longs) -> Longs:
        """How many links join each pair of nodes."""
        keys, counts = self._adjacencies
        return counts[np.searchsorted(keys, pairs)]

    def _only_by(self, leaves: Longs, spines: Longs) -> Longs:
        """How many leaves each leaf reaches by this spine alone; itself left out."""
        if not len(leaves):
            return np.zeros(0, np.int64)
        by, ways = self._ways
        answers = np.zeros(len(leaves), np.int64)
        step = max(1, (1 << 24) // len(self.leaves))
        for at in range(0, len(leaves), step):
            leaf, spine = leaves[at : at + step] - self.leaves.start, spines[at : at + step]
            only = by[spine] & (ways[leaf] == 1)
            only[np.arange(len(leaf)), leaf] = False
            answers[at : at + step] = only.sum(axis=1)
        return answers

    @cached_property
    def _ways(self) -> tuple[Bools, NDArray[np.float32]]:
        """The leaves that a switch reaches, down or up and down; and by how many spines a leaf reaches a leaf."""
        by = np.unpackbits(self._healthy_by_switch, axis=1, count=len(self.leaves)).astype(np.bool_)
        first = self.graph.links(Tier.LEAF)
        joined = np.zeros((len(self.leaves), self.switches), np.float32)
        joined[self.graph.lower[first] - self.leaves.start, self.graph.upper[first]] = 1
        used = joined.any(axis=0)
        return by, joined[:, used] @ by[used].astype(np.float32)

    def _by_switch(self, carries: Bools) -> Bytes:
        """The leaves that a switch reaches down, or by one switch above it and down: a bit each."""
        below = leaves_below(self.graph, carries)
        by = np.packbits(below, axis=1)
        second = self.graph.links(Tier.SPINE)
        second = second[carries[second]]
        if len(second):
            _join(by, by.copy(), self.graph.lower[second], self.graph.upper[second])
        return by

    @cached_property
    def healthy(self) -> Bytes:
        """The leaves that each leaf reaches without a failure, itself included: a bit each."""
        every = np.ones(self.graph.count, np.bool_)
        return self._by_routes(every, self._healthy_by_switch) if self.is_tree else self._by_walks(every)

    @cached_property
    def _healthy_by_switch(self) -> Bytes:
        return self._by_switch(np.ones(self.graph.count, np.bool_))

    def _pairs_lost(self, links: Longs) -> int:
        carries = np.ones(self.graph.count, np.bool_)
        carries[links] = False
        graph = self.graph
        live = np.zeros(len(graph.role), np.bool_)
        live[graph.upper[carries]] = live[graph.lower[carries]] = True
        own = live[self.leaves.start : self.leaves.stop]
        gone = self.healthy & ~self.reached(carries)
        gone = gone[own] & np.packbits(own)
        return int(BITS[gone].sum()) // 2

    def reached(self, carries: Bools) -> Bytes:
        """The leaves that each leaf reaches, itself included: a bit each."""
        return self._by_routes(carries, self._by_switch(carries)) if self.is_tree else self._by_walks(carries)

    def _by_routes(self, carries: Bools, by: Bytes) -> Bytes:
        graph, count = self.graph, len(self.leaves)
        reached = np.packbits(np.eye(count, dtype=np.bool_), axis=1)
        first = graph.links(Tier.LEAF)
        first = first[carries[first]]
        if len(first):
            _join(reached, by, graph.lower[first] - self.leaves.start, graph.upper[first])
        return reached

    def _by_walks(self, carries: Bools) -> Bytes:
        """By the lowest switch of the part of the network that each belongs to."""
        graph = self.graph
        links = np.flatnonzero(carries & np.isin(graph.tier, BETWEEN))
        lower, upper = graph.lower[links], graph.upper[links]
        part = np.arange(self.switches)
        while True:
            lowest = np.minimum(part[lower], part[upper])
            new = part.copy()
            np.minimum.at(new, lower, lowest)
            np.minimum.at(new, upper, lowest)
            new = new[new]
            if np.array_equal(new, part):
                break
            part = new
        own = part[self.leaves.start : self.leaves.stop]
        return np.packbits(own[:, None] == own[None, :], axis=1)


def _join(reached: Bytes, by: Bytes, lower: np.ndarray, upper: np.ndarray) -> None:
    """What the switches above a switch reach, it reaches: one entry a link."""
    order = np.argsort(lower, kind="stable")
    lower, upper = lower[order], upper[order]
    starts = np.flatnonzero(np.append(True, lower[1:] != lower[:-1]))
    reached[lower[starts]] |= np.bitwise_or.reduceat(by[upper], starts, axis=0)

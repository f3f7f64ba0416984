"""Which leaves a switch reaches without going up: where a valley-free route may turn down."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from fabric.graph.model import Bools, Graph, Ints, Tier
from fabric.topology.roles import Role


def leaves_below(graph: Graph, carries: Bools | None = None) -> Bools:
    """Of each switch (row) the leaves (column, in node order) that it reaches by links that lead down only.

    `carries`: the links that do, one entry a link; by default those of the graph. A leaf reaches itself.
    """
    carries = graph.carries if carries is None else carries
    leaves = graph.nodes(Role.LEAF)
    below = np.zeros((len(graph.net.switches), len(leaves)), np.bool_)
    below[leaves.start : leaves.stop] = np.eye(len(leaves), dtype=np.bool_)
    first = graph.links(Tier.LEAF)
    first = first[carries[first]]
    below[graph.upper[first], graph.lower[first] - leaves.start] = True
    second = graph.links(Tier.SPINE)
    second = second[carries[second]]
    if len(second):
        _join_above(below, graph.lower[second], graph.upper[second])
    return below


def _join_above(below: Bools, lower: Ints, upper: Ints) -> None:
    """What the switches below a switch reach, it reaches."""
    for above, under in with_equal_neighbours(upper, lower):
        below[above] |= below[under].any(axis=0)


def with_equal_neighbours(nodes: Ints, neighbours: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Nodes that have the same neighbours, and these: in a regular network few sets of many nodes."""
    most = int(neighbours.max(initial=0)) + 1
    first, second = np.divmod(np.unique(nodes.astype(np.int64) * most + neighbours), most)
    starts = np.flatnonzero(np.diff(first, prepend=-1)).tolist()
    found: dict[bytes, list[int]] = {}
    for low, high in pairwise([*starts, len(first)]):
        found.setdefault(second[low:high].tobytes(), []).append(int(first[low]))
    for key, alike in found.items():
        yield np.array(alike, np.int32), np.frombuffer(key, second.dtype).astype(np.int32)

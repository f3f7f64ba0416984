"""Which leaves a switch reaches without going up: where a valley-free route may turn down."""

from __future__ import annotations

import numpy as np

from fabric.graph.model import Bools, Graph, Tier
from fabric.topology.roles import Role

CHUNK = 1 << 24
"""So many truth values are gathered at once: 16 MiB."""


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


def _join_above(below: Bools, lower: np.ndarray, upper: np.ndarray) -> None:
    """What the switches below a switch reach, it reaches: pairs of a switch and one below it."""
    pairs = np.unique(np.stack((upper, lower), axis=1), axis=0)
    step = max(1, CHUNK // max(1, below.shape[1]))
    for at in range(0, len(pairs), step):
        above, under = pairs[at : at + step].T
        starts = np.flatnonzero(np.r_[True, above[1:] != above[:-1]])
        joined = np.logical_or.reduceat(below[under], starts, axis=0)
        below[above[starts]] |= joined

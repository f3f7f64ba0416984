"""Waits of routes that are only known to be shortest: a torus, a dragonfly, and engines that know of no tiers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric.analysis.deadlock.circle import circle
from fabric.graph import Graph
from fabric.graph.model import Ints

CHUNK = 1 << 24
"""So many truth values are looked at at once: 16 MiB."""
FAR = 1 << 14
"""Hops to what is not reached; three of them are still a 16-bit number."""


@dataclass(frozen=True, eq=False)
class Arcs:
    """Every two switches that are joined, in each direction once; parallel links are one."""

    start: Ints
    end: Ints
    hops: NDArray[np.int16]
    """From each switch (row) to each one that has hosts or attachments (column)."""


def arcs(graph: Graph) -> Arcs:
    """Of the links of a graph between switches."""
    switches = len(graph.net.switches)
    between = (graph.lower < switches) & (graph.upper < switches)
    lower, upper = graph.lower[between], graph.upper[between]
    pairs = np.unique(np.stack((np.r_[lower, upper], np.r_[upper, lower]), axis=1), axis=0)
    start, end = pairs[:, 0].astype(np.int32), pairs[:, 1].astype(np.int32)
    ends = np.unique(graph.upper[graph.lower >= switches])
    return Arcs(start, end, _hops(switches, start, end, ends))


def dependencies(found: Arcs) -> tuple[Ints, Ints]:
    """Arcs that wait, and those that they wait for: both lie on a shortest route to somebody."""
    first, second = _followers(found)
    hops = found.hops
    needed = np.zeros(len(first), np.bool_)
    step = max(1, CHUNK // max(1, hops.shape[1]))
    for at in range(0, len(first), step):
        one, two = first[at : at + step], second[at : at + step]
        middle = hops[found.end[one]]
        on_first = hops[found.start[one]] == middle + 1
        on_second = middle == hops[found.end[two]] + 1
        needed[at : at + step] = (on_first & on_second & (middle < FAR)).any(axis=1)
    return first[needed], second[needed]


def minimal_circle(graph: Graph) -> tuple[int, ...]:
    """Switches, as node ids, around which buffers of shortest routes may wait for each other; empty: nowhere."""
    found = arcs(graph)
    if not len(found.start) or not found.hops.shape[1]:
        return ()
    waits, for_ = dependencies(found)
    return tuple(int(found.start[arc]) for arc in circle(len(found.start), waits, for_))


def _followers(found: Arcs) -> tuple[Ints, Ints]:
    """Every pair of arcs of which the second begins where the first ends, but for turning back."""
    starts = np.searchsorted(found.start, found.end, "left")
    counts = np.searchsorted(found.start, found.end, "right") - starts
    first = np.repeat(np.arange(len(found.start), dtype=np.int32), counts)
    begins = np.repeat(np.cumsum(counts) - counts, counts)
    second = (np.arange(len(first)) - begins + np.repeat(starts, counts)).astype(np.int32)
    onward = found.end[second] != found.start[first]
    return first[onward], second[onward]


def _hops(switches: int, start: Ints, end: Ints, ends: Ints) -> NDArray[np.int16]:
    """Shortest distances."""
    hops = np.full((switches, len(ends)), FAR, np.int16)
    hops[ends, np.arange(len(ends))] = 0
    if not len(start):
        return hops
    step = max(1, CHUNK // len(start))
    for at in range(0, len(ends), step):
        _spread(hops[:, at : at + step], start, end)
    return hops


def _spread(hops: NDArray[np.int16], start: Ints, end: Ints) -> None:
    """Fill in distances, a hop at a time from all destinations at once."""
    first = np.flatnonzero(np.r_[True, start[1:] != start[:-1]])
    at = start[first]
    while True:
        nearer = np.minimum(np.minimum.reduceat(hops[end], first, axis=0) + np.int16(1), hops[at])
        if np.array_equal(nearer, hops[at]):
            return
        hops[at] = nearer

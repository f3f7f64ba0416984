"""Which parts of a network stand for each other: stated symmetries, checked on the links before they are believed.

Colour refinement would not do: a miswire that keeps all degrees keeps all colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fabric.failures.places import Longs, Places


@dataclass(frozen=True, eq=False)
class Move:
    """A stated symmetry: vertices that move, and where to. All others stay."""

    name: str
    at: Longs
    to: Longs

    @cached_property
    def moved(self) -> frozenset[int]:
        """The vertices that do not stay."""
        return frozenset(self.at.tolist())


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A move that maps the links onto themselves, and how it maps them."""

    move: Move
    links: Longs
    """The links that touch a vertex that moves."""
    images: Longs
    """The link that each of them becomes."""


def holds(places: Places, move: Move) -> Symmetry | None:
    """The move as a symmetry of the links; None if the links are not mapped onto themselves."""
    touched = np.zeros(places.count, np.bool_)
    touched[move.at] = True
    links = np.flatnonzero(touched[places.ends].any(axis=0))
    moved = np.arange(places.count)
    moved[move.at] = move.to
    ends, label = places.ends[:, links], places.label[links]
    before, after = _keys(ends, label, places.count), _keys(moved[ends], label, places.count)
    old, new = np.argsort(before, kind="stable"), np.argsort(after, kind="stable")
    if not np.array_equal(before[old], after[new]):
        return None
    return Symmetry(move, links[new], links[old])


def _keys(ends: Longs, label: Longs, vertices: int) -> Longs:
    low, high = np.minimum(*ends), np.maximum(*ends)
    labels = int(label.max(initial=0)) + 1
    keys: Longs = (low * vertices + high) * labels + label
    return keys


def parallel_links(places: Places, fixed: int = -1) -> tuple[Longs, Longs]:
    """Links of one speed between the same ends stand for each other; `fixed` for itself alone. For `orbits`."""
    keys = _keys(places.ends, places.label, places.count)
    order = np.argsort(keys, kind="stable")
    order = order[order != fixed]
    same = keys[order[1:]] == keys[order[:-1]]
    return order[:-1][same], order[1:][same]


def orbits(count: int, pairs: Iterable[tuple[Longs, Longs]]) -> Longs:
    """Of each of `count` things the lowest one that it stands for: `pairs` are things and their images."""
    listed = list(pairs)
    parent = np.arange(count)
    if not listed:
        return parent
    one = np.concatenate([pair[0] for pair in listed])
    two = np.concatenate([pair[1] for pair in listed])
    while True:
        ones, twos = parent[one], parent[two]
        apart = ones != twos
        if not apart.any():
            return parent
        one, two = one[apart], two[apart]
        np.minimum.at(parent, np.maximum(ones, twos)[apart], np.minimum(ones, twos)[apart])
        while True:
            shorter = parent[parent]
            if np.array_equal(shorter, parent):
                break
            parent = shorter

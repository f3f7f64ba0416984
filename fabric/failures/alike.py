"""Which failures of one kind stand for each other: those whose links a checked symmetry maps onto each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from fabric.failures.components import Failures
from fabric.failures.places import Longs
from fabric.failures.symmetries import orbits

SEED = 20_251_123
"""Of the number of each link: a set of links is known by the sum of theirs, modulo 2^64."""


def alike(failures: Failures, links: int, images: Iterable[tuple[Longs, Longs]]) -> Longs:
    """Of each failure the first one that it stands for. `images`: links of the network and what they become."""
    numbers = np.random.default_rng(SEED).integers(0, 1 << 63, links, dtype=np.uint64)
    of, link = failures.entries()
    order = np.argsort(link, kind="stable")
    by_link = of[order]
    first = np.searchsorted(link[order], np.arange(links + 1))
    total = np.zeros(failures.count, np.uint64)
    np.add.at(total, of, numbers[link])
    sorted_at = np.argsort(total, kind="stable")
    known = total[sorted_at]

    def pairs() -> Iterator[tuple[Longs, Longs]]:
        for old, new in images:
            touched, becomes = _totals(old, numbers[new] - numbers[old], by_link, first)
            becomes += total[touched]
            at = np.minimum(np.searchsorted(known, becomes), max(0, len(known) - 1))
            there = known[at] == becomes if len(at) else np.zeros(0, np.bool_)
            yield touched[there], sorted_at[at[there]]

    return orbits(failures.count, pairs())


def _totals(
    links: Longs, changes: NDArray[np.uint64], by_link: Longs, first: Longs
) -> tuple[Longs, NDArray[np.uint64]]:
    """The failures that take any of `links`, and by how much the sum of each changes."""
    starts, many = first[links], first[links + 1] - first[links]
    entries = np.repeat(starts - np.cumsum(many) + many, many) + np.arange(many.sum())
    touched, at = np.unique(by_link[entries], return_inverse=True)
    sums = np.zeros(len(touched), np.uint64)
    np.add.at(sums, at, np.repeat(changes, many))
    return touched, sums

"""Which failures stand for each other: those whose links a checked symmetry maps onto each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from fabric.failures.components import Failures
from fabric.failures.places import Longs
from fabric.failures.symmetries import orbits

SEED = 20_251_123
"""Of the number of each link: a set of links is known by the sum of theirs, modulo 2^64."""

Images = tuple[Longs, Longs]
"""Things, and what a symmetry makes of each. What is not named stays."""
Numbers = NDArray[np.uint64]


class LinkSets:
    """Failures, known by the links that they take, and by their `kinds`: a number each."""

    def __init__(self, failures: Failures, links: int, kinds: Longs | None = None) -> None:
        draw = np.random.default_rng(SEED)
        of, link = failures.entries()
        self.count = failures.count
        self._number: Numbers = draw.integers(0, 1 << 63, links, dtype=np.uint64)
        order = np.argsort(link, kind="stable")
        self._by_link = of[order]
        self._first = np.searchsorted(link[order], np.arange(links + 1))
        self._total: Numbers = np.zeros(self.count, np.uint64)
        np.add.at(self._total, of, self._number[link])
        if kinds is not None:
            of_kind = draw.integers(0, 1 << 63, int(kinds.max(initial=0)) + 1, dtype=np.uint64)
            self._total += of_kind[kinds]
        self._sorted = np.argsort(self._total, kind="stable")
        self._known = self._total[self._sorted]

    def images(self, moved: Images) -> Images:
        """The failures that moved links touch, and what becomes of each; -1: a set of links that is not a failure."""
        old, new = moved
        touched, becomes = self._totals(old, self._number[new] - self._number[old])
        becomes += self._total[touched]
        if not len(touched):
            return touched, touched
        at = np.minimum(np.searchsorted(self._known, becomes), len(self._known) - 1)
        return touched, np.where(self._known[at] == becomes, self._sorted[at], -1)

    def _totals(self, links: Longs, changes: Numbers) -> tuple[Longs, Numbers]:
        """The failures that take any of `links`, and by how much the sum of each changes."""
        starts, many = self._first[links], self._first[links + 1] - self._first[links]
        entries = np.repeat(starts - np.cumsum(many) + many, many) + np.arange(many.sum())
        touched, at = np.unique(self._by_link[entries], return_inverse=True)
        sums = np.zeros(len(touched), np.uint64)
        np.add.at(sums, at, np.repeat(changes, many))
        return touched, sums


def alike(failures: Failures, links: int, images: Iterable[Images]) -> Longs:
    """Of each failure the first one that it stands for. `images`: links of the network and what they become."""
    sets = LinkSets(failures, links)

    def pairs() -> Iterator[Images]:
        for moved in images:
            touched, becomes = sets.images(moved)
            yield touched[becomes >= 0], becomes[becomes >= 0]

    return orbits(failures.count, pairs())

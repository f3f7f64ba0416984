"""Every pair of failures at once, by orbits: one pair is looked at for each class, and its size is exact.

What fails is what symmetries map onto its like: links, switches, planes, racks. A cable of several links and a line
card are left out: a symmetry of the network may tear their links apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fabric.diagnostics import Refused
from fabric.failures.alike import Images, LinkSets
from fabric.failures.answer import FailureClass, Impact
from fabric.failures.components import LINKS, Failures, failures_of
from fabric.failures.effects import Floats, effects_of
from fabric.failures.generators import stated
from fabric.failures.impact import Fabric
from fabric.failures.places import Longs
from fabric.failures.rank import classes_of, ranked
from fabric.failures.symmetries import holds, orbits, parallel_links
from fabric.units import counted

KINDS = (*LINKS.values(), "leaf", "spine", "superspine", "plane", "rack")
MOST_ORBITS = 512
"""Classes of single failures of which pairs are looked for; each takes up to a tenth of a second."""
MOST_PAIRS = 2_000_000
"""So many are looked at one by one where there are more classes."""
AT_ONCE = 4_000_000
"""Entries of failures and links that are looked at together: some 300 MiB."""


def pair_failures(fabric: Fabric, racks: Mapping[str, str] | None = None) -> Impact:
    """Every pair of links, switches, planes and racks. `Refused` if there are too few symmetries for that.

    Racks that are not like each other are left out, if without them there are symmetries enough.
    """
    single = [each for each in failures_of(fabric.graph, racks or {}) if each.kind in KINDS]
    components = Components(fabric, single)
    if components.has_too_many_classes and components.pairs > MOST_PAIRS:
        components = Components(fabric, [each for each in single if each.kind != "rack"])
    if not components.has_too_many_classes:
        one, two, twice = components.classes()
    elif components.pairs <= MOST_PAIRS:
        one, two = (each.astype(np.int64) for each in np.triu_indices(components.count, 1))
        twice = np.full(len(one), 2)
    else:
        message = (
            f"network {fabric.graph.net.name}: {counted(components.count, ('failure', 'failures'))} have "
            f"{counted(len(components.firsts), ('class', 'classes'))}, too many to look at all of their pairs"
        )
        raise Refused(message)
    return fabric.impact(classes=ranked(components.effects(one, two, twice)), classes_by_orbit=len(one))


@dataclass(frozen=True, eq=False)
class Components:
    """What may fail, of all kinds in one row."""

    fabric: Fabric
    single: list[Failures]

    @cached_property
    def first_of_kind(self) -> Longs:
        """The number of the first one of each kind, and behind the last how many there are."""
        return np.cumsum([0, *(each.count for each in self.single)])

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.first_of_kind[-1])

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return self.count * (self.count - 1) // 2

    @cached_property
    def kind(self) -> Longs:
        """The kind of each, as a place in `single`."""
        return np.repeat(np.arange(len(self.single)), np.diff(self.first_of_kind))

    @cached_property
    def all(self) -> Failures:
        """All of them as one."""
        sizes = np.concatenate([np.diff(each.starts) for each in self.single])
        starts = np.append(0, np.cumsum(sizes)).astype(np.int64)
        links, ids = (
            np.concatenate([getattr(each, name) for each in self.single]) for name in ("links", "ids")
        )
        return Failures("any", starts, links, self.name, ids)

    def name(self, component: int) -> str:
        """What people call one of them."""
        kind = int(self.kind[component])
        return self.single[kind].name(component - int(self.first_of_kind[kind]))

    @cached_property
    def _sets(self) -> LinkSets:
        return LinkSets(self.all, self.fabric.graph.count, self.kind)

    @cached_property
    def _singles(self) -> Longs:
        """Of each the first one that it stands for."""
        return orbits(self.count, self._acting(self.fabric.link_images))

    @cached_property
    def firsts(self) -> Longs:
        """One of each class, the first."""
        return np.unique(self._singles)

    @property
    def has_too_many_classes(self) -> bool:
        """Whether it would take too long to look for the pairs of each class."""
        return len(self.firsts) > MOST_ORBITS

    def _acting(self, moves: Iterable[Images], fixed: int | None = None) -> Iterator[Images]:
        """What symmetries make of the components, if each becomes another of its kind, and `fixed` stays."""
        for move in moves:
            components, images = self._sets.images(move)
            if (images >= 0).all() and (fixed is None or (images[components == fixed] == fixed).all()):
                yield components, images

    def classes(self) -> tuple[Longs, Longs, Longs]:
        """A pair of each class, and twice the size of the class: pairs of one orbit are met from both of theirs."""
        _, sizes = np.unique(self._singles, return_counts=True)
        found: list[tuple[Longs, Longs, Longs]] = []
        for first, size in zip(self.firsts.tolist(), sizes.tolist(), strict=True):
            second, counts = np.unique(self._orbits_beside(first), return_counts=True)
            wanted = (second != first) & (self._singles[second] >= first)  # a class of two orbits is met once
            second, counts = second[wanted], counts[wanted]
            twice = size * counts * np.where(self._singles[second] == first, 1, 2)
            found.append((np.full(len(second), first), second, twice))
        one, two, twice = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return one, two, twice

    def _orbits_beside(self, first: int) -> Longs:
        """Orbits under the symmetries that leave one of them where it is."""
        places = self.fabric.places
        link, still = self._still(first)
        checked = (holds(places, move) for move in stated(places, still))
        moves = [(each.links, each.images) for each in checked if each is not None]
        return orbits(self.count, self._acting([*moves, parallel_links(places, link)], first))

    def _still(self, component: int) -> tuple[int, set[int]]:
        """The link that a failure is, or -1, and the vertices that a symmetry must leave where they are."""
        graph, places = self.fabric.graph, self.fabric.places
        failures = self.single[int(self.kind[component])]
        number = int(failures.ids[component - int(self.first_of_kind[self.kind[component]])])
        match failures.kind:
            case "leaf" | "spine" | "superspine":
                return -1, {number}
            case "plane" | "rack":  # what moves them is left out when it is seen to
                return -1, set()
        return number, {int(vertex) for vertex in (*places.ends[:, number], graph.lower[number])}

    def effects(self, one: Longs, two: Longs, twice: Longs) -> list[FailureClass]:
        """The classes of equal effect of these pairs. `twice`: twice the number of pairs that each stands for."""
        matrix = self._matrix(one, two)
        kinds = np.sort(np.stack((self.kind[one], self.kind[two])), axis=0)
        classes: list[FailureClass] = []
        for low, high in np.unique(kinds, axis=1).T.tolist():
            own = np.flatnonzero((kinds[0] == low) & (kinds[1] == high))

            def name(row: int, own: Longs = own) -> str:
                return f"{self.name(int(one[own[row]]))}, {self.name(int(two[own[row]]))}"

            kind = f"{self.single[low].kind} + {self.single[high].kind}"
            classes += classes_of(kind, matrix[own], name, twice[own], 2)
        return classes

    def _matrix(self, one: Longs, two: Longs) -> Floats:
        """Effects, a row a pair; so many pairs at once that memory holds them."""
        sizes = np.diff(self.all.starts)
        part = np.cumsum(sizes[one] + sizes[two]) // AT_ONCE
        parts = np.split(np.arange(len(one)), np.flatnonzero(np.diff(part)) + 1)
        return np.concatenate([self._effects(one[rows], two[rows]) for rows in parts])

    def _effects(self, one: Longs, two: Longs) -> Floats:
        both = np.concatenate((one, two))
        starts, sizes = self.all.starts[both], np.diff(self.all.starts)[both]
        entries = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        failure = np.repeat(np.tile(np.arange(len(one)), 2), sizes)
        return effects_of(self.fabric.network, len(one), failure, self.all.links[entries]).matrix()

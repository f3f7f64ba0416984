"""Every pair of failures at once, by orbits: one pair is looked at for each class, and its size is exact.

What fails is what symmetries map onto its like: links, switches, planes, racks. Cables of several links, optics and
line cards are left out: a symmetry of the network may tear their links apart. So are power feeds: two of them take more
than each takes alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fabric.diagnostics import Refused
from fabric.failures.alike import Images, LinkSets
from fabric.failures.answer import FailureClass, Impact
from fabric.failures.components import LINKS, Failures, Placement, failures_of
from fabric.failures.effects import effects_of
from fabric.failures.impact import Fabric
from fabric.failures.network import Floats
from fabric.failures.places import Longs
from fabric.failures.rank import classes_of, ranked
from fabric.failures.symmetries import Symmetry, orbits, parallel_links
from fabric.units import counted

KINDS = (*LINKS.values(), "leaf", "spine", "superspine", "plane", "rack")
MOST_ORBITS = 512
"""Classes of single failures of which pairs are looked for; each takes up to a tenth of a second."""
MOST_PAIRS = 2_000_000
"""So many are looked at one by one where there are more classes."""
AT_ONCE = 4_000_000
"""Entries of failures and links that are looked at together: some 300 MiB."""


def pair_failures(fabric: Fabric, placement: Placement | None = None) -> Impact:
    """Every pair of links, switches, planes and racks. `Refused` if there are too few symmetries for that.

    Racks that are not like each other are left out, if without them there are symmetries enough.
    """
    single = [each for each in failures_of(fabric.graph, placement or Placement()) if each.kind in KINDS]
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
        return orbits(self.count, [*self._acting(self.fabric.symmetries), self._parallel(-1)])

    @cached_property
    def firsts(self) -> Longs:
        """One of each class, the first."""
        return np.unique(self._singles)

    @property
    def has_too_many_classes(self) -> bool:
        """Whether it would take too long to look for the pairs of each class."""
        return len(self.firsts) > MOST_ORBITS

    def _parallel(self, fixed: int) -> Images:
        """Parallel links stand for each other, `fixed` for itself alone: whatever else fails takes all of them."""
        of_link = np.zeros(self.fabric.graph.count, np.int64)
        for number, each in enumerate(self.single):
            if each.kind in LINKS.values():
                of_link[each.links] = self.first_of_kind[number] + np.arange(each.count)
        one, other = parallel_links(self.fabric.places, fixed)
        return of_link[one], of_link[other]

    @cached_property
    def _known(self) -> dict[int, Images | None]:
        """What each symmetry makes of the components; None: of one it makes what is not another of its kind."""
        return {}

    def _acting(self, symmetries: Iterable[Symmetry]) -> Iterator[Images]:
        for symmetry in symmetries:
            if id(symmetry) not in self._known:
                found = self._sets.images((symmetry.links, symmetry.images))
                self._known[id(symmetry)] = found if (found[1] >= 0).all() else None
            images = self._known[id(symmetry)]
            if images is not None:
                yield images

    def classes(self) -> tuple[Longs, Longs, Longs]:
        """A pair of each class, and twice the size of the class: pairs of one orbit are met from both of theirs."""
        _, sizes = np.unique(self._singles, return_counts=True)
        nothing = np.zeros(0, np.int64)  # where nothing carries, there are no pairs
        found: list[tuple[Longs, Longs, Longs]] = [(nothing, nothing, nothing)]
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
        link, still = self._still(first)
        acting = self._acting(each for _, each in self.fabric.symmetries_of(still) if each is not None)
        fixing = [(things, images) for things, images in acting if _leaves(things, images, first)]
        return orbits(self.count, [*fixing, self._parallel(link)])

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


def _leaves(things: Longs, images: Longs, one: int) -> bool:
    """Whether one of the things stays. They are ascending."""
    at = np.searchsorted(things, one)
    return bool(at == len(things) or things[at] != one or images[at] == one)

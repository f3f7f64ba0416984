"""Every pair of links that fail together, by orbits: one pair is looked at for each class, and its size is exact."""

from __future__ import annotations

import numpy as np

from fabric.diagnostics import Refused
from fabric.failures.answer import FailureClass, Impact
from fabric.failures.components import LINKS
from fabric.failures.effects import effects_of
from fabric.failures.generators import stated
from fabric.failures.impact import Fabric
from fabric.failures.places import Longs
from fabric.failures.rank import classes_of, ranked
from fabric.failures.symmetries import Symmetry, holds, orbits, parallel_links
from fabric.graph import Tier

MOST_ORBITS = 512
"""Classes of single links of which pairs are looked for; each takes up to a tenth of a second."""
MOST_PAIRS = 2_000_000
"""So many are looked at one by one where there are more classes."""


def pair_failures(fabric: Fabric) -> Impact:
    """Every pair of links. `Refused` if the network has so few symmetries that this would take too long."""
    links = fabric.graph.count
    singles = orbits(links, fabric.link_images)
    firsts, sizes = np.unique(singles, return_counts=True)
    if len(firsts) > MOST_ORBITS:
        if links * (links - 1) // 2 > MOST_PAIRS:
            message = (
                f"network {fabric.graph.net.name}: {links:,} links have {len(firsts):,} classes, "
                "too many to look at all of their pairs"
            )
            raise Refused(message)
        one, two = (each.astype(np.int64) for each in np.triu_indices(links, 1))
        twice = np.full(len(one), 2)
    else:
        one, two, twice = _classes(fabric, singles, firsts, sizes)
    classes = _effects(fabric, one, two, twice)
    return fabric.impact(classes=ranked(classes), classes_by_orbit=len(one))


def _classes(fabric: Fabric, singles: Longs, firsts: Longs, sizes: Longs) -> tuple[Longs, Longs, Longs]:
    """A pair of each class, and twice the size of the class: pairs of one orbit are met from both of their links."""
    found: list[tuple[Longs, Longs, Longs]] = []
    for first, size in zip(firsts.tolist(), sizes.tolist(), strict=True):
        second, counts = np.unique(_orbits_beside(fabric, first), return_counts=True)
        wanted = (second != first) & (singles[second] >= first)  # a class of two orbits is met once
        second, counts = second[wanted], counts[wanted]
        twice = size * counts * np.where(singles[second] == first, 1, 2)
        found.append((np.full(len(second), first), second, twice))
    one, two, twice = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return one, two, twice


def _orbits_beside(fabric: Fabric, first: int) -> Longs:
    """Orbits of links under the symmetries that leave one link where it is."""
    places = fabric.places
    fixed = {int(vertex) for vertex in (*places.ends[:, first], fabric.graph.lower[first])}
    checked = (holds(places, move) for move in stated(places, fixed))
    images = [(each.links, each.images) for each in checked if each is not None and _fixes(each, first)]
    return orbits(fabric.graph.count, [*images, parallel_links(places, first)])


def _fixes(symmetry: Symmetry, link: int) -> bool:
    return bool((symmetry.images[symmetry.links == link] == link).all())


def _effects(fabric: Fabric, one: Longs, two: Longs, twice: Longs) -> list[FailureClass]:
    graph, count = fabric.graph, len(one)
    failure = np.tile(np.arange(count), 2)
    matrix = effects_of(fabric.network, count, failure, np.concatenate((one, two))).matrix()
    kinds = np.sort(np.stack((graph.tier[one], graph.tier[two])), axis=0)
    classes: list[FailureClass] = []
    for low, high in np.unique(kinds, axis=1).T.tolist():
        own = np.flatnonzero((kinds[0] == low) & (kinds[1] == high))

        def name(row: int, own: Longs = own) -> str:
            return f"{graph.label(int(one[own[row]]))}, {graph.label(int(two[own[row]]))}"

        kind = f"{LINKS[Tier(low)]} + {LINKS[Tier(high)]}"
        classes += classes_of(kind, matrix[own], name, twice[own], 2)
    return classes

"""Fewest switches: small exhaustive searches. Nothing is assumed about the answer; every size is tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

import msgspec


class Uplinks(msgspec.Struct, frozen=True, order=True):
    """How a switch reaches the tier above it. Ordered by preference: fewest above, then fewest uplinks."""

    above: int
    """Switches above, of one group."""
    uplinks: int
    links_per_pair: int


def uplink_choices(
    uplinks: Iterable[int], below: int, most_down: int, links_per_pair: int | None = None
) -> list[Uplinks]:
    """Every even way to spread uplinks over switches above, the best first.

    `below` switches share the group; a switch above has `most_down` ports for them. Even means the same number
    of links in every pair, so the switches above divide the uplinks.
    """
    choices = [
        Uplinks(count // links, count, links)
        for count in uplinks
        for links in range(1, count + 1)
        if count % links == 0 and below * links <= most_down and links_per_pair in (None, links)
    ]
    return sorted(choices)


def largest(limit: int, holds: Callable[[int], bool]) -> int:
    """The largest number up to `limit` for which `holds` is true; it must be true up to there. 0 if none."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


class UnitChoice(msgspec.Struct, frozen=True):
    """A way to cut all hosts into units."""

    switches: int
    units: int
    per_unit: int


def unit_choices(total: int, switches: Callable[[int, int], int | None], most: int) -> list[UnitChoice]:
    """Every way to cut `total` hosts into equal units, the best first: fewest switches, then fullest leaves.

    `switches(per_unit, units)` counts the switches that this needs, None if it cannot be built. `most` bounds
    the hosts of a unit.
    """
    choices = []
    for per_unit in range(1, min(total, most) + 1):
        units = -(-total // per_unit)
        count = switches(per_unit, units)
        if count is not None:
            choices.append(UnitChoice(count, units, per_unit))
    return sorted(choices, key=lambda c: (c.switches, -c.per_unit))


def ceil_div(amount: int, by: Fraction) -> int:
    """`amount` divided by a fraction, rounded up."""
    return -int(-Fraction(amount) // by) if by else 0

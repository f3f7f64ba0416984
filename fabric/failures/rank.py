"""From the effects of failures to classes of equal effect, worst first."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from fabric.failures.answer import Effect, FailureClass
from fabric.failures.effects import NAMES
from fabric.failures.network import Floats
from fabric.failures.places import Longs

DIGITS = 4
COUNTS = frozenset(
    {"hosts_cut_off", "rails_isolated", "leaf_pairs_lost", "host_pairs_parted", "hosts_slowed"}
)


def effect_of(row: Floats) -> Effect:
    """One row of `Effects.matrix`, percentages and ratios to four digits."""
    values = {
        name: int(value) if name in COUNTS else round(float(value), DIGITS) if np.isfinite(value) else None
        for name, value in zip(NAMES, row, strict=True)
    }
    return Effect(**values)  # type: ignore[arg-type]  # names and types are those of `Effects`


def classes_of(
    kind: str, matrix: Floats, name: Callable[[int], str], weights: Longs | None = None, shares: int = 1
) -> list[FailureClass]:
    """Failures of one kind with equal effects. `weights`: how many failures a row stands for, times `shares`."""
    if not len(matrix):
        return []
    rounded = np.round(matrix, DIGITS)
    rows, first, at = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    weights = np.ones(len(matrix), np.int64) if weights is None else weights
    counts = np.zeros(len(rows), np.int64)
    np.add.at(counts, at.ravel(), weights)
    return [
        FailureClass(kind=kind, count=int(count) // shares, example=name(int(one)), effect=effect_of(row))
        for row, one, count in zip(rows, first, counts, strict=True)
    ]


def ranked(classes: Iterable[FailureClass]) -> tuple[FailureClass, ...]:
    """Worst first: hosts cut off, rails isolated, leaves parted, then bandwidth."""

    def key(row: FailureClass) -> tuple[float | str, ...]:
        effect = row.effect
        return (
            -effect.hosts_cut_off,
            -effect.rails_isolated,
            -effect.host_pairs_parted,
            -effect.leaf_pairs_lost,
            effect.allreduce_percent,
            effect.scattered_percent,
            effect.bisection_percent,
            -effect.hosts_slowed,
            row.kind,
            row.example,
        )

    return tuple(sorted(classes, key=key))

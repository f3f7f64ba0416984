"""Which cases of a product of parameters run every day: a sample that meets every value, or every pair of values.

`@pytest.mark.covering` is for a law whose parameters do not act on each other: a fault in one value is found wherever
that value stands. `@pytest.mark.covering(2)` is for one where two of them do. `@pytest.mark.covering(most=3)` is for
what takes seconds a case: a few, others in each file, so that every product and shape comes up somewhere; with
`apart=True` others for each test, where those of a file share nothing that takes long to make.
`FABRIC_HYPOTHESIS=thorough` runs all.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any
from zlib import crc32

import pytest

from tests import hypothesis_profiles

Case = Mapping[str, Any]
"""The values of one test, by parameter."""


def _values(case: Case, strength: int) -> frozenset[Hashable]:
    """Every value of a case, or every two, three, ... that meet in it."""
    named = [(name, _key(case[name])) for name in sorted(case)]
    return frozenset(combinations(named, min(strength, len(named))))


def _key(value: Any) -> Hashable:
    """What tells one value from another; lists and mappings by what they are, as all tests share them."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return type(value), value


def covering(
    cases: Sequence[Case], strength: int = 1, seed: int = 0, *, most: int | None = None
) -> list[int]:
    """Positions of few cases in which all meet that meet in any, or of `most` at most: always the same for a seed."""
    values = [_values(case, strength) for case in cases]
    order = list(range(len(cases)))
    Random(seed).shuffle(order)  # noqa: S311  # a sample, nothing secret
    met: set[Hashable] = set()
    chosen: set[int] = set()
    for new in range(max(map(len, values), default=0), 0, -1):  # those first that meet the most
        for position in order:
            if len(values[position] - met) >= new:
                met |= values[position]
                chosen.add(position)
    return sorted(sorted(chosen, key=order.index)[:most])


def sampled(items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests that run and those that are left to `thorough`, each in their order."""
    if hypothesis_profiles.chosen() == "thorough":
        return list(items), []
    laws: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("covering"):
            laws.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left: set[pytest.Item] = set()
    for name, tests in laws.items():
        marker = tests[0].get_closest_marker("covering")
        words = dict(marker.kwargs)
        is_apart = words.pop("apart", not words)
        of = name if is_apart else name.partition("::")[0]
        cases = [test.callspec.params for test in tests]
        kept = covering(cases, *marker.args, **words, seed=crc32(of.encode()))
        left.update(tests[position] for position in set(range(len(tests))) - set(kept))
    return [item for item in items if item not in left], [item for item in items if item in left]

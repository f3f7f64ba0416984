"""The words that allow a change: exact, few, and readable however many devices need them."""

from __future__ import annotations

import random

import pytest

from fabric.deployment.permissions import FEW, MOST, allowances, is_allowed
from fabric.planning import Impact

LEAVES = [f"leaf-{unit}-{rail}" for unit in range(25) for rail in range(8)]
CASES = {
    "every leaf": (LEAVES, [], ["leaf-*"]),
    "every leaf of a plan with spines": (LEAVES, ["spine-0", "spine-1"], ["leaf-*"]),
    "one rail": ([n for n in LEAVES if n.endswith("-3")], LEAVES, ["leaf-*-3"]),
    "one unit": ([n for n in LEAVES if n.startswith("leaf-2-")], LEAVES, ["leaf-2-*"]),
    "half a unit": ([f"leaf-2-{rail}" for rail in range(4)], LEAVES, ["leaf-2-[0-3]"]),
    "two": (["leaf-2-0", "leaf-2-1"], LEAVES, ["leaf-2-0", "leaf-2-1"]),
    "names that begin with a number": ([f"{n}a" for n in range(10, 20)], [], ["1*"]),
}


def words(names, others):
    return [word.partition(":")[2] for word in allowances(Impact.ISOLATING, names, set(others) - {*names})]


@pytest.mark.parametrize("case", CASES)
def test_switches_with_something_in_common_are_one_word(case):
    names, others, expected = CASES[case]

    assert expected == words(names, others)


@pytest.mark.parametrize("count", [4, 9, 40, 120, 199])
def test_any_choice_of_two_hundred_is_allowed_by_few_words(count):
    names = random.Random(count).sample(LEAVES, count)  # noqa: S311  # no secret
    given = allowances(Impact.ISOLATING, names, set(LEAVES) - {*names})

    assert all(is_allowed("isolating", name, given) for name in names)
    assert len(given) <= MOST
    if given != ["isolating:leaf-*"]:
        assert not [n for n in LEAVES if n not in names and is_allowed("isolating", n, given)]
    else:
        assert count > FEW

"""The words that allow a change: exact, few, and readable however many devices need them."""

from __future__ import annotations

import random
import re
import shlex
from datetime import UTC, datetime

import pytest

from fabric.deployment.codes import CUT_OFF_NOW
from fabric.deployment.permissions import FEW, MOST, allowances, is_allowed, with_names
from fabric.diagnostics import Origin
from fabric.planning import Impact
from fabric.planning.codes import ISOLATING, LOCKOUT
from fabric.planning.model import Action, DevicePlan, Plan

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


def plan_of(names, finding):
    """A plan that changes some devices."""
    changed = (
        DevicePlan(
            device=name,
            platform="eos",
            network="compute",
            role="leaf",
            group=0,
            plane=0,
            action=Action.UPDATE,
            impact=Impact.FLAP,
            intended="",
            observed="",
        )
        for name in names
    )
    return Plan(
        site="lab",
        created=datetime.now(UTC),
        program="0",
        intent="",
        mode="online",
        adopt=False,
        devices=tuple(changed),
        groups=(),
        waves=(),
        diagnostics=(finding,),
    )


def words(names, others):
    return [word.partition(":")[2] for word in allowances(Impact.ISOLATING, names, set(others) - {*names})]


@pytest.mark.parametrize("case", CASES)
def test_switches_with_something_in_common_are_one_word(case):
    names, others, expected = CASES[case]

    assert expected == words(names, others)


@pytest.mark.parametrize("code", [ISOLATING, LOCKOUT, CUT_OFF_NOW], ids=lambda code: code.code)
@pytest.mark.parametrize("names", [LEAVES[:1], LEAVES[:3], LEAVES[:60], LEAVES[3::8]], ids=len)
def test_what_a_finding_tells_to_type_allows_its_devices_and_no_others(code, names):
    """No word of a hint stands for a name that the reader has to put in."""
    finding = code.at(Origin(), "x", hint=code.fix, subjects=tuple(names))
    (told,) = with_names(plan_of(LEAVES, finding)).diagnostics
    impact = "lockout" if code is LOCKOUT else "isolating"
    given = [words[1] for words in map(shlex.split, re.findall(r"`(--allow [^`]*)`", told.hint))]

    assert "NAME" not in told.hint
    assert [n for n in LEAVES if is_allowed(impact, n, given)] == [n for n in LEAVES if n in names]


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

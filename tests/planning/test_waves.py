"""Waves: a canary, then the harmless ones, then never two that stand in for each other."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.planning.model import Impact
from fabric.planning.waves import Candidate, waves

MILD = (Impact.NONE, Impact.HITLESS)
FAR_FIRST = ("superspine", "spine", "leaf")
"""From the hosts."""


@st.composite
def fabrics(draw: st.DrawFn) -> list[Candidate]:
    """Switches of up to two networks, with planes or without, grouped or not; some begin a drain, some end one."""
    made: list[Candidate] = []
    for network in ("compute", "storage")[: draw(st.integers(1, 2))]:
        planes = draw(st.sampled_from([(-1,), (0,), (0, 1), (0, 1, 2, 3)]))
        for role, plane in product(FAR_FIRST, planes):
            for n in range(draw(st.integers(0, 6))):
                group, unit, rail = draw(st.tuples(st.integers(-1, 2), st.integers(0, 2), st.integers(0, 2)))
                unit, rail = (unit, rail) if role == "leaf" else (-1, -1)
                impact = draw(st.sampled_from(list(Impact)))
                drains, returns = draw(st.sampled_from([(False, False), (True, False), (False, True)]))
                name = f"{network}-{role}-{plane}-{n}"
                place = (network, role, plane, group, unit, rail, name, impact)
                made.append(Candidate(*place, drains=drains, returns=returns))
    return made


@given(fabrics(), st.integers(1, 40))
@settings(max_examples=200, deadline=None)
def test_every_device_changes_once(fabric: list[Candidate], width: int) -> None:
    changed = [name for wave in waves(fabric, width) for name in wave.devices]

    assert sorted(changed) == sorted(c.name for c in fabric)


@given(fabrics(), st.integers(1, 40))
@settings(max_examples=200, deadline=None)
def test_no_wave_touches_two_planes_or_two_that_stand_in_for_each_other(
    fabric: list[Candidate], width: int
) -> None:
    known = {c.name: c for c in fabric}
    for wave in waves(fabric, width):
        for a, b in combinations([known[name] for name in wave.devices], 2):
            if a.impact in MILD and b.impact in MILD:
                continue
            assert (a.network, a.plane, a.role) == (b.network, b.plane, b.role)
            assert a.group != b.group or (a.role, a.group) == ("leaf", -1)
            assert a.role != "leaf" or (a.unit, a.rail) != (b.unit, b.rail)
            assert a.role != "leaf" or a.unit != b.unit or {a.impact, b.impact} != {Impact.ISOLATING}


@given(fabrics(), st.integers(1, 40))
@settings(max_examples=100)
def test_waves_are_numbered_from_one_and_only_the_first_is_the_canary(
    fabric: list[Candidate], width: int
) -> None:
    made = waves(fabric, width)

    assert [(n, n == 1) for n in range(1, len(made) + 1)] == [(wave.number, wave.canary) for wave in made]


@given(fabrics(), st.integers(1, 40))
@settings(max_examples=100)
def test_a_wave_has_the_worst_impact_of_its_devices(fabric: list[Candidate], width: int) -> None:
    known = {c.name: c.impact for c in fabric}
    for wave in waves(fabric, width):
        assert wave.impact is max((known[name] for name in wave.devices), key=lambda impact: impact.rank)


@given(fabrics(), st.integers(1, 40))
@settings(max_examples=100)
def test_in_each_plane_the_switches_far_from_the_hosts_change_first(
    fabric: list[Candidate], width: int
) -> None:
    known = {c.name: c for c in fabric}
    steps = [known[wave.devices[0]] for wave in waves(fabric, width)[1:]]
    order = [(c.stage, c.network, c.plane, FAR_FIRST.index(c.role)) for c in steps if c.stage]

    assert sorted(order) == order


@given(fabrics(), st.integers(1, 40))
@settings(max_examples=200)
def test_what_returns_goes_before_what_interrupts_and_what_is_drained_comes_last(
    fabric: list[Candidate], width: int
) -> None:
    """Else the last switch that carries traffic gives it up while the one that is to take it is still out."""
    known = {c.name: c for c in fabric}
    steps = [[known[name] for name in wave.devices] for wave in waves(fabric, width)]
    for earlier, later in combinations(steps, 2):
        assert not any(c.drains for c in earlier) or all(c.drains for c in later)
        assert not any(c.returns for c in later) or all(c.returns or c.is_mild for c in earlier)
    assert all(len({c.drains for c in step}) == 1 for step in steps)


def test_a_wave_says_why_its_devices_go_together() -> None:
    mild = [Candidate("compute", "leaf", 0, -1, unit, 0, f"leaf-{unit}") for unit in range(2)]
    spines = [
        Candidate(network, "spine", plane, 0, -1, -1, f"{network}-spine", Impact.FLAP)
        for network, plane in (("compute", 0), ("storage", -1))
    ]

    assert [wave.reason for wave in waves([*mild, *spines], 8)] == [
        "canary: one device of the mildest change",
        "harmless: all at once",
        "compute plane 0 spine: no two that stand in for each other",
        "storage spine: no two that stand in for each other",
    ]


@given(fabrics(), st.integers(1, 40))
@settings(max_examples=100, deadline=None)
def test_the_canary_is_one_device_of_the_mildest_impact(fabric: list[Candidate], width: int) -> None:
    for wave in waves(fabric, width)[:1]:
        assert (len(wave.devices), wave.canary) == (1, True)
        first = [c for c in fabric if c.drains == all(c.drains for c in fabric)]
        assert wave.impact.rank >= min(c.impact.rank for c in first)
        if any(c.is_mild for c in first):
            assert wave.impact is min((c.impact for c in first), key=lambda impact: impact.rank)


@given(fabrics(), st.randoms())
@settings(max_examples=100, deadline=None)
def test_the_order_of_the_input_does_not_matter(fabric: list[Candidate], chance: random.Random) -> None:
    shuffled = list(fabric)
    chance.shuffle(shuffled)

    assert waves(shuffled, 8) == waves(fabric, 8)


@given(fabrics(), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_only_harmless_waves_are_wider_than_the_width(fabric: list[Candidate], width: int) -> None:
    assert all(len(wave.devices) <= width or wave.impact in MILD for wave in waves(fabric, width))


def test_harmless_changes_go_at_once_after_the_canary() -> None:
    fabric = [Candidate("compute", "leaf", 0, -1, n, 0, f"leaf-{n:03}", Impact.HITLESS) for n in range(500)]

    assert [len(wave.devices) for wave in waves(fabric, 8)] == [1, 499]


@pytest.mark.parametrize("impact", [Impact.ISOLATING, Impact.LOCKOUT])
def test_a_host_loses_one_rail_at_a_time_where_a_sole_path_goes_down(impact: Impact) -> None:
    """Also where `lockout`, as the worse word, stands before it."""
    fabric = [
        Candidate("compute", "leaf", 0, -1, 0, rail, f"leaf-{rail}", impact, isolates=True)
        for rail in range(4)
    ]

    assert [wave.devices for wave in waves(fabric, 8)] == [("leaf-0",), ("leaf-1",), ("leaf-2",), ("leaf-3",)]


def test_of_managers_that_wait_for_each_other_the_last_in_line_goes_first_and_the_master_last():
    managers = [
        Candidate(network, "subnet_manager", -1, 0, -1, -1, f"{network}-{n}", impact, turn)
        for network in ("compute", "storage")
        for n, impact, turn in ((1, Impact.HITLESS, 15), (2, Impact.RELOAD, 14), (3, Impact.NONE, 13))
    ]

    made = waves(managers, 32)

    assert [wave.devices for wave in made] == [
        tuple(f"{network}-{n}" for n in (3, 2, 1)) for network in ("compute", "storage")
    ]
    assert [(wave.number, wave.in_turn, wave.canary, wave.impact) for wave in made] == [
        (1, True, False, Impact.RELOAD),
        (2, True, False, Impact.RELOAD),
    ]
    assert {wave.reason for wave in made} == {
        "managers of one subnet: the waiting ones first, and all of them or none"
    }


def leaf(unit: int, rail: int, number: int, impact: Impact = Impact.FLAP) -> Candidate:
    return Candidate("compute", "leaf", 0, -1, unit, rail, f"leaf-{unit}-{rail}-{number}", impact)


def test_two_leaves_of_one_rail_of_a_unit_never_change_together() -> None:
    """Hosts with a bond over both would lose the rail."""
    pairs = [leaf(unit, rail, number) for unit in (0, 1) for rail in (0, 1) for number in (0, 1)]
    for wave in waves(pairs, 40):
        rails = [name.rpartition("-")[0] for name in wave.devices]

        assert len(rails) == len(set(rails))


def test_two_rails_of_a_unit_never_lose_their_only_path_together() -> None:
    alone = [leaf(unit, rail, 0, Impact.ISOLATING) for unit in (0, 1, 2) for rail in (0, 1, 2)]
    for wave in waves(alone, 40):
        units = [name.split("-")[1] for name in wave.devices]

        assert len(units) == len(set(units))


@given(st.integers(1, 60), st.integers(1, 12))
def test_waves_are_as_wide_as_asked_and_no_wider(count: int, width: int) -> None:
    """Leaves of different units and rails stand in for nobody: only the width holds them apart."""
    made = waves([leaf(unit, 0, 0) for unit in range(count)], width)

    assert [len(wave.devices) for wave in made[1:-1]] == [width] * max(len(made) - 2, 0)
    assert len(made) == 1 + -(-(count - 1) // width)

"""When a subnet counts as managed, what is told where it is not, and which managers are started anew."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from fabric.deployment.gates.manager_roles import complaints, is_managed, is_working, roles, stalled
from fabric.platforms.manager_state import ManagerState

GOOD = {
    "sm-1": ManagerState(role="master", priority=15, guid=1, master=1, swept=True),
    "sm-2": ManagerState(role="standby", priority=14, guid=2, master=1),
}
NOBODY = "no manager is the master"


def but(name, **different):
    """The good subnet, but for what one manager says."""
    return GOOD | {name: msgspec.structs.replace(GOOD[name], **different)}


def test_a_subnet_with_one_master_that_has_swept_is_managed():
    assert is_managed(GOOD)
    assert () == complaints(GOOD, tuple(GOOD), {})
    assert ("sm-1 is the master (priority 15)", "sm-2 stands by (priority 14)") == roles(GOOD)


def test_a_role_says_what_a_master_has_not_done_and_who_does_not_answer():
    states = but("sm-1", swept=False) | {"sm-3": ManagerState(role="silent", priority=1)}

    assert ("sm-1 is the master and has not finished a sweep (priority 15)", "sm-3 does not answer") == (
        roles(states)[0],
        roles(states)[2],
    )


@pytest.mark.parametrize(
    ("states", "managed", "told"),
    [
        (but("sm-1", swept=False), False, ["sm-1 is the master and has not finished a sweep"]),
        (but("sm-1", wrong="P_Key 0x8001 is missing"), True, ["sm-1 is the master: P_Key 0x8001 is missing"]),
        (but("sm-2", master=2), False, ["sm-1 is the master, and has not announced it to the ports of sm-2"]),
        (but("sm-2", master=0), False, ["sm-1 is the master, and has not announced it to the ports of sm-2"]),
        (but("sm-2", master=99), True, []),
        (but("sm-2", guid=0, master=2), True, []),
        (but("sm-2", priority=16), False, ["sm-1 is the master, and sm-2 stands by with a higher priority"]),
        (but("sm-2", priority=15), True, []),
        (but("sm-2", role="master", swept=True), False, ["sm-1 and sm-2 are masters at once"]),
        (
            but("sm-1", role="standby"),
            False,
            [f"{NOBODY}: sm-1 stands by (priority 15), sm-2 stands by (priority 14)"],
        ),
        (
            but("sm-1", role="silent"),
            False,
            ["sm-1 does not answer", f"{NOBODY}: sm-1 does not answer, sm-2 stands by (priority 14)"],
        ),
        (but("sm-2", role="silent"), True, ["sm-2 does not answer"]),
        (but("sm-2", role="discovering"), True, ["sm-2 is discovering"]),
        (but("sm-2", role="not active"), True, ["sm-2 is not active"]),
    ],
)
def test_each_disturbance_is_told_and_ends_the_management_or_not(states, managed, told):
    assert told == list(complaints(states, tuple(states), {}))
    assert managed is is_managed(states)


@pytest.mark.parametrize("role", ["silent", "discovering", "not active"])
def test_what_was_so_before_and_was_not_changed_is_not_told(role):
    states = but("sm-2", role=role)

    assert () == complaints(states, ("sm-1",), states)
    assert len(complaints(states, ("sm-2",), states)) == 1


def test_a_standby_that_was_passed_over_before_is_not_told_again():
    states = but("sm-2", priority=16)

    assert () == complaints(states, tuple(states), states)


def test_the_only_manager_has_to_answer_also_where_it_was_not_changed():
    alone = {"sm-1": msgspec.structs.replace(GOOD["sm-1"], role="silent")}

    assert "sm-1 does not answer" in complaints(alone, (), alone)


def test_a_master_of_somebody_else_holds_up_no_change():
    states = {
        name: msgspec.structs.replace(state, role=role, master=99)
        for (name, state), role in zip(GOOD.items(), ("standby", "discovering"), strict=True)
    }

    assert ("sm-2 is discovering",) == complaints(states, tuple(states), {})


def test_all_start_anew_the_highest_priority_first_where_none_manages():
    both = {
        "a": ManagerState(role="standby", priority=1),
        "b": ManagerState(role="standby", priority=3),
        "c": ManagerState(role="standby", priority=3),
        "d": ManagerState(role="standby"),  # it has not said: what it ran with before counts
    }
    before = {"d": ManagerState(role="master", priority=2)}

    for order in permutations(both):
        assert ("b", "c", "d", "a") == stalled({name: both[name] for name in order}, (), before)


def test_a_manager_that_is_new_counts_by_the_priority_it_says():
    lower, higher = (ManagerState(role="standby", priority=priority) for priority in (0, 1))

    assert ("b", "a") == stalled({"a": lower, "b": higher}, (), {})


def test_beside_a_working_master_only_those_start_anew_that_do_not_stand_by():
    assert () == stalled(GOOD, tuple(GOOD), GOOD)
    for role in ("discovering", "not active"):
        assert ("sm-2",) == stalled(but("sm-2", role=role), (), GOOD)


def test_a_silent_manager_starts_anew_only_if_it_was_changed():
    states = but("sm-2", role="silent")

    assert () == stalled(states, ("sm-1",), GOOD)
    assert ("sm-2",) == stalled(states, ("sm-2",), GOOD)


@pytest.mark.parametrize(("state", "works"), [(None, False), (GOOD["sm-1"], True), (GOOD["sm-2"], False)])
def test_a_manager_works_if_it_is_the_master_and_has_swept(state, works):
    assert works is is_working(state)

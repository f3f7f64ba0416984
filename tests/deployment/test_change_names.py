"""Whose a candidate is, and whether its plan is over: whatever the clocks of two machines say."""

from __future__ import annotations

import os
import time

import pytest

from fabric.deployment.change_names import PLAN, change_name, is_left_behind
from fabric.platforms.device_state import OpenCandidate

HOUR_S = 3600
BEGAN_S = time.time()
"""When the plans of these names began: a whole suite may lie between that and a test."""
NAMES = {"here": change_name(PLAN), "elsewhere": change_name(PLAN, "bob@bastion")}


def left(name: str, since_s: float | None = None) -> OpenCandidate:
    return OpenCandidate(change=name, since_s=since_s)


@pytest.mark.parametrize("whose", NAMES)
@pytest.mark.parametrize("jump_s", [-30 * HOUR_S, -2 * HOUR_S, 0, 2 * HOUR_S, 23 * HOUR_S])
def test_a_plan_that_runs_keeps_its_candidate_however_our_clock_jumps(
    whose: str, jump_s: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: BEGAN_S + jump_s)

    assert [False, False] == [is_left_behind(left(NAMES[whose], since_s)) for since_s in (None, 20.0)]


def test_what_the_device_says_is_old_is_left_behind_and_a_day_by_our_clocks_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert is_left_behind(left(NAMES["elsewhere"], 2.0 * HOUR_S))

    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 25 * HOUR_S)
    assert is_left_behind(left(NAMES["elsewhere"]))
    assert not is_left_behind(left(NAMES["elsewhere"], 20.0))


def test_a_plan_of_this_host_whose_process_is_gone_has_left_its_candidate() -> None:
    if not (child := os.fork()):
        os._exit(0)
    os.waitpid(child, 0)
    gone = NAMES["here"].replace(f"-{os.getpid()}-", f"-{child}-")

    assert is_left_behind(left(gone))
    assert not is_left_behind(left(gone.replace("fabric-plan-", "fabric-7.2-")))
    assert not is_left_behind(left("somebody-s-session"))

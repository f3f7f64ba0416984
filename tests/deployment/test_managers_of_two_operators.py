"""Managers of a subnet, none of which keeps a change unless all do: what was typed, or confirmed by another, stays."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from fabric.deployment import Event, Journal, Result, State, apply, device_steps, resume
from fabric.deployment.events import DeviceStepped, GateWaiting, ManagerRestarted
from fabric.deployment.gates import manager_gate
from fabric.deployment.waves import settle_devices
from fabric.diagnostics import Refused
from fabric.platforms import registry
from tests.deployment.conftest import (
    AtOnce,
    Clock,
    Network,
    apply_at_once,
    apply_options,
    killed,
    killed_doing,
)
from tests.deployment.test_confirmation import SPINES, changed, in_turn
from tests.deployment.test_told_as_it_is import timer_fires
from tests.deployment.test_transcripts import GOOD, PACE, ROWS
from tests.deployment.two_operators import LOST, TYPED, apply_since, types, unlock, when_one_is_left

FIRST, SECOND = SPINES
NEW = "ntp 192.0.2.10\n"


@pytest.fixture
def stateless(applied: Network, monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    """Devices that take nothing back by themselves."""
    monkeypatch.setitem(registry.ROWS, "toy", ROWS["STATELESS"])
    registry.platform.cache_clear()
    yield applied
    registry.platform.cache_clear()


def where(result: Result) -> dict[str, State]:
    return {device.device: device.state for device in result.waves[0].devices}


def test_a_line_typed_where_the_answer_was_lost_stays(applied: Network) -> None:
    """It is not known whether that one was confirmed: it runs the change and the line, so it was."""
    saved = in_turn(applied)
    applied.box(SECOND).fail("after confirm")

    def then() -> None:
        applied.box(SECOND).fail()
        types(applied, SECOND)

    result = apply_at_once(applied, saved, when_one_is_left(then))

    assert where(result) == {FIRST: State.CONFIRMED, SECOND: State.FAILED}
    assert applied.box(SECOND).running.startswith(TYPED)
    assert (
        f"{FIRST} keeps the change, {SECOND} runs neither what was there before nor the change"
        in result.waves[0].reason
    )
    assert applied.journal.applied("lab")[FIRST].run == 2


def test_a_line_typed_where_one_has_gone_back_stays(applied: Network) -> None:
    saved = in_turn(applied)
    applied.box(SECOND).fail("confirm")

    def then() -> None:
        with applied.box(SECOND).state() as state:  # its timer has fired
            state["running"], state["pending"] = state["pending"]["before"], None
        types(applied, FIRST)

    result = apply_at_once(applied, saved, when_one_is_left(then))

    assert where(result) == {FIRST: State.CONFIRMED, SECOND: State.REVERTED}
    assert (
        f"{FIRST} keeps the change, {SECOND} runs what was there before, and not all can be taken back"
        in (result.waves[0].reason)
    )


def test_the_time_that_is_told_is_that_of_its_own_timer(applied: Network) -> None:
    """Those of later turns go back later."""
    saved, left_s = in_turn(applied), list[float]()
    applied.box(SECOND).fail("confirm")

    def then() -> None:
        with applied.box(SECOND).state() as state:
            left_s.append(state["pending"]["until"] - time.time())
        types(applied, FIRST)

    reason = apply_at_once(applied, saved, when_one_is_left(then)).waves[0].reason
    told = re.search(rf"{SECOND} goes back within (\d+) s unless", reason)
    assert told is not None, reason
    assert left_s[0] - 1 <= int(told[1]) <= left_s[0] + 2


def test_of_one_without_timer_it_is_not_said_that_it_goes_back(stateless: Network) -> None:
    saved = in_turn(stateless)
    stateless.box(SECOND).fail("confirm", "save")
    result = apply_at_once(stateless, saved, when_one_is_left(lambda: types(stateless, FIRST)))

    assert TYPED in stateless.box(FIRST).running
    assert f"{FIRST} keeps the change, {SECOND} may keep it or not, and not all" in result.waves[0].reason
    assert "goes back" not in result.waves[0].reason


@pytest.mark.parametrize("place", [0, 1])
def test_what_was_typed_before_the_push_stays(
    stateless: Network, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    """The push stops there, also at one whose turn has not come; whoever has begun goes back."""
    saved, push = in_turn(stateless), device_steps.push

    def pushed(work: Any, timer_s: int) -> None:
        if work.job.device == FIRST:
            types(stateless, SPINES[place])
        push(work, timer_s)

    monkeypatch.setattr(device_steps, "push", pushed)
    result = apply_at_once(stateless, saved)

    assert "was changed by somebody while the candidate was loaded" in result.waves[0].reason
    assert TYPED in stateless.box(SPINES[place]).running
    assert not any(NEW in stateless.box(name).running for name in SPINES)
    states = (
        {FIRST: State.FAILED, SECOND: State.REVERTED}
        if place == 0
        else {FIRST: State.REVERTED, SECOND: State.FAILED}
    )
    assert where(result) == states


def test_one_whose_commit_has_ended_half_way_goes_back(stateless: Network) -> None:
    """What it runs is neither: nobody else has written that."""
    saved = in_turn(stateless)
    stateless.box(FIRST).fail("half way")
    result = apply_at_once(stateless, saved)

    assert where(result)[FIRST] is State.REVERTED
    assert NEW not in stateless.box(FIRST).running


def test_one_whose_way_back_has_ended_half_way_is_asked_again(
    stateless: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had confirmed, and does not run that any more: nobody else has changed it."""
    saved, settle = in_turn(stateless), settle_devices.settle
    stateless.box(SECOND).fail("confirm", "save")

    def settled(*given: Any) -> Any:
        stateless.box(FIRST).fail("half way")
        return settle(*given)

    monkeypatch.setattr(settle_devices, "settle", settled)
    result = apply_at_once(stateless, saved)

    assert where(result)[FIRST] is State.REVERTED
    assert NEW not in stateless.box(FIRST).running


OLD, TWO, HALF = "ntp 192.0.2.9", "ntp 192.0.2.10\nntp 192.0.2.11", "ntp 192.0.2.9\nntp 192.0.2.11"


@pytest.mark.parametrize("is_allowed", [True, False])
def test_what_another_operator_has_made_of_an_allowed_change_stays(
    stateless: Network, other: Network, monkeypatch: pytest.MonkeyPatch, *, is_allowed: bool
) -> None:
    """Half of it, on devices that are confirmed each by itself: he has it applied when they are asked once more.

    To confirm it, or when the time for that is over: then the first of them has been taken back.
    """
    Clock().drive_waves(monkeypatch)
    stateless.edit(OLD, TWO)
    saved, settle, done = stateless.plan(), settle_devices.settle, list[str]()
    first, second, *_ = names = saved[0].waves[1].devices
    for name in (first, second):
        stateless.box(name).fail("confirm", "save")

    def settled(work: Any, *given: Any) -> Any:
        if done or work.is_allowed != is_allowed:
            return settle(work, *given)
        for name in (first, second):
            stateless.box(name).fail()
        answer = None if is_allowed else settle(work, *given)
        done.append(apply_since(other, stateless, TWO, HALF).outcome)
        return answer or settle(work, *given)

    monkeypatch.setattr(settle_devices, "settle", settled)
    with pytest.raises(Refused, match=LOST):
        apply_at_once(stateless, saved)

    assert done == ["done"]
    assert all(HALF in stateless.box(name).running for name in names)


def test_what_another_operator_has_made_of_a_run_that_is_brought_to_rest_stays(
    stateless: Network, other: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He takes the lock away while the devices of a killed run are settled, one after the other."""
    stateless.edit(OLD, TWO)
    saved, settle, done = stateless.plan(), settle_devices.settle, list[str]()
    killed(stateless, saved, "committed", len(saved[0].waves[0].devices) + 2)
    names = [step.job.device for step in stateless.journal.steps(2) if step.state.is_open]
    assert len(names) > 1

    def settled(*given: Any) -> Any:
        answer = settle(*given)
        if not done:
            done.append(apply_since(other, stateless, TWO, HALF).outcome)
        return answer

    monkeypatch.setattr(settle_devices, "settle", settled)
    place: dict[str, Any] = {"targets": stateless.targets(), "executor": AtOnce()}
    with pytest.raises(Refused, match=LOST):
        resume("lab", journal=stateless.journal, options=apply_options(), **place)

    assert done == ["done"]
    assert all(HALF in stateless.box(name).running for name in names)


def test_what_waits_under_the_name_of_another_operator_is_his(applied: Network, other: Network) -> None:
    """He takes the run over, pushes again what has gone back by its timer, and his gate looks still."""
    saved = in_turn(applied)
    applied.box(SECOND).fail("confirm")

    def then() -> None:
        applied.box(SECOND).fail()
        timer_fires(applied.box(SECOND))
        unlock(other.journal, 2)

        def verb(**place: Any) -> None:
            resume("lab", targets=other.targets(), options=apply_options(), **place)

        killed_doing(other, verb, "committed", 1)

    with pytest.raises(Refused, match=LOST):
        apply_at_once(applied, saved, when_one_is_left(then))

    states = {step.job.device: step.state for step in other.journal.steps(2)}
    waiting = [name for name in SPINES if applied.box(name).is_pending]
    assert waiting
    assert not any(states[name] is State.CONFIRMED for name in waiting)
    assert not any(other.journal.applied("lab")[name].run == 2 for name in waiting)


def test_whoever_loses_the_lock_is_told_which_keep_the_change(applied: Network, other: Network) -> None:
    saved = in_turn(applied)
    applied.box(SECOND).fail("confirm")
    with pytest.raises(Refused, match=LOST) as refused:
        apply_at_once(applied, saved, when_one_is_left(lambda: unlock(other.journal, 2, gives_up=True)))

    assert NEW in applied.box(FIRST).running
    assert f"confirmed: {FIRST}" in str(refused.value)


@pytest.mark.parametrize("when", ["gate", "taken back"])
def test_none_is_restarted_once_the_lock_was_taken_away(
    network: Network, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    monkeypatch.setitem(registry.ROWS, "toy", ROWS["MANAGERS"])
    registry.platform.cache_clear()
    Clock().drive_waves(monkeypatch, manager_gate)
    for spine, state in GOOD.items():
        network.box(spine).manage(state)
    place: dict[str, Any] = {"targets": network.targets(), "journal": network.journal, "executor": AtOnce()}
    apply(network.plan(adopt=True), **place, options=apply_options(pace=PACE))
    saved, taken, restarted = in_turn(network), list[bool](), list[str]()

    def on_event(event: Event) -> None:
        if isinstance(event, DeviceStepped) and (event.device, event.state) == (SECOND, State.COMMITTED):
            for name in SPINES:  # the managers stall
                network.box(name).manage({"role": "standby", "after": {**GOOD[name], "role": "standby"}})
            if when == "taken back":
                network.box(FIRST).fail("bgp")  # the gate of the devices does not open
        if isinstance(event, GateWaiting) and not taken:
            unlock(Journal(network.folder.parent / "journal.sqlite"), 2)
            taken.append(True)
        if isinstance(event, ManagerRestarted) and taken:
            restarted.append(event.device)

    with pytest.raises(Refused, match=LOST):
        apply(saved, **place, options=apply_options(pace=PACE), on_event=on_event)
    registry.platform.cache_clear()
    assert restarted == []


def test_a_wave_whose_time_is_up_is_not_to_be_confirmed_while_it_is_taken_back(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal was away while that was written down; whoever finds the run killed there confirms nothing."""
    clock = Clock()
    clock.drive_waves(monkeypatch)
    saved, mark_wave, seen = changed(applied), applied.journal.mark_wave, set[str]()

    def marked(run: int, number: int, state: str, reason: str = "") -> None:
        mark_wave(run, number, state, reason)
        if (number, state) == (2, "confirming"):
            clock.now += 1000

    def on_event(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.wave == 2 and event.state is State.REVERTED:
            seen.add(applied.journal.wave_state(2, 2))

    monkeypatch.setattr(applied.journal, "mark_wave", marked)
    apply_at_once(applied, saved, on_event)
    assert seen == {"gate"}

"""Managers of a subnet, and a run that is killed while they are confirmed: none keeps the change unless all do."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from fabric.deployment import Journal, State, apply, resume, rollback
from fabric.deployment.events import DeviceStepped, Event
from fabric.deployment.waves import confirm_all_or_none, settle_devices
from fabric.diagnostics import Refused
from tests.deployment.conftest import AtOnce, Network, apply_options, killed
from tests.deployment.test_confirmation import SPINES, in_turn
from tests.deployment.test_told_as_it_is import timer_fires

NEW = "ntp 192.0.2.10\n"
SECOND = SPINES[1]


def is_undivided(network: Network, gone: str) -> bool:
    """Whether all are the same, after a resume in which one does not take the change again."""
    for name in SPINES:
        network.box(name).fail()
    network.box(gone).fail("commit")
    place: dict[str, Any] = {"targets": network.targets(), "options": apply_options(), "executor": AtOnce()}
    assert resume("lab", journal=network.journal, **place).outcome == "failed"
    return len({NEW in network.box(name).running for name in SPINES}) == 1


@pytest.mark.parametrize(("silent", "gone"), [((1,), 1), ((0,), 0), ((0, 1), 0)])
def test_the_timer_of_one_has_fired(applied: Network, silent: tuple[int, ...], gone: int) -> None:
    """Killed as some have given no answer: the others are not confirmed without it."""
    saved = in_turn(applied)
    for one in silent:
        applied.box(SPINES[one]).fail("confirm")
    killed(applied, saved, State.LEFT_TO_TIMER.value, len(silent))
    timer_fires(applied.box(SPINES[gone]))

    assert is_undivided(applied, SPINES[gone])


def test_the_first_resume_ends_half_way(applied: Network) -> None:
    """What it has found is not forgotten: one had gone back."""
    saved = in_turn(applied)
    for name in SPINES:
        applied.box(name).fail("confirm")
    killed(applied, saved, State.LEFT_TO_TIMER.value, 2)
    timer_fires(applied.box(SPINES[0]))
    applied.box(SPINES[0]).fail()
    applied.box(SECOND).fail("rollback")
    place: dict[str, Any] = {"targets": applied.targets(), "options": apply_options(), "executor": AtOnce()}
    with pytest.raises(Refused, match="FAB724"):
        resume("lab", journal=applied.journal, **place)

    assert is_undivided(applied, SPINES[0])


def known_to_have_gone_back(applied: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed before that was written down of the wave."""
    saved, settle = in_turn(applied), settle_devices.settle
    applied.box(SECOND).fail("confirm")

    def settled(work: Any, *given: Any) -> Any:
        timer_fires(applied.box(SECOND))
        return settle(work, *given)

    child = os.fork()
    if child == 0:
        try:
            monkeypatch.setattr(settle_devices, "settle", settled)
            monkeypatch.setattr(
                confirm_all_or_none, "not_ours", lambda *_: os.kill(os.getpid(), signal.SIGKILL)
            )
            place: dict[str, Any] = {"targets": applied.targets(), "executor": AtOnce()}
            journal = Journal(applied.folder.parent / "journal.sqlite")
            apply(saved, journal=journal, options=apply_options(), **place)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert applied.journal.wave_state(2, 1) == "confirming"


def test_one_was_known_to_have_gone_back(applied: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    known_to_have_gone_back(applied, monkeypatch)

    assert is_undivided(applied, SECOND)


def test_a_rollback_confirms_none_once_one_was_known_to_have_gone_back(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_to_have_gone_back(applied, monkeypatch)
    for name in SPINES:
        applied.box(name).fail()
    states = list[State]()

    def heard(event: Event) -> None:
        if isinstance(event, DeviceStepped):
            states.append(event.state)

    place: dict[str, Any] = {"targets": applied.targets(), "options": apply_options(), "executor": AtOnce()}
    rollback("lab", 2, journal=applied.journal, on_event=heard, **place)

    assert State.CONFIRMED not in states
    assert not any(NEW in applied.box(name).running for name in SPINES)


@pytest.mark.parametrize("is_typed", [True, False])
def test_what_all_had_confirmed_stays_though_one_does_not_say_so_at_first(
    applied: Network, monkeypatch: pytest.MonkeyPatch, *, is_typed: bool
) -> None:
    """Killed before that was written down of any: nothing is decided until all have told."""
    saved, box = in_turn(applied), applied.box(SECOND)
    child = os.fork()
    if child == 0:
        try:
            journal = Journal(applied.folder.parent / "journal.sqlite")
            monkeypatch.setattr(
                journal, "confirmed_together", lambda *_: os.kill(os.getpid(), signal.SIGKILL)
            )
            apply(
                saved, journal=journal, targets=applied.targets(), options=apply_options(), executor=AtOnce()
            )
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert all(NEW in applied.box(name).running and not applied.box(name).is_pending for name in SPINES)
    if is_typed:
        box.change(lambda text: f"ntp 192.0.2.99\n{text}")
    else:
        box.fail("pending")
    place: dict[str, Any] = {"targets": applied.targets(), "options": apply_options(), "executor": AtOnce()}
    with pytest.raises(Refused, match="FAB724"):
        resume("lab", journal=applied.journal, **place)
    assert applied.journal.wave_state(2, 1) == "confirming"
    box.change(lambda text: text.removeprefix("ntp 192.0.2.99\n"))
    box.fail("commit")  # it would not take the change again

    assert resume("lab", journal=applied.journal, **place).outcome == "done"
    assert all(NEW in applied.box(name).running for name in SPINES)


def test_the_timer_of_one_fires_while_they_are_confirmed(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one, which has just confirmed it, goes back too."""
    saved, settle = in_turn(applied), settle_devices.settle
    for name in SPINES:
        applied.box(name).fail("confirm")
    killed(applied, saved, State.LEFT_TO_TIMER.value, 2)
    for name in SPINES:
        applied.box(name).fail()

    def settled(work: Any, *given: Any) -> Any:
        answer = settle(work, *given)
        if work.job.device == SPINES[0] and work.is_allowed:
            timer_fires(applied.box(SECOND))
            applied.box(SECOND).fail("commit")
        return answer

    monkeypatch.setattr(settle_devices, "settle", settled)
    place: dict[str, Any] = {"targets": applied.targets(), "options": apply_options(), "executor": AtOnce()}

    assert resume("lab", journal=applied.journal, **place).outcome == "failed"
    assert not any(NEW in applied.box(name).running for name in SPINES)

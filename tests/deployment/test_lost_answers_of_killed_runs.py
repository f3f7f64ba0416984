"""The gate has let a wave pass, a confirmation has no answer, and the run is killed: what was let pass stays."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from fabric.deployment import Journal, State, apply, resume, rollback
from fabric.deployment.events import DeviceStepped, Event
from fabric.deployment.waves import settle_devices, undo_devices
from tests.deployment.conftest import AtOnce, Clock, Network, apply_options, killed
from tests.deployment.test_confirmation import changed, in_turn
from tests.deployment.test_rollback_plan import planned as planned_back

NEW = "ntp 192.0.2.10\n"
HAPPENED = ("after confirm", "confirm")
"""The device has confirmed it, and the answer was lost; or it waits still."""


def left(network: Network, how: str, *, all_or_none: bool = False) -> tuple[str, tuple[str, ...]]:
    """Killed as one device of a wave has given no answer; that, and all of the wave."""
    saved = in_turn(network) if all_or_none else changed(network)
    names = saved[0].waves[0 if all_or_none else 1].devices
    name = names[1 if all_or_none else 0]
    network.box(name).fail(how)
    killed(network, saved, State.LEFT_TO_TIMER.value, 1)
    network.box(name).fail()
    return name, names


def resumed(network: Network, on_event: Callable[[Event], None]) -> str:
    place: dict[str, Any] = {"targets": network.targets(), "options": apply_options(), "executor": AtOnce()}
    return resume("lab", journal=network.journal, on_event=on_event, **place).outcome


@pytest.mark.parametrize("how", HAPPENED)
@pytest.mark.parametrize("all_or_none", [False, True])
def test_it_is_confirmed(applied: Network, how: str, *, all_or_none: bool) -> None:
    """None of it goes back on the way, which might divide the wave."""
    name, names = left(applied, how, all_or_none=all_or_none)
    states = list[State]()

    def heard(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.device == name:
            states.append(event.state)

    assert resumed(applied, heard) == "done"
    assert states == [State.CONFIRMED]
    assert all(NEW in applied.box(one).running for one in names)
    assert not applied.box(name).is_pending


def test_one_that_could_not_go_back_is_not_asked_to(applied: Network) -> None:
    name, _ = left(applied, "after confirm")
    applied.box(name).fail("load before", "rollback")

    assert resumed(applied, lambda _: None) == "done"


def test_a_rollback_takes_it_back_in_the_waves_that_it_has_shown(applied: Network) -> None:
    name, _ = left(applied, "after confirm")
    back, states = planned_back(applied), list[State]()
    assert name in {device.device for device in back.plan.changed}

    def heard(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.device == name:
            states.append(event.state)

    place: dict[str, Any] = {"targets": applied.targets(), "options": apply_options(), "executor": AtOnce()}
    rollback("lab", 2, journal=applied.journal, planned=back.plan, on_event=heard, **place)

    assert states[0] is states[-1] is State.CONFIRMED  # of the run, then of the rollback
    assert State.COMMITTED in states
    assert NEW not in applied.box(name).running


@pytest.mark.parametrize("all_or_none", [False, True])
def test_what_the_run_had_given_up_is_taken_back(
    applied: Network, monkeypatch: pytest.MonkeyPatch, *, all_or_none: bool
) -> None:
    """It is killed as it takes back those of a wave that cannot be confirmed: then none of them is."""
    saved = in_turn(applied) if all_or_none else changed(applied)
    name = saved[0].waves[0 if all_or_none else 1].devices[-1]
    applied.box(name).fail("confirm")
    settle = settle_devices.settle

    def die(*_: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    def settled(work: Any, *given: Any) -> Any:
        return settle(work, *given) if work.is_allowed else die()

    child = os.fork()
    if child == 0:
        try:
            Clock().drive_waves(monkeypatch)
            monkeypatch.setattr(undo_devices, "undo", die)
            monkeypatch.setattr(settle_devices, "settle", settled)
            journal = Journal(applied.folder.parent / "journal.sqlite")
            apply(
                saved, targets=applied.targets(), journal=journal, options=apply_options(), executor=AtOnce()
            )
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    applied.box(name).fail()
    states = list[State]()

    def heard(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.device == name:
            states.append(event.state)

    assert resumed(applied, heard) == "done"
    assert (states[0], states[-1]) == (State.REVERTED, State.CONFIRMED)

"""A run is killed while devices that had confirmed go back with the others of their wave: there is a way on."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from fabric.deployment import Journal, State, apply, resume, rollback
from fabric.deployment.events import DeviceStepped, Event
from fabric.deployment.waves import undo_devices
from tests.deployment.conftest import AtOnce, Clock, Network, apply_options, killed_doing
from tests.deployment.test_confirmation import changed
from tests.deployment.test_managers_of_two_operators import stateless
from tests.deployment.test_rollback_plan import planned as planned_back

__all__ = ["stateless"]

OLD, NEW = "ntp 192.0.2.9\n", "ntp 192.0.2.10\n"


def place(network: Network) -> dict[str, Any]:
    return {"targets": network.targets(), "options": apply_options(), "executor": AtOnce()}


@pytest.mark.parametrize("verb", [resume, rollback])
def test_before_the_journal_knows_that_one_has_gone_back(
    applied: Network, monkeypatch: pytest.MonkeyPatch, verb: Callable[..., Any]
) -> None:
    saved, undo, earlier = changed(applied), undo_devices.undo, applied.journal.applied("lab")
    name = saved[0].waves[1].devices[-1]
    applied.box(name).fail("confirm")

    def undone(*given: Any) -> Any:
        undo(*given)
        os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        try:
            Clock().drive_waves(monkeypatch)
            monkeypatch.setattr(undo_devices, "undo", undone)
            apply(saved, journal=Journal(applied.folder.parent / "journal.sqlite"), **place(applied))
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    applied.box(name).fail()
    verb("lab", journal=applied.journal, **place(applied))

    wanted = NEW if verb is resume else OLD
    assert all(wanted in box.running for box in applied.boxes().values())
    if verb is rollback:  # it took back one wave in a run of its own, the other as it was left
        of_wave = {one: applied.journal.applied("lab")[one] for one in saved[0].waves[1].devices}
        assert of_wave == {one: earlier[one] for one in of_wave}
    applied.edit(NEW, "ntp 192.0.2.11\n")
    assert applied.apply(applied.plan()).outcome == "done"
    assert not any(OLD in box.running or NEW in box.running for box in applied.boxes().values())


@pytest.mark.parametrize("how", ["half way", "commit"])
def test_one_that_does_not_go_back(stateless: Network, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """It keeps the change, or half of it; the others go back, and what a rollback has shown it takes back."""
    Clock().drive_waves(monkeypatch)
    stateless.edit(OLD, NEW, "leaf-0-0-0", "leaf-0-0-1", "leaf-0-1-0")
    saved = stateless.plan()
    first, second = saved[0].waves[-1].devices
    stateless.box(second).fail("confirm", "save")

    def verb(on_event: Callable[[Event], None], **more: Any) -> None:
        def heard(event: Event) -> None:
            if isinstance(event, DeviceStepped) and (event.device, event.state) == (first, State.CONFIRMED):
                stateless.box(first).fail(how)
            on_event(event)

        options = {"targets": stateless.targets(), "options": apply_options()}
        apply(saved, on_event=heard, **options, **more)

    killed_doing(stateless, verb, State.FAILED.value, 1)
    for name in (first, second):
        stateless.box(name).fail()
    back = planned_back(stateless)
    shown = {device.device for device in back.plan.changed}
    rollback("lab", back.run.id, journal=stateless.journal, planned=back.plan, **place(stateless))

    left = {name for name, box in stateless.boxes().items() if NEW in box.running}
    assert left <= {first}
    assert not shown & left

"""One device of a wave goes back as it is confirmed, and the others are taken back too: wherever that stops."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from fabric.deployment import Journal, State, apply, resume, rollback, settle_left
from fabric.deployment.waves import undo_devices
from tests.deployment.conftest import AtOnce, Clock, Network, apply_options
from tests.deployment.test_confirmation import changed

OLD, NEW = "ntp 192.0.2.9\n", "ntp 192.0.2.10\n"
TYPED = "ntp 192.0.2.99\n"


def place(network: Network) -> dict[str, Any]:
    return {"targets": network.targets(), "options": apply_options(), "executor": AtOnce()}


@pytest.mark.parametrize("is_typed_at_once", [True, False])
def test_one_that_was_not_taken_back_keeps_nothing_of_ours_once_it_is_given_up(
    applied: Network, monkeypatch: pytest.MonkeyPatch, *, is_typed_at_once: bool
) -> None:
    """It is silent at that moment, and somebody types on it: then, or later."""
    saved, undo = changed(applied), undo_devices.undo
    first, *_, last = saved[0].waves[1].devices
    applied.box(last).fail("confirm")

    def undone(work: Any, kept: str) -> Any:
        if work.job.device == first:
            if is_typed_at_once:
                applied.box(first).change(lambda text: TYPED + text)
            else:
                applied.box(first).fail("open")
        return undo(work, kept)

    Clock().drive_waves(monkeypatch)
    monkeypatch.setattr(undo_devices, "undo", undone)
    result = apply(saved, journal=applied.journal, **place(applied))
    assert first in result.in_state(State.FAILED)
    for name in (first, last):
        applied.box(name).fail()
    if not is_typed_at_once:
        applied.box(first).change(lambda text: TYPED + text)
    applied.edit(NEW, OLD)
    settle_left("lab", targets=applied.targets(), journal=applied.journal, executor=AtOnce())
    assert applied.apply(applied.plan()).outcome == "done"

    assert NEW not in applied.box(first).running
    assert TYPED in applied.box(first).running


@pytest.mark.parametrize("verb", [resume, rollback])
@pytest.mark.parametrize("writes", range(1, 6))
def test_killed_as_it_is_written_down_the_wave_stays_whole(
    applied: Network, monkeypatch: pytest.MonkeyPatch, verb: Any, writes: int
) -> None:
    """Of the devices of which it had confirmed some, all have the change in the end, or none."""
    saved = changed(applied)
    wave = saved[0].waves[1].devices
    applied.box(wave[-1]).fail("confirm")
    child = os.fork()
    if child == 0:
        try:
            Clock().drive_waves(monkeypatch)
            journal = Journal(applied.folder.parent / "journal.sqlite")
            write, seen = journal.write, 0

            def written(change: Any) -> Any:
                nonlocal seen
                answer = write(change)
                seen += bool(seen) or journal.wave_state(2, 2) == "gate"
                if seen == writes:
                    os.kill(os.getpid(), signal.SIGKILL)
                return answer

            given_up = journal.given_up

            def begun(*given: Any) -> None:
                journal.write = written  # type: ignore[method-assign]  # from here on it is counted
                given_up(*given)

            journal.given_up = begun  # type: ignore[method-assign]
            apply(saved, journal=journal, **place(applied))
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    applied.box(wave[-1]).fail("commit")  # it does not take the change again
    result = verb("lab", journal=applied.journal, **place(applied))

    assert result.outcome == ("failed" if verb is resume else "done")
    assert not any(NEW in applied.box(name).running for name in wave)

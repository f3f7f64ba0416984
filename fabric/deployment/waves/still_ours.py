"""Whether devices that have confirmed a change may be taken back: they may be somebody else's by now."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.device_steps import Confirmed
from fabric.deployment.waves.members import Members
from fabric.deployment.waves.run import Run
from fabric.diagnostics import DeviceError, JournalFailed
from fabric.planning.texts import digest

TAKEN_AWAY = "the lock of the run was taken away"


def not_ours(members: Members, kept: Mapping[str, Confirmed]) -> list[DeviceError]:
    """What stands in the way, before the first of them is touched: empty if they may be taken back.

    That somebody has changed one since the gate looked at it for the last time, or that the lock was taken away:
    another operator may have gone on with the run, or applied something else.
    """
    try:
        problem = TAKEN_AWAY if members.run.journal.is_lost(members.run.id) else ""
    except JournalFailed as failed:
        problem = f"nobody knows whether the run has its lock still: {failed.reason}"
    if (
        problem
    ):  # of whatever is to be taken back: also where none has confirmed for us, another may have gone on
        return [DeviceError(name, problem) for name in kept or members.work]
    typed = [DeviceError(name, end.note) for name, end in kept.items() if end.note]
    jobs = ((name, (members.work[name], digest(end.running))) for name, end in kept.items() if not end.note)
    answers = each(members.run.executor, device_steps.check_kept, jobs)
    return typed + [answer for _, answer in answers if isinstance(answer, DeviceError)]


def is_surely_lost(run: Run) -> bool:
    """Whether the lock of a run was taken away, as the journal says. One that cannot be read says nothing."""
    try:
        return run.journal.is_lost(run.id)
    except JournalFailed:
        return False

"""Whether a run has its lock still: what it has confirmed may be somebody else's by now."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Iterator, Mapping

from fabric.deployment.connection.device_session import CHANGED
from fabric.deployment.connection.parallel_devices import Job, each
from fabric.deployment.device_steps import Confirmed
from fabric.deployment.waves import undo_devices
from fabric.deployment.waves.members import Members
from fabric.deployment.waves.run import Run
from fabric.diagnostics import DeviceError, JournalFailed
from fabric.planning.texts import digest

TAKEN_AWAY = "the lock of the run was taken away"


class Lock(enum.Enum):
    """What the journal says of the lock of a run."""

    HELD = "held"
    LOST = "lost"
    NOT_KNOWN = "not known"
    """It cannot be read."""


def lock_of(run: Run) -> Lock:
    """Whether a run has its lock."""
    try:
        return Lock.LOST if run.journal.is_lost(run.id) else Lock.HELD
    except JournalFailed:
        return Lock.NOT_KNOWN


def is_surely_lost(run: Run) -> bool:
    """Whether the lock of a run was taken away, as the journal says. One that cannot be read says nothing."""
    return lock_of(run) is Lock.LOST


class WhileOurs:
    """Hands out jobs until the lock of their run is taken away, which is asked at once and before each of them.

    A journal that could not be read is not asked again: an attempt may take as long as the timers of the devices.
    """

    def __init__(self, run: Run) -> None:
        self._run, self.lock = run, lock_of(run)

    def __call__(self, jobs: Iterable[Job]) -> Iterator[Job]:
        """The jobs, as far as they are still the run's to do."""
        for job in jobs:
            if self.lock is Lock.HELD:
                self.lock = lock_of(self._run)
            if self.lock is Lock.LOST:
                return
            yield job


def not_ours(
    members: Members, kept: Mapping[str, Confirmed], others: Collection[str] = ()
) -> list[DeviceError]:
    """What stands in the way, before the first of them is touched: empty if all of them may be taken back.

    That somebody has changed one since the gate looked at it for the last time, or that the lock was taken away, or
    may have been: another operator may have gone on with the run, or applied something else. `others` are not known to
    have confirmed; one of those that does not answer goes back by its timer.
    """
    if (lock := lock_of(members.run)) is not Lock.HELD:
        problem = TAKEN_AWAY if lock is Lock.LOST else "nobody knows whether the run has its lock still"
        return [DeviceError(name, problem) for name in kept or members.work]
    typed = [DeviceError(name, end.note) for name, end in kept.items() if end.note]
    runs = {name: digest(end.running) for name, end in kept.items() if not end.note}
    jobs = ((name, (members.work[name], runs.get(name, ""))) for name in (*runs, *others))
    answers = each(members.run.executor, undo_devices.check_kept, jobs)
    wrong = [(name, answer) for name, answer in answers if isinstance(answer, DeviceError)]
    return typed + [error for name, error in wrong if name in kept or error.step == CHANGED]

"""Taking back a wave that does not hold, before any of it was confirmed."""

from __future__ import annotations

from collections.abc import Collection

from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.jobs import State
from fabric.deployment.results import runs_neither
from fabric.deployment.waves.members import Members
from fabric.deployment.waves.still_ours import Lock, WhileOurs
from fabric.deployment.waves.undo_devices import revert
from fabric.diagnostics import DeviceError


def take_back(members: Members, reason: str, ours: WhileOurs) -> None:
    """Let every device run what it ran before. One that cannot be reached is left to its timer.

    It is asked twice: a connection that dies in the middle says nothing of the device behind it. Nobody is asked from
    when the lock was taken away: somebody may have gone on with the run, and confirmed what waits.
    """
    lost = _asked(members, members.work, reason, ours)
    for name, error in _asked(members, lost, reason, ours).items():
        members.leave(name, error)


def _asked(members: Members, names: Collection[str], reason: str, ours: WhileOurs) -> dict[str, DeviceError]:
    """Those that gave no answer, and why. They are asked in the turns in which they were pushed.

    Managers of a subnet that start at the same moment may wait for each other for ever.
    """
    lost: dict[str, DeviceError] = {}
    for turn in members.turns:
        jobs = ours((name, work) for name, work in members.jobs_of(turn) if name in names)
        known = ((name, (*work, ours.lock is Lock.HELD)) for name, work in jobs)
        for name, answer in each(members.run.executor, revert, known, ahead=False):
            if isinstance(answer, DeviceError):
                lost[name] = answer
                continue
            before = members.results.get(name)
            own = before.reason if before and before.reason else reason
            members.note(name, answer, runs_neither(own) if answer is State.FAILED else own)
    return lost

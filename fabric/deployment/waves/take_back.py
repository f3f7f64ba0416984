"""Taking back a wave that does not hold, before any of it was confirmed."""

from __future__ import annotations

from collections.abc import Collection

from fabric.deployment import device_steps
from fabric.deployment.jobs import State
from fabric.deployment.results import runs_neither
from fabric.deployment.waves.members import Members
from fabric.diagnostics import DeviceError


def take_back(members: Members, reason: str) -> None:
    """Let every device run what it ran before. One that cannot be reached is left to its timer.

    It is asked twice: a connection that dies in the middle says nothing of the device behind it.
    """
    lost = _asked(members, members.work, reason)
    for name, error in _asked(members, lost, reason).items():
        members.note(name, State.LEFT_TO_TIMER, str(error))


def _asked(members: Members, names: Collection[str], reason: str) -> dict[str, DeviceError]:
    """Those that gave no answer, and why."""
    lost: dict[str, DeviceError] = {}
    for name, answer in members.in_turn(device_steps.revert, names):
        if isinstance(answer, DeviceError):
            lost[name] = answer
            continue
        known = members.results.get(name)
        own = known.reason if known and known.reason else reason
        members.note(name, answer, runs_neither(own) if answer is State.FAILED else own)
    return lost

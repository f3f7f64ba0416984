"""Taking back a wave that does not hold, before any of it was confirmed."""

from __future__ import annotations

from fabric.deployment import device_steps
from fabric.deployment.jobs import State
from fabric.deployment.waves.members import Members
from fabric.diagnostics import DeviceError


def take_back(members: Members, reason: str) -> None:
    """Let every device run what it ran before. One that cannot be reached is left to its timer."""
    for name, answer in members.in_turn(device_steps.revert):
        if isinstance(answer, DeviceError):
            members.note(name, State.LEFT_TO_TIMER, str(answer))
        elif answer is State.FAILED:
            members.note(name, answer, "runs neither what it ran before nor what was pushed")
        else:
            known = members.results.get(name)
            own = known.reason if known and known.reason else reason
            members.note(name, answer, own)

"""Confirming devices of which none may keep its change unless all do: the managers of a subnet."""

from __future__ import annotations

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.equal_errors import grouped
from fabric.deployment.jobs import State
from fabric.deployment.waves.members import Members
from fabric.diagnostics import DeviceError


def confirm_all_or_none(members: Members) -> str:
    """Confirm all of them, or take all of them back; returns why they were taken back, empty if they hold."""
    run = members.run
    running: dict[str, str] = {}
    for name, answer in each(run.executor, device_steps.confirm, members.jobs()):
        if isinstance(answer, DeviceError):
            members.note(name, State.LEFT_TO_TIMER, str(answer))
        else:
            running[name] = answer.running
    if reason := _confirm_again(members, running) if len(running) < len(members.work) else "":
        _undo(members, reason)
        return reason
    for name, text in running.items():
        run.journal.confirmed(run.id, run.site, members.work[name].job, text)
        members.report(name, State.CONFIRMED)
    return ""


def _confirm_again(members: Members, running: dict[str, str]) -> str:
    """Once more where it went wrong: the connection may have died after the device took it."""
    jobs = ((name, (work,)) for name, work in members.work.items() if name not in running)
    wrong: list[DeviceError] = []
    for name, answer in each(members.run.executor, device_steps.keep, jobs):
        if isinstance(answer, DeviceError):
            wrong.append(answer)
        else:
            running[name] = answer
    return grouped(wrong)


def _undo(members: Members, reason: str) -> None:
    """One could not be confirmed, so those that were are taken back too."""
    for name, answer in members.in_turn(device_steps.undo):
        if isinstance(answer, DeviceError):
            members.note(name, State.LEFT_TO_TIMER, str(answer))
        else:
            members.note(name, answer, reason)

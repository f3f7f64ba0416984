"""Confirming devices of which none may keep its change unless all do: the managers of a subnet."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.device_steps import Confirmed
from fabric.deployment.equal_errors import grouped
from fabric.deployment.jobs import State
from fabric.deployment.refusal_message import named
from fabric.deployment.results import runs_neither
from fabric.deployment.waves import settle_devices
from fabric.deployment.waves.members import Members
from fabric.deployment.waves.still_ours import is_surely_lost, not_ours
from fabric.diagnostics import DeviceError
from fabric.planning.texts import digest


def confirm_all_or_none(members: Members) -> str:
    """Confirm all of them, or take all of them back; returns why they were taken back, empty if they hold."""
    run = members.run
    kept: dict[str, Confirmed] = {}
    for name, answer in each(run.executor, device_steps.confirm, members.jobs()):
        if isinstance(answer, DeviceError):
            members.note(name, State.LEFT_TO_TIMER, str(answer))
        else:
            kept[name] = answer
    if reason := _confirm_again(members, kept) if len(kept) < len(members.work) else "":
        if wrong := not_ours(members, kept):
            if not is_surely_lost(run):  # else what was applied last is another operator's to write down
                _keep(members, kept)
            return f"{reason}; {_stays(members, kept, grouped(wrong))}"
        _undo(members, kept, reason)
        return reason
    _keep(members, kept)
    return ""


def _keep(members: Members, kept: Mapping[str, Confirmed]) -> None:
    """Write down that they are confirmed."""
    run = members.run
    for name, end in kept.items():
        run.journal.confirmed(run.id, run.site, members.work[name].job, end.running, end.note)
        members.report(name, State.CONFIRMED, end.note)


def _stays(members: Members, kept: Mapping[str, Confirmed], why: str) -> str:
    """What becomes of them where those that are confirmed are not to be taken back."""
    left = sorted(members.work.keys() - kept.keys())
    keeps = (
        f"{named(sorted(kept))} {'keeps' if len(kept) == 1 else 'keep'} the change and cannot be taken back"
    )
    return (
        f"{keeps if kept else 'nothing is taken back'} ({why}), "
        f"{named(left)} {'goes' if len(left) == 1 else 'go'} back by {'its' if len(left) == 1 else 'their'} own timer: "
        f"`fabric plan` shows what is left to do, `fabric rollback {members.run.id}` takes the others back"
    )


def _confirm_again(members: Members, kept: dict[str, Confirmed]) -> str:
    """Once more where it went wrong: the connection may have died after the device took it."""
    jobs = ((name, (work,)) for name, work in members.work.items() if name not in kept)
    wrong: list[DeviceError] = []
    for name, answer in each(members.run.executor, settle_devices.keep, jobs):
        if isinstance(answer, DeviceError):
            wrong.append(answer)
        else:
            kept[name] = answer
    return grouped(wrong)


def _undo(members: Members, kept: Mapping[str, Confirmed], reason: str) -> None:
    """One could not be confirmed, so those that were are taken back too."""
    runs = {name: digest(end.running) for name, end in kept.items()}
    for turn in members.turns:
        jobs = ((name, (work, runs.get(name, ""))) for name, (work,) in members.jobs_of(turn))
        for name, answer in each(members.run.executor, device_steps.undo, jobs):
            if isinstance(answer, DeviceError):
                members.note(name, State.LEFT_TO_TIMER, str(answer))
            else:
                members.note(name, answer, runs_neither(reason) if answer is State.FAILED else reason)

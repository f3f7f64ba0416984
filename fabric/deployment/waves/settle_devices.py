"""Where a device ends whose commit may still wait: confirmed if that is allowed, else taken back."""

from __future__ import annotations

import msgspec

from fabric.deployment.connection.device_session import Connection
from fabric.deployment.device_steps import (
    Work,
    holds_nothing,
    is_as_pushed,
    may_be_ours,
    not_applied,
    not_as_pushed,
    plain_text,
    typed_since,
)
from fabric.deployment.gates.purpose import sections_not_applied
from fabric.deployment.jobs import State
from fabric.deployment.waves.undo_devices import check_rests, drop_commit, go_back
from fabric.planning.texts import digest
from fabric.units import counted

MOST_SECTIONS = 3
"""So many are told of a device that runs something else."""


class Settled(msgspec.Struct, frozen=True):
    """Where a device is that was left with an open step."""

    state: State
    running: str
    """Canonical and masked."""
    note: str = ""
    """Of one that keeps its change: as in `Confirmed`."""
    is_half: bool = False
    """It runs half of the change, of a product that does not go back by itself."""
    wrong: str = ""
    """Of one that is `FAILED`: what it does not run, or runs beside what was pushed."""


def settle(work: Work, is_alone: bool) -> Settled:  # noqa: FBT001  # called through an executor
    """Bring a device to rest: confirm what waits if it is allowed, else take it back.

    `is_alone`: nobody else can have changed the device since, nor have we confirmed it. Only then what does not wait is
    taken back too, half of a change, or one that a restart has confirmed: it is never `CONFIRMED` unless it is allowed.
    `DeviceError` if a commit waits there still, ours or one before it: it is neither kept nor taken back.
    """
    is_confirmed, problem = False, None
    with work.connection() as device:
        if work.is_allowed:
            is_confirmed = _keep(work, device)
        else:
            problem = drop_commit(work, device)
        if is_alone and not is_confirmed and problem is None:
            go_back(work, device, is_as_pushed)
        if not is_confirmed:  # what waits behind a commit that we have confirmed is somebody else's affair
            check_rests(work, device, problem)
        running = plain_text(work, device.running())
    settled = _settled(work, running)
    if is_confirmed and settled.state is State.FAILED:
        return Settled(State.CONFIRMED, running, typed_since(work, running))
    if is_alone and not work.is_allowed and settled.state is State.CONFIRMED:
        settled = msgspec.structs.replace(settled, state=State.FAILED)  # somebody was there
    return (
        msgspec.structs.replace(settled, wrong=_wrong(work, running))
        if settled.state is State.FAILED
        else settled
    )


def _wrong(work: Work, running: str) -> str:
    sections = not_as_pushed(work, running)
    more = len(sections) - MOST_SECTIONS
    others = (counted(more, ("more section", "more sections")),) if more > 0 else ()
    return "; ".join((*sections[:MOST_SECTIONS], *others))


def ended(work: Work) -> Settled:
    """Where a device is of which a run does not know; nothing is changed there.

    `LEFT_TO_TIMER` while a commit waits.
    """
    with work.connection() as device:
        waits = device.pending() is not None
        printed = device.running()
    running = plain_text(work, printed)
    if waits:
        return Settled(State.LEFT_TO_TIMER, running)
    found = _settled(work, running)
    if found.state is not State.FAILED:
        return found
    return msgspec.structs.replace(found, is_half=not work.kind.reverts and may_be_ours(work, printed))


def left_there(work: Work) -> Settled:
    """The same of a run that has ended: `REVERTED` also where nothing of the change is there, whatever else is."""
    found = ended(work)
    if found.state is State.FAILED and not found.is_half and holds_nothing(work, found.running):
        return Settled(State.REVERTED, found.running)
    return found


def _settled(work: Work, running: str) -> Settled:
    if digest(running) == work.job.before:
        return Settled(State.REVERTED, running)
    taken = not sections_not_applied(work.kind, work.job.device, running, work.text, keeps=work.job.keeps)
    return Settled(State.CONFIRMED if taken else State.FAILED, running)


def _keep(work: Work, device: Connection) -> bool:
    """Confirm what waits, and say whether the change is known to be kept.

    If it does not wait any more, the answer to an earlier confirmation may have been lost.
    """
    waiting = device.pending()
    if waiting is not None and waiting.change == work.session:
        device.confirm(work.session)
    elif waiting is None and not not_applied(work, device.running()):
        device.save()
    else:
        return False
    return True

"""Where a device ends whose commit may still wait: confirmed if that is allowed, else taken back."""

from __future__ import annotations

import msgspec

from fabric.deployment.connection.device_session import Connection
from fabric.deployment.device_steps import Work, not_applied, plain_text, typed_since
from fabric.deployment.gates.purpose import sections_not_applied
from fabric.deployment.jobs import State
from fabric.deployment.waves.undo_devices import check_rests, drop_commit, go_back
from fabric.planning.texts import digest


class Settled(msgspec.Struct, frozen=True):
    """Where a device is that was left with an open step."""

    state: State
    running: str
    """Canonical and masked."""
    note: str = ""
    """Of one that keeps its change: as in `Confirmed`."""


def settle(work: Work, is_alone: bool) -> Settled:  # noqa: FBT001  # called through an executor
    """Bring a device to rest: confirm what waits if it is allowed, else take it back.

    `is_alone`: nobody else can have changed the device since. Only then half of a change that was allowed is taken
    back, where the product does not do it by itself: it may be what another operator has made of it.
    `DeviceError` if a commit waits there still, ours or one before it: it is neither kept nor taken back.
    """
    is_confirmed, problem = False, None
    with work.connection() as device:
        if work.is_allowed:
            is_confirmed = _keep(work, device)
        else:
            problem = drop_commit(work, device)
        may_be_half = not is_confirmed and problem is None and not work.kind.reverts
        if may_be_half and (is_alone or not work.is_allowed):
            go_back(work, device)
        if not is_confirmed:  # what waits behind a commit that we have confirmed is somebody else's affair
            check_rests(work, device, problem)
        running = plain_text(work, device.running())
    settled = _settled(work, running)
    if is_confirmed and settled.state is State.FAILED:
        return Settled(State.CONFIRMED, running, typed_since(work, running))
    return settled


def ended(work: Work) -> Settled:
    """Where a device is that a run has left to its timer; nothing is changed.

    `LEFT_TO_TIMER` while a commit waits there.
    """
    with work.connection() as device:
        waits = device.pending() is not None
        running = plain_text(work, device.running())
    return Settled(State.LEFT_TO_TIMER, running) if waits else _settled(work, running)


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

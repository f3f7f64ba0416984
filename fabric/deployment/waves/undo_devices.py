"""Taking back a change on one device: functions of plain data, so that any executor can run them.

What waits on a device under our name is ours. What does not wait any more has no name: then the device goes back only
if it runs what we have left there, as it is looked at under its own lock.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from fabric.deployment.change_names import PLAN, change_name, described
from fabric.deployment.connection.device_session import CHANGED, Connection
from fabric.deployment.device_steps import Work, is_before, may_be_ours, not_applied, plain_text
from fabric.deployment.jobs import State
from fabric.diagnostics import DeviceError
from fabric.planning.texts import digest


def revert(work: Work, is_held: bool) -> State:  # noqa: FBT001  # called through an executor
    """Take back an unconfirmed commit, if there is one, and see what the device runs then.

    `REVERTED` if it runs what it ran before; `FAILED` if it runs anything else. A product that keeps an unconfirmed
    commit over a restart has confirmed it by that: then what ran before is loaded again, if `is_held`: while nobody
    knows who holds the lock, it may be another operator who has confirmed it.
    """
    with work.connection() as device:
        problem = drop_commit(work, device)
        if problem is not None and not work.has_begun and is_before(work, device.running()):
            return State.REVERTED
        if problem is None and (is_held or not work.kind.reverts):
            go_back(work, device)
        check_rests(work, device, problem)
        running = device.running()
    if is_before(work, running):
        return State.REVERTED
    if problem is None and not is_held and not not_applied(work, running):
        problem = DeviceError(work.job.device, "keeps the change, and nobody knows who has confirmed it")
    if problem is not None:
        raise problem
    return State.FAILED


def check_kept(work: Work, kept: str) -> None:
    """`DeviceError`, of the step `CHANGED`, if nothing of ours waits and a device runs what is not known.

    Known is what it ran before, and what it has confirmed, of that digest; empty: what may be ours.
    """
    with work.connection() as device:
        if not _waits(work, device):
            _check_kept(work, device.running(), kept)


def undo(work: Work, kept: str) -> State:
    """Take back our commit, confirmed or not; `REVERTED` if the device runs what it ran before.

    `kept`: as of `check_kept`. `DeviceError` if it runs neither.
    """
    with work.connection() as device:
        if _waits(work, device):
            device.revert(work.session)
        else:
            running = device.running()
            _check_kept(work, running, kept)
            if not is_before(work, running):
                _load_before(work, device, partial(_is_kept, work, kept))
        check_rests(work, device)
        back = is_before(work, device.running())
    return State.REVERTED if back else State.FAILED


def drop_commit(work: Work, device: Connection) -> DeviceError | None:
    """Revert what waits, or drop what was only loaded. What the device runs then decides about an error."""
    try:
        waiting = device.pending()
        if waiting is not None and waiting.change != work.session:
            problem = f"a commit that is not ours waits for its confirmation: {described(waiting)}"
            return DeviceError(work.job.device, problem)
        if waiting is not None:
            device.revert(work.session)
        elif work.kind.reverts and work.session:
            device.drop(work.session)
    except DeviceError as error:
        return error
    return None


def go_back(work: Work, device: Connection, is_ours: Callable[[Work, str], bool] = may_be_ours) -> None:
    """Of a commit that does not wait: what the device ran before is loaded again, if what it runs may be ours."""
    running = device.running()
    if work.has_begun and not is_before(work, running) and is_ours(work, running):
        _load_before(work, device, partial(is_ours, work))


def check_rests(work: Work, device: Connection, problem: DeviceError | None = None) -> None:
    """`DeviceError` while a commit waits on a device: nobody knows yet what it will run. `problem`: why, if known."""
    try:
        waiting = device.pending()
    except DeviceError as error:
        raise problem or error from None
    if waiting is not None:
        still = f"a commit waits there for its confirmation still: {described(waiting)}"
        raise problem or DeviceError(work.job.device, still)


def _waits(work: Work, device: Connection) -> bool:
    """Whether our commit waits for its confirmation."""
    waiting = device.pending()
    return waiting is not None and waiting.change == work.session


def _check_kept(work: Work, running: str, kept: str) -> None:
    if not _is_kept(work, kept, running) and not is_before(work, running):
        raise DeviceError(work.job.device, "was changed by somebody since it was confirmed", step=CHANGED)


def _is_kept(work: Work, kept: str, running: str) -> bool:
    """Whether that is what the device has confirmed; of one that has not said what it keeps, what may be ours."""
    return digest(plain_text(work, running)) == kept if kept else may_be_ours(work, running)


def _load_before(work: Work, device: Connection, is_ours: Callable[[str], bool]) -> None:
    """What the device ran before our commit is loaded again: from there, or from here.

    `is_ours`: whether the device may be changed that runs this, asked under its own lock.
    """
    change = change_name(PLAN)
    device.drop_left_behind()
    if work.kind.reverts:
        device.stage_before(work.session, change)
    elif is_before(work, work.before):
        device.stage(work.before, change)
    else:
        raise DeviceError(
            work.job.device, "what it ran before is not known here, and its product keeps nothing"
        )
    device.commit(None, is_ours)

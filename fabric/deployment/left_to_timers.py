"""What became of devices that a run has left to their own timers: they are asked, and it is written down.

A timer may have taken the change back; the confirmation may have arrived after all; or the device has restarted, and
its product keeps a commit that waits; or half of the change is there. Whoever asks the devices next finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Executor

import msgspec

from fabric.deployment import codes, device_steps
from fabric.deployment.change_names import person
from fabric.deployment.connection.parallel_devices import each, threads
from fabric.deployment.connection.secrets import Secrets
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import Step
from fabric.deployment.journal_store.unsettled_steps import Unsettled
from fabric.deployment.refusal_message import named
from fabric.deployment.results import runs_neither
from fabric.deployment.waves import settle_devices
from fabric.diagnostics import DeviceError, Diagnostic, Origin
from fabric.planning.texts import digest
from fabric.platforms.base import Target
from fabric.platforms.registry import platform

HALF = "holds half of the change"


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """Where a device is that a finished run has left to its timer."""

    run: int
    device: str
    state: State
    """`CONFIRMED`: it keeps the change. `REVERTED`. `LEFT_TO_TIMER`: not known yet. `FAILED`: runs neither."""
    reason: str = ""
    has_timer: bool = True
    """Whether its product takes back what is not confirmed."""


def is_kept(step: Step) -> bool:
    """Whether a device keeps what its step has left there: the change, or half of it."""
    return step.state is State.CONFIRMED or holds_half(step)


def holds_half(step: Step) -> bool:
    """Whether an ended run has left half of its change on a device whose product does not go back by itself."""
    return step.state is State.FAILED and bool(step.after) and not platform(step.job.platform).reverts


def unsettled(
    journal: Journal, site: str, platform_of: Callable[[str], str | None] = lambda _: None
) -> dict[str, Unsettled]:
    """As `Journal.unsettled`. None while another run has not finished: whoever ends that asks its devices first."""
    run = journal.unfinished(site)
    return {} if run is not None and not run.has_touched_nothing else journal.unsettled(site, platform_of)


def settle_left(
    site: str,
    *,
    targets: Mapping[str, Target],
    journal: Journal,
    platform_of: Callable[[str], str | None] = lambda _: None,
    executor: Executor | None = None,
) -> tuple[Ending, ...]:
    """Ask those of `targets` on which changes were lost, and write down what they run. None is changed.

    One that does not answer, or whose commit still waits, stays as it is. Where the last change is gone, what was lost
    before it is looked for. `platform_of`: as of `Journal.unsettled`.
    """
    endings: list[Ending] = []
    with threads(executor) as pool:
        asked = set[tuple[str, int]]()
        while left := {
            name: known
            for name, known in unsettled(journal, site, platform_of).items()
            if name in targets and (name, known.last[0]) not in asked
        }:
            asked |= {(name, known.last[0]) for name, known in left.items()}
            jobs = ((name, (_work(journal, known.last[1], targets[name]),)) for name, known in left.items())
            found = (
                _ending(journal, site, left[name], answer)
                for name, answer in each(pool, settle_devices.left_there, jobs)
            )
            endings += (ending for ending in found if ending is not None)
    return tuple(sorted(endings, key=lambda ending: ending.device))


def _work(journal: Journal, step: Step, target: Target) -> device_steps.Work:
    text = journal.text(step.job.text or step.job.wanted)
    return device_steps.Work(
        step.job, target, text, Secrets(), step.session, before=journal.text(step.job.before)
    )


def _ending(
    journal: Journal, site: str, known: Unsettled, answer: settle_devices.Settled | DeviceError
) -> Ending | None:
    """Where a device is. None if somebody has found out, or has changed it, since it was asked."""
    run, step = known.last
    name = step.job.device
    if isinstance(answer, DeviceError):
        why = str(answer).removeprefix(f"{name}: ")
        has_timer = platform(step.job.platform).reverts
        return Ending(run=run, device=name, state=State.LEFT_TO_TIMER, reason=why, has_timer=has_timer)
    if answer.state is State.LEFT_TO_TIMER:
        return Ending(
            run=run, device=name, state=answer.state, reason="a commit waits there for its confirmation"
        )
    ending = Ending(run=run, device=name, state=answer.state, reason=_reason(step, answer))
    keeps = answer.running if answer.state is State.CONFIRMED or answer.is_half else None
    is_same = answer.state is step.state and step.after == ("" if keeps is None else digest(keeps))
    if is_same and (answer.is_half or step.reason == ending.reason):
        return ending  # whoever has asked before has found it too
    return ending if journal.write_ending(site, known, answer.state, keeps, ending.reason) else None


def _reason(step: Step, answer: settle_devices.Settled) -> str:
    asked = f"found when {person()} asked it"
    if answer.state is State.CONFIRMED:
        return f"keeps the change, though nobody has confirmed it: {asked}"
    if answer.state is State.REVERTED:
        gone = (
            "went back by itself"
            if digest(answer.running) == step.job.before
            else "holds nothing of the change"
        )
        return f"{gone}: {asked}"
    return f"{HALF}: {asked}" if answer.is_half else runs_neither(step.reason)


def endings_found(endings: Collection[Ending]) -> tuple[Diagnostic, ...]:
    """What is to be told of them: who keeps a change that nobody confirmed, or some, and of whom nothing is known."""
    return (*_kept(endings), *_holding(endings), *_unknown(endings))


def _kept(endings: Collection[Ending]) -> Iterator[Diagnostic]:
    for run, names in _by_run(endings, State.CONFIRMED).items():
        keeps = "keeps" if len(names) == 1 else "keep"
        rule = f"{named(names)} {keeps} what run {run} brought and left to a timer: written down as confirmed"
        hint = f"`fabric rollback {run}` takes it back"
        yield codes.KEPT_BY_ITSELF.at(Origin(()), rule, hint=hint, subjects=tuple(names))


def _holding(endings: Collection[Ending]) -> Iterator[Diagnostic]:
    for run, names in _by_run(endings, State.FAILED).items():
        verb = "it runs" if len(names) == 1 else "they run"
        rule = f"{named(names)} may hold some of what run {run} brought: {verb} neither that nor what was there before"
        yield codes.HOLDS_SOME.at(Origin(()), rule, hint=codes.HOLDS_SOME.fix, subjects=tuple(names))


def _unknown(endings: Collection[Ending]) -> Iterator[Diagnostic]:
    for ending in endings:
        if ending.state is State.LEFT_TO_TIMER:
            left = (
                f"{ending.device} to its timer" if ending.has_timer else f"the change of {ending.device} open"
            )
            rule = f"run {ending.run} left {left}, and what it runs is not known: {ending.reason}"
            back = f"`fabric rollback {ending.run}` takes back what it has kept"
            wait = (
                "bring the device back, or wait for its timer"
                if ending.has_timer
                else "bring the device back"
            )
            hint = f"{wait}; then `fabric plan` finds out, and {back}"
            yield codes.LEFT_OPEN.at(Origin(()), rule, hint=hint, subjects=(ending.device,))


def _by_run(endings: Collection[Ending], state: State) -> dict[int, list[str]]:
    names: dict[int, list[str]] = {}
    for ending in endings:
        if ending.state is state:
            names.setdefault(ending.run, []).append(ending.device)
    return names

"""What became of devices that a run has left to their own timers: they are asked, and it is written down.

A timer may have taken the change back; the confirmation may have arrived after all; or the device has restarted, and
its product keeps a commit that waits. Whoever asks the devices next finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Executor

import msgspec

from fabric.configuration import merge
from fabric.deployment import codes, device_steps
from fabric.deployment.change_names import person
from fabric.deployment.connection.parallel_devices import each, threads
from fabric.deployment.connection.secrets import Secrets
from fabric.deployment.jobs import Job, State
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import Run, Step
from fabric.deployment.journal_store.last_applied import LastAppliedTexts
from fabric.deployment.refusal_message import named
from fabric.deployment.results import runs_neither
from fabric.deployment.waves import settle_devices
from fabric.diagnostics import DeviceError, Diagnostic, Origin
from fabric.planning import LastApplied
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


def left_to_timers(journal: Journal, site: str) -> dict[str, tuple[int, Step]]:
    """By device: the step that a finished run has left open there, and the run.

    None while another run has not finished: whoever ends that asks its devices first.
    """
    if _is_open(journal.unfinished(site)):
        return {}
    return {step.job.device: (run, step) for run, step in journal.left_open(site)}


def _is_open(run: Run | None) -> bool:
    return run is not None and not run.has_touched_nothing


def settle_left(
    site: str, *, targets: Mapping[str, Target], journal: Journal, executor: Executor | None = None
) -> tuple[Ending, ...]:
    """Ask those of `targets` that a finished run has left open, and write down what they run. None is changed.

    One that does not answer, or whose commit still waits, stays as it is.
    """
    left = {name: known for name, known in left_to_timers(journal, site).items() if name in targets}
    if not left:
        return ()
    jobs = ((name, (_work(journal, step, targets[name]),)) for name, (_, step) in left.items())
    with threads(executor) as pool:
        endings = [
            _ending(journal, site, *left[name], answer)
            for name, answer in each(pool, settle_devices.ended, jobs)
        ]
    return tuple(sorted(endings, key=lambda ending: ending.device))


def _work(journal: Journal, step: Step, target: Target) -> device_steps.Work:
    text = journal.text(step.job.text or step.job.wanted)
    before = "" if platform(step.job.platform).reverts else journal.text(step.job.before)
    return device_steps.Work(step.job, target, text, Secrets(), step.session, before=before)


def _ending(
    journal: Journal, site: str, run: int, step: Step, answer: settle_devices.Settled | DeviceError
) -> Ending:
    name = step.job.device
    if isinstance(answer, DeviceError):
        why = str(answer).removeprefix(f"{name}: ")
        has_timer = platform(step.job.platform).reverts
        return Ending(run=run, device=name, state=State.LEFT_TO_TIMER, reason=why, has_timer=has_timer)
    if answer.state is State.LEFT_TO_TIMER:
        return Ending(
            run=run, device=name, state=answer.state, reason="a commit waits there for its confirmation"
        )
    asked = f"found when {person()} asked it"
    reasons = {
        State.CONFIRMED: f"keeps the change, though nobody has confirmed it: {asked}",
        State.REVERTED: f"went back by itself: {asked}",
        State.FAILED: f"{HALF}: {asked}" if answer.is_half else runs_neither(step.reason),
    }
    reason = reasons[answer.state]
    if answer.state is State.CONFIRMED:
        journal.confirmed(run, site, step.job, answer.running, reason)
    elif answer.is_half:
        if digest(answer.running) != step.after:  # whoever else has asked it has found the same
            journal.left_half(run, name, answer.running, reason)
    elif (answer.state, reason, "") != (step.state, step.reason, step.after):
        journal.mark(run, {name: answer.state}, reason=reason)
    return Ending(run=run, device=name, state=answer.state, reason=reason)


class AppliedWithHalves(Mapping[str, LastApplied]):
    """What was applied last, and where a device holds half of a change since, what may be ours of that too."""

    def __init__(
        self, journal: Journal, applied: LastAppliedTexts, halves: Mapping[str, LastApplied]
    ) -> None:
        self._journal, self._applied, self._halves = journal, applied, halves

    def __getitem__(self, device: str) -> LastApplied:
        return self._halves[device] if device in self._halves else self._applied[device]

    def __contains__(self, device: object) -> bool:
        return device in self._halves or device in self._applied

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._applied, *self._halves)))

    def __len__(self) -> int:
        return len({*self._applied, *self._halves})

    def digest(self, device: str) -> str:
        """Digest of what the device ran then, or of the half that was found there."""
        return self._halves[device].after if device in self._halves else self._applied.digest(device)

    def after(self, device: str) -> str:
        """The same in plain form."""
        known = self._halves.get(device)
        return self._journal.text(known.after) if known is not None else self._applied.after(device)


def last_applied(
    journal: Journal, site: str, platform_of: Callable[[str], str | None] = lambda _: None
) -> AppliedWithHalves:
    """`Journal.last_applied` with halves: for plans, and for what has left it."""
    applied, halves = journal.last_applied(site, platform_of), dict[str, LastApplied]()
    for device, (after, jobs) in _halves(journal, site).items():
        if jobs and platform_of(device) in (None, jobs[-1].platform):
            old = applied[device].text if device in applied else ""
            ours = ours_at_halves(journal, jobs, old)
            halves[device] = LastApplied("", ours, after, has_foreign=True)
    return AppliedWithHalves(journal, applied, halves)


def _halves(journal: Journal, site: str) -> dict[str, tuple[str, tuple[Job, ...]]]:
    """Of the devices that hold half of a change: what they hold, and the changes."""
    names = journal.devices_with_halves(site)
    steps: dict[str, list[Step]] = {name: [] for name in names}
    for run in reversed(journal.runs(site)) if names else ():
        for step in journal.steps(run.id):
            if step.job.device in names:
                steps[step.job.device].append(step)
    return {name: held(some) for name, some in steps.items()}


def held(steps: Iterable[Step]) -> tuple[str, tuple[Job, ...]]:
    """What a device holds after its steps, and the changes of which that is half: none if it is not.

    Half stays where a later run was made on it and went back to it, or has left half of its own.
    """
    after, jobs = "", tuple[Job, ...]()
    for step in steps:
        is_on_it = bool(jobs) and step.job.before == after
        if holds_half(step):
            after, jobs = step.after, (*(jobs if is_on_it else ()), step.job)
        elif step.state is State.CONFIRMED or (step.state is State.REVERTED and not is_on_it):
            after, jobs = "", ()
    return after, jobs


def ours_at_halves(journal: Journal, jobs: Iterable[Job], old: str) -> str:
    """What may be ours where halves of changes are: what was ours before, `old`, and what is ours with each of them."""
    for job in jobs:
        kind, new = platform(job.platform), journal.text(job.owned)
        old = new if kind.whole else merge(kind.dialect(), new, old, None).text
    return old


def endings_found(endings: Collection[Ending]) -> tuple[Diagnostic, ...]:
    """What is to be told of them: who keeps a change that nobody confirmed, and of whom nothing is known yet."""
    return (*_kept(endings), *_unknown(endings))


def _kept(endings: Collection[Ending]) -> Iterator[Diagnostic]:
    for run, names in _by_run(endings, State.CONFIRMED).items():
        keeps = "keeps" if len(names) == 1 else "keep"
        rule = f"{named(names)} {keeps} what run {run} brought and left to a timer: written down as confirmed"
        hint = f"`fabric rollback {run}` takes it back"
        yield codes.KEPT_BY_ITSELF.at(Origin(()), rule, hint=hint, subjects=tuple(names))


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

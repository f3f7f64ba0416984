"""Take back a run: what each device ran before it is restored, by the journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor

import msgspec

from fabric.deployment import codes
from fabric.deployment.apply import finished
from fabric.deployment.change_names import person
from fabric.deployment.check_before_apply import check_devices, check_timer, interrupted
from fabric.deployment.connection.hide_secrets import hidden_from_logs
from fabric.deployment.connection.parallel_devices import threads
from fabric.deployment.connection.secrets import references
from fabric.deployment.events import OnEvent, guarded, ignore
from fabric.deployment.jobs import Job, State
from fabric.deployment.journal_store.journal import Journal, Step
from fabric.deployment.journal_store.journal import Run as Record
from fabric.deployment.journal_store.site_lock import locked
from fabric.deployment.options import ApplyOptions
from fabric.deployment.refusal_message import refusal
from fabric.deployment.results import Result
from fabric.deployment.resume import settle
from fabric.deployment.waves import Run
from fabric.planning.texts import MASK, digest
from fabric.platforms.base import Target


class Restored(msgspec.Struct, frozen=True):
    """What a device shall run again."""

    job: Job
    text: str
    """With placeholders; empty: the device itself knows."""
    ours: str
    """What of it we wrote, in plain form; empty if we had written nothing."""


def rollback(
    site: str,
    number: int | None = None,
    *,
    targets: Mapping[str, Target],
    journal: Journal,
    options: ApplyOptions,
    executor: Executor | None = None,
    on_event: OnEvent = ignore,
) -> Result:
    """Restore what the devices ran before a run, the last one unless a number is given.

    The last text that we applied is pushed again, wave by wave as in an apply, the last wave first. A device
    that was adopted in the run held secrets that nobody here knows: what it has kept itself is loaded again, and goes
    the same way. `Refused`, before anything is touched, if a device that the run has
    changed does not answer or has changed since, or if nobody knows what it ran before.
    """
    check_timer(options.pace.revert_in_s)
    record = journal.run(site, number)
    steps = [step for step in journal.steps(record.id) if _may_be_new(record, step)]
    owner = options.owner or person()
    with locked(journal, site, owner, take_over=True), threads(executor) as pool:
        texts = [journal.text(step.job.text) for step in steps if step.job.text]
        secrets = options.source.resolve(references(texts))
        run = Run(record.id, site, journal, targets, secrets, options.pace, pool, guarded(on_event))
        restored = list(_restored(run, steps))
        secrets = secrets.joined(options.source.resolve(references(r.text for r in restored)))
        run = msgspec.structs.replace(run, secrets=secrets)
        with hidden_from_logs(secrets):
            check_devices(interrupted(run, steps), pool, codes.NOT_AS_LEFT, f"run {record.id}")
            if record.finished is None:
                settle(run, steps)
                journal.finish(record.id, "interrupted")
            return _restore(run, [s for s in journal.steps(record.id) if s.state is State.CONFIRMED], owner)


def _may_be_new(record: Record, step: Step) -> bool:
    """Whether a device may run what a run brought: what it left as it was is not asked, and not touched."""
    return step.state is State.CONFIRMED or (record.finished is None and step.state.is_open)


def _restore(run: Run, done: list[Step], owner: str) -> Result:
    if not done:
        return Result(run=None, kind="rollback", outcome="nothing")
    restored = list(_restored(run, done))
    jobs = [r.job for r in restored]
    texts = [text for r in restored for text in (r.text, r.ours)]
    number = run.journal.begin(run.site, "rollback", "", owner, jobs, texts)
    new = msgspec.structs.replace(run, id=number)
    result = finished(new, "rollback", jobs)
    back = set(result.in_state(State.CONFIRMED))
    new.journal.forget(run.site, [r.job.device for r in restored if not r.ours and r.job.device in back])
    return result


def _restored(run: Run, done: Iterable[Step]) -> Iterable[Restored]:
    """The job that takes each step back. The waves run backwards: what changed last is restored first."""
    steps = tuple(done)
    last = max((step.job.wave for step in steps), default=0)
    applied = run.journal.applied(run.site)
    known = _texts_by_state(run.journal, run.site, run.id)
    for step in steps:
        text, ours = known.get((step.job.device, step.job.before), ("", ""))
        if not text:
            before = run.journal.text(step.job.before)
            text = before if MASK not in before else ""
        latest = applied.get(step.job.device)
        if not text and step.state is State.CONFIRMED and (latest is None or latest.run != run.id):
            why = f"{step.job.device} was adopted in run {run.id} and changed again since"
            raise refusal(codes.NO_WAY_BACK, why)
        job = msgspec.structs.replace(
            step.job,
            wave=last + 1 - step.job.wave,
            canary=False,
            text=digest(text) if text else "",
            undoes="" if text else step.session,
            wanted=step.job.before,
            before=step.after,
            artifact=digest(text),
            owned=digest(ours),
            drained=False,
            keeps=MASK in text,
        )
        yield Restored(job, text, ours)


def _texts_by_state(journal: Journal, site: str, before: int) -> dict[tuple[str, str], tuple[str, str]]:
    """What earlier runs pushed, and what of it was ours, by device and what the device ran after it."""
    by_state: dict[tuple[str, str], tuple[str, str]] = {}
    for run in reversed(journal.runs(site)):
        if run.id >= before:
            break
        for step in journal.steps(run.id):
            if step.state is State.CONFIRMED and step.job.text:
                texts = (journal.text(step.job.text), journal.text(step.job.owned))
                by_state[step.job.device, step.after] = texts
    return by_state

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
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import INTERRUPTED, NewRun, Step
from fabric.deployment.journal_store.journal_records import Run as Record
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
    record = run_to_take_back(journal, site, number)
    steps = _may_be_new(journal, record)
    new = NewRun(
        site=site,
        kind="rollback",
        owner=options.owner or person(),
        takes_back=record.id,
        revision=options.revision.commit,
        is_modified=options.revision.is_modified,
    )
    texts = [journal.text(step.job.text) for step in steps if step.job.text]
    secrets = options.source.resolve(references(texts))
    with threads(executor) as pool:
        run = Run(
            record.id,
            site,
            journal,
            targets,
            secrets,
            options.pace,
            pool,
            guarded(on_event),
            options.thresholds,
            options.source.folder,
        )
        restored = list(_restored(run, steps))
        secrets = secrets.joined(options.source.resolve(references(r.text for r in restored)))
        run = msgspec.structs.replace(run, secrets=secrets)
        with hidden_from_logs(secrets):
            if record.finished is None:
                return _take_back_interrupted(run, steps, new)
            return _restore(run, steps, new)


def run_to_take_back(journal: Journal, site: str, number: int | None = None) -> Record:
    """The run of that number, else the last one that may have changed something. `Refused` if there is none.

    A rollback that failed does not count: the run that it was to take back does. Nor does a run that was refused, or
    killed, while devices were asked. An apply that has failed and taken everything back itself is refused: what there
    is to take back then is the work of an earlier run, which is to be named.
    """
    if number is not None:
        run = journal.run(site, number)
        if (back := _taken_back_by(journal, run)) is not None and not _may_be_new(journal, run):
            again = f"`fabric rollback {back.id}` brings back what it took"
            raise refusal(codes.CHANGED_NOTHING, f"run {run.id} was taken back by run {back.id}", again)
        return run
    if (current := journal.unfinished(site)) is not None:
        return current
    run = next((run for run in journal.runs(site) if not run.has_touched_nothing), None) or journal.run(site)
    while run.takes_back is not None and run.state != "done":
        run = journal.run(site, run.takes_back)
    if _may_be_new(journal, run) or run.state == "done":
        return run
    earlier = next((r for r in journal.runs(site) if r.id < run.id and _may_be_new(journal, r)), None)
    hint = f"`fabric rollback {earlier.id}` takes back run {earlier.id}, the one before" if earlier else None
    raise refusal(codes.CHANGED_NOTHING, f"run {run.id} has left nothing changed on any device", hint)


def _taken_back_by(journal: Journal, record: Record) -> Record | None:
    return next((later for later in journal.runs(record.site) if later.takes_back == record.id), None)


def _may_be_new(journal: Journal, record: Record) -> list[Step]:
    """The steps whose devices may run what a run brought: what it left as it was is not asked, and not touched.

    Nor is what a rollback of it has taken back already, before it failed.
    """
    back = {
        step.job.device
        for later in journal.runs(record.site)
        if later.takes_back == record.id
        for step in journal.steps(later.id)
        if step.state is State.CONFIRMED
    }
    is_open = record.finished is None
    steps = (step for step in journal.steps(record.id) if step.job.device not in back)
    return [s for s in steps if s.state is State.CONFIRMED or (is_open and s.state.is_open)]


def _take_back_interrupted(run: Run, steps: list[Step], new: NewRun) -> Result:
    """A run that was killed: what it left open is brought to rest first, then its lock passes on to the rollback."""
    journal, since = run.journal, f"run {run.id}"
    journal.take_over(run.site, run.id, new.owner)
    with journal.holding(run.id):
        check_devices(interrupted(run, steps), run.executor, codes.NOT_AS_LEFT, since)
        settle(run, steps)
        done = [step for step in journal.steps(run.id) if step.state is State.CONFIRMED]
        if done:
            return _restore(run, done, new, closes=run.id)
        journal.finish(run.id, INTERRUPTED)
    return Result(run=None, kind="rollback", outcome="nothing")


def _restore(run: Run, done: list[Step], new: NewRun, *, closes: int | None = None) -> Result:
    if not done:
        return Result(run=None, kind="rollback", outcome="nothing")
    restored = list(_restored(run, done))
    jobs = tuple(r.job for r in restored)
    journal = run.journal
    journal.keep(text for r in restored for text in (r.text, r.ours))
    number = journal.begin(msgspec.structs.replace(new, jobs=jobs), closes=closes)
    with journal.holding(number):
        if closes is None:
            check_devices(interrupted(run, done), run.executor, codes.NOT_AS_LEFT, f"run {run.id}")
        return finished(msgspec.structs.replace(run, id=number), "rollback", jobs)


def _restored(run: Run, done: Iterable[Step]) -> Iterable[Restored]:
    """The job that takes each step back. The waves run backwards: what changed last is restored first."""
    steps = tuple(done)
    last = max((step.job.wave for step in steps), default=0)
    applied = run.journal.applied(run.site)
    known = _jobs_by_state(run.journal, run.site, run.id)
    for step in steps:
        earlier = known.get((step.job.device, step.job.before))
        if earlier is not None:
            text, ours = run.journal.text(earlier.text), run.journal.text(earlier.owned)
        else:
            before, ours = run.journal.text(step.job.before), ""
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
            drained=earlier is not None and earlier.drained,
            keeps=earlier is not None and earlier.keeps,
        )
        yield Restored(job, text, ours)


def _jobs_by_state(journal: Journal, site: str, before: int) -> dict[tuple[str, str], Job]:
    """What earlier runs did, by device and what the device ran after it."""
    by_state: dict[tuple[str, str], Job] = {}
    for run in reversed(journal.runs(site)):
        if run.id >= before:
            break
        for step in journal.steps(run.id):
            if step.state is State.CONFIRMED and step.job.text:
                by_state[step.job.device, step.after] = step.job
    return by_state

"""Take back a run: what each device ran before it is restored, by the journal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Executor

import msgspec

from fabric.deployment import codes, device_steps
from fabric.deployment.apply import finished
from fabric.deployment.change_names import person
from fabric.deployment.check_before_apply import check_beginning, check_devices, check_errors, interrupted
from fabric.deployment.connection.device_session import LOAD
from fabric.deployment.connection.hide_secrets import hidden_from_logs
from fabric.deployment.connection.parallel_devices import each, threads
from fabric.deployment.connection.secrets import references
from fabric.deployment.equal_errors import grouped, not_asked
from fabric.deployment.events import OnEvent, device_threads, guarded, ignore
from fabric.deployment.gates.host_paths import interrupted_ports
from fabric.deployment.gates.timers import check_timer
from fabric.deployment.jobs import Job, State
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import INTERRUPTED, NewRun, Step
from fabric.deployment.journal_store.journal_records import Run as Record
from fabric.deployment.options import ApplyOptions, run_of
from fabric.deployment.permissions import check_allowed
from fabric.deployment.refusal_message import named, refusal
from fabric.deployment.results import Outcome, Result
from fabric.deployment.resume import settle
from fabric.deployment.taking_back.restored_texts import (
    may_be_new,
    may_change,
    may_stay,
    restored,
    run_to_take_back,
)
from fabric.deployment.waves.bring_back import bring_back
from fabric.deployment.waves.run import Run, work_of
from fabric.diagnostics import DeviceError
from fabric.planning import Plan
from fabric.platforms.base import Target


def rollback(
    site: str,
    number: int | None = None,
    *,
    targets: Mapping[str, Target],
    journal: Journal,
    options: ApplyOptions,
    planned: Plan | None = None,
    executor: Executor | None = None,
    on_event: OnEvent = ignore,
) -> Result:
    """Restore what the devices ran before a run, the last one unless a number is given.

    The last text that we applied is pushed again, wave by wave as in an apply: in the waves of the plan
    (`plan_rollback`), without one the last wave first. A device that was adopted in the run held secrets that nobody
    here knows: what it has kept itself is loaded again, and goes the same way. `Refused`, before anything is touched,
    if a device that the run has changed does not answer, has changed since, or does not accept what it ran before; if
    nobody knows what that was; or if the plan needs what was not allowed.
    """
    record = run_to_take_back(journal, site, number)
    if planned is None or planned.changed:
        check_beginning(options)
    steps = may_be_new(journal, record)
    check_shown(journal, record, steps, _shown(steps, planned))
    check_timer(options.pace.revert_in_s, ((step.job.device, step.job.platform) for step in steps))
    if planned is not None:
        check_allowed(planned, options.allow)
        check_errors(planned)
    new = NewRun(
        site=site,
        kind="rollback",
        owner=options.owner or person(),
        takes_back=record.id,
        revision=options.revision.commit,
        is_modified=options.revision.is_modified,
    )
    listen = guarded(on_event)
    with device_threads(executor, listen) as pool:
        run = _run_of(record, steps, journal, targets, options, pool, listen)
        with hidden_from_logs(run.secrets):
            if record.finished is None:
                return _take_back_interrupted(run, steps, new, planned)
            return _restore(run, steps, new, planned)


def check_as_left(
    record: Record,
    *,
    targets: Mapping[str, Target],
    journal: Journal,
    options: ApplyOptions,
    executor: Executor | None = None,
) -> None:
    """Refuse, before anybody is asked, a rollback that would be refused before the first device is touched.

    Every device of the run must answer, run what the run left there, and accept what it ran before. Nothing is
    changed; a run that is still open is not settled for it, so what it has left to timers is only looked at.
    """
    steps = may_be_new(journal, record)
    with threads(executor) as pool:
        run = _run_of(record, steps, journal, targets, options, pool)
        with hidden_from_logs(run.secrets):
            left = record.id if record.finished is None else None
            check_devices(interrupted(run, steps), pool, codes.NOT_AS_LEFT, *_since(run), unfinished=left)
            if record.finished is not None:
                check_candidates(run, [back.job for back in restored(journal, record, steps)])


def _run_of(
    record: Record,
    steps: Sequence[Step],
    journal: Journal,
    targets: Mapping[str, Target],
    options: ApplyOptions,
    pool: Executor,
    on_event: OnEvent = ignore,
) -> Run:
    """The run that is taken back, with the secrets of what it pushed and of what is pushed again."""
    texts = [journal.text(step.job.text) for step in steps if step.job.text]
    texts += [back.text for back in restored(journal, record, steps)]
    secrets = options.source.resolve(references(texts))
    return run_of((record.id, record.site), journal, targets, secrets, options, pool, on_event)


def check_shown(journal: Journal, record: Record, steps: Sequence[Step], shown: Collection[str]) -> None:
    """`Refused` if devices keep the change that were not shown: another one may have gone on with the run."""
    more = [
        step.job.device for step in steps if step.job.device not in shown and may_stay(journal, record, step)
    ]
    if more:
        message = f"run {record.id} has changed more than was shown: {named(more)}"
        raise refusal(codes.STALE, message, f"`fabric rollback {record.id}` shows it as it is now")


def _shown(steps: Sequence[Step], planned: Plan | None) -> set[str]:
    """The devices of some steps that are in the plan, if there is one."""
    names = {step.job.device for step in steps}
    return names if planned is None else names & {device.device for device in planned.devices}


def _take_back_interrupted(run: Run, seen: Sequence[Step], new: NewRun, planned: Plan | None) -> Result:
    """A run that was killed: what it left open is brought to rest first, then its lock passes on to the rollback.

    `seen`: its steps when it was shown, and its secrets were asked for.
    """
    journal = run.journal
    journal.take_over(run.site, run.id, new.owner)
    with journal.holding(run.id):
        steps = may_be_new(journal, record := journal.run(run.site, run.id))
        check_shown(journal, record, steps, _shown(seen, planned))
        asking = interrupted(run, steps)
        check_devices(asking, run.executor, codes.NOT_AS_LEFT, *_since(run), unfinished=run.id)
        settle(run, steps)
        done = [step for step in journal.steps(run.id) if step.state is State.CONFIRMED]
        if any(map(may_change, restored(journal, journal.run(run.site, run.id), done))):
            return _restore(run, done, new, planned, closes=run.id)
        failed = bring_back(run, (run.id,))
        journal.finish(run.id, INTERRUPTED)
    outcome: Outcome = "failed" if failed else "nothing"
    return Result(run=None, kind="rollback", outcome=outcome, waves=failed)


def _since(run: Run) -> tuple[str, Callable[[], dict[str, int]]]:
    """The run, and who knows which runs came to its devices after it."""

    def later() -> dict[str, int]:
        known = run.journal.applied(run.site).items()
        return {name: last.run for name, last in known if last.run > run.id}

    return f"run {run.id}", later


def _restore(
    run: Run, done: list[Step], new: NewRun, planned: Plan | None, *, closes: int | None = None
) -> Result:
    journal = run.journal
    texts = [back for back in restored(journal, journal.run(run.site, run.id), done) if may_change(back)]
    if not texts:
        return Result(run=None, kind="rollback", outcome="nothing")
    jobs = in_planned_waves([back.job for back in texts], planned)
    journal.keep(text for back in texts for text in (back.text, back.ours))
    number = journal.begin(msgspec.structs.replace(new, jobs=jobs), closes=closes)
    with journal.holding(number):
        if closes is None:
            check_devices(interrupted(run, done), run.executor, codes.NOT_AS_LEFT, *_since(run))
        check_candidates(run, jobs)
        return finished(msgspec.structs.replace(run, id=number), "rollback", jobs)


def in_planned_waves(jobs: Sequence[Job], planned: Plan | None) -> tuple[Job, ...]:
    """The jobs in the waves that were shown. What a plan does not see, secrets behind their masks, comes last."""
    if planned is None:
        return tuple(jobs)
    waves = {name: wave for wave in planned.waves for name in wave.devices}
    devices = {device.device: device for device in planned.changed}
    last = max((wave.number for wave in planned.waves), default=0) + 1

    def placed(job: Job) -> Job:
        wave = waves.get(job.device)
        if wave is None:
            return msgspec.structs.replace(job, wave=last)
        turn = wave.devices.index(job.device) + 1 if wave.in_turn else 0
        device = devices[job.device]
        return msgspec.structs.replace(
            job,
            wave=wave.number,
            canary=wave.canary,
            turn=turn,
            together=wave.together,
            impact=device.impact,
            impacts=device.impacts,
            interrupts=interrupted_ports(device.changes),
        )

    return tuple(sorted((placed(job) for job in jobs), key=lambda job: (job.wave, job.turn, job.device)))


def check_candidates(run: Run, jobs: Sequence[Job]) -> None:
    """Load on every device what it shall run again, and drop it.

    `Refused` if one does not answer, has it no more, does not accept it, or lacks what belongs to it.
    """
    work = {job.device: work_of(run, job) for job in jobs}
    own = {job.device for job in jobs if job.is_own_rollback}
    wrong = {
        name: answer
        for name, answer in each(run.executor, device_steps.rehearse, ((n, (w,)) for n, w in work.items()))
        if isinstance(answer, DeviceError)
    }
    if silent := [wrong[name] for name in sorted(wrong) if wrong[name].step not in ("", LOAD)]:
        raise not_asked(codes.NOT_AS_LEFT, silent, len(work))
    refused = {name for name, error in wrong.items() if error.step == LOAD}
    causes = (
        (codes.NO_WAY_BACK, wrong.keys() & own),
        (codes.NOT_ACCEPTED, refused - own),
        (codes.NOT_AS_LEFT, wrong.keys() - refused - own),
    )
    for code, names in causes:
        if names:
            raise refusal(code, grouped([wrong[name] for name in sorted(names)]))

"""What a rollback takes back, and which texts the devices shall run again: by the journal alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from fabric.deployment import codes
from fabric.deployment.jobs import Job, State
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import REFRESH, Run, Step
from fabric.deployment.journal_store.last_applied import ours_with
from fabric.deployment.journal_store.run_lifecycle import did_not_finish
from fabric.deployment.journal_store.site_lock import check_free
from fabric.deployment.left_to_timers import holds_half, is_kept, unsettled
from fabric.deployment.refusal_message import refusal
from fabric.planning.texts import MASK, digest
from fabric.platforms.registry import platform
from fabric.platforms.texts import HASH

Which = tuple[str, str]
"""A device, and its platform."""


class Restored(msgspec.Struct, frozen=True):
    """What a device shall run again."""

    job: Job
    text: str
    """With placeholders; empty where the device itself knows, or had nothing."""
    ours: str
    """What of it we wrote, in plain form; empty if we had written nothing."""


def run_to_take_back(journal: Journal, site: str, number: int | None = None) -> Run:
    """The run of that number, else the last one that may have changed something. `Refused` if there is none.

    A rollback that failed does not count: the run that it was to take back does. Nor does a run that was refused, or
    killed, while devices were asked. An apply that has failed and taken everything back itself is refused: what there
    is to take back then is the work of an earlier run, which is to be named. A rollback that was interrupted is refused
    too: it has to go on, unless it is named. So is every one while a run is under way.
    """
    check_free(journal, site)
    if number is not None:
        run = journal.run(site, number)
        if run.only_records:
            raise refusal(codes.CHANGED_NOTHING, f"run {run.id} recorded what devices run, and changed none")
        if (back := _taken_back_by(journal, run)) is not None and not may_have_changed(journal, run):
            again = f"`fabric rollback {back.id}` brings back what it took"
            raise refusal(codes.CHANGED_NOTHING, f"run {run.id} was taken back by run {back.id}", again)
        return run
    if (current := journal.unfinished(site)) is not None:
        if current.takes_back is not None:
            raise did_not_finish(current)
        return current
    run = next((run for run in journal.runs(site) if not run.has_touched_nothing), None) or journal.run(site)
    if run.only_records:
        raise refusal(codes.CHANGED_NOTHING, f"run {run.id} recorded what devices run, and changed none")
    while run.takes_back is not None and run.state != "done":
        run = journal.run(site, run.takes_back)
    if may_have_changed(journal, run) or run.state == "done":
        return run
    earlier = next((r for r in journal.runs(site) if r.id < run.id and may_be_new(journal, r)), None)
    hint = f"`fabric rollback {earlier.id}` takes back run {earlier.id}, the one before" if earlier else None
    raise refusal(codes.CHANGED_NOTHING, f"run {run.id} has left nothing changed on any device", hint)


def may_have_changed(journal: Journal, record: Run) -> bool:
    """Whether a run may have left a device with what it brought, also one of which nobody knows what it runs."""
    return bool(may_be_new(journal, record) or left_by(journal, record))


def left_by(journal: Journal, record: Run) -> tuple[Step, ...]:
    """The steps of a finished run of which the devices may hold something still."""
    lost = (step for known in unsettled(journal, record.site).values() for step in known.steps)
    return tuple(step for run, step in lost if run == record.id)


def _taken_back_by(journal: Journal, record: Run) -> Run | None:
    return next((later for later in journal.runs(record.site) if later.takes_back == record.id), None)


def may_be_new(journal: Journal, record: Run) -> list[Step]:
    """The steps whose devices may run what a run brought: what it left as it was is not asked, and not touched.

    Nor is what a rollback of it has taken back already, before it failed, unless that was taken back itself. A device
    that holds half of the change, or of such a rollback, keeps what it has.
    """
    if record.only_records:
        return []
    runs = {record.id: record}
    for run in reversed(journal.runs(record.site)):  # a rollback comes after what it takes back
        if run.takes_back in runs:
            runs[run.id] = run
    standing: dict[int, dict[str, Step]] = {number: {} for number in runs}
    new: list[Step] = []
    for run in reversed(runs.values()):
        new = [*_standing(run, journal.steps(run.id), standing[run.id])]
        if run.takes_back in standing:
            kept = {step.job.device: step for step in new if is_kept(step)}
            standing[run.takes_back] = kept | standing[run.takes_back]
    return new


def _standing(run: Run, steps: Iterable[Step], back: Mapping[str, Step]) -> Iterator[Step]:
    """Those of a run that stand; `back`: what stands of its rollbacks."""
    for step in steps:
        taken = back.get(step.job.device)
        if taken is not None and holds_half(taken):
            yield msgspec.structs.replace(step, state=taken.state, after=taken.after)
        elif taken is None and (is_kept(step) or (run.finished is None and step.state.is_open)):
            yield step


def may_stay(journal: Journal, record: Run, step: Step) -> bool:
    """Whether a device keeps the new text until it is taken back; what else is open goes back before."""
    return bool(step.after) or journal.wave_state(record.id, step.job.wave) == "confirming"


def restored(journal: Journal, record: Run, done: Iterable[Step]) -> Iterator[Restored]:
    """The job that takes each step back. The waves run backwards: what changed last is restored first."""
    steps = tuple(done)
    last = max((step.job.wave for step in steps), default=0)
    known = _before(journal, record)
    for step in steps:
        which = step.job.device, step.job.platform
        earlier = known.by_state.get((*which, step.job.before))
        if earlier is not None:
            text = journal.text(earlier.text)
        else:  # somebody has changed it by hand since, or nothing was applied before
            before = journal.text(step.job.before)
            text = before if MASK not in before else ""
        then = earlier or known.last.get(which)
        ours = journal.text(then.owned) if then is not None else ""
        if earlier is None:  # what the run was made on may hold something of changes before it
            ours = ours_with(known.lost.get(which, ()), ours, journal.text)
        is_drained = then is not None and then.drained
        # A product that keeps nothing itself goes back to the text that is here, also to none at all.
        is_here = bool(text) or not platform(step.job.platform).reverts
        job = msgspec.structs.replace(
            step.job,
            wave=last + 1 - step.job.wave,
            canary=False,
            text=digest(text) if is_here else "",
            undoes="" if is_here else step.session,
            wanted=step.job.before,
            before=step.after,
            artifact=digest(text),
            owned=digest(ours),
            drained=is_drained,
            drains="shut" if is_drained and not step.job.drained else "",
            must_be_idle=False,
            fabric_ports=then.fabric_ports if then is not None else (),
            keeps=earlier is not None and earlier.keeps,
            keeps_secrets=is_here and (step.job.keeps_secrets or _has_same_hashes(journal, step, text)),
        )
        yield Restored(job, text, ours)


def may_change(back: Restored) -> bool:
    """Whether a device may run anything else afterwards: it runs what it ran, and its secrets stay as they are."""
    return back.job.before != back.job.wanted or not back.job.keeps_secrets


def _has_same_hashes(journal: Journal, step: Step, text: str) -> bool:
    """Whether a device keeps the passwords of its users; then it keeps its secrets too.

    Nobody knows here what they were before the run, and a value of today would reach one end of a session only.
    """
    new = journal.text(step.job.text) if step.job.text else ""
    return set(HASH.findall(new)) == set(HASH.findall(text))


class _Before(msgspec.Struct):
    """What the runs before one did: by device and its platform, as it may have been another switch then."""

    by_state: dict[tuple[str, str, str], Job] = msgspec.field(default_factory=dict)
    """Also by what the device ran after it."""
    last: dict[Which, Job] = msgspec.field(default_factory=dict)
    """The last of each: it says what was ours there, whatever ran beside it."""
    lost: dict[Which, list[Job]] = msgspec.field(default_factory=dict)
    """What was lost on each since."""


def _before(journal: Journal, record: Run) -> _Before:
    known = _Before()
    for run in reversed(journal.runs(record.site)):
        if run.id >= record.id:
            break
        for step in () if run.kind == REFRESH else journal.steps(run.id):
            job, which = step.job, (step.job.device, step.job.platform)
            if step.is_lost:
                known.lost.setdefault(which, []).append(job)
            elif step.state is State.CONFIRMED:
                known.lost.pop(which, None)
                if job.owned:
                    known.last[which] = job
                if job.text:
                    known.by_state[*which, step.after] = job
    return known

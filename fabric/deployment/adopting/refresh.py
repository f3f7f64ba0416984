"""What somebody else has changed on devices is written down: from then on it is what they are known to run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor

from fabric.deployment import codes
from fabric.deployment.adopting.adoption import running_now
from fabric.deployment.change_names import person
from fabric.deployment.check_before_apply import check_unfinished
from fabric.deployment.connection.parallel_devices import each, threads
from fabric.deployment.drift import Drift
from fabric.deployment.equal_errors import not_asked
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import REFRESH, NewRun
from fabric.deployment.options import ApplyOptions
from fabric.deployment.refusal_message import named, refusal
from fabric.diagnostics import DeviceError
from fabric.planning import Observation
from fabric.planning.texts import digest
from fabric.platforms.base import Target


def refresh(
    site: str,
    drift: Drift,
    seen: Mapping[str, Observation],
    platforms: Mapping[str, str],
    *,
    targets: Mapping[str, Target],
    journal: Journal,
    options: ApplyOptions,
    executor: Executor | None = None,
) -> int | None:
    """Write down what the drifted devices run, in a run of its own; its number, or None where none has drifted.

    No device is changed, and what is ours stays the same: the next plan takes back what was typed into our lines, as
    before, and keeps the others. `Refused`, and nothing is written, if a device has changed again, or does not answer.
    """
    if not drift.drifted:
        return None
    check_unfinished(journal, site)
    jobs = _jobs(drift, platforms, journal.last_applied(site).digest)
    revision = options.revision
    owner = options.owner or person()
    number = journal.begin(
        NewRun(
            site=site,
            kind=REFRESH,
            owner=owner,
            jobs=tuple(jobs.values()),
            revision=revision.commit,
            is_modified=revision.is_modified,
        )
    )
    with journal.holding(number), threads(executor) as pool:
        running = _running(jobs, seen, targets, pool)
        for name, job in jobs.items():
            journal.refreshed(number, site, job, running[name])
        journal.finish(number, "done")
    return number


def _jobs(drift: Drift, platforms: Mapping[str, str], before: Callable[[str], str]) -> dict[str, Job]:
    return {
        one.device: Job(
            device=one.device,
            platform=platforms[one.device],
            wave=0,
            impact=one.impact,
            text="",
            before=before(one.device),
            summary=named(list(dict.fromkeys(one.blocks))),
        )
        for one in drift.drifted
    }


def _running(
    jobs: Mapping[str, Job], seen: Mapping[str, Observation], targets: Mapping[str, Target], pool: Executor
) -> dict[str, str]:
    if missing := [name for name in jobs if name not in targets]:
        raise refusal(codes.NO_TARGET, f"no management access to {named(missing)}")
    running: dict[str, str] = {}
    silent: list[DeviceError] = []
    work = ((name, (targets[name], job.platform)) for name, job in jobs.items())
    for name, answer in each(pool, running_now, work):
        if isinstance(answer, DeviceError):
            silent.append(answer)
        else:
            running[name] = answer
    if silent:
        raise not_asked(codes.STALE, silent, len(jobs))
    moved = [name for name in jobs if digest(running[name]) != seen[name].digest]
    if moved:
        raise refusal(codes.STALE, f"changed since it was shown: {named(sorted(moved))}")
    return running

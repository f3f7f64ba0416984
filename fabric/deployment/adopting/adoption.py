"""Devices that run what the intent says, and of which the journal does not know that, are recorded as ours.

None is changed.

Without that no later plan would know which of their lines were ours, and no rollback what they ran before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor

import msgspec

from fabric.deployment import codes
from fabric.deployment.change_names import described, person
from fabric.deployment.check_before_apply import check, check_unfinished
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.parallel_devices import each, threads
from fabric.deployment.equal_errors import not_asked
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import ADOPTION, NewRun
from fabric.deployment.observing.observe_devices import plain
from fabric.deployment.options import ApplyOptions
from fabric.deployment.refusal_message import named, refusal
from fabric.diagnostics import DeviceError
from fabric.planning import Action, Impact, Plan, plan_digest
from fabric.planning.model import DevicePlan
from fabric.planning.ownership import Ownership, candidate
from fabric.planning.texts import digest, masked
from fabric.platforms.base import Artifact, Target
from fabric.platforms.registry import platform


class Owned(msgspec.Struct, frozen=True):
    """What a device runs, and what of it is ours."""

    running: str
    """In plain form."""
    candidate: str
    """What a push would have brought: our text, with the lines of others."""
    ours: str
    """Our text in plain form."""
    keeps: bool = False
    """Whether there are lines of others."""


def unrecorded(plan: Plan, journal: Journal) -> tuple[DevicePlan, ...]:
    """The devices of a plan that run what the intent says, and of which nobody has written that down.

    Where they are adopted, those too of which a run has lost a change: somebody lets it pass. None whose change is
    held back for a later phase.
    """
    if plan.mode != "online":
        return ()
    known = journal.last_applied(plan.site, {device.device: device.platform for device in plan.devices}.get)
    written = known.settled if plan.adopt else known
    ours = (d for d in plan.devices if d.action is Action.NOTHING and d.device not in plan.held)
    return tuple(device for device in ours if device.device not in written)


def adopt(
    plan: Plan,
    artifacts: Mapping[str, Artifact],
    *,
    targets: Mapping[str, Target],
    journal: Journal,
    options: ApplyOptions,
    ownership: Ownership = "shared",
    executor: Executor | None = None,
) -> tuple[str, ...]:
    """Record the devices that the plan found to match, in a run of its own; their names. None without `--adopt`.

    Each is asked what it runs under the site's lock. `Refused`, and nothing is recorded, if one runs something else
    than when the plan was made, or does not answer.
    """
    found = unrecorded(plan, journal) if plan.adopt else ()
    if not found:
        return ()
    check(plan, journal.last_applied(plan.site), targets, options)
    check_unfinished(journal, plan.site)
    jobs = [_job(device) for device in found]
    number = journal.begin(_run(plan, options, jobs))
    with journal.holding(number), threads(executor) as pool:
        owned = _asked(found, artifacts, targets, ownership, pool)
        journal.keep(text for one in owned.values() for text in (one.candidate, one.ours))
        for job in jobs:
            one = owned[job.device]
            found_there = {"text": digest(one.candidate), "owned": digest(one.ours), "keeps": one.keeps}
            journal.recorded(number, plan.site, msgspec.structs.replace(job, **found_there), one.running)
        journal.finish(number, "done")
    return tuple(job.device for job in jobs)


def _run(plan: Plan, options: ApplyOptions, jobs: Iterable[Job]) -> NewRun:
    return NewRun(
        site=plan.site,
        kind=ADOPTION,
        owner=options.owner or person(),
        jobs=tuple(jobs),
        plan=plan_digest(plan),
        revision=options.revision.commit,
        is_modified=options.revision.is_modified,
    )


def _job(device: DevicePlan) -> Job:
    return Job(
        device=device.device,
        platform=device.platform,
        wave=0,
        impact=Impact.NONE,
        text="",
        before=device.observed,
        artifact=device.intended,
        drained=device.drained,
        summary="adopted as it is",
    )


def _asked(
    found: Iterable[DevicePlan],
    artifacts: Mapping[str, Artifact],
    targets: Mapping[str, Target],
    ownership: Ownership,
    pool: Executor,
) -> dict[str, Owned]:
    devices = {device.device: device for device in found}
    if missing := [name for name in devices if name not in targets]:
        raise refusal(codes.NO_TARGET, f"no management access to {named(missing)}")
    work = (
        (name, (targets[name], device.platform, artifacts[name].text, ownership))
        for name, device in devices.items()
    )
    owned: dict[str, Owned] = {}
    silent: list[DeviceError] = []
    for name, answer in each(pool, look, work):
        if isinstance(answer, DeviceError):
            silent.append(answer)
        else:
            owned[name] = answer
    if silent:
        raise not_asked(codes.STALE, silent, len(devices))
    moved = [name for name, device in devices.items() if digest(owned[name].running) != device.observed]
    if moved:
        raise refusal(codes.STALE, f"changed since the plan was made: {named(sorted(moved))}")
    return owned


def running_now(target: Target, product: str) -> str:
    """What a device runs, in plain form. `DeviceError` while a commit waits there: its timer may take that back."""
    kind = platform(product)
    with Connection(target, kind) as device:
        if (waiting := device.pending()) is not None:
            raise DeviceError(target.name, f"a commit waits there for its confirmation: {described(waiting)}")
        return plain(kind, target.name, device.running())


def look(target: Target, product: str, artifact: str, ownership: Ownership) -> Owned:
    """What a device runs, and what of it is in its artifact. Nothing is changed."""
    kind, running = platform(product), running_now(target, product)
    pushed = candidate(kind, artifact, running if ownership == "shared" else "", None)
    ours = masked(kind.dialect().plain(artifact))
    return Owned(running, pushed.text, ours, keeps=bool(pushed.kept))

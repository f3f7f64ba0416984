"""Carry out a saved plan: exactly that, or refuse. Go on with a run that was killed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from datetime import datetime
from functools import partial

from fabric.deployment import check_before_apply, codes
from fabric.deployment.between_waves.windows import closed
from fabric.deployment.change_names import person
from fabric.deployment.connection.hide_secrets import hidden_from_logs
from fabric.deployment.connection.secrets import Secrets, references
from fabric.deployment.events import OnEvent, RunFinished, RunStarted, device_threads, guarded, ignore
from fabric.deployment.gates.host_paths import interrupted_ports
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.options import ApplyOptions, run_of
from fabric.deployment.refusal_message import named
from fabric.deployment.results import Result, WaveResult, outcome_of
from fabric.deployment.waves.bring_back import bring_back
from fabric.deployment.waves.carry_out import carry_out
from fabric.deployment.waves.run import Run
from fabric.planning import Plan, plan_digest
from fabric.planning.impact import INTERRUPTING
from fabric.planning.model import DevicePlan, Impact, Wave
from fabric.planning.texts import MASK, digest, masked
from fabric.platforms.base import Target
from fabric.platforms.registry import platform


def apply(
    saved: tuple[Plan, Mapping[str, str]],
    *,
    targets: Mapping[str, Target],
    journal: Journal,
    options: ApplyOptions,
    executor: Executor | None = None,
    on_event: OnEvent = ignore,
) -> Result:
    """Carry out a saved plan, wave by wave, each with the devices' own timers, a gate and a confirmation.

    `Refused` before anything is touched if the plan is stale, has errors, or needs what was not allowed;
    `Invalid` if secrets are missing.
    """
    plan, texts = saved
    check_before_apply.check(plan, journal.last_applied(plan.site), targets, options)
    secrets = options.source.resolve(references(texts[device.candidate] for device in plan.changed))
    check_before_apply.check_unfinished(journal, plan.site)
    if not plan.changed:
        return _bring_back_owed(plan.site, journal, targets, secrets, options, executor, on_event)
    check_before_apply.check_beginning(options)
    owned: dict[str, str] = {}
    journal.keep(_texts(plan, texts, owned))
    jobs = tuple(_jobs(plan, owned, texts))
    owner = options.owner or person()
    new = NewRun(
        site=plan.site,
        kind="apply",
        owner=owner,
        jobs=jobs,
        plan=plan_digest(plan),
        revision=options.revision.commit,
        is_modified=options.revision.is_modified,
        phases_left=plan.phases_left,
        intent=plan.intent,
    )
    number, listen = journal.begin(new), guarded(on_event)
    with journal.holding(number), device_threads(executor, listen) as pool, hidden_from_logs(secrets):
        standing = check_before_apply.planned(plan.changed, targets, secrets)
        since = partial(_runs_since, journal, plan)
        check_before_apply.check_devices(standing, pool, codes.STALE, "the plan was made", since)
        run = run_of((number, plan.site), journal, targets, secrets, options, pool, listen)
        return finished(run, "apply", jobs)


def _bring_back_owed(
    site: str,
    journal: Journal,
    targets: Mapping[str, Target],
    secrets: Secrets,
    options: ApplyOptions,
    executor: Executor | None,
    on_event: OnEvent,
) -> Result:
    """Nothing changes. Hosts that earlier runs have left without a path may have one all the same by now."""
    failed: tuple[WaveResult, ...] = ()
    if journal.cordoned_by_run(site):
        last, listen = journal.run(site).id, guarded(on_event)
        with (
            journal.holding_site(site, last, options.owner or person()),
            device_threads(executor, listen) as pool,
        ):
            failed = bring_back(run_of((last, site), journal, targets, secrets, options, pool, listen))
    return Result(run=None, kind="apply", outcome="failed" if failed else "nothing", waves=failed)


def _runs_since(journal: Journal, plan: Plan) -> dict[str, int]:
    """The runs that have changed devices since a plan was made, its own ones among them, by device."""
    later = {run.id for run in journal.runs(plan.site) if datetime.fromisoformat(run.started) >= plan.created}
    applied = journal.applied(plan.site)
    return {name: last.run for name, last in applied.items() if last.run in later}


def finished(run: Run, kind: str, jobs: Sequence[Job]) -> Result:
    """Carry out the jobs of a run that is held, and write down how it ended."""
    run.journal.start(run.id)
    waves = len({job.wave for job in jobs})
    run.on_event(RunStarted(run=run.id, kind=kind, devices=len(jobs), waves=waves))  # type: ignore[arg-type]
    if run.now_reason and (why := closed(run.windows, "")):
        run.journal.remark(run.id, f"begun though {why}", run.now_reason)
    failed = bring_back(run, (run.id,), but={job.wave for job in jobs})
    results, is_stopped = carry_out(run, jobs, failed)
    if outcome_of(results) == "done":
        results += bring_back(run)
    else:  # what should give hosts a path may be broken
        takes_back = run.journal.run(run.site, run.id).takes_back
        results += bring_back(run, filter(None, (run.id, takes_back)), are_over=False)
    outcome = "stopped" if is_stopped else outcome_of(results)
    if is_stopped:
        run.journal.stop(run.id)
    else:
        run.journal.finish(run.id, outcome)
    run.on_event(RunFinished(run=run.id, outcome=outcome))
    diagnostics = tuple(diagnostic for wave in results for diagnostic in wave.diagnostics)
    return Result(run=run.id, kind=kind, outcome=outcome, waves=results, diagnostics=diagnostics)  # type: ignore[arg-type]


def _jobs(plan: Plan, owned: Mapping[str, str], texts: Mapping[str, str]) -> Iterator[Job]:
    devices = {device.device: device for device in plan.changed}
    for wave in plan.waves:
        for turn, name in enumerate(wave.devices, start=1):
            if wave.in_turn:
                yield _job(devices[name], wave, owned[name], texts, turn, peers(plan, devices[name]))
            else:
                yield _job(devices[name], wave, owned[name], texts)


def managers_beside(plan: Plan) -> tuple[str, ...]:
    """Managers that do not change while others of their subnet do: they are asked, and restarted if they stall."""
    changed = {device.device for device in plan.changed}
    beside = dict.fromkeys(name for wave in plan.waves if wave.in_turn for name in _managers(plan, wave))
    return tuple(name for name in beside if name not in changed)


def _managers(plan: Plan, wave: Wave) -> Iterator[str]:
    for device in plan.devices:
        if device.device in wave.devices:
            yield from peers(plan, device)


def peers(plan: Plan, device: DevicePlan) -> tuple[str, ...]:
    """The other devices of a plan with the role of a subnet manager in its network and plane, changed or not."""
    place = (device.network, device.plane, device.role)
    alike = (d.device for d in plan.devices if (d.network, d.plane, d.role) == place)
    return tuple(name for name in alike if name != device.device)


def _job(
    device: DevicePlan,
    wave: Wave,
    owned: str,
    texts: Mapping[str, str],
    turn: int = 0,
    others: tuple[str, ...] = (),
) -> Job:
    return Job(
        device=device.device,
        platform=device.platform,
        wave=wave.number,
        impact=device.impact,
        impacts=device.impacts,
        canary=wave.canary,
        turn=turn,
        together=wave.together,
        peers=others,
        text=device.candidate,
        before=device.observed,
        artifact=device.intended,
        owned=owned,
        drained=device.drained,
        drains=device.drains,
        must_be_idle=_must_be_idle(device),
        interrupts=interrupted_ports(device.changes),
        fabric_ports=device.fabric_ports,
        summary=named(list(dict.fromkeys(change.what for change in device.changes))),
        keeps=device.kept_lines > 0 or MASK in texts[device.candidate],
        keeps_secrets=device.keeps_secrets,
        services_only=device.services_only and device.impact is Impact.NONE,
    )


def _must_be_idle(device: DevicePlan) -> bool:
    """Whether a change interrupts links and counts as harmless only because the device is drained already."""
    is_excused = device.drained and device.drains != "shut"
    return is_excused and any(change.impact in INTERRUPTING for change in device.changes)


def _texts(plan: Plan, texts: Mapping[str, str], owned: dict[str, str]) -> Iterator[str]:
    """What is pushed and what is ours of it, text by text; the digest of what is ours goes into `owned`, by device."""
    for device in plan.changed:
        yield texts[device.candidate]
        ours = _ours(device, texts)
        owned[device.device] = digest(ours)
        yield ours


def _ours(device: DevicePlan, texts: Mapping[str, str]) -> str:
    artifact = texts[device.ours or device.candidate]
    return masked(platform(device.platform).dialect().plain(artifact))

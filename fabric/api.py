"""The pipeline on one screen. The command line, tests and other programs call these; nothing else does the work.

YAML ─load→ Intent ─expand→ Topology ─derive→ Devices ─render→ Artifacts ┐
                                              running network ─observe→ Observations ┴─plan→ Plan ─apply→ Result

The upper line is `fabric.compiler`; what asks devices, vendors' schemas or other programs is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from fabric import __version__, analysis, deployment, exports, planning, verification
from fabric.applying import apply_options, check_plan
from fabric.compiler import (
    Compiled,
    compile,
    derive,
    expand,
    load,
    open_site,
    remember,
    render,
    render_hosts,
)
from fabric.deployment import Observations, OnEvent, Result, Workplace, ignore
from fabric.devices.codes import INVENTORY_UNKNOWN
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic
from fabric.intent.model import Intent
from fabric.planning import Plan, PlanOptions, Texts
from fabric.topology.model import Topology
from fabric.topology.resize import Moves
from fabric.topology.resize import resize as moves
from fabric.verifying import ask_network, verify

__all__ = [
    "Compiled",
    "apply",
    "ask_network",
    "check",
    "check_plan",
    "compile",
    "derive",
    "drift",
    "expand",
    "export",
    "load",
    "observe",
    "open_site",
    "plan",
    "plan_rollback",
    "remember",
    "render",
    "render_hosts",
    "resize",
    "resume",
    "rollback",
    "targeted",
    "verify",
]


def export(
    intent: Intent,
    topology: Topology,
    kinds: Iterable[str],
    *,
    networks: Sequence[str] = (),
    devices: Callable[[], Devices] | None = None,
) -> exports.Exports:
    """What belongs to no single device, for other tools, printed when asked for. `Invalid` if one cannot hold it."""
    source = exports.Source(intent, topology, devices or (lambda: derive(intent, topology)), networks)
    return exports.export(source, kinds)


def check(
    compiled: Compiled, against: verification.Schemas, only: Iterable[str] = ()
) -> verification.Verdict:
    """Ask the vendors' schemas about every device, or about those of some platforms. Nothing is connected to."""
    compiled.artifacts.check_together()
    judged = verification.Check(against, frozenset(only))
    for device in compiled.devices.values():
        if judged.wants(device):
            judged.add(device, compiled.artifacts[device.name].text)
    return judged.verdict()


def resize(path: Path, *, anew: bool = False) -> Moves:
    """Every cable, port, name, address and AS number that would move for the site to be as its intent says.

    `anew`: if everything were sized as on the first day, whatever fabric.lock holds.
    """
    return moves(load(path), anew=anew)


def observe(
    compiled: Compiled,
    place: Workplace,
    only: Iterable[str] = (),
    on_event: OnEvent = ignore,
    *,
    rotate_secrets: bool = False,
) -> Observations:
    """Ask the devices what they run and what the compiled site would change there. Nothing is changed.

    What has become of those that a run has left to their timers is written down first.
    `rotate_secrets`: also whether the secrets of a device differ that runs what it should otherwise.
    """
    names = list(only) or list(compiled.artifacts)
    endings = _settle_left(compiled, place, names)
    options = deployment.ObserveOptions(
        ignore_secrets=not rotate_secrets,
        ownership=_ownership(compiled),
        last_applied=place.journal().last_applied(compiled.intent.site.site),
        source=place.source,
    )
    targets = place.targets(compiled.intent.inventory, names)
    with place.executor() as executor:
        seen = deployment.observe(
            targets,
            compiled.artifacts,
            compiled.platform_of,
            options=options,
            executor=executor,
            on_event=on_event,
        )
    seen.endings = endings
    return seen


def plan(
    compiled: Compiled,
    place: Workplace,
    *,
    offline: Path | None = None,
    adopt: bool = False,
    rotate_secrets: bool = False,
    only: Iterable[str] = (),
    skip_unreachable: bool = False,
    on_event: OnEvent = ignore,
) -> tuple[Plan, Texts]:
    """What would change: against the devices, or `offline` against a folder of configurations.

    Products encode a secret anew each time, so equal ones look different: a device whose secrets alone differ
    counts as unchanged unless `rotate_secrets` says that they are to be pushed. A device that does not answer is
    an error of the plan, or with `skip_unreachable` a warning. `Invalid`, before any device is asked, if the routes
    or the products of several devices do not fit together, or a product does not support what a device is to do:
    that of a device that is not planned, too.
    """
    texts, only = compiled.artifacts, frozenset(only)
    texts.check_together()
    texts.check_each()
    if offline is not None:
        seen = deployment.observe_folder(
            offline, only or texts, texts.record, texts.__getitem__, jobs=compiled.jobs
        )
    else:
        deployment.check_unfinished(place.journal(), compiled.intent.site.site)
        seen = observe(compiled, place, only, on_event, rotate_secrets=rotate_secrets)
    options = PlanOptions(
        site=compiled.intent.site.site,
        program=__version__,
        intent=compiled.digest,
        created=datetime.now(UTC),
        mode="online" if offline is None else "offline",
        adopt=adopt,
        ownership=_ownership(compiled),
        last_applied=place.last_applied(compiled.intent.site.site, offline=offline is not None),
        ignore_secrets=not rotate_secrets,
        unreachable=seen.unreachable,
        skip_unreachable=skip_unreachable,
        logins=place.logins(compiled.intent.inventory, texts),
        separating=analysis.separating(compiled.devices),
        only=only,
        found=_subnet_managers(compiled, seen),
        removed=_removed(compiled, place, seen, offline=offline is not None) if not only else (),
    )
    made, kept = planning.plan(compiled.artifacts, seen, switches=compiled.devices, options=options)
    found = (*made.diagnostics, *seen.endings, *deployment.lost_journal(made, options.last_applied or {}))
    return msgspec.structs.replace(made, diagnostics=found, stand_ins=place.stand_ins), kept


def targeted(compiled: Compiled, target: Iterable[str]) -> frozenset[str]:
    """The devices that targets choose: `leaf-0-*`, `rail:3`, `role:spine`. `Refused` if one matches nothing."""
    words = tuple(target)
    if not words:
        return frozenset()
    hosts = compiled.intent.inventory.hosts.items()
    return planning.chosen(words, compiled.devices, {name: host.tags for name, host in hosts})


def apply(
    saved: Path,
    compiled: Compiled,
    place: Workplace,
    *,
    target: Iterable[str] = (),
    allow: Iterable[str] = (),
    pace: deployment.Pace | None = None,
    now_reason: str = "",
    on_event: OnEvent = ignore,
) -> Result:
    """Carry out exactly a saved plan, or refuse."""
    made, texts = planning.load(saved)
    if chosen := targeted(compiled, target):
        made = planning.narrowed(made, chosen)
    deployment.check_devices_of(made, place.stand_ins)  # before anything is asked for its address
    names = [device.device for device in made.changed]
    journal, options = place.journal(), apply_options(compiled, place, allow, pace, now_reason)
    others = (*deployment.managers_beside(made), *deployment.switches_beside(names, options.around))
    names += place.reached(compiled.intent.inventory, others)
    if made.adopt:
        names += [one.device for one in deployment.unrecorded(made, journal.applied(made.site))]
    targets = place.targets(compiled.intent.inventory, names)
    with place.executor() as executor:
        adopted = deployment.adopt(
            made,
            compiled.artifacts,
            targets=targets,
            journal=journal,
            options=options,
            ownership=_ownership(compiled),
            executor=executor,
        )
        result = deployment.apply(
            (made, texts),
            targets=targets,
            journal=journal,
            options=options,
            executor=executor,
            on_event=on_event,
        )
    return _with_places(compiled, msgspec.structs.replace(result, adopted=adopted))


def resume(
    compiled: Compiled,
    place: Workplace,
    *,
    pace: deployment.Pace | None = None,
    now_reason: str = "",
    on_event: OnEvent = ignore,
) -> Result:
    """Go on with an apply that was killed."""
    with place.executor() as executor:
        result = deployment.resume(
            compiled.intent.site.site,
            targets=place.targets(compiled.intent.inventory, compiled.artifacts),
            journal=place.journal(),
            options=apply_options(compiled, place, (), pace, now_reason),
            executor=executor,
            on_event=on_event,
        )
    return _with_places(compiled, result)


def plan_rollback(compiled: Compiled, place: Workplace, run: int | None = None) -> deployment.PlannedRollback:
    """What taking back a run would change: the last one, unless a number is given. Nothing is changed.

    `Refused` if a device does not answer, has been changed by somebody since, or does not accept what it ran before.
    """
    options = PlanOptions(
        site=compiled.intent.site.site,
        program=__version__,
        intent=compiled.digest,
        created=datetime.now(UTC),
        ownership="full",
        logins=place.logins(compiled.intent.inventory, compiled.artifacts),
        separating=analysis.separating(compiled.devices),
    )
    ended = _settle_left(compiled, place, compiled.artifacts)
    planned = deployment.plan_rollback(
        compiled.intent.site.site,
        run,
        journal=place.journal(),
        artifacts=compiled.artifacts,
        switches=compiled.devices,
        options=options,
    )
    with place.executor() as executor:
        deployment.check_as_left(
            planned.run,
            targets=place.targets(compiled.intent.inventory, compiled.artifacts),
            journal=place.journal(),
            options=apply_options(compiled, place, (), None),
            executor=executor,
        )
    found = (*planned.plan.diagnostics, *ended)
    plan = msgspec.structs.replace(planned.plan, diagnostics=found, stand_ins=place.stand_ins)
    return msgspec.structs.replace(planned, plan=plan)


def rollback(
    compiled: Compiled,
    place: Workplace,
    planned: deployment.PlannedRollback | int | None = None,
    *,
    allow: Iterable[str] = (),
    pace: deployment.Pace | None = None,
    now_reason: str = "",
    on_event: OnEvent = ignore,
) -> Result:
    """Put devices back to what they ran before a run, as it was planned.

    With the number of a run, or none for the last one, it is planned here.
    """
    if not isinstance(planned, deployment.PlannedRollback):
        planned = plan_rollback(compiled, place, planned)
    with place.executor() as executor:
        result = deployment.rollback(
            compiled.intent.site.site,
            planned.run.id,
            targets=place.targets(compiled.intent.inventory, compiled.artifacts),
            journal=place.journal(),
            options=apply_options(compiled, place, allow, pace, now_reason),
            planned=planned.plan,
            executor=executor,
            on_event=on_event,
        )
    return _with_places(compiled, result)


def _with_places(compiled: Compiled, result: Result) -> Result:
    """Findings about devices where the intent names the device first concerned."""
    return msgspec.structs.replace(
        result,
        diagnostics=tuple(
            msgspec.structs.replace(diagnostic, origin=compiled.devices[diagnostic.subjects[0]].origin)
            if diagnostic.subjects and diagnostic.subjects[0] in compiled.devices
            else diagnostic
            for diagnostic in result.diagnostics
        ),
    )


def drift(
    compiled: Compiled, place: Workplace, on_event: OnEvent = ignore, *, record: bool = False
) -> deployment.Drift:
    """Where the network has left the last applied state.

    `record`: what runs is what the journal knows from now on. No device is changed.
    """
    journal, site = place.journal(), compiled.intent.site.site
    seen = observe(compiled, place, on_event=on_event)
    found = deployment.drift(seen, journal.last_applied(site), compiled.platform_of, compiled.devices)
    number = None
    if record:
        names = [one.device for one in found.drifted]
        with place.executor() as executor:
            number = deployment.refresh(
                site,
                found,
                seen,
                {name: compiled.platform_of(name) for name in names},
                targets=place.targets(compiled.intent.inventory, names),
                journal=journal,
                options=apply_options(compiled, place, (), None),
                executor=executor,
            )
    findings = (*seen.endings, *_subnet_managers(compiled, seen))
    return msgspec.structs.replace(found, findings=findings, recorded=number)


def _settle_left(compiled: Compiled, place: Workplace, names: Iterable[str]) -> tuple[Diagnostic, ...]:
    """What became of devices that a run has left to their timers, written down. None is changed."""
    journal, site = place.journal(), compiled.intent.site.site
    left = place.reached(
        compiled.intent.inventory, sorted({*deployment.left_to_timers(journal, site)} & {*names})
    )
    if not left:
        return ()
    targets = place.targets(compiled.intent.inventory, left)
    with place.executor() as executor:
        found = deployment.settle_left(site, targets=targets, journal=journal, executor=executor)
    return deployment.endings_found(found)


def _subnet_managers(compiled: Compiled, seen: Observations) -> tuple[Diagnostic, ...]:
    """What is wrong with the managers of each subnet, as far as their hosts were asked."""
    if not any(one.managers for one in seen.values()):
        return ()
    from fabric.verification import infiniband  # only InfiniBand needs it

    return infiniband.manager_warnings(compiled.devices.values(), seen)


def _removed(compiled: Compiled, place: Workplace, seen: Observations, *, offline: bool) -> tuple[str, ...]:
    """Devices that were applied, are backed up or stand in the inventory, and are in the site no longer."""
    applied = place.last_applied(compiled.intent.site.site, offline=offline) or {}
    listed = (f.value for f in compiled.devices.diagnostics if f.code == INVENTORY_UNKNOWN.code)
    gone = {*applied, *seen.others} - set(compiled.artifacts)
    if gone:
        gone -= {name for network in compiled.topology.networks.values() for name in network.names}
    return tuple(sorted(gone.union(listed)))


def _ownership(compiled: Compiled) -> planning.Ownership:
    return "full" if compiled.intent.site.ownership == "full" else "shared"

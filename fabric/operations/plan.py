"""Plan a change of a site: what its intent asks for against what its devices run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from fabric import __version__, analysis, deployment, planning
from fabric.compiler import Compiled
from fabric.deployment import Observations, OnEvent, Workplace, ignore
from fabric.deployment.codes import UNLOCKED
from fabric.devices.codes import INVENTORY_UNKNOWN
from fabric.diagnostics import Diagnostic, Origin
from fabric.operations.observe import manager_findings, observe, ownership_of
from fabric.operations.surroundings import SurroundingsOfSite
from fabric.operations.wave_costs import out_of_service, with_costs
from fabric.planning import Plan, PlanOptions, Texts
from fabric.platforms.base import Target
from fabric.resources import StrPath
from fabric.units import counted


def plan(
    compiled: Compiled,
    place: Workplace,
    *,
    offline: StrPath | None = None,
    adopt: bool = False,
    rotate_secrets: bool = False,
    only: Iterable[str] = (),
    skip_unreachable: bool = False,
    on_event: OnEvent = ignore,
) -> tuple[Plan, Texts]:
    """What would change: against the devices, or `offline` against a folder of configurations.

    A device whose product encodes secrets keeps those that it runs, whatever else changes, unless `rotate_secrets` says
    that ours are to be pushed. A device that does not answer is an error of the plan, or with `skip_unreachable` a
    warning. `Invalid`, before any device is asked, if the routes or the products of several devices do not fit
    together, or a product does not support what a device is to do: that of a device that is not planned, too.
    """
    texts, only, site = compiled.artifacts, frozenset(only), compiled.intent.site.site
    texts.check_together()
    texts.check_each()
    if offline is not None:
        seen = _from_folder(compiled, place, Path(offline), only)
    else:
        deployment.check_unfinished(place.journal(), site)
        seen = observe(compiled, place, only, on_event, rotate_secrets=rotate_secrets)
    known = _known(compiled, place, seen, None if offline is None else Path(offline), only)
    options = msgspec.structs.replace(
        known, adopt=adopt, ignore_secrets=not rotate_secrets, skip_unreachable=skip_unreachable
    )
    made, kept = planning.plan(compiled.artifacts, seen, switches=compiled.devices, options=options)
    found = (*made.diagnostics, *seen.endings)
    if offline is None:
        found += deployment.lost_journal(made, place.journal())
    found += _unlocked(compiled, options)
    found += _cut_off_now(compiled, place, (made, kept), seen)
    made = deployment.with_names(msgspec.structs.replace(made, diagnostics=found, stand_ins=place.stand_ins))
    return with_costs(compiled, made, out_of_service(compiled, options)), kept


def _known(
    compiled: Compiled, place: Workplace, seen: Observations, folder: Path | None, only: frozenset[str]
) -> PlanOptions:
    """All that decides about a plan and that nobody has to say."""
    site, is_offline = compiled.intent.site.site, folder is not None
    return PlanOptions(
        site=site,
        program=__version__,
        intent=compiled.digest,
        created=datetime.now(UTC),
        mode="offline" if is_offline else "online",
        ownership=ownership_of(compiled),
        last_applied=seen.last_applied,
        unreachable=seen.unreachable,
        logins=place.logins(compiled.intent.inventory, compiled.artifacts),
        separating=analysis.separating(compiled.devices),
        beside=_saved_beside(compiled, folder, only) if folder is not None and only else {},
        only=only,
        found=manager_findings(compiled, seen),
        removed=_removed(compiled, seen) if not only else (),
    )


def _unlocked(compiled: Compiled, options: PlanOptions) -> tuple[Diagnostic, ...]:
    """Whether devices run what was applied, and no lock holds what the intent makes of it."""
    if compiled.intent.lock is not None or not options.last_applied:
        return ()
    rule = f"the intent was applied to {counted(len(options.last_applied), 'device')}, and fabric.lock is missing"
    return (UNLOCKED.at(Origin(()), rule, hint=UNLOCKED.fix),)


def _from_folder(compiled: Compiled, place: Workplace, folder: Path, only: frozenset[str]) -> Observations:
    texts, site = compiled.artifacts, compiled.intent.site.site
    seen = deployment.observe_folder(
        folder, only or texts, texts.record, texts.__getitem__, jobs=compiled.jobs
    )
    seen.last_applied = place.last_applied(site, compiled.known_platform, offline=True)
    return seen


def _saved_beside(compiled: Compiled, folder: Path, only: frozenset[str]) -> Mapping[str, str]:
    texts = compiled.artifacts
    others = (name for name in texts if name not in only)
    return deployment.SavedBeside(folder, others, texts.record, texts.__getitem__)


def _cut_off_now(
    compiled: Compiled, place: Workplace, made: tuple[Plan, Texts], seen: Observations
) -> tuple[Diagnostic, ...]:
    """Whom the plan would cut off because of links that are dead now; of one that is refused it is not asked.

    Who has not answered before is not asked again.
    """
    inventory, plan = compiled.intent.inventory, made[0]
    if plan.mode == "offline" or any(finding.is_error for finding in plan.diagnostics):
        return ()

    def targets(names: Iterable[str]) -> Mapping[str, Target]:
        answering = (name for name in names if name not in seen.unreachable)
        return place.targets(inventory, place.reached(inventory, answering))

    with place.executor() as executor:
        found = deployment.cut_off_now(
            *made,
            seen,
            around=SurroundingsOfSite(compiled),
            targets=targets,
            unreachable=seen.unreachable,
            executor=executor,
        )
    return at_devices(compiled, found)


def at_devices(compiled: Compiled, found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Findings about devices where the intent names the device first concerned."""
    return tuple(
        msgspec.structs.replace(finding, origin=compiled.devices[finding.subjects[0]].origin)
        if finding.subjects and finding.subjects[0] in compiled.devices
        else finding
        for finding in found
    )


def targeted(compiled: Compiled, target: Iterable[str]) -> frozenset[str]:
    """The devices that targets choose: `leaf-0-*`, `rail:3`, `role:spine`. `Refused` if one matches nothing."""
    words = tuple(target)
    if not words:
        return frozenset()
    hosts = compiled.intent.inventory.hosts.items()
    return planning.chosen(words, compiled.devices, {name: host.tags for name, host in hosts})


def _removed(compiled: Compiled, seen: Observations) -> tuple[str, ...]:
    """Devices that were applied, are backed up or stand in the inventory, and are in the site no longer."""
    listed = (f.value for f in compiled.devices.diagnostics if f.code == INVENTORY_UNKNOWN.code)
    gone = {*(seen.last_applied or ()), *seen.others} - set(compiled.artifacts)
    if gone:
        gone -= {name for network in compiled.topology.networks.values() for name in network.names}
    return tuple(sorted(gone.union(listed)))

"""Artifacts and observations to a plan. One pure function, online and offline alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from fabric.configuration import Change as TextChange
from fabric.configuration import compare, differences
from fabric.devices.model import Device, SubnetManager
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.planning import findings
from fabric.planning.both_ends.coupled import Coupled, Site, after, coupled
from fabric.planning.both_ends.coupling import Touch, is_shutting_sessions, touch
from fabric.planning.both_ends.cut_together import CutTogether, cut_off
from fabric.planning.both_ends.new_sessions import unlike
from fabric.planning.both_ends.phases import Phase
from fabric.planning.device_diff import (
    by_device,
    counts,
    kept_and_outdated,
    outdated_passwords,
)
from fabric.planning.drains import drained
from fabric.planning.impact import worst
from fabric.planning.isolation import isolated
from fabric.planning.judging import judged, lockouts
from fabric.planning.kept_secrets import keeps_secrets
from fabric.planning.model import Action, Change, DevicePlan, Impact, Observation, Plan
from fabric.planning.options import LastApplied, PlanOptions, action_on, is_shared, last_applied_of
from fabric.planning.ownership import Pushed, basis, candidate, given, pushed
from fabric.planning.report import diff_groups, signature
from fabric.planning.services_only import is_services_only
from fabric.planning.settled import foreign_lines
from fabric.planning.texts import Texts, masked, packed, unpacked
from fabric.planning.waves import Candidate, candidate_of, waves
from fabric.planning.withdrawn import withdrawing
from fabric.platforms.base import AnyPlatform, Artifact
from fabric.platforms.registry import platform
from fabric.rendering import Artifacts, RenderRecord
from fabric.rendering.render import record_of
from fabric.workers import each

NOWHERE = Candidate("", "", -1, -1, -1, -1, "")
"""The place of a device that no wave will hold."""


class _Draft(msgspec.Struct):
    """A device's plan on its way, with what later steps need and the plan does not hold."""

    device: DevicePlan
    place: Candidate
    origin: Origin = Origin(())
    is_invented: bool = False
    """Its GUIDs are."""
    touched: Touch = Touch()
    outdated: frozenset[str] = frozenset()
    """Neighbours for which it keeps a password that is not that of today, or may not be."""
    removes: bool = False
    """Lines that run are removed."""
    drains: bool = False
    """The change itself takes the sessions down: until now they carried traffic."""
    signature: str = ""
    diff: bytes = b""
    """Packed, as the candidate is: all drafts are there before the first one is told."""
    candidate: bytes = b""
    """If it is not the artifact's text; else empty."""
    findings: tuple[Diagnostic, ...] = ()


def plan(
    artifacts: Mapping[str, Artifact],
    observations: Mapping[str, Observation],
    *,
    switches: Mapping[str, Device],
    options: PlanOptions,
) -> tuple[Plan, Texts]:
    """What would change on every switch, and in which waves; beside it the diffs and the texts to be pushed.

    Artifacts that belong to no switch, and switches without observation, are left out (the latter with a
    finding). Errors among `Plan.diagnostics` mean that the plan will not be applied as it is.
    """
    texts, report, record = Texts(), Report(), _record_of(artifacts, switches)
    report.extend(artifacts.diagnostics if isinstance(artifacts, Artifacts) else ())
    names = [name for name in artifacts if name in observations and name in switches]
    site = Site(artifacts, observations, switches, options)
    quiet = {name: _quiet(record(name), observations[name], site) for name in names}
    drafts, together = _phased(list(_drafts(quiet, *site)), site)
    phase, artifacts = together.phase, after(together.phase, artifacts)
    for draft in drafts:
        _tell(draft, artifacts, texts, report)
    _isolate(drafts, switches, observations, options)
    _cut_off(drafts, switches, phase)
    findings.add_coupled(report, together, switches, options.only)
    changed = [draft for draft in drafts if draft.device.action is not Action.NOTHING]
    keeping = {draft.device.device for draft in changed if draft.device.keeps_secrets}
    outdated = {draft.device.device: draft.outdated for draft in changed}
    findings.add_unlike(report, unlike(outdated, keeping, site), switches)
    findings.add(report, (findings.Changed(d.device, d.origin, d.is_invented) for d in changed), options)
    for draft in (d for d in changed if observations[d.device.device].source == "nothing"):
        findings.add_new(report, draft.device, draft.origin)
    findings.add_waiting(report, (observations[name] for name in names), switches)
    _tell_of_others(drafts, switches, report, options)
    missing = [name for name in artifacts if name in switches and name not in observations]
    findings.add_unobserved(report, missing, switches, options)
    signatures = {draft.device.device: draft.signature for draft in changed}
    whole = Plan(
        site=options.site,
        created=options.created,
        program=options.program,
        intent=options.intent,
        mode=options.mode,
        adopt=options.adopt,
        devices=tuple(draft.device for draft in drafts),
        groups=diff_groups((d.device for d in changed), lambda device: signatures[device.device]),
        waves=waves((_placed(draft) for draft in changed), options.width, phase.groups),
        couplings=together.links,
        diagnostics=tuple(report),
        removed=options.removed,
        held=phase.held,
        phases_left=phase.left,
    )
    return whole, texts


def _drafts(
    quiet: Mapping[str, _Draft | None],
    artifacts: Mapping[str, Artifact],
    observations: Mapping[str, Observation],
    switches: Mapping[str, Device],
    options: PlanOptions,
) -> Iterator[_Draft]:
    """The drafts in the order of the names: those that are `quiet`, and the others, made by all processors."""
    unlike = [name for name, draft in quiet.items() if draft is None]
    jobs = 1
    if isinstance(artifacts, Artifacts):
        artifacts.keep(unlike)
        jobs = artifacts.jobs

    def work(name: str) -> _Draft:
        return _draft(switches[name], artifacts[name], observations[name], options)

    with each(work, unlike, jobs=jobs) as drafted:
        yield from (draft or next(drafted) for draft in quiet.values())


def _draft(switch: Device, artifact: Artifact, seen: Observation, options: PlanOptions) -> _Draft:
    product, known = platform(switch.platform), last_applied_of(switch.name, options)
    is_invented = isinstance(switch, SubnetManager) and switch.subnet.placeholders
    draft = _Draft(
        _unchanged(record_of(switch, artifact), seen), candidate_of(switch), switch.origin, is_invented
    )
    wanted = _pushed(product, artifact.text, seen, known, options)
    dialect, report = product.dialect(), Report()
    intended = dialect.plain(wanted.text, artifact.text)
    comparison = compare(dialect, switch.name, seen.text, masked(intended))
    _keep(draft, switch, len(wanted.kept), wanted.overriding)
    if seen.device_diff == "" and comparison.changes:
        findings.add_unconverted(report, switch, comparison)
    keeps = keeps_secrets(product, seen, options)
    if not (comparison.changes if seen.device_diff is None else counts(seen, comparison, ignored=keeps)):
        draft.findings = (*draft.findings, *report)
        return draft
    if not comparison.changes:
        findings.add_device_diff(report, switch)
        comparison = by_device(dialect, seen, intended)
        changes = judged(comparison.changes, switch)
    else:
        changes = judged(comparison.changes, switch)
        if seen.text:
            changes = withdrawing(changes, comparison.changes, switch) + lockouts(
                comparison.changes, switch, options.logins.get(switch.name, "")
            )
    if action_on(seen, options) is Action.NEW:
        changes = _on_new(changes)
    outdated = frozenset() if keeps else outdated_passwords(product, seen, intended, comparison.changes)
    if keeps:
        draft.outdated = kept_and_outdated(product, seen, intended)
    draft.touched = replace(touch(product, comparison.changes, changes), outdated=outdated)
    draft.drains = is_shutting_sessions(product, switch, comparison.changes, changes)
    draft.removes = not product.whole and any(map(_removes, comparison.changes))
    draft.signature, draft.diff = signature(comparison.diff, (switch.name,)), packed(comparison.diff)
    draft.candidate = packed(wanted.text) if wanted.kept else b""
    draft.findings = (*draft.findings, *report)
    impact, action = worst(changes), action_on(seen, options)
    device = replace(
        draft.device,
        action=action,
        impact=impact,
        changes=changes,
        keeps_secrets=keeps,
        services_only=impact is Impact.NONE
        and action is Action.UPDATE
        and is_services_only(product, comparison.changes),
    )
    draft.device = drained(device, switch, comparison.changes, is_shut=draft.drains)
    return draft


def _pushed(
    product: AnyPlatform, artifact: str, seen: Observation, known: LastApplied | None, options: PlanOptions
) -> Pushed:
    """What a device is to run, which whoever observed it may have found out."""
    applied = known.text if known else None
    if seen.merged_for and is_shared(options) and seen.merged_for == basis(artifact, applied):
        return given(seen.merged) if seen.merged else Pushed(artifact)
    return pushed(candidate(product, artifact, seen.text if is_shared(options) else "", applied))


def _tell(draft: _Draft, artifacts: Mapping[str, Artifact], texts: Texts, report: Report) -> None:
    """Give a draft's findings and texts to the plan, which names them by digest."""
    report.extend(draft.findings)
    device = draft.device
    if device.action is Action.NOTHING:
        return
    ours = texts.add_later(device.intended, lambda: artifacts[device.device].text)
    draft.device = replace(
        device,
        diff=texts.add(unpacked(draft.diff)),
        candidate=texts.add(unpacked(draft.candidate)) if draft.candidate else ours,
        ours=ours if draft.candidate else "",
    )
    draft.diff = draft.candidate = b""


def _removes(change: TextChange) -> bool:
    """Whether a change takes lines away, and not only puts others in their place."""
    return any(line.new is None for line in differences(change))


def _tell_of_others(
    drafts: Iterable[_Draft], switches: Mapping[str, Device], report: Report, options: PlanOptions
) -> None:
    """Which devices the site has no more; which lines are not ours, or that nobody knows which are."""
    findings.add_removed(report, options.removed)
    drafts = tuple(drafts)
    if options.last_applied is None and options.ownership == "shared" and any(d.removes for d in drafts):
        findings.add_no_journal(report)
    findings.add_foreign(report, ((d.device, d.origin) for d in drafts), switches)


NOTHING_RUNS = "a new device: nothing runs on it yet"


def _on_new(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Changes of a device that nobody has seen or configured: they interrupt nothing."""
    return tuple(replace(change, impact=Impact.NONE, reason=NOTHING_RUNS) for change in changes)


def _record_of(
    artifacts: Mapping[str, Artifact], switches: Mapping[str, Device]
) -> Callable[[str], RenderRecord]:
    if isinstance(artifacts, Artifacts):
        return artifacts.record
    return lambda name: record_of(switches[name], artifacts[name])


def _quiet(record: RenderRecord, seen: Observation, site: Site) -> _Draft | None:
    """The plan of a device that needs no look: it runs our text, or what it ran after our last apply of it."""
    known = last_applied_of(seen.device, site.options)
    applied = known is not None and known.artifact == record.digest and known.after == seen.digest
    if not seen.matches and (not applied or seen.device_diff):
        return None
    draft = _Draft(_unchanged(record, seen), NOWHERE)
    if known is not None and known.has_foreign and is_shared(site.options) and not seen.matches:
        theirs = foreign_lines(record, known.text, seen, site.artifacts)
        if theirs.overriding:
            _keep(draft, site.switches[seen.device], theirs.kept, theirs.overriding)
        draft.device = replace(draft.device, kept_lines=theirs.kept)
    return draft


def _keep(draft: _Draft, switch: Device, kept: int, overriding: Iterable[str]) -> None:
    """What is said of lines of others, whether anything else changes or not."""
    report = Report()
    findings.add_overriding(report, switch, overriding)
    draft.findings = (*draft.findings, *report)
    draft.device = replace(draft.device, kept_lines=kept)


def _unchanged(record: RenderRecord, seen: Observation) -> DevicePlan:
    return DevicePlan(
        device=seen.device,
        platform=record.platform,
        network=record.network,
        role=record.role,
        group=record.group,
        plane=record.plane,
        action=Action.NOTHING,
        impact=Impact.NONE,
        intended=record.digest,
        observed=seen.digest,
        derived=record.derived,
        drained=record.drained,
    )


def _isolate(
    drafts: Iterable[_Draft],
    switches: Mapping[str, Device],
    seen: Mapping[str, Observation],
    options: PlanOptions,
) -> None:
    """Raise the impact of what interrupts a sole path."""
    drafts = tuple(drafts)
    changes = {draft.device.device: draft.device.changes for draft in drafts}
    judged = isolated(changes, switches, seen, options)
    for draft in drafts:
        if (own := judged.get(draft.device.device)) is not None:
            draft.device = replace(draft.device, changes=own, impact=worst(own))


def _cut_off(drafts: Iterable[_Draft], switches: Mapping[str, Device], phase: Phase) -> None:
    """Raise the impact of what takes the only path only because it happens on several devices at once."""
    severed: dict[str, str] = {}
    for group in phase.groups:
        severed |= CutTogether(switches, phase.ends(group)).severed()
    for draft in drafts:
        if why := severed.get(draft.device.device):
            changes = cut_off(draft.device.changes, why)
            draft.device = replace(draft.device, changes=changes, impact=worst(changes))


def _phased(drafts: list[_Draft], site: Site) -> tuple[list[_Draft], Coupled]:
    """The devices as they change in this phase, as far as they do; and what must change at both ends of links."""
    together = coupled(
        {d.device.device: d.touched for d in drafts if d.touched},
        {d.device.device for d in drafts if d.device.action is not Action.NOTHING},
        {d.device.device: d.place for d in drafts},
        site,
    )
    artifacts = after(together.phase, site.artifacts)

    def in_phase(draft: _Draft) -> _Draft:
        name = draft.device.device
        if name in together.phase.texts:
            return _draft(site.switches[name], artifacts[name], site.seen[name], site.options)
        if name not in together.phase.held:
            return draft
        device = replace(draft.device, action=Action.NOTHING, impact=Impact.NONE, changes=())
        return _Draft(device, draft.place, draft.origin, findings=draft.findings)

    return [in_phase(draft) for draft in drafts], together


def _placed(draft: _Draft) -> Candidate:
    return replace(draft.place, impact=draft.device.impact, drains=draft.drains)

"""What would change on one device: the plan of it alone, before it is seen beside the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from fabric.configuration import Change as TextChange
from fabric.configuration import Comparison, compare, differences
from fabric.devices.model import Device, SubnetManager
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.planning import findings
from fabric.planning.both_ends.coupled import Site
from fabric.planning.both_ends.coupling import Touch, changed_facts, is_shutting_sessions, touch
from fabric.planning.cut_off.no_longer_accepted import Narrowed, narrowed
from fabric.planning.cut_off.outside import Outside, concerns_outside, outside
from fabric.planning.cut_off.taken_over import Moved, moved
from fabric.planning.cut_off.withdrawn import withdrawing
from fabric.planning.device_diff import (
    beside,
    by_device,
    counts,
    kept_and_outdated,
    other_hashes,
    outdated_passwords,
    with_other_secrets,
)
from fabric.planning.drains import drained
from fabric.planning.impact import worst
from fabric.planning.judging import judged, lockouts, new_passwords
from fabric.planning.kept_secrets import keeps_secrets
from fabric.planning.model import Action, Change, DevicePlan, Impact, Observation
from fabric.planning.options import (
    LastApplied,
    PlanOptions,
    action_on,
    is_shared,
    last_applied_of,
    settled_after,
)
from fabric.planning.ownership import Pushed, basis, candidate, given, pushed
from fabric.planning.report import signature
from fabric.planning.services_only import is_services_only
from fabric.planning.settled import foreign_lines
from fabric.planning.texts import masked, packed
from fabric.planning.waves import Candidate, candidate_of
from fabric.platforms.base import AnyPlatform, Artifact
from fabric.platforms.registry import platform
from fabric.platforms.texts import hashes_hidden
from fabric.rendering import RenderRecord
from fabric.rendering.render import record_of

NOWHERE = Candidate("", "", -1, -1, -1, -1, "")
"""The place of a device that no wave will hold."""


class Draft(msgspec.Struct):
    """A device's plan on its way, with what later steps need and the plan does not hold."""

    device: DevicePlan
    place: Candidate
    origin: Origin = Origin(())
    is_invented: bool = False
    """Its GUIDs are."""
    touched: Touch = Touch()
    outdated: frozenset[str] = frozenset()
    """Neighbours for which it keeps a password that is not that of today, or may not be."""
    outside: Outside = Outside()
    """What becomes of sessions with routers outside."""
    narrowed: Narrowed = Narrowed()
    """What it no longer accepts from its neighbours."""
    moved: Moved = Moved()
    """Networks of hosts and attachments that it gets, or gives up."""
    removes: bool = False
    """Lines that run are removed."""
    returns: bool = False
    """The change interrupts something, and brings it back into service."""
    drains: bool = False
    """The change itself shuts sessions, or asks neighbours to take other ways: until now it carried traffic."""
    hostname: str = ""
    """What it calls itself, where that changes."""
    whole: Draft | None = None
    """That of all that it shall change, where only some of it, or nothing, does so in this phase."""
    signature: str = ""
    diff: bytes = b""
    """Packed, as the candidate is: all drafts are there before the first one is told."""
    candidate: bytes = b""
    """If it is not the artifact's text; else empty."""
    findings: tuple[Diagnostic, ...] = ()


def drafted(switch: Device, artifact: Artifact, seen: Observation, options: PlanOptions) -> Draft:
    """What would change on a device that may run something else than our text."""
    product, known = platform(switch.platform), last_applied_of(switch.name, options)
    draft = _begun(switch, artifact, seen)
    wanted = _pushed(product, artifact.text, seen, known, options)
    dialect, report = product.dialect(), Report()
    intended = dialect.plain(hashes_hidden(wanted.text), hashes_hidden(artifact.text))
    comparison = compare(dialect, switch.name, seen.text, masked(intended))
    _keep(draft, switch, len(wanted.kept), wanted.overriding)
    if seen.device_diff == "" and comparison.changes:
        findings.add_unconverted(report, switch, comparison)
    keeps = keeps_secrets(product, seen, options)
    if keeps:
        draft.outdated = kept_and_outdated(product, seen, intended)
    if not (comparison.changes if seen.device_diff is None else counts(seen, comparison, ignored=keeps)):
        draft.findings = (*draft.findings, *report)
        return draft
    if not comparison.changes:
        findings.add_device_diff(report, switch)
        comparison = shown = by_device(dialect, seen, intended, wanted.text)
        changes = judged(comparison.changes, switch)
    else:
        shown = comparison
        comparison, changes = _with_secrets(switch, seen, intended, shown, options)
    if not keeps:
        changes += _new_passwords(switch, seen, wanted, intended, shown.changes, options)
    action = action_on(seen, options)
    changes = _on_new(changes) if action is Action.NEW else changes
    outdated = frozenset() if keeps else outdated_passwords(product, seen, intended, shown.changes)
    was, will = changed_facts(product, comparison.changes)
    draft.hostname = was.hostname
    draft.touched = replace(touch(was, will, changes), outdated=outdated)
    draft.narrowed, draft.moved = narrowed(was, will), moved(switch, was, will)
    if concerns_outside(switch, was, will):
        draft.outside = _outside(product, switch, seen, intended, outdated)
    is_shut = is_shutting_sessions(product, switch, comparison.changes, changes)
    draft.removes = not product.whole and any(map(_removes, comparison.changes))
    draft.signature, draft.diff = signature(comparison.diff, (switch.name,)), packed(comparison.diff)
    draft.candidate = packed(wanted.text) if wanted.kept else b""
    draft.findings = (*draft.findings, *report)
    device = replace(draft.device, action=action, impact=worst(changes), changes=changes, keeps_secrets=keeps)
    if device.impact is Impact.NONE and action is Action.UPDATE:
        device = replace(device, services_only=is_services_only(product, comparison.changes))
    draft.device = drained(device, switch, comparison.changes, is_shut=is_shut)
    draft.drains = bool(draft.device.drains)
    return draft


def _outside(
    product: AnyPlatform, switch: Device, seen: Observation, intended: str, outdated: frozenset[str]
) -> Outside:
    """Both texts are read for it: a group says nothing of its sessions, nor a session of what its group has."""
    was, will = (product.read(text).facts for text in (seen.text, masked(intended)))
    return outside(switch, was, will, outdated)


def _judged(
    changes: Sequence[TextChange], switch: Device, seen: Observation, options: PlanOptions
) -> tuple[Change, ...]:
    """Changes of texts with their impacts, of a device that runs something also on routes and on our own access."""
    found = judged(changes, switch)
    if not seen.text:
        return found
    login = options.logins.get(switch.name, "")
    return withdrawing(found, changes, switch) + lockouts(changes, switch, login)


def _begun(switch: Device, artifact: Artifact, seen: Observation) -> Draft:
    is_invented = isinstance(switch, SubnetManager) and switch.subnet.placeholders
    unchanged = _unchanged(record_of(switch, artifact), seen)
    return Draft(unchanged, candidate_of(switch), switch.origin, is_invented)


def _with_secrets(
    switch: Device, seen: Observation, intended: str, shown: Comparison, options: PlanOptions
) -> tuple[Comparison, tuple[Change, ...]]:
    """What changes, with the secrets that are others now beside lines that differ anyway; and what that does."""
    product, changes = platform(switch.platform), _judged(shown.changes, switch, seen, options)
    if keeps_secrets(product, seen, options):
        return shown, changes
    more, told = beside(product, seen, intended, shown)
    return Comparison((*shown.changes, *more), shown.diff + told), changes + judged(more, switch)


def _new_passwords(
    switch: Device,
    seen: Observation,
    wanted: Pushed,
    intended: str,
    differing: Sequence[TextChange],
    options: PlanOptions,
) -> tuple[Change, ...]:
    """What hashes and secrets that change in lines of users do to our own access."""
    product, login = platform(switch.platform), options.logins.get(switch.name, "")
    hashes = other_hashes(product.dialect(), seen, wanted.text)
    secrets, is_certain = with_other_secrets(product, seen, intended, differing)
    hashed = (line for change in hashes for line in differences(change))
    by_hash = new_passwords(hashed, login, is_known=not seen.hides_hashes)
    return by_hash + new_passwords(secrets, login, is_known=is_certain)


def _pushed(
    product: AnyPlatform, artifact: str, seen: Observation, known: LastApplied | None, options: PlanOptions
) -> Pushed:
    """What a device is to run, which whoever observed it may have found out."""
    applied = known.ours if known else None
    if seen.merged_for and is_shared(options) and seen.merged_for == basis(artifact, applied):
        return given(seen.merged) if seen.merged else Pushed(artifact)
    return pushed(candidate(product, artifact, seen.text if is_shared(options) else "", applied))


NOTHING_RUNS = "a new device: nothing runs on it yet"


def _on_new(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Changes of a device that nobody has seen or configured: they interrupt nothing."""
    return tuple(replace(change, impact=Impact.NONE, reason=NOTHING_RUNS) for change in changes)


def quiet_draft(record: RenderRecord, seen: Observation, site: Site) -> Draft | None:
    """The plan of a device that needs no look: it runs our text, or what it ran after our last apply of it."""
    known = last_applied_of(seen.device, site.options)
    applied = settled_after(known, record.digest, site.options) == seen.digest
    if not seen.matches and (not applied or seen.device_diff):
        return None
    draft = Draft(_unchanged(record, seen), NOWHERE)
    if known is not None and known.has_foreign and is_shared(site.options) and not seen.matches:
        theirs = foreign_lines(record, known.ours, seen, site.artifacts)
        if theirs.overriding:
            _keep(draft, site.switches[seen.device], theirs.kept, theirs.overriding)
        draft.device = replace(draft.device, kept_lines=theirs.kept)
    return draft


def _keep(draft: Draft, switch: Device, kept: int, overriding: Iterable[str]) -> None:
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


def _removes(change: TextChange) -> bool:
    """Whether a change takes lines away, and not only puts others in their place."""
    return any(line.new is None for line in differences(change))

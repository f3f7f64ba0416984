"""Artifacts and observations to a plan. One pure function, online and offline alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from fabric.devices.model import Device, Switch
from fabric.diagnostics import Report
from fabric.planning import findings
from fabric.planning.both_ends.coupled import Coupled, Site, after, coupled
from fabric.planning.both_ends.cut_together import LARGER_PACKETS, CutTogether, cut_off
from fabric.planning.both_ends.new_sessions import unlike
from fabric.planning.cut_off.isolation import afterwards, as_it_runs, isolated, left_as_it_is
from fabric.planning.cut_off.no_longer_accepted import cut_by_filters
from fabric.planning.cut_off.outside import cut_from_outside
from fabric.planning.cut_off.taken_over import Moved, taken_over
from fabric.planning.draft import Draft, drafted, quiet_draft
from fabric.planning.impact import worst
from fabric.planning.kept_secrets import keeps_secrets
from fabric.planning.model import Action, Change, Impact, Observation, Plan
from fabric.planning.options import PlanOptions
from fabric.planning.report import diff_groups
from fabric.planning.texts import Texts, unpacked
from fabric.planning.waves import Candidate, waves
from fabric.planning.ways import ENDS, Ways
from fabric.platforms.base import Artifact, Facts
from fabric.platforms.registry import platform
from fabric.rendering import Artifacts, RenderRecord
from fabric.rendering.render import record_of
from fabric.workers import each


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
    quiet = {name: quiet_draft(record(name), observations[name], site) for name in names}
    every_way = cache(lambda: Ways.of(switches, left_as_it_is(site), as_it_runs(site)))
    drafts, together = _phased(list(_drafts(quiet, *site)), site, every_way)
    phase, artifacts = together.phase, after(together.phase, artifacts)
    ways = cache(lambda: every_way().without(together.idle))
    for draft in drafts:
        _tell(draft, artifacts, texts, report)
    _raise(drafts, site, together, ways)
    changed = [draft for draft in drafts if draft.device.action is not Action.NOTHING]
    findings.add_coupled(report, together, switches, options.only)
    _tell_of_changes(changed, drafts, site, report)
    findings.add_kept_hashes(report, _keeping_hashes(names, site), switches)
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
        waves=waves((_placed(draft) for draft in changed), options.width, phase.groups, ways),
        couplings=together.links,
        diagnostics=tuple(report),
        removed=options.removed,
        held=phase.held,
        phases_left=phase.left,
    )
    return whole, texts


def _drafts(
    quiet: Mapping[str, Draft | None],
    artifacts: Mapping[str, Artifact],
    observations: Mapping[str, Observation],
    switches: Mapping[str, Device],
    options: PlanOptions,
) -> Iterator[Draft]:
    """The drafts in the order of the names: those that are `quiet`, and the others, made by all processors."""
    unlike = [name for name, draft in quiet.items() if draft is None]
    jobs = 1
    if isinstance(artifacts, Artifacts):
        artifacts.keep(unlike)
        jobs = artifacts.jobs

    def work(name: str) -> Draft:
        return drafted(switches[name], artifacts[name], observations[name], options)

    with each(work, unlike, jobs=jobs) as drafts:
        yield from (draft or next(drafts) for draft in quiet.values())


def _tell(draft: Draft, artifacts: Mapping[str, Artifact], texts: Texts, report: Report) -> None:
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


def _tell_of_changes(changed: Sequence[Draft], drafts: Iterable[Draft], site: Site, report: Report) -> None:
    """What is said of devices that change: that one is another, risks, passwords of one end alone, that one is new."""
    drafts = tuple(drafts)
    called = ((draft.device.device, (draft.whole or draft).hostname) for draft in drafts)
    findings.add_other_devices(report, called, site.switches)
    outdated = {draft.device.device: draft.outdated for draft in drafts if draft.outdated}
    getting = {draft.device.device: draft.device.keeps_secrets for draft in changed}
    findings.add_unlike(report, unlike(getting, outdated, site), site.switches)
    findings.add(report, (findings.Changed(d.device, d.origin, d.is_invented) for d in changed), site.options)
    for draft in (d for d in changed if site.seen[d.device.device].source == "nothing"):
        findings.add_new(report, draft.device, draft.origin)


def _keeping_hashes(names: Iterable[str], site: Site) -> Iterator[str]:
    """The devices that keep a hash which the intent has no more, of products that show it."""
    for name in names:
        seen = site.seen[name]
        is_other = seen.other_hashes and not seen.hides_hashes
        if is_other and keeps_secrets(platform(site.switches[name].platform), seen, site.options):
            yield name


def _tell_of_others(
    drafts: Iterable[Draft], switches: Mapping[str, Device], report: Report, options: PlanOptions
) -> None:
    """Which devices the site has no more; which lines are not ours, or that nobody knows which are."""
    findings.add_removed(report, options.removed)
    drafts = tuple(drafts)
    if options.last_applied is None and options.ownership == "shared" and any(d.removes for d in drafts):
        findings.add_no_journal(report)
    findings.add_foreign(report, ((d.device, d.origin) for d in drafts), switches)


def _record_of(
    artifacts: Mapping[str, Artifact], switches: Mapping[str, Device]
) -> Callable[[str], RenderRecord]:
    if isinstance(artifacts, Artifacts):
        return artifacts.record
    return lambda name: record_of(switches[name], artifacts[name])


def _raise(drafts: list[Draft], site: Site, together: Coupled, ways: Callable[[], Ways]) -> None:
    """Raise the impact of what cuts somebody off, seen beside all other devices."""
    _isolate(drafts, site, ways)
    _cut_off(drafts, site.switches, together)
    changing = [draft for draft in drafts if draft.device.action in (Action.UPDATE, Action.ADOPT)]
    outside = {draft.device.device: draft.outside for draft in changing if draft.outside}
    narrowed = {draft.device.device: draft.narrowed for draft in changing if draft.narrowed}
    moved = {draft.device.device: _moved(draft) for draft in drafts}
    if outside:
        whole = {draft.device.device: (draft.whole or draft).outside for draft in drafts}
        _add(changing, cut_from_outside(outside, whole, site.switches, afterwards(site, ways).lost))
    _add((d for d in drafts if d.device.action is not Action.NOTHING), taken_over(moved, _left_behind(site)))
    _add(changing, cut_by_filters(narrowed, tuple(_attaching_now(site)) if narrowed else ()))


def _isolate(drafts: Iterable[Draft], site: Site, ways: Callable[[], Ways]) -> None:
    """Raise the impact of what interrupts a sole path."""
    drafts = tuple(drafts)
    changes = {draft.device.device: draft.device.changes for draft in drafts}
    waiting = {draft.device.device: draft.whole.device.changes for draft in drafts if draft.whole}
    judged = isolated(changes, site, ways, waiting=waiting)
    for draft in drafts:
        if (own := judged.get(draft.device.device)) is not None:
            draft.device = replace(draft.device, changes=own.changes, impact=worst(own.changes))
            draft.returns = own.returns


def _cut_off(drafts: Iterable[Draft], switches: Mapping[str, Device], together: Coupled) -> None:
    """Raise the impact of what takes the only path only because it happens on several devices at once."""
    severed = dict.fromkeys(sorted(together.narrowed), LARGER_PACKETS)
    for group in together.phase.groups:
        severed |= CutTogether(switches, together.phase.ends(group), together.idle).severed()
    for draft in drafts:
        if why := severed.get(draft.device.device):
            changes = cut_off(draft.device.changes, why)
            draft.device = replace(draft.device, changes=changes, impact=worst(changes))


def _add(drafts: Iterable[Draft], cut: Mapping[str, tuple[Change, ...]]) -> None:
    """Say whom a device cuts off, beside what its own lines do."""
    for draft in drafts:
        if more := cut.get(draft.device.device):
            changes = (*draft.device.changes, *more)
            draft.device = replace(draft.device, changes=changes, impact=worst(changes))


def _moved(draft: Draft) -> Moved:
    """What a device gets in this phase, and what it will have given up after the last one."""
    own = draft.moved
    return replace(draft.whole.moved, gained=own.gained) if draft.whole else own


def _left_behind(site: Site) -> Iterator[tuple[Switch, Facts]]:
    """What runs on switches that the plan leaves as they are, as far as anybody knows."""
    left = left_as_it_is(site)
    for name, switch in site.switches.items():
        if isinstance(switch, Switch) and name not in site.seen and (facts := left(name)) is not None:
            yield switch, facts


def _attaching_now(site: Site) -> Iterator[tuple[Device, Facts | None]]:
    """What each switch runs that has hosts or attachments, as far as anybody knows: texts are read when asked for."""
    left = left_as_it_is(site)
    for name, switch in site.switches.items():
        if any(port.role in ENDS for port in switch.ports):
            seen = site.seen.get(name) if name in site.seen else None
            yield switch, platform(switch.platform).read(seen.text).facts if seen is not None else left(name)


def _phased(drafts: list[Draft], site: Site, ways: Callable[[], Ways]) -> tuple[list[Draft], Coupled]:
    """The devices as they change in this phase, as far as they do; and what must change at both ends of links."""
    together = coupled(
        {d.device.device: d.touched for d in drafts if d.touched},
        {d.device.device for d in drafts if d.device.action is not Action.NOTHING},
        {d.device.device: d.place for d in drafts},
        site,
        ways,
    )
    artifacts = after(together.phase, site.artifacts)

    def in_phase(draft: Draft) -> Draft:
        name = draft.device.device
        if name in together.phase.texts:
            made = drafted(site.switches[name], artifacts[name], site.seen[name], site.options)
            return replace(made, whole=draft)
        if name not in together.phase.held:
            return draft
        device = replace(draft.device, action=Action.NOTHING, impact=Impact.NONE, changes=())
        return Draft(device, draft.place, draft.origin, whole=draft, findings=draft.findings)

    return [in_phase(draft) for draft in drafts], together


def _placed(draft: Draft) -> Candidate:
    isolates = Impact.ISOLATING in draft.device.impacts
    return replace(
        draft.place,
        impact=draft.device.impact,
        returns=draft.returns,
        drains=draft.drains,
        isolates=isolates,
    )

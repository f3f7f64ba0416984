"""Stage 2: from the intent to every node, port, link, cable, name, address and AS number."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import msgspec

from fabric.diagnostics import Invalid, Origin, Report
from fabric.intent.model import Intent
from fabric.intent.model.lock import Lock
from fabric.topology import codes
from fabric.topology.assign_addresses import address
from fabric.topology.assign_as_numbers import number, with_written_numbers
from fabric.topology.assign_names import check_names, name
from fabric.topology.attachments.attach_links import attach, choose_switches
from fabric.topology.bundle_cables import bundle
from fabric.topology.check_network import CHECKS
from fabric.topology.compute_lock import check_lock, lock_of, network_lock, pin
from fabric.topology.fit_port_maps import fit_ports
from fabric.topology.model import Sizing, Topology
from fabric.topology.network_draft import Draft
from fabric.topology.oversubscription import oversubscription_of, without_ceilings
from fabric.topology.place_nodes import place
from fabric.topology.port_maps import Panel
from fabric.topology.sizing.check_bounds import check_switches
from fabric.topology.sizing.size_network import Sizer
from fabric.topology.sizing.size_site import site_size
from fabric.topology.sizing.sizes import Sizes
from fabric.topology.wire_links import wire_hosts, wire_layout, wire_spines, wire_superspines, wire_zones

Pass = Callable[[Draft], None]

PASSES: tuple[Pass, ...] = (
    place,  # nodes first: every later pass counts them
    name,  # before ports: overrides and attachments find their switches by name
    choose_switches,  # before ports: an attachment may claim cages
    fit_ports,  # ports get their ids: the wiring fills their columns
    wire_hosts,  # bottom up, tier by tier
    wire_spines,
    wire_superspines,
    wire_zones,
    wire_layout,
    attach,  # after wiring: attachments take ports that nobody has
    bundle,  # last of the wiring: a cable needs both ends
)
"""What is done to each network for itself, in order. Numbers and addresses follow for all networks together."""


def expand(intent: Intent) -> Topology:
    """Expand every network of the site. `Invalid` with every finding if something does not fit."""
    try:
        return expand_pinned(pin(intent), intent.lock)
    except Invalid as invalid:
        broken = _broken_lock(intent, invalid)
        if broken is None:
            raise
    raise broken


def _broken_lock(intent: Intent, invalid: Invalid) -> Invalid | None:
    """If only the locked sizes prevent it: the sizes that would have to change."""
    own = any(
        finding.code == codes.BEYOND_CAPACITY.code or finding.origin.document == "lock"
        for finding in invalid.diagnostics
    )
    if intent.lock is None or own or _is_taken(invalid) or _only_a_ceiling(intent, invalid):
        return None
    try:
        fresh = _renumbered(intent) or expand_anew(intent)
    except Invalid:
        return None
    report = Report()
    check_lock(intent.lock, fresh.lock, report)
    return Invalid(report) if report.has_errors else None


def _is_taken(invalid: Invalid) -> bool:
    """Whether AS numbers that the intent writes are those of somebody else, who is not moved for them."""
    return any(
        finding.code == codes.ASN_TAKEN.code and finding.origin.path[-2:-1] == ("asn",)
        for finding in invalid.diagnostics
    )


def _only_a_ceiling(intent: Intent, invalid: Invalid) -> bool:
    """Whether the locked sizes hold all that is required, and only a ceiling on oversubscription prevents it."""
    if any(f.is_error and f.code != codes.OVERSUBSCRIBED.code for f in invalid.diagnostics):
        return False
    site = pin(intent).site
    networks = {name: without_ceilings(network) for name, network in site.networks.items()}
    with suppress(Invalid):
        raised = msgspec.structs.replace(site, networks=networks)
        expand_pinned(msgspec.structs.replace(intent, site=raised), intent.lock)
        return True
    return False


def expand_held(intent: Intent) -> Topology:
    """Expand within the locked sizes, as `expand` does, or anew where they do not hold what is required."""
    try:
        return expand(intent)
    except Invalid as invalid:
        if intent.lock is not None and _is_taken(invalid):
            raise
    return _renumbered(intent) or expand_anew(intent)


def _renumbered(intent: Intent) -> Topology | None:
    """Within the locked sizes, but with the AS numbers that are written now; None if they are not all that differs."""
    changed = with_written_numbers(intent)
    if changed is None:
        return None
    with suppress(Invalid):
        return expand_pinned(pin(changed), changed.lock)
    return None


def expand_anew(intent: Intent) -> Topology:
    """Expand as if nothing were locked but where attachments land: they stay where they can."""
    if intent.lock is not None and intent.lock.attachments:
        places = Lock(format=intent.lock.format, attachments=intent.lock.attachments)
        with suppress(Invalid):
            return expand_pinned(msgspec.structs.replace(intent, lock=places), None)
    return expand_pinned(msgspec.structs.replace(intent, lock=None), None)


def expand_pinned(intent: Intent, lock: Lock | None) -> Topology:
    """Expand an intent whose `auto`s have been taken from a lock; `lock` is what it must come out as."""
    report = Report()
    panels: dict[str, Panel] = {}
    site, sizing = site_size(intent, panels, report)
    drafts: dict[str, Draft] = {}
    if site is not None:
        for key in sorted(intent.site.networks):
            others = tuple(before.sizes for before in drafts.values())
            draft = _draft(Sizer(intent, key, site, Report(), panels), sizing, others, report)
            if draft is not None:
                drafts[key] = draft
    if len(drafts) == len(intent.site.networks):
        number(drafts, report)
        address(drafts, report)
        check_names(drafts, report)
        check_lock(lock, lock_of(drafts), report)
    _check_attachments(intent, report)
    findings = report.finish()
    for draft in drafts.values():
        draft.net.shape, draft.net.sizes = draft.sizes, network_lock(draft)
        draft.net.oversubscription = oversubscription_of(draft)
    networks = {key: draft.net for key, draft in drafts.items()}
    return Topology(intent.site.site, networks, lock_of(drafts), findings)


def _draft(
    sizer: Sizer, sizing: tuple[Sizing, ...], others: tuple[Sizes, ...], report: Report
) -> Draft | None:
    """One network through all passes; None if it could not be sized. `others`: the networks before it."""
    own, sizes = sizer.report, sizer.sizes()
    if sizes is not None and not own.has_errors:
        check_switches(sizes, others, sizer.at, own)
    report.extend(own)
    if sizes is None or own.has_errors:
        return None
    draft = Draft(
        sizer.intent, sizer.name, sizer.site, sizes, (*sizing, *sizer.choices), sizer.panels, report
    )
    for each in PASSES:
        each(draft)
        if draft.is_short:
            return None
    if not report.has_errors:
        for check in CHECKS:
            check(draft)
    return draft


def _check_attachments(intent: Intent, report: Report) -> None:
    for key, attachment in sorted(intent.site.attachments.items()):
        if attachment.network not in intent.site.networks:
            known = ", ".join(sorted(intent.site.networks))
            rule = f"there is no network `{attachment.network}`; there are {known}"
            at = Origin(("attachments", key, "network"))
            report.add(codes.ATTACHMENT.at(at, rule, value=attachment.network, hint="name one of them"))


__all__ = ["PASSES", "expand"]

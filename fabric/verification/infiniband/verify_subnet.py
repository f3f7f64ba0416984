"""A running subnet compared with the intent: what was checked, what was found, what could not be checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.devices.infiniband.model import Subnet, cabling_digest
from fabric.units import counted
from fabric.verification.finding import SUBNET_SECTIONS as SECTIONS
from fabric.verification.finding import Finding, finding, some
from fabric.verification.infiniband.cables.check_cables import (
    cabling_findings,
    planned_cables,
    without_aggregation,
)
from fabric.verification.infiniband.check_managers import (
    Managers,
    Planned,
    manager_findings,
    roles,
    with_cause,
)
from fabric.verification.infiniband.check_partitions import ends_by_lid, leaf_findings, partition_findings
from fabric.verification.infiniband.check_virtual_lanes import has_lanes, lane_findings, without_levels
from fabric.verification.infiniband.device_labels import DeviceLabels, Labels
from fabric.verification.infiniband.reading.discovery import Discovered
from fabric.verification.infiniband.reading.evidence import Evidence
from fabric.verification.infiniband.reading.query_tables import Tables
from fabric.verification.infiniband.route_audit.audit_routes import (
    OWN_LANES,
    LaneOf,
    LevelOf,
    RouteAudit,
    audit_routes,
)
from fabric.verification.infiniband.route_audit.check_routes import route_findings
from fabric.verification.verdict import NetworkVerdict, Seen


class SubnetVerdict(NetworkVerdict, frozen=True, kw_only=True):
    """The report on a subnet."""

    routes: RouteAudit | None


PLANARIZED = (
    "ports of this speed are planarised and their switches hold several ASICs, which are too little described"
)


def verify_subnet(
    subnet: Subnet,
    evidence: Evidence,
    known: DeviceLabels | None = None,
    *,
    managers: Sequence[Planned] = (),
    everybody: bool = True,
    simulated: bool = False,
) -> SubnetVerdict:
    """Compare everything that was seen.

    `managers`: who shall manage the subnet. `everybody`: whether everybody's partition is ours.
    """
    if subnet.planarized:
        evidence = Evidence(None, None, evidence.tables, evidence.unread, evidence.managers)
    seen = without_aggregation(subnet, evidence.discovered) if evidence.discovered else None
    labels = Labels(subnet, seen, known)
    managing = Managers(subnet, managers, evidence.managers, seen) if evidence.managers else None
    findings = list(manager_findings(managing)) if managing else []
    audit: RouteAudit | None = None
    if seen is not None:
        findings += cabling_findings(subnet, seen, known, simulated=simulated)
        findings += _lids(subnet, seen, labels)
    if evidence.tables.pkeys:
        ports = frozenset(manager.port_guid for manager in managers)
        findings += partition_findings(subnet, evidence.tables.pkeys, seen, known, ports, everybody=everybody)
        if everybody:  # with another manager, enforcement at leaves is its own affair
            findings += leaf_findings(subnet, evidence.tables.pkeys, seen, known)
    findings += lane_findings(subnet, evidence.tables, seen)
    if evidence.lfts is not None:
        levels, lanes = _lanes(subnet, evidence.tables, seen)
        audit = audit_routes(subnet, evidence.lfts, seen, level_of=levels, lane_of=lanes)
        findings += route_findings(subnet, audit, labels)
    findings = list(with_cause(findings, managing.strange_masters if managing else ()))
    return SubnetVerdict(
        network=subnet.network,
        sections=SECTIONS,
        findings=tuple(sorted(findings, key=lambda problem: SECTIONS.index(problem.section))),
        seen=(
            *_managers_seen(managing),
            *_seen(subnet, evidence, seen, audit),
            *_approved(subnet, seen, findings),
        ),
        not_seen=(*_managers_not_seen(managers, managing), *_not_seen(subnet, evidence, seen, audit)),
        routes=audit,
        unread=evidence.unread,
    )


def _lids(subnet: Subnet, seen: Discovered, labels: Labels) -> Iterator[Finding]:
    """LIDs that are not the planned ones, all in one finding: the manager has one file of them."""
    plan = {(switch.guid, 0): switch.lid for switch in subnet.switches}
    plan |= {(end.node_guid, end.port): end.lid for end in subnet.ends}
    wrong = {end: lid for end, lid in seen.lids.items() if lid and plan.get(end, lid) != lid}
    if wrong and subnet.lids_planned:
        shown = some(
            f"{labels.place(end)} has {lid}, planned is {plan[end]}" for end, lid in sorted(wrong.items())
        )
        yield finding(
            "lid", [], f"{counted(len(wrong), ('LID is', 'LIDs are'))} not those of the plan: {shown}"
        )


def _lanes(
    subnet: Subnet, tables: Tables, seen: Discovered | None
) -> tuple[LevelOf, LaneOf] | tuple[None, None]:
    """Lanes of paths, where the engine chooses them and both path records and SL2VL tables are known."""
    if subnet.engine not in OWN_LANES or not (tables.paths and tables.levels):
        return None, None
    lids = {switch.guid: switch.lid for switch in subnet.switches}
    if seen is not None:
        lids |= {guid: lid for (guid, port), lid in seen.lids.items() if not port}
    levels, paths = tables.levels, tables.paths

    def level_of(source: int, destination: int) -> int:
        return paths.get((source, destination), 0)

    def lane_of(switch: int, came: int, out: int, level: int) -> int:
        table = levels.get((lids.get(switch, 0), came, out))
        return level if table is None else table[level]

    return level_of, lane_of


def _managers_seen(managing: Managers | None) -> Iterator[Seen]:
    if managing is not None:
        yield Seen("managers", roles(managing))


def _managers_not_seen(managers: Sequence[Planned], managing: Managers | None) -> Iterator[Seen]:
    if managing is None:
        if managers:
            yield Seen("managers", "no answers of subnet managers (`saquery -s`, `sminfo`)")
        return
    if missing := managing.not_asked():
        yield Seen("managers", f"{', '.join(missing)}: no `sminfo LID` of its port")
    if managing.answers.listed is None:
        yield Seen("managers", "managers of strangers: no list of the ports that have one (`saquery -s`)")


def _seen(
    subnet: Subnet, evidence: Evidence, seen: Discovered | None, audit: RouteAudit | None
) -> Iterator[Seen]:
    if seen is not None:
        yield Seen("cabling", _cabling(subnet, seen))
    if evidence.tables.pkeys:
        have = _ports_with_keys(subnet, evidence, seen)
        yield Seen("partitions", f"P_Keys of {have:,} of {len(subnet.ends):,} HCA ports")
    if has_lanes(subnet) and (evidence.tables.levels or evidence.tables.weights):
        levels, weights = _ports_with_lanes(subnet, evidence, seen)
        ports, dark = len(subnet.ends), len(without_levels(subnet, evidence.tables, seen))
        yield Seen(
            "lanes",
            f"SL2VL tables of {levels:,} of {ports:,} HCA ports and of all but {dark:,} ports of switches, "
            f"weights of {weights:,} of {ports:,} HCA ports",
        )
    if audit is not None:
        yield Seen("routes", _routes(subnet, audit))


def _approved(subnet: Subnet, seen: Discovered | None, findings: list[Finding]) -> Iterator[Seen]:
    """The digest by which a cabling without findings may be enforced."""
    if seen is not None and not any(
        problem.section == "cabling" and problem.kind != "lid" for problem in findings
    ):
        yield Seen("cabling", f"as designed; `enforce_cabling: {cabling_digest(subnet)}` stands for it")


def _ports_with_lanes(subnet: Subnet, evidence: Evidence, seen: Discovered | None) -> tuple[int, int]:
    """HCA ports whose SL2VL table is known, and those whose weights are."""
    levels = {lid for lid, _, _ in evidence.tables.levels}
    weights = {lid for lid, _ in evidence.tables.weights}
    lids = list(ends_by_lid(subnet, seen))
    return sum(lid in levels for lid in lids), sum(lid in weights for lid in lids)


def _ports_with_keys(subnet: Subnet, evidence: Evidence, seen: Discovered | None) -> int:
    lids = {lid for lid, port in evidence.tables.pkeys if port}
    return sum(lid in lids for lid in ends_by_lid(subnet, seen))


def _cabling(subnet: Subnet, seen: Discovered) -> str:
    want = planned_cables(subnet)
    cables = sum(link.peer == want.get(end) for end, link in seen.links.items()) // 2
    switches = sum(switch.guid in seen.nodes for switch in subnet.switches)
    ports = sum((end.node_guid, end.port) in seen.links for end in subnet.ends)
    return (
        f"{switches:,} of {len(subnet.switches):,} switches, {ports:,} of {len(subnet.ends):,} HCA ports, "
        f"{cables:,} of {len(subnet.links):,} cables as planned"
    )


def _routes(subnet: Subnet, audit: RouteAudit) -> str:
    hops = list(audit.hops)
    far = f" over {hops[0]} to {hops[-1]} links" if hops else ""
    loops = "no credit loop"
    if audit.loops:
        own = subnet.engine in OWN_LANES and audit.loops[0].lane is None
        loops = (
            "credit loops unless lanes part them" if own else f"{counted(len(audit.loops), 'credit loop')}"
        )
    return (
        f"{audit.reachable:,} of {audit.pairs:,} pairs arrive{far}; uplinks carry {audit.uplink_min:,} to "
        f"{audit.uplink_max:,} LIDs; links at most {audit.load_max:,} pairs, {audit.load_mean:,.1f} in the mean; "
        f"{loops}"
    )


def _not_seen(
    subnet: Subnet, evidence: Evidence, seen: Discovered | None, audit: RouteAudit | None
) -> Iterator[Seen]:
    tables = evidence.tables
    if seen is None:
        yield Seen("cabling", PLANARIZED if subnet.planarized else "no output of ibnetdiscover")
    if not tables.pkeys:
        yield Seen("partitions", "no P_Key tables (`saquery PKTR`)")
    elif missing := len(ends_by_lid(subnet, seen)) - _ports_with_keys(subnet, evidence, seen):
        yield Seen("partitions", f"no P_Key table of {missing:,} HCA ports")
    if has_lanes(subnet):
        if not tables.levels:
            yield Seen("lanes", "no SL2VL tables (`saquery SL2VL`)")
        elif missing := len(without_levels(subnet, tables, seen)):
            yield Seen("lanes", f"no SL2VL table of {missing:,} ports of switches")
        if not tables.weights:
            yield Seen("lanes", "no arbitration tables (`saquery VLAR`)")
    yield from _routes_not_seen(subnet, evidence, audit)


def _routes_not_seen(subnet: Subnet, evidence: Evidence, audit: RouteAudit | None) -> Iterator[Seen]:
    if audit is None:
        need = "no forwarding tables (`dump_fts`, `dump_lfts`)"
        yield Seen("routes", PLANARIZED if subnet.planarized else need)
    elif lids := sorted(evidence.lfts.left_out if evidence.lfts else ()):
        what = f"routes to LID {', '.join(map(str, lids))}: `dump_lfts` leaves out a last one that is a multiple of 64"
        yield Seen("routes", f"{what}; `saquery LFTR` or the manager's `opensm-lfts.dump` has it")
    if audit is not None and audit.loops and audit.loops[0].lane is None and subnet.engine in OWN_LANES:
        need = "path records and SL2VL tables (`saquery -p`, `saquery SL2VL`)"
        yield Seen("routes", f"credit loops: {subnet.engine} parts routes by lanes; give {need}")

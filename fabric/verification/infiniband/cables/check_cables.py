"""The cables of the intent against those that were found: each physical fault once.

What is missing and what is too much are edges between ends. An end has at most one of each, so they form chains and
rings, and each chain or ring is one fault: alone a missing cable or one too many, a pair a moved cable, a ring of
four two swapped ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from fabric.devices.infiniband.model import Subnet, SubnetLink
from fabric.units import Speed
from fabric.verification.edge_chains import Chain, chains
from fabric.verification.finding import Finding, finding, ordered
from fabric.verification.infiniband.cables.check_nodes import Dead, dead_nodes, names, strangers
from fabric.verification.infiniband.device_labels import DeviceLabels, Labels
from fabric.verification.infiniband.reading.discovery import LANE_MBPS, Discovered, End, SeenLink, rate_mbps
from fabric.verification.misplaced_cables import misplaced_findings

SIMULATED_MBPS = 4 * LANE_MBPS["HDR"]
"""Every link under ibsim."""

AGGREGATION = "Aggregation Node"
"""How SHARP's aggregation nodes call themselves: HCAs inside switches, one port beyond those outside."""


def cabling_findings(
    subnet: Subnet, discovered: Discovered, known: DeviceLabels | None = None, *, simulated: bool = False
) -> tuple[Finding, ...]:
    """Everything that is connected otherwise than planned, in the order of a report.

    `simulated`: the subnet runs under ibsim, where every link is 4x HDR.
    """
    seen = without_aggregation(subnet, discovered)
    labels = Labels(subnet, seen, known)
    want = planned_cables(subnet)
    got = discovered_cables(seen)
    findings = [*names(subnet, seen, labels)]
    unknown, replaced, strange = strangers(want, got, seen, labels)
    dead = dead_nodes(want, got, seen, labels, replaced)
    findings += [*unknown, *dead.findings]
    findings += misplaced_findings(_left(want, got, dead, replaced, strange), labels)
    findings += rates(subnet, seen, labels, simulated=simulated)
    return ordered(findings)


def planned_cables(subnet: Subnet) -> dict[End, End]:
    """Every cable of the intent, from both its ends."""
    links: dict[End, End] = {}
    for link in subnet.links:
        lower, upper = (link.lower, link.lower_port), (link.upper, link.upper_port)
        links[lower], links[upper] = upper, lower
    return links


def discovered_cables(discovered: Discovered) -> dict[End, End]:
    """Every cable that was found, from both its ends; each end has one, even if the output is truncated.

    First what both ends report, then what one reports and no other contradicts.
    """
    peers = {end: link.peer for end, link in discovered.links.items() if end != link.peer}
    confirmed = {end: peer for end, peer in peers.items() if peers.get(peer) == end}
    for end, peer in sorted(peers.items()):
        if end not in confirmed and peer not in confirmed:
            confirmed[end], confirmed[peer] = peer, end
    return confirmed


def without_aggregation(subnet: Subnet, discovered: Discovered) -> Discovered:
    """The subnet without SHARP's aggregation nodes. They belong to their switches and are not faults."""
    ports = {switch.guid: switch.ports for switch in subnet.switches}
    inside = {
        end[0]
        for end, link in discovered.links.items()
        if discovered.nodes[end[0]].kind == "Ca" and link.peer[1] > ports.get(link.peer[0], link.peer[1])
    }
    known = {end.node_guid for end in subnet.ends}
    inside |= {guid for guid, node in discovered.nodes.items() if AGGREGATION in node.name}
    inside -= known
    if not inside:
        return discovered
    return Discovered(
        {guid: node for guid, node in discovered.nodes.items() if guid not in inside},
        {
            end: link
            for end, link in discovered.links.items()
            if end[0] not in inside and link.peer[0] not in inside
        },
        {end: lid for end, lid in discovered.lids.items() if end[0] not in inside},
    )


def _left(
    want: Mapping[End, End],
    got: Mapping[End, End],
    dead: Dead,
    replaced: frozenset[int],
    strange: frozenset[int],
) -> Iterator[Chain[End]]:
    """The chains that dead, replaced and unknown nodes do not explain."""
    for chain in chains(want, got):
        missing = tuple(edge for edge in chain.missing if not any(end[0] in replaced for end in edge))
        extra = tuple(edge for edge in chain.extra if not any(end[0] in strange for end in edge))
        if not extra:
            missing = tuple(edge for edge in missing if not any(end[0] in dead.explained for end in edge))
        if missing or extra:
            yield Chain(missing, extra)


def rates(subnet: Subnet, seen: Discovered, labels: Labels, *, simulated: bool) -> Iterator[Finding]:
    """Links that run otherwise than planned: each once; if all do in the same way, one finding."""
    wrong: list[tuple[SubnetLink, SeenLink, int]] = []
    running = 0
    for link in subnet.links:
        actual = seen.links.get((link.lower, link.lower_port))
        if actual is None or actual.peer != (link.upper, link.upper_port):
            continue
        running += 1
        planned = SIMULATED_MBPS if simulated else link.speed_mbps
        if rate_mbps(actual) not in (0, planned):
            wrong.append((link, actual, planned))
    kinds = Counter((actual.width, actual.speed, planned) for _, actual, planned in wrong)
    if len(wrong) > 1 and len(wrong) == running and len(kinds) == 1:
        _, actual, planned = wrong[0]
        yield finding(
            _kind(actual, planned),
            ["all"],
            f"all {running:,} links run at {_rate(actual)}, planned are {Speed(planned)}",
        )
        return
    for link, actual, planned in wrong:
        lower, upper = (link.lower, link.lower_port), (link.upper, link.upper_port)
        text = (
            f"{labels.end(lower)} to {labels.end(upper)} runs at {_rate(actual)}, planned is {Speed(planned)}"
        )
        owners = [labels.owner_of(link.lower), labels.owner_of(link.upper)]
        yield finding(_kind(actual, planned), [labels.place(lower)], text, owners)


def _kind(link: SeenLink, planned: int) -> str:
    """Whether lanes are missing, or each is slower."""
    return "width" if LANE_MBPS[link.speed] * 4 == planned and link.width < 4 else "speed"  # 4x


def _rate(link: SeenLink) -> str:
    return f"{link.width}x {link.speed} ({Speed(rate_mbps(link))})"

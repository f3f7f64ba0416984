"""The cables of the intent against those that were found: each physical fault once.

What is missing and what is too much are edges between ends. An end has at most one of each, so they form chains and
rings, and each chain or ring is one fault: alone a missing cable or one too many, a pair a moved cable, a ring of
four two swapped ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.devices.infiniband.model import Subnet
from fabric.verification.infiniband.chains import Chain, chains
from fabric.verification.infiniband.discovered import Discovered, End
from fabric.verification.infiniband.finding import Finding, ordered
from fabric.verification.infiniband.labels import Labels, Panel
from fabric.verification.infiniband.misplaced import told
from fabric.verification.infiniband.nodes import Dead, dead_nodes, names, strangers
from fabric.verification.infiniband.rates import rates

AGGREGATION = "Aggregation Node"
"""How SHARP's aggregation nodes call themselves: HCAs inside switches, one port beyond those outside."""


def cabling_findings(
    subnet: Subnet, discovered: Discovered, known: Panel | None = None, *, simulated: bool = False
) -> tuple[Finding, ...]:
    """Everything that is connected otherwise than meant, in the order of a report.

    `simulated`: the subnet runs under ibsim, where every link is 4x HDR.
    """
    seen = without_aggregation(subnet, discovered)
    labels = Labels(subnet, seen, known)
    want = wanted(subnet)
    got = agreed(seen)
    found = [*names(subnet, seen, labels)]
    unknown, replaced, strange = strangers(want, got, seen, labels)
    dead = dead_nodes(want, got, seen, labels, replaced)
    found += [*unknown, *dead.findings]
    found += told(_left(want, got, dead, replaced, strange), labels)
    found += rates(subnet, seen, labels, simulated=simulated)
    return ordered(found)


def wanted(subnet: Subnet) -> dict[End, End]:
    """Every cable of the intent, from both its ends."""
    found: dict[End, End] = {}
    for link in subnet.links:
        lower, upper = (link.lower, link.lower_port), (link.upper, link.upper_port)
        found[lower], found[upper] = upper, lower
    return found


def agreed(discovered: Discovered) -> dict[End, End]:
    """Every cable that was found, from both its ends; each end has one, whatever a torn output says.

    First what both ends tell, then what one tells and nobody contradicts.
    """
    told = {end: link.peer for end, link in discovered.links.items() if end != link.peer}
    found = {end: peer for end, peer in told.items() if told.get(peer) == end}
    for end, peer in sorted(told.items()):
        if end not in found and peer not in found:
            found[end], found[peer] = peer, end
    return found


def without_aggregation(subnet: Subnet, discovered: Discovered) -> Discovered:
    """The subnet without SHARP's aggregation nodes. They belong to their switches and are no faults."""
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
) -> Iterator[Chain]:
    """The chains that dead, replaced and unknown nodes do not explain."""
    for chain in chains(want, got):
        missing = tuple(edge for edge in chain.missing if not any(end[0] in replaced for end in edge))
        extra = tuple(edge for edge in chain.extra if not any(end[0] in strange for end in edge))
        if not extra:
            missing = tuple(edge for edge in missing if not any(end[0] in dead.explained for end in edge))
        if missing or extra:
            yield Chain(missing, extra)

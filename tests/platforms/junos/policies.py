"""What the reader notes of policies and groups, from the neutral policy of the switch: Junos's terms, worded anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.model import PrefixRange, Relation, Routing, Switch
from fabric.devices.routing_model import PLAIN, Clause, PeerGroup, RoutePolicy
from fabric.devices.routing_policy import routing_policy, uncovered_hosts
from fabric.platforms.junos.lower_bgp import STYLE

WORDS = {4: "inet", 6: "inet6"}
SUFFIXES = {4: "", 6: "-v6"}


def policies(switch: Switch) -> dict[str, str]:
    """By name; groups as `group NAME`."""
    policy, routing = routing_policy(switch, STYLE), switch.routing
    found = {"PER-FLOW": "term all then load-balance per-packet"}
    if policy.is_marking:
        found["FROM-ABOVE"] = f"members {policy.from_above.value}"
    for group in policy.groups:
        inward, outward = _names(group)
        found[inward] = _text(group.import_policy, routing)
        found[outward] = _text(group.export_policy, routing, below=group.is_external)
        if group.is_external:
            found["OUT-TO-BELOW"] = _text(RoutePolicy("TO-BELOW", (PLAIN,)), routing)
        found[f"group {group.name}"] = "; ".join(sorted(_group(group, routing)))
    return found


def _names(group: PeerGroup) -> tuple[str, str]:
    """Neighbours outside have policies of their own."""
    names = (group.import_policy.name, group.export_policy.name)
    inward, outward = (group.name, group.name) if group.is_external else names
    return f"IN-{inward}", f"OUT-{outward}"


def _text(policy: RoutePolicy, routing: Routing, *, below: bool = False) -> str:
    """`below`: only routes that a tier below would get."""
    lines = [line for clause in policy.clauses for line in _clause(clause, routing, below=below)]
    return "; ".join([*lines, "term rest then reject"])


def _clause(clause: Clause, routing: Routing, *, below: bool) -> Iterator[str]:
    """Every prefix: what is our own, and what came over BGP. A community: whatever came over BGP with it."""
    then = _then(clause)
    if clause.prefixes:
        name, conditions = ("told", ["policy OUT-TO-BELOW"]) if below else ("accepted", [])
        yield from _by_family(name, clause.prefixes.ranges, conditions, then)
    elif clause.permit:
        yield from _own(routing)
        yield from _term("fabric", ["protocol bgp"], then)
    elif clause.community:
        yield from _term("no-valley", ["protocol bgp", f"community {clause.community.name}"], then)


def _own(routing: Routing) -> Iterator[str]:
    blocks = [PrefixRange(block, block.prefixlen, block.prefixlen) for block in routing.aggregates]
    yield from _by_family("loopbacks", routing.loopbacks, ["protocol direct"], ["accept"])
    yield from _by_family("aggregates", blocks, ["protocol aggregate"], ["accept"])
    yield from _by_family("hosts", uncovered_hosts(routing), ["protocol direct"], ["accept"])


def _by_family(
    name: str, ranges: Iterable[PrefixRange], conditions: list[str], then: list[str]
) -> Iterator[str]:
    of_family: dict[int, list[str]] = {4: [], 6: []}
    for entry in ranges:
        lengths = f"prefix-length-range /{entry.shortest}-/{entry.longest}"
        how = "exact" if entry.shortest == entry.longest == entry.prefix.prefixlen else lengths
        of_family[entry.prefix.version].append(f"route-filter {entry.prefix} {how}")
    for version, filters in of_family.items():
        if filters:
            yield from _term(name + SUFFIXES[version], [*conditions, *filters], then)


def _then(clause: Clause) -> list[str]:
    changes = {"add": clause.add, "delete": clause.delete}
    communities = [f"community {word} {change.name}" for word, change in changes.items() if change]
    return [*communities, "accept" if clause.permit else "reject"]


def _term(name: str, conditions: list[str], then: list[str]) -> list[str]:
    """The lines of a term, whose order says nothing."""
    lines = [f"from {text}" for text in conditions] + [f"then {text}" for text in then]
    return [f"term {name} {line}" for line in sorted(lines)]


def _group(group: PeerGroup, routing: Routing) -> Iterator[str]:
    inward, outward = _names(group)
    yield from ("type external", "multipath multiple-as", f"hold-time {routing.hold_ms // 1000}")
    yield from (f"import {inward}", f"export {outward}")
    if group.shut:
        yield "shutdown"
    if not group.is_external and _reuses_asn(routing):
        yield "advertise-peer-as"
    limit = " prefix-limit teardown" if group.max_prefixes else ""
    for version in (4, 6) if group.unnumbered else group.families:
        extended = version == 4 and group.unnumbered
        if extended:
            yield "family inet unicast extended-nexthop"
        if limit or not extended:
            yield f"family {WORDS[version]} unicast{limit}"
    if group.bfd:
        yield f"bfd-liveness-detection minimum-interval {routing.bfd_interval_ms}"
        yield f"bfd-liveness-detection multiplier {routing.bfd_multiplier}"


def _reuses_asn(routing: Routing) -> bool:
    """Whether an AS number stands for several switches: Junos would not tell one of them of another."""
    below = {peer.peer: peer.remote_asn for peer in routing.neighbors if peer.relation is Relation.DOWN}
    shared = len(set(below.values())) < len(below)
    return shared or routing.peers_reuse_asn or routing.allow_own_asn > 0

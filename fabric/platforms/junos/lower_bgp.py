"""Routing in Junos's words: `protocols bgp`, `policy-options`, aggregates.

Sources: github Juniper/jvd @005ab344, data_center/aidc; Juniper, BGP auto-discovered neighbors; 24.4R1-EVO YANG.

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Routers outside get what a tier below would get, within their prefixes: Junos would else advertise every route it has
to them, links and static ones among them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fabric.devices.model import Neighbor, PrefixRange, Relation, Routing, Switch
from fabric.devices.routing_model import (
    PLAIN,
    Clause,
    PeerGroup,
    PolicyStyle,
    PrefixSet,
    RoutePolicy,
    RoutingPolicy,
)
from fabric.devices.routing_policy import uncovered_hosts
from fabric.platforms.junos.model import Group, Term
from fabric.platforms.junos.names import FAMILIES
from fabric.platforms.object_names import natural, object_name
from fabric.platforms.routing.route_maps import GROUP_NAMES, by_name

TO_BELOW = "OUT-TO-BELOW"
REST = Term("rest", (), ("reject",))
MOST_PATHS = 512
"""Largest `chassis maximum-ecmp` of the 24.4R1-EVO YANG."""


def max_paths(routing: Routing) -> int:
    """`maximum-ecmp` is 16 or a multiple of 32: the next one up."""
    return 16 if routing.max_paths <= 16 else min(-(-routing.max_paths // 32) * 32, MOST_PATHS)


def group_name(first: Neighbor, taken: Collection[str]) -> str:
    """`UP`, `DOWN-UNNUMBERED-65001`, `EXTERNAL-CORE-V6`, with a number behind it where another group has it."""
    name = first.relation.upper()
    if first.relation is Relation.EXTERNAL:
        name = object_name(f"{name}-{first.peer.upper()}", GROUP_NAMES)
    if first.address is None:
        name = f"{name}-UNNUMBERED-{first.remote_asn}"
    elif first.address.version == 6:
        name = f"{name}-V6"
    several = (name, *(f"{name}-{i}" for i in range(2, len(taken) + 3)))
    return next(candidate for candidate in several if candidate not in taken)


STYLE = PolicyStyle(group_name, drains_by_itself=True, one_asn_unnumbered=True)


def lower_groups(routing_policy: RoutingPolicy) -> tuple[Group, ...]:
    """The sessions, in groups that are treated alike."""
    return tuple(
        Group(
            peers,
            tuple(FAMILIES.values() if peers.unnumbered else map(FAMILIES.__getitem__, peers.families)),
            *_names(peers),
            tuple(sorted(peers.members, key=lambda peer: (peer.place, natural(peer.port)))),
        )
        for peers in by_name(routing_policy.groups)
    )


def lower_policies(switch: Switch, routing_policy: RoutingPolicy) -> tuple[tuple[str, tuple[Term, ...]], ...]:
    """What is taken from whom, and what is told to whom."""
    own = tuple(_own(switch.routing))
    terms: dict[str, tuple[Term, ...]] = {"PER-FLOW": (Term("all", (), ("load-balance per-packet",)),)}
    for group in routing_policy.groups:
        for policy, name in zip((group.import_policy, group.export_policy), _names(group), strict=True):
            terms[name] = (*_terms(policy, own), REST)
        if group.is_external:
            terms[TO_BELOW] = (*_terms(RoutePolicy(TO_BELOW, (PLAIN,)), own), REST)
    return tuple(sorted(terms.items(), key=lambda policy: natural(policy[0])))


def as_lists(routing_policy: RoutingPolicy) -> tuple[int, ...]:
    """An `as-list` of one number for each group of unnumbered sessions."""
    return tuple(sorted({group.members[0].remote_asn for group in routing_policy.groups if group.unnumbered}))


def _names(group: PeerGroup) -> tuple[str, str]:
    """Of its import and export policy."""
    inward, outward = group.import_policy.name, group.export_policy.name
    return (
        (f"IN-{group.name}", f"OUT-{group.name}") if group.is_external else (f"IN-{inward}", f"OUT-{outward}")
    )


def tells_peer_as(routing: Routing) -> bool:
    """Whether neighbours of one AS number must hear of each other, which Junos keeps quiet about by default."""
    below = {
        (neighbor.peer, neighbor.remote_asn)
        for neighbor in routing.neighbors
        if neighbor.relation is Relation.DOWN
    }
    reused = routing.allow_own_asn > 0 or routing.peers_reuse_asn
    return reused or len({asn for _, asn in below}) < len(below)


def _own(routing: Routing) -> Iterator[Term]:
    """Loopbacks, and the hosts: as one if there is an aggregate, else one by one."""
    blocks = tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in routing.aggregates)
    for name, ranges, protocol in (
        ("loopbacks", routing.loopbacks, "direct"),
        ("aggregates", blocks, "aggregate"),
        ("hosts", uncovered_hosts(routing), "direct"),
    ):
        yield from _prefixes(name, Clause(prefixes=PrefixSet(name, ranges)), (f"protocol {protocol}",))


def _terms(policy: RoutePolicy, own: tuple[Term, ...]) -> Iterator[Term]:
    """An export policy chooses among all routes: what passes a clause for every prefix is ours, or came over BGP."""
    for clause in policy.clauses:
        if clause.prefixes and policy.name.endswith("-OUT"):
            yield from _prefixes("told", clause, (f"policy {TO_BELOW}",))
        elif clause.prefixes:
            yield from _prefixes("accepted", clause)
        elif clause.permit:
            yield from (*own, Term("fabric", ("protocol bgp",), _actions(clause)))
        elif clause.community:
            conditions = ("protocol bgp", f"community {clause.community.name}")
            yield Term("no-valley", conditions, _actions(clause))


def _prefixes(name: str, clause: Clause, conditions: tuple[str, ...] = ()) -> Iterator[Term]:
    """One term for each address family."""
    for version, suffix in ((4, ""), (6, "-v6")):
        ranges = clause.prefixes.of(version) if clause.prefixes else ()
        if ranges:
            yield Term(name + suffix, (*conditions, *map(_filter, ranges)), _actions(clause))


def _actions(clause: Clause) -> tuple[str, ...]:
    """Source of `community delete`: Juniper/yang 24.4R1: policy-statement then community."""
    changed = (("add", clause.add), ("delete", clause.delete))
    communities = tuple(f"community {word} {community.name}" for word, community in changed if community)
    return (*communities, "accept" if clause.permit else "reject")


def _filter(prefix_range: PrefixRange) -> str:
    if prefix_range.is_exact:
        return f"route-filter {prefix_range.prefix} exact"
    return f"route-filter {prefix_range.prefix} prefix-length-range /{prefix_range.shortest}-/{prefix_range.longest}"

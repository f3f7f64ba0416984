"""Routing in NVUE's words: `router bgp`, `router policy`, `vrf default router bgp`.

Source: https://docs.nvidia.com/networking-ethernet-software/nvue-reference, Set-and-Unset-Commands, BGP and
Router-Policy (`match community-list`, `set community`, `set community-delete-list`, `set local-preference`, all since
5.0); the dialects by New and Changed NVUE Commands of Cumulus Linux 5.15.

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
`set community` replaces what a route carries, and FRR looks for GRACEFUL_SHUTDOWN (RFC 8326) after the route-map: a
rule before each one that marks keeps both communities of what carries it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network

import msgspec

from fabric.devices.model import Neighbor as Session
from fabric.devices.model import PrefixRange, Relation, Routing, Switch
from fabric.diagnostics import Report
from fabric.platforms.cumulus import codes
from fabric.platforms.cumulus.model import (
    Bgp,
    Clause,
    Family,
    GroupFamily,
    Neighbor,
    PeerGroup,
    Policies,
    PrefixList,
    PrefixRule,
)
from fabric.platforms.cumulus.names import natural, quoted, secret
from fabric.platforms.peer_groups import by_bfd, group_name, protection
from fabric.platforms.routing_ranges import RoutingRanges, out_of_range

TAKES = RoutingRanges("Cumulus Linux", max_paths=128)
"""Of `multipaths ebgp` (nvue-reference BGP.md)."""
FROM_ABOVE, GRACEFUL_SHUTDOWN, CONNECTED = "FROM-ABOVE", "GRACEFUL-SHUTDOWN", "RM-CONNECTED"
IN_ABOVE, IN_BELOW, OUT_ABOVE = "RM-FROM-ABOVE", "RM-FROM-BELOW", "RM-TO-ABOVE"
MAPS = {
    Relation.UP: (IN_ABOVE, OUT_ABOVE),
    Relation.ACROSS: (IN_ABOVE, OUT_ABOVE),
    Relation.DOWN: (IN_BELOW, ""),
}
"""Import and export route-map of each relation within the fabric."""
KINDS: tuple[tuple[str, str, type[IPv4Network | IPv6Network]], ...] = (
    ("ipv4", "", IPv4Network),
    ("ipv6", "-V6", IPv6Network),
)


class _Group(msgspec.Struct, gc=False):
    """Sessions that are treated alike."""

    name: str
    sample: Session
    families: set[int]
    inbound: str
    outbound: str


def lower_bgp(switch: Switch, report: Report) -> tuple[Bgp, Policies]:
    """EBGP and the policies that it uses."""
    routing = switch.routing
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    groups: dict[object, _Group] = {}
    neighbors: dict[str, Neighbor] = {}
    for one in routing.neighbors:
        group = _group(one, routing, groups)
        key = one.key
        kind = "unnumbered" if one.address is None else "numbered"
        neighbors[key] = Neighbor(
            key, group.name, one.remote_asn, kind, quoted(f"{one.peer} over {one.port}")
        )
    ordered = sorted(groups.values(), key=lambda group: natural(group.name))
    made = Bgp(
        asn=routing.asn,
        router_id=str(routing.router_id),
        keepalive=routing.keepalive_ms // 1000,
        hold=routing.hold_ms // 1000,
        bfd=routing.bfd_interval_ms or 0,
        multiplier=routing.bfd_multiplier,
        families=tuple(_families(routing, ordered)),
        groups=tuple(_peer_group(group, switch) for group in ordered),
        neighbors=tuple(neighbors[key] for key in sorted(neighbors, key=natural)),
        connected=CONNECTED,
        drained=switch.drained,
    )
    return made, _policies(routing, ordered)


def _group(one: Session, routing: Routing, groups: dict[object, _Group]) -> _Group:
    """The peer group: one for each relation and kind of session, and for each neighbour outside the fabric."""
    word = "-UNNUMBERED" if one.address is None else "-V6" if one.address.version == 6 else ""
    outside = one.relation is Relation.EXTERNAL
    key = (one.relation, word, protection(one), one.peer if outside else "", one.accept, one.advertise)
    group = groups.get(key)
    if group is None:
        name = group_name(one, word, routing, {known.name for known in groups.values()})
        group = groups[key] = _Group(
            name, one, set(), *MAPS.get(one.relation, (f"RM-{name}-IN", f"RM-{name}-OUT"))
        )
    group.families |= {one.family} if one.address is not None else {4, one.family}
    return group


def _peer_group(group: _Group, switch: Switch) -> PeerGroup:
    inside = group.sample.relation is not Relation.EXTERNAL
    routing = switch.routing
    return PeerGroup(
        group.name,
        switch.shuts_sessions,
        by_bfd(group.sample, routing),
        routing.allow_own_asn if inside else 0,
        group.sample.ttl_security,
        group.sample.max_prefixes or 0,
        secret(group.sample.password or (routing.password if inside else None)),
        tuple(
            GroupFamily(f"ipv{version}-unicast", version in group.families, group.inbound, group.outbound)
            for version in (4, 6)
            if version in group.families or version == 4  # IPv4 is on by default
        ),
    )


def _families(routing: Routing, groups: Sequence[_Group]) -> Iterable[Family]:
    wanted = set(routing.families).union(*(group.families for group in groups))
    for version in (4, 6):
        if version in wanted:
            aggregates = sorted((str(p) for p in routing.aggregates if p.version == version), key=natural)
            yield Family(f"ipv{version}-unicast", routing.max_paths, tuple(aggregates))


def _policies(routing: Routing, groups: Sequence[_Group]) -> Policies:
    lists = {
        "PL-LOOPBACKS": routing.loopbacks,
        "PL-HOSTS": routing.host_prefixes,
        "PL-ACCEPTED": routing.accepted,
    }
    from_above, shutting = (
        ":".join(map(str, one)) for one in (routing.from_above, routing.graceful_shutdown)
    )
    accepted = {"PL-ACCEPTED": routing.accepted}
    maps = {
        CONNECTED: _permits({name: lists[name] for name in ("PL-LOOPBACKS", "PL-HOSTS")}),
        IN_BELOW: _permits(accepted),
        IN_ABOVE: _marks(_permits(accepted), from_above, shutting),
        OUT_ABOVE: (Clause(10, "deny", community_list=FROM_ABOVE), Clause(20, "permit")),
    }
    for group in groups:
        if group.sample.relation is Relation.EXTERNAL:
            for name, prefixes in (
                (group.inbound, group.sample.accept),
                (group.outbound, group.sample.advertise),
            ):
                whole = name == group.outbound
                ranges = tuple(
                    PrefixRange(p, p.prefixlen, p.max_prefixlen if whole else p.prefixlen) for p in prefixes
                )
                list_name = f"PL-{name.removeprefix('RM-')}"
                lists[list_name] = ranges
                maps[name] = tuple(
                    msgspec.structs.replace(clause, deleted=FROM_ABOVE)
                    if clause.action == "permit"
                    else clause
                    for clause in _permits({list_name: ranges})
                )
    used = {CONNECTED, *(name for group in groups for name in (group.inbound, group.outbound))}
    kept = {name: maps[name] for name in sorted(used & set(maps), key=natural)}
    named = {clause.prefix_list for clauses in kept.values() for clause in clauses}
    listed = {name for clauses in kept.values() for c in clauses for name in (c.community_list, c.deleted)}
    return Policies(
        tuple(one for one in _prefix_lists(lists) if one.name in named),
        tuple(kept.items()),
        tuple(one for one in ((FROM_ABOVE, from_above), (GRACEFUL_SHUTDOWN, shutting)) if one[0] in listed),
    )


def _marks(clauses: tuple[Clause, ...], mark: str, shutting: str) -> tuple[Clause, ...]:
    """Each rule with the mark, and before it one that also keeps GRACEFUL_SHUTDOWN where it stands."""
    found: list[Clause] = []
    for clause in clauses:
        if clause.action == "permit":
            found += [
                msgspec.structs.replace(
                    clause,
                    rule=clause.rule - 5,
                    community_list=GRACEFUL_SHUTDOWN,
                    communities=(mark, shutting),
                    local_preference=0,
                ),
                msgspec.structs.replace(clause, communities=(mark,)),
            ]
        else:
            found.append(clause)
    return tuple(found)


def _permits(lists: dict[str, tuple[PrefixRange, ...]]) -> tuple[Clause, ...]:
    """One rule for each list and family, and a denial where there is nothing to permit."""
    found: list[Clause] = []
    for family, suffix, kind in KINDS:
        for name, ranges in lists.items():
            if any(isinstance(one.prefix, kind) for one in ranges):
                found.append(Clause(10 * len(found) + 10, "permit", name + suffix, family))
    return tuple(found) or (Clause(10, "deny"),)


def _prefix_lists(lists: dict[str, tuple[PrefixRange, ...]]) -> Iterable[PrefixList]:
    for name in sorted(lists, key=natural):
        for family, suffix, kind in KINDS:
            ranges = [one for one in lists[name] if isinstance(one.prefix, kind)]
            if ranges:
                rules = tuple(_rule(10 * i, one) for i, one in enumerate(ranges, start=1))
                yield PrefixList(name + suffix, family, rules)


def _rule(number: int, one: PrefixRange) -> PrefixRule:
    if one.shortest == one.longest == one.prefix.prefixlen:
        return PrefixRule(number, str(one.prefix), 0, 0)
    return PrefixRule(number, str(one.prefix), one.shortest, one.longest)

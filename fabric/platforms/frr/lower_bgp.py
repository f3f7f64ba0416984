"""Routing in FRR's words, under `frr defaults datacenter`: no line that only says a default.

Source: FRR manual (bgp, routemap, filter, bfd); each line was loaded into FRR 8.4.4, which shows it back as written.

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network

from fabric.devices.model import Neighbor, PrefixRange, Relation, Routing, Switch
from fabric.platforms.frr.model import (
    ActiveGroup,
    Bfd,
    Bgp,
    Clause,
    Family,
    Group,
    Peer,
    Policies,
    PrefixList,
)
from fabric.platforms.frr.names import natural, secret
from fabric.platforms.peer_groups import (
    CONNECTED,
    FROM_ABOVE_MAP,
    FROM_BELOW_MAP,
    TO_ABOVE_MAP,
    Sessions,
    by_bfd,
    joined,
    used_maps,
)

FROM_ABOVE = "FROM-ABOVE"
UNMARK = (f"comm-list {FROM_ABOVE} delete",)
"""On sessions to the outside, both ways: nobody there sets our mark, and nobody there hears of it.

Source: FRR manual, routemap: `set comm-list WORD delete`."""
PROFILE_TIMERS_S = (3, 9)
"""Keepalive and hold time of `frr defaults datacenter`; FRR does not show them."""
BFD_INTERVAL_MS, BFD_MULTIPLIER = 300, 3
"""FRR's own (manual, bfd); it does not show them."""
MOST_PATHS = 256
"""What FRR's packages are built for, and take without a line. Source: `bgpd --version` of Debian's and FRR's own."""
BARE_ALLOW_OWN = 3
"""`allowas-in` without a number; FRR shows it so."""
NAMES = {4: "ipv4", 6: "ipv6"}


def lower_bgp(switch: Switch) -> tuple[Bgp, Policies]:
    """EBGP and the policies that it uses."""
    routing = switch.routing
    groups: dict[object, Sessions] = {}
    peers: dict[str, Peer] = {}
    for one in sorted(routing.neighbors, key=_by_name):
        group = joined(one, routing, groups)
        name = one.key
        peers[name] = Peer(
            name, one.address is None, group.name, one.remote_asn, f"{one.peer} over {one.port}"
        )
    ordered = sorted(groups.values(), key=lambda group: natural(group.name))
    timers = (routing.keepalive_ms // 1000, routing.hold_ms // 1000)
    bgp = Bgp(
        routing.asn,
        str(routing.router_id),
        "" if timers == PROFILE_TIMERS_S else f"{timers[0]} {timers[1]}",
        None if routing.max_paths == MOST_PATHS else routing.max_paths,
        tuple(_lowered(group, switch) for group in ordered),
        tuple(sorted(peers.values(), key=lambda peer: natural(peer.group))),
        tuple(_families(routing, ordered)),
        CONNECTED,
        switch.drained,
    )
    return bgp, _policies(routing, ordered)


def _by_name(one: Neighbor) -> tuple[int, int, list[str | int]]:
    """Interfaces by name, then addresses by number, IPv4 first: as FRR shows the peers of a group."""
    if one.address is None:
        return 0, 0, natural(one.port)
    return one.address.version, one.address.value, []


def lower_bfd(switch: Switch) -> Bfd | None:
    """`bfd` profile of all sessions."""
    routing = switch.routing
    if routing.bfd_interval_ms is None:
        return None
    multiplier, interval_ms = routing.bfd_multiplier, routing.bfd_interval_ms
    return Bfd(
        None if multiplier == BFD_MULTIPLIER else multiplier,
        None if interval_ms == BFD_INTERVAL_MS else interval_ms,
    )


def _lowered(group: Sessions, switch: Switch) -> Group:
    inside = group.sample.relation is not Relation.EXTERNAL
    routing = switch.routing
    password = group.sample.password or (routing.password if inside else None)
    return Group(
        group.name,
        switch.shuts_sessions,
        by_bfd(group.sample, routing),
        group.sample.address is None,
        secret(password),
        group.sample.ttl_security,
    )


def _families(routing: Routing, groups: Sequence[Sessions]) -> Iterable[Family]:
    for version, name in NAMES.items():
        active = tuple(
            ActiveGroup(
                group.name,
                _allow_own(group, routing),
                group.import_map,
                group.export_map,
                group.sample.max_prefixes or 0,
            )
            for group in groups
            if version in group.families
        )
        if active:
            aggregates = sorted((str(p) for p in routing.aggregates if p.version == version), key=natural)
            yield Family(name, tuple(aggregates), active)


def _allow_own(group: Sessions, routing: Routing) -> str:
    times = routing.allow_own_asn if group.sample.relation is not Relation.EXTERNAL else 0
    if not times:
        return ""
    return "allowas-in" if times == BARE_ALLOW_OWN else f"allowas-in {times}"


def _policies(routing: Routing, groups: Sequence[Sessions]) -> Policies:
    lists: dict[str, tuple[PrefixRange, ...]] = {
        "PL-LOOPBACKS": routing.loopbacks,
        "PL-HOSTS": routing.host_prefixes,
        "PL-ACCEPTED": routing.accepted,
    }
    community = f"{routing.from_above[0]}:{routing.from_above[1]}"
    clauses = [
        *_permits(CONNECTED, {name: lists[name] for name in ("PL-LOOPBACKS", "PL-HOSTS")}),
        *_permits(FROM_BELOW_MAP, {"PL-ACCEPTED": routing.accepted}),
        *_permits(FROM_ABOVE_MAP, {"PL-ACCEPTED": routing.accepted}, (f"community {community} additive",)),
        Clause(TO_ABOVE_MAP, "deny", 10, (f"community {FROM_ABOVE}",)),
        Clause(TO_ABOVE_MAP, "permit", 20),
    ]
    for group in groups:
        if group.sample.relation is Relation.EXTERNAL:
            taken, told = _outside(group)
            lists |= taken | told
            clauses += _permits(group.import_map, taken, UNMARK)
            clauses += _permits(group.export_map, told, UNMARK)
    used = used_maps(groups)
    clauses = [clause for clause in clauses if clause.name in used]
    clauses.sort(key=lambda clause: (natural(clause.name), clause.sequence))
    named = {match.rpartition(" ")[2] for clause in clauses for match in clause.matches}
    named |= {FROM_ABOVE} if any(clause.sets == UNMARK for clause in clauses) else set()
    return Policies(
        tuple(one for one in _prefix_lists(lists) if one.name in named),
        ((FROM_ABOVE, community),) if FROM_ABOVE in named else (),
        tuple(clauses),
    )


def _outside(
    group: Sessions,
) -> tuple[dict[str, tuple[PrefixRange, ...]], dict[str, tuple[PrefixRange, ...]]]:
    """What is taken from a neighbour outside the fabric, and what it is told, as prefix lists."""
    taken = tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in group.sample.accept)
    told = tuple(PrefixRange(p, p.prefixlen, p.max_prefixlen) for p in group.sample.advertise)
    return {f"PL-{group.name}-IN": taken}, {f"PL-{group.name}-OUT": told}


def _permits(
    name: str, lists: dict[str, tuple[PrefixRange, ...]], sets: tuple[str, ...] = ()
) -> list[Clause]:
    """One clause for each list and family. Nothing to permit: deny, since a missing route-map is not an empty one."""
    found: list[Clause] = []
    for word, kind, suffix in (("ip", IPv4Network, ""), ("ipv6", IPv6Network, "-V6")):
        for prefix_list, ranges in lists.items():
            if any(isinstance(one.prefix, kind) for one in ranges):
                match = f"{word} address prefix-list {prefix_list}{suffix}"
                found.append(Clause(name, "permit", 10 * len(found) + 10, (match,), sets))
    return found or [Clause(name, "deny", 10)]


def _prefix_lists(lists: dict[str, tuple[PrefixRange, ...]]) -> Iterable[PrefixList]:
    for word, kind, suffix in (("ip", IPv4Network, ""), ("ipv6", IPv6Network, "-V6")):
        for name in sorted(lists, key=natural):
            ranges = [one for one in lists[name] if isinstance(one.prefix, kind)]
            if ranges:
                entries = tuple((10 * i, f"permit {_range(one)}") for i, one in enumerate(ranges, start=1))
                yield PrefixList(word, name + suffix, entries)


def _range(one: PrefixRange) -> str:
    """`10.0.0.0/8 ge 31 le 32`, as FRR shows it."""
    length = one.prefix.prefixlen
    if one.shortest == one.longest == length:
        return f"{one.prefix}"
    ge = f" ge {one.shortest}" if one.shortest > length else ""
    return f"{one.prefix}{ge} le {one.longest}"

"""Routing in EOS's words: `router bgp`, `route-map`, `ip prefix-list`, `ip community-list`.

Sources: Arista AVD 6.4 (`router_bgp`, `route_maps`, `prefix_lists`, `ip_community_lists`); `neighbor G password 0 KEY`:
arista.eos `eos_bgp_global` (encryption types 0 and 7); EOS stores it as type 7. GTSM: `neighbor G ttl maximum-hops 1`
(AVD `ttl_maximum_hops`; manrs.org's guide for EOS). `maximum-routes 0` is no limit (AVD).

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Sessions to the outside neither take that mark in nor hand it out: `set community ... delete` (EOS manual, route maps;
annet, `rpl_generators/policy.py` @01883ba).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network

from fabric.devices.model import PrefixRange, Relation, Switch
from fabric.diagnostics import Report
from fabric.platforms.eos import codes
from fabric.platforms.eos.model import (
    ActiveGroup,
    Bfd,
    Bgp,
    BgpNeighbor,
    Clause,
    Family,
    PeerGroup,
    PeerInterface,
    Policies,
    PrefixList,
)
from fabric.platforms.eos.names import natural, secret
from fabric.platforms.peer_groups import (
    CONNECTED,
    FROM_ABOVE_MAP,
    FROM_BELOW_MAP,
    GRACEFUL_SHUTDOWN,
    TO_ABOVE_MAP,
    TO_BELOW_MAP,
    Sessions,
    by_bfd,
    joined,
    used_maps,
)
from fabric.platforms.routing_ranges import RoutingRanges, out_of_range

FROM_ABOVE = "FROM-ABOVE"
MARK_DRAINED = ("community GSHUT additive",)
MARK_DRAINED_OUTSIDE = ("community GSHUT",)
"""In place of whatever the route carries, our mark too: of two `set community` in one clause, no source says what
EOS makes."""
AVOID_DRAINED = ("local-preference 0",)
"""RFC 8326; `GSHUT` is EOS's word for 65535:0 (AVD, `ip_community_lists`)."""
TAKES = RoutingRanges("Arista EOS", max_paths=600)
"""Arista AVD, `router_bgp.maximum_paths`."""


def lower_bgp(switch: Switch, report: Report) -> tuple[Bgp, Policies]:
    """EBGP and the policies that it uses."""
    routing = switch.routing
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    groups: dict[object, Sessions] = {}
    neighbors: dict[tuple[int, int], BgpNeighbor] = {}
    interfaces: dict[str, PeerInterface] = {}
    for one in routing.neighbors:
        group = joined(one, routing, groups)
        if switch.drained and not group.export_map:
            group.export_map = TO_BELOW_MAP
        if one.address is None:
            interfaces[one.port] = PeerInterface(one.port, group.name, one.remote_asn)
        else:
            neighbors[one.address.version, one.address.value] = BgpNeighbor(
                str(one.address), group.name, one.remote_asn, f"{one.peer} over {one.port}"
            )
    ordered = sorted(groups.values(), key=lambda group: natural(group.name))
    return (
        Bgp(
            routing.asn,
            str(routing.router_id),
            routing.keepalive_ms // 1000,
            routing.hold_ms // 1000,
            routing.max_paths,
            tuple(_peer_group(group, switch) for group in ordered),
            tuple(neighbors[key] for key in sorted(neighbors)),
            tuple(interfaces[port] for port in sorted(interfaces, key=natural)),
            tuple(sorted((str(p) for p in routing.aggregates), key=natural)),
            CONNECTED,
            any(gateway.arp_hosts for gateway in switch.gateways),
            tuple(_families(ordered)),
        ),
        _policies(switch, ordered),
    )


def lower_bfd(switch: Switch) -> Bfd | None:
    """`router bfd`: the timers of all sessions."""
    interval = switch.routing.bfd_interval_ms
    return None if interval is None else Bfd(interval, switch.routing.bfd_multiplier)


def _peer_group(group: Sessions, switch: Switch) -> PeerGroup:
    inside = group.relation is not Relation.EXTERNAL
    routing = switch.routing
    password = group.sample.password or (routing.password if inside else None)
    return PeerGroup(
        group.name,
        switch.shuts_sessions,
        by_bfd(group.sample, routing),
        routing.allow_own_asn if inside else 0,
        group.sample.ttl_security,
        group.sample.max_prefixes or 0,
        secret(password),
    )


def _families(groups: Sequence[Sessions]) -> Iterable[Family]:
    for version in (4, 6):
        active = tuple(
            ActiveGroup(
                group.name,
                group.import_map,
                group.export_map,
                over_ipv6=version == 4 and group.sample.address is None,
            )
            for group in groups
            if version in group.families
        )
        if active:
            yield Family(f"ipv{version}", active)


def _policies(switch: Switch, groups: Sequence[Sessions]) -> Policies:
    routing = switch.routing
    mark = MARK_DRAINED if switch.drained else ()
    ours = f"{routing.from_above[0]}:{routing.from_above[1]}"
    unmark = (f"community {ours} delete",)
    lists = {
        "PL-LOOPBACKS": routing.loopbacks,
        "PL-HOSTS": routing.host_prefixes,
        "PL-ACCEPTED": routing.accepted,
    }
    clauses = [
        *_permits(CONNECTED, {name: lists[name] for name in ("PL-LOOPBACKS", "PL-HOSTS")}),
        *_imports(FROM_BELOW_MAP, {"PL-ACCEPTED": routing.accepted}),
        *_imports(FROM_ABOVE_MAP, {"PL-ACCEPTED": routing.accepted}, (f"community {ours} additive",)),
        Clause(TO_ABOVE_MAP, "deny", 10, (f"community {FROM_ABOVE}",)),
        Clause(TO_ABOVE_MAP, "permit", 20, sets=mark),
        *([Clause(TO_BELOW_MAP, "permit", 10, sets=mark)] if mark else []),
    ]
    for group in groups:
        if group.relation is Relation.EXTERNAL:
            taken, told = _outside(group)
            lists |= taken | told
            clauses += _imports(group.import_map, taken, unmark)
            clauses += _permits(group.export_map, told, MARK_DRAINED_OUTSIDE if switch.drained else unmark)
    used = used_maps(groups)
    clauses = [clause for clause in clauses if clause.name in used]
    clauses.sort(key=lambda clause: (natural(clause.name), clause.sequence))
    named = {match.rpartition(" ")[2] for clause in clauses for match in clause.matches}
    communities = ((FROM_ABOVE, ours), (GRACEFUL_SHUTDOWN, "GSHUT"))
    return Policies(
        tuple(one for one in _prefix_lists(lists, IPv4Network) if one.name in named),
        tuple(one for one in _prefix_lists(lists, IPv6Network) if one.name in named),
        tuple(one for one in communities if one[0] in named),
        tuple(clauses),
    )


def _outside(
    group: Sessions,
) -> tuple[dict[str, tuple[PrefixRange, ...]], dict[str, tuple[PrefixRange, ...]]]:
    """What a router outside may send, and what it is told, as prefix lists."""
    taken = tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in group.sample.accept)
    told = tuple(PrefixRange(p, p.prefixlen, p.max_prefixlen) for p in group.sample.advertise)
    return {f"PL-{group.name}-IN": taken}, {f"PL-{group.name}-OUT": told}


def _permits(
    name: str, lists: dict[str, tuple[PrefixRange, ...]], sets: tuple[str, ...] = ()
) -> list[Clause]:
    """One clause for each list and address family. Nothing to permit: deny, since EOS takes no empty route-map."""
    found: list[Clause] = []
    for word, kind, suffix in (("ip", IPv4Network, ""), ("ipv6", IPv6Network, "-V6")):
        for prefix_list, ranges in lists.items():
            if any(isinstance(one.prefix, kind) for one in ranges):
                match = f"{word} address prefix-list {prefix_list}{suffix}"
                found.append(Clause(name, "permit", 10 * len(found) + 10, (match,), sets))
    return found or [Clause(name, "deny", 10)]


def _imports(
    name: str, lists: dict[str, tuple[PrefixRange, ...]], sets: tuple[str, ...] = ()
) -> list[Clause]:
    """The same of what is imported: what a drained neighbour sends is used only if there is nothing else."""
    found: list[Clause] = []
    for clause in _permits(name, lists, sets):
        if clause.matches:
            matches = (f"community {GRACEFUL_SHUTDOWN}", *clause.matches)
            number = clause.sequence - 5
            found.append(Clause(name, clause.action, number, matches, (*sets, *AVOID_DRAINED)))
        found.append(clause)
    return found


def _prefix_lists(lists: dict[str, tuple[PrefixRange, ...]], kind: type) -> Iterable[PrefixList]:
    suffix = "-V6" if kind is IPv6Network else ""
    for name in sorted(lists, key=natural):
        ranges = [one for one in lists[name] if isinstance(one.prefix, kind)]
        if ranges:
            yield PrefixList(
                name + suffix,
                tuple((10 * i, f"permit {_range(one)}") for i, one in enumerate(ranges, start=1)),
            )


def _range(one: PrefixRange) -> str:
    """`10.0.0.0/8 ge 31 le 32`, in the shortest form that EOS knows."""
    length, longest = one.prefix.prefixlen, one.prefix.max_prefixlen
    if one.shortest == one.longest:
        return f"{one.prefix}" if one.shortest == length else f"{one.prefix} eq {one.shortest}"
    words = f"{one.prefix}"
    if one.shortest > length:
        words += f" ge {one.shortest}"
    if one.longest < longest or one.shortest == length:
        words += f" le {one.longest}"
    return words

"""Routing in FRR's words: frr.conf of the routing mode `split-unified`, and what frrcfgd's tables stand for.

Sources: FRR manual, chapters BGP, BFD and filtering; sonic-buildimage dockers/docker-fpm-frr/docker_init.sh @01d737d
(the lines about `fpm` are appended by SONiC itself where they are absent).

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Every group has a map each way: FRR tells and takes nothing over eBGP without (RFC 8212).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import IPv4Network, IPv6Network

import msgspec

from fabric.devices.model import Neighbor, PrefixRange, Relation, Routing, Switch
from fabric.diagnostics import Report
from fabric.platforms.peer_groups import by_bfd, group_name, protection
from fabric.platforms.routing_ranges import RoutingRanges, out_of_range
from fabric.platforms.sonic import codes
from fabric.platforms.sonic.model import ActiveGroup, Clause, Family, Frr, Group, PrefixEntry, Session
from fabric.platforms.sonic.modes import Mode, mode_of
from fabric.platforms.sonic.names import natural, secret

CONNECTED, IN_ABOVE, IN_BELOW = "RM-CONNECTED", "RM-FROM-ABOVE", "RM-FROM-BELOW"
OUT_ABOVE, OUT_BELOW = "RM-TO-ABOVE", "RM-TO-BELOW"
FROM_ABOVE = "FROM-ABOVE"
KINDS = (("ip", IPv4Network, ""), ("ipv6", IPv6Network, "-V6"))
TAKES = RoutingRanges("FRR on SONiC", max_paths=256)
"""What SONiC builds FRR with (sonic-buildimage src/sonic-frr: --enable-multipath)."""
MAPS = {
    Relation.UP: (IN_ABOVE, OUT_ABOVE),
    Relation.ACROSS: (IN_ABOVE, OUT_ABOVE),
    Relation.DOWN: (IN_BELOW, OUT_BELOW),
}


class Sorted(msgspec.Struct, gc=False):
    """A group while it is collected."""

    name: str
    sample: Neighbor
    maps: tuple[str, str]
    families: set[int]
    sessions: dict[str, Neighbor]

    @property
    def inside(self) -> bool:
        """Whether its neighbours are switches of the fabric."""
        return self.sample.relation is not Relation.EXTERNAL


def lower_frr(switch: Switch, report: Report, extra: tuple[str, ...] = ()) -> Frr:
    """Everything that FRR will run."""
    routing = switch.routing
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    groups = sort_neighbors(routing)
    outside = (
        FROM_ABOVE if mode_of(switch.release) is Mode.SPLIT else ""
    )  # frrcfgd's tables know no such delete
    clauses = _clauses(groups, routing, outside)
    named = {clause.prefix_list for clause in clauses}
    return Frr(
        hostname=switch.name,
        asn=routing.asn,
        router_id=str(routing.router_id),
        keepalive_s=routing.keepalive_ms // 1000,
        hold_s=routing.hold_ms // 1000,
        max_paths=routing.max_paths,
        bfd=None if routing.bfd_interval_ms is None else (routing.bfd_interval_ms, routing.bfd_multiplier),
        groups=tuple(_group(one, switch) for one in groups),
        sessions=tuple(_session(key, n, one) for one in groups for key, n in one.sessions.items()),
        families=tuple(_families(groups, routing)),
        community=community_of(routing)
        if any(clause.community or clause.unmark for clause in clauses)
        else "",
        prefix_entries=tuple(one for one in _entries(groups, routing) if one.name in named),
        clauses=tuple(clauses),
        discards=routing.discards,
        drained=switch.drained,
        extra=extra,
    )


def sort_neighbors(routing: Routing) -> tuple[Sorted, ...]:
    """The sessions by group: one for each relation, kind of session and, outside the fabric, neighbour."""
    found: dict[object, Sorted] = {}
    for one in routing.neighbors:
        word = "-UNNUMBERED" if one.address is None else "-V6" if one.address.version == 6 else ""
        outside = one.relation is Relation.EXTERNAL
        where = (one.peer, one.accept, one.advertise) if outside else ()
        key = (one.relation, word, protection(one), where)
        group = found.get(key)
        if group is None:
            name = group_name(one, word, routing, {other.name for other in found.values()})
            maps = MAPS.get(one.relation, (f"RM-{name}-IN", f"RM-{name}-OUT"))
            group = found[key] = Sorted(name, one, maps, set(), {})
        group.families |= {one.family} | ({4} if one.address is None else set())
        group.sessions[one.key] = one
    return tuple(found.values())


def community_of(routing: Routing) -> str:
    """The mark of what comes from above: `64999:1`."""
    return f"{routing.from_above[0]}:{routing.from_above[1]}"


def _group(one: Sorted, switch: Switch) -> Group:
    routing = switch.routing
    password = one.sample.password or (routing.password if one.inside else None)
    unnumbered, sample = one.sample.address is None, one.sample
    return Group(
        one.name,
        by_bfd(sample, routing),
        switch.shuts_sessions,
        secret(password),
        unnumbered,
        sample.ttl_security,
    )


def _session(key: str, neighbor: Neighbor, group: Sorted) -> Session:
    told = f"{neighbor.peer} over {neighbor.port}"
    return Session(key, group.name, neighbor.remote_asn, neighbor.address is None, told)


def _families(groups: Sequence[Sorted], routing: Routing) -> Iterator[Family]:
    for version in (4, 6):
        active = tuple(
            ActiveGroup(
                one.name,
                routing.allow_own_asn if one.inside else 0,
                *one.maps,
                one.sample.max_prefixes or 0,
            )
            for one in groups
            if version in one.families
        )
        if active:
            told = tuple(sorted((str(p) for p in routing.aggregates if p.version == version), key=natural))
            yield Family(f"ipv{version}", told, active)


def _lists(groups: Iterable[Sorted], routing: Routing) -> dict[str, tuple[PrefixRange, ...]]:
    lists: dict[str, tuple[PrefixRange, ...]] = {
        "PL-LOOPBACKS": routing.loopbacks,
        "PL-HOSTS": routing.host_prefixes,
        "PL-ACCEPTED": routing.accepted,
    }
    for one in groups:
        if not one.inside:
            taken, told = one.sample.accept, one.sample.advertise
            lists[f"PL-{one.name}-IN"] = tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in taken)
            lists[f"PL-{one.name}-OUT"] = tuple(PrefixRange(p, p.prefixlen, p.max_prefixlen) for p in told)
    return lists


def _entries(groups: Iterable[Sorted], routing: Routing) -> Iterator[PrefixEntry]:
    lists = _lists(groups, routing)
    for word, kind, suffix in KINDS:
        for name in sorted(lists, key=natural):
            ranges = [one for one in lists[name] if isinstance(one.prefix, kind)]
            for number, one in enumerate(ranges, start=1):
                bounds = (one.prefix.prefixlen, one.shortest, one.longest)
                yield PrefixEntry(word, name + suffix, 10 * number, str(one.prefix), *bounds)


def _clauses(groups: Iterable[Sorted], routing: Routing, unmark: str) -> list[Clause]:
    lists = _lists(groups, routing)
    clauses = [
        *_permits(CONNECTED, lists, ("PL-LOOPBACKS", "PL-HOSTS")),
        *_permits(IN_ABOVE, lists, ("PL-ACCEPTED",), community_of(routing)),
        *_permits(IN_BELOW, lists, ("PL-ACCEPTED",)),
        Clause(OUT_ABOVE, "deny", 10, community=FROM_ABOVE),
        Clause(OUT_ABOVE, "permit", 20),
        Clause(OUT_BELOW, "permit", 10),
    ]
    for one in groups:
        if not one.inside:
            clauses += _permits(one.maps[0], lists, (f"PL-{one.name}-IN",), unmark=unmark)
            clauses += _permits(one.maps[1], lists, (f"PL-{one.name}-OUT",), unmark=unmark)
    used = {CONNECTED if groups else "", *(name for one in groups for name in one.maps)}
    clauses = [clause for clause in clauses if clause.name in used]
    return sorted(clauses, key=lambda clause: (natural(clause.name), clause.sequence))


def _permits(
    name: str,
    lists: dict[str, tuple[PrefixRange, ...]],
    used: tuple[str, ...],
    mark: str = "",
    unmark: str = "",
) -> list[Clause]:
    """One clause for each list and address family; a deny where there is nothing to permit."""
    found: list[Clause] = []
    for word, kind, suffix in KINDS:
        for prefix_list in used:
            if any(isinstance(one.prefix, kind) for one in lists[prefix_list]):
                number = 10 * len(found) + 10
                found.append(
                    Clause(name, "permit", number, word, prefix_list + suffix, mark=mark, unmark=unmark)
                )
    return found or [Clause(name, "deny", 10)]

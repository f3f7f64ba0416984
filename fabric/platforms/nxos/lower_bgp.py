"""Routing in NX-OS's words: `router bgp`, `template peer`, `route-map`, `ip prefix-list`, `ip community-list`.

Sources: Ansible cisco.nxos (`bgp_global`, `bgp_neighbor_address_family`, `bgp_templates`, `prefix_lists`,
`route_maps`); Cisco Nexus 9000 Unicast Routing guide (neighbor by interface; `disable-peer-as-check`: NX-OS does not
tell a route to a neighbour whose AS number stands in its path; descriptions of at most 80 characters).

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Each address family has route-maps of its own: a clause that matches IPv4 says nothing sure of an IPv6 route.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from fabric.devices.model import Neighbor as Peer
from fabric.devices.model import PrefixRange, Relation, Routing, Switch
from fabric.diagnostics import Report
from fabric.platforms.nxos import codes
from fabric.platforms.nxos.model import Bgp, Clause, Neighbor, PrefixList, Template
from fabric.platforms.nxos.names import natural, secret
from fabric.platforms.object_names import NameRule, object_name
from fabric.platforms.peer_groups import by_bfd, group_name, protection
from fabric.platforms.routing_ranges import RoutingRanges, out_of_range

FROM_ABOVE = "FROM-ABOVE"
UNMARK = (f"set comm-list {FROM_ABOVE} delete",)
"""On sessions to the outside, both ways: nobody there sets our mark, and nobody there hears of it.

Source: Batfish, grammar/cisco_nxos: rms_comm_list."""
CONNECTED = "RM-CONNECTED"
GRACEFUL_SHUTDOWN = "GRACEFUL-SHUTDOWN"
"""The community list of routes of a neighbour that is being drained (RFC 8326)."""
IN_ABOVE, IN_BELOW, OUT_ABOVE = "RM-FROM-ABOVE", "RM-FROM-BELOW", "RM-TO-ABOVE"
OUT_BELOW = "RM-TO-BELOW"
"""Needed only while the switch is drained: else every route is advertised downstream as it is."""
MAPS = {
    Relation.UP: (IN_ABOVE, OUT_ABOVE),
    Relation.ACROSS: (IN_ABOVE, OUT_ABOVE),
    Relation.DOWN: (IN_BELOW, ""),
}
TAKES = RoutingRanges("Cisco NX-OS", max_paths=64, bfd_interval_ms=(50, 999))
DESCRIPTIONS = NameRule("A-Za-z0-9_-", 80)
Lists = Mapping[str, tuple[PrefixRange, ...]]


class Policies(msgspec.Struct, frozen=True):
    """Prefix lists, community lists and route-maps."""

    prefix_lists: tuple[PrefixList, ...]
    communities: tuple[str, ...]
    clauses: tuple[Clause, ...]


class _Group(msgspec.Struct, gc=False):
    """Sessions that are treated alike."""

    name: str
    sample: Peer
    families: set[int]
    members: list[Peer]


def lower_bgp(switch: Switch, report: Report) -> tuple[Bgp, Policies]:
    """EBGP and the policies that it uses."""
    routing = switch.routing
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    groups, of = _groups(routing)
    bgp = Bgp(
        routing.asn,
        str(routing.router_id),
        tuple(_families(routing)),
        tuple(_template(group, switch) for group in groups),
        tuple(of[name] for name in sorted(of, key=natural)),
    )
    return bgp, _policies(switch, groups)


def _groups(routing: Routing) -> tuple[list[_Group], dict[str, Neighbor]]:
    groups: dict[object, _Group] = {}
    neighbors: dict[str, Neighbor] = {}
    for one in routing.neighbors:
        outside = one.relation is Relation.EXTERNAL
        word = "-UNNUMBERED" if one.address is None else "-V6" if one.address.version == 6 else ""
        key = (
            one.relation,
            word,
            protection(one),
            (one.peer, one.accept, one.advertise) if outside else None,
        )
        group = groups.get(key)
        if group is None:
            named = group_name(one, word, routing, {known.name for known in groups.values()})
            group = groups[key] = _Group(named, one, set(), [])
        group.families |= {one.family, 4} if one.address is None else {one.family}
        group.members.append(one)
        name = one.key
        neighbors[name] = Neighbor(name, group.name, one.remote_asn, _described(one))
    return sorted(groups.values(), key=lambda group: natural(group.name)), neighbors


def _families(routing: Routing) -> Iterator[tuple[str, tuple[str, ...]]]:
    for version in routing.families:
        told = sorted((str(p) for p in routing.aggregates if p.version == version), key=natural)
        yield (
            f"ipv{version} unicast",
            (
                f"redistribute direct route-map {CONNECTED}{_suffix(version)}",
                *(f"aggregate-address {prefix} summary-only" for prefix in told),
                f"maximum-paths {routing.max_paths}",
            ),
        )


def _template(group: _Group, switch: Switch) -> Template:
    routing, inside = switch.routing, group.sample.relation is not Relation.EXTERNAL
    password = group.sample.password or (routing.password if inside else None)
    lines = [f"timers {routing.keepalive_ms // 1000} {routing.hold_ms // 1000}"]
    lines += ["bfd"] if by_bfd(group.sample, routing) else []
    lines += ["ttl-security hops 1"] if group.sample.ttl_security else []
    lines += [f"password 0 {secret(password)}"] if password else []
    lines += ["shutdown"] if switch.shuts_sessions else []
    asns = [one.remote_asn for one in group.members if one.family == group.sample.family]
    below = group.sample.relation is Relation.DOWN and routing.peers_reuse_asn
    repeated = inside and (routing.allow_own_asn > 0 or below or len(set(asns)) < len(asns))
    families = tuple(
        (f"ipv{version} unicast", _told(group, switch, version, repeated=repeated))
        for version in sorted(group.families)
    )
    return Template(group.name, tuple(lines), families)


def _told(group: _Group, switch: Switch, version: int, *, repeated: bool) -> tuple[str, ...]:
    routing = switch.routing
    inward, outward = _maps(group, switch)
    lines = ["send-community", f"route-map {inward}{_suffix(version)} in"]
    lines += [f"route-map {outward}{_suffix(version)} out"] if outward else []
    if group.sample.relation is not Relation.EXTERNAL and routing.allow_own_asn:
        lines.append(f"allowas-in {routing.allow_own_asn}")
    if repeated:
        lines.append("disable-peer-as-check")
    if group.sample.max_prefixes:
        lines.append(f"maximum-prefix {group.sample.max_prefixes}")
    return tuple(lines)


def _maps(group: _Group, switch: Switch) -> tuple[str, str]:
    inward, outward = MAPS.get(group.sample.relation, (f"RM-{group.name}-IN", f"RM-{group.name}-OUT"))
    return inward, outward or (OUT_BELOW if switch.drained else "")


def _suffix(version: int) -> str:
    return "-V6" if version == 6 else ""


def _policies(switch: Switch, groups: Iterable[_Group]) -> Policies:
    routing = switch.routing
    shutting = ":".join(map(str, routing.graceful_shutdown))
    sending = (f"set community {shutting} additive",) if switch.drained else ()
    lists: dict[str, tuple[PrefixRange, ...]] = {
        "PL-LOOPBACKS": routing.loopbacks,
        "PL-HOSTS": routing.host_prefixes,
        "PL-ACCEPTED": routing.accepted,
    }
    mark = (f"set community {routing.from_above[0]}:{routing.from_above[1]} additive",)
    groups = tuple(groups)
    versions = sorted({*routing.families, *(v for group in groups for v in group.families)})
    clauses: list[Clause] = []
    for version in versions:
        clauses += _permits(CONNECTED, ("PL-LOOPBACKS", "PL-HOSTS"), lists, version)
        clauses += _imports(IN_BELOW, ("PL-ACCEPTED",), lists, version)
        clauses += _imports(IN_ABOVE, ("PL-ACCEPTED",), lists, version, mark)
        name = OUT_ABOVE + _suffix(version)
        clauses += [
            Clause(name, "deny", 10, (f"match community {FROM_ABOVE}",)),
            Clause(name, "permit", 20, sending),
            Clause(OUT_BELOW + _suffix(version), "permit", 10, sending),
        ]
    for group in groups:
        if group.sample.relation is Relation.EXTERNAL:
            inward, outward = f"PL-{group.name}-IN", f"PL-{group.name}-OUT"
            lists[inward] = tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in group.sample.accept)
            lists[outward] = tuple(
                PrefixRange(p, p.prefixlen, p.max_prefixlen) for p in group.sample.advertise
            )
            for version in sorted(group.families):
                taking, telling = _maps(group, switch)
                clauses += _imports(taking, (inward,), lists, version, UNMARK)
                clauses += _permits(telling, (outward,), lists, version, (*UNMARK, *sending))
    used = {CONNECTED + _suffix(version) for version in routing.families}
    used |= {name + _suffix(v) for group in groups for v in group.families for name in _maps(group, switch)}
    clauses = [clause for clause in clauses if clause.name in used]
    clauses.sort(key=lambda clause: (natural(clause.name), clause.sequence))
    named = {
        line.rpartition(" ")[2] for clause in clauses for line in clause.lines if line.startswith("match")
    }
    named |= {FROM_ABOVE} if any(line in UNMARK for clause in clauses for line in clause.lines) else set()
    communities = {FROM_ABOVE: ":".join(map(str, routing.from_above)), GRACEFUL_SHUTDOWN: shutting}
    return Policies(
        tuple(one for one in _prefix_lists(lists, versions) if one.name in named),
        tuple(f"{name} seq 10 permit {value}" for name, value in communities.items() if name in named),
        tuple(clauses),
    )


def _permits(
    name: str, lists: Iterable[str], ranges: Lists, version: int, sets: tuple[str, ...] = ()
) -> list[Clause]:
    """One clause for each list that has something of the family. Nothing to permit: deny."""
    full, found = name + _suffix(version), list[Clause]()
    word = "ipv6" if version == 6 else "ip"
    for one in lists:
        if any(entry.prefix.version == version for entry in ranges[one]):
            match = f"match {word} address prefix-list {one}{_suffix(version)}"
            found.append(Clause(full, "permit", 10 * len(found) + 10, (match, *sets)))
    return found or [Clause(full, "deny", 10)]


def _imports(
    name: str, lists: Iterable[str], ranges: Lists, version: int, sets: tuple[str, ...] = ()
) -> list[Clause]:
    """The same of what is imported: what a drained neighbour sends is used only if there is nothing else."""
    found: list[Clause] = []
    for clause in _permits(name, lists, ranges, version, sets):
        if clause.lines:
            lines = (f"match community {GRACEFUL_SHUTDOWN}", *clause.lines, "set local-preference 0")
            found.append(Clause(clause.name, clause.action, clause.sequence - 5, lines))
        found.append(clause)
    return found


def _prefix_lists(lists: Lists, versions: Iterable[int]) -> Iterator[PrefixList]:
    for version in versions:
        for name in sorted(lists, key=natural):
            ranges = [one for one in lists[name] if one.prefix.version == version]
            if ranges:
                entries = tuple(f"seq {10 * i} permit {_range(one)}" for i, one in enumerate(ranges, start=1))
                yield PrefixList("ipv6" if version == 6 else "ip", name + _suffix(version), entries)


def _range(one: PrefixRange) -> str:
    """`10.0.0.0/8 ge 31 le 32`, in the shortest form."""
    length, longest = one.prefix.prefixlen, one.prefix.max_prefixlen
    if one.shortest == one.longest:
        return f"{one.prefix}" if one.shortest == length else f"{one.prefix} eq {one.shortest}"
    words = f"{one.prefix}"
    if one.shortest > length:
        words += f" ge {one.shortest}"
    if one.longest < longest or one.shortest == length:
        words += f" le {one.longest}"
    return words


def _described(one: Peer) -> str:
    """What is behind a session. Planning finds its port by the last word."""
    return object_name(one.peer, DESCRIPTIONS, suffix=f" over {one.port}")

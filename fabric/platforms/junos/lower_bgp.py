"""Routing in Junos's words: `protocols bgp`, `policy-options`, aggregates.

Sources: github Juniper/jvd @005ab344, data_center/aidc; Juniper, BGP auto-discovered neighbors; 24.4R1-EVO YANG.

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Routers outside get what a tier below would get, within their prefixes: Junos would else advertise every route it has
to them, links and static ones among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.model import Neighbor, Prefix, PrefixRange, Relation, Routing, Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.junos import codes
from fabric.platforms.junos.model import BgpNeighbor, Group, Policy, Term
from fabric.platforms.junos.names import quoted, secret
from fabric.platforms.object_names import natural, object_name
from fabric.platforms.peer_groups import GROUP_NAMES, by_bfd
from fabric.platforms.routing_ranges import RoutingRanges, out_of_range

FROM_ABOVE = "FROM-ABOVE"
UNMARK = f"community delete {FROM_ABOVE}"
"""On sessions to the outside, both ways: nobody there sets our mark, and nobody there hears of it.

Source: Juniper/yang 24.4R1: policy-statement then community."""
IN_ABOVE, IN_BELOW, TO_ABOVE, TO_BELOW = "IN-FROM-ABOVE", "IN-FROM-BELOW", "OUT-TO-ABOVE", "OUT-TO-BELOW"
POLICIES = {
    Relation.UP: (IN_ABOVE, TO_ABOVE),
    Relation.ACROSS: (IN_ABOVE, TO_ABOVE),
    Relation.DOWN: (IN_BELOW, TO_BELOW),
}
"""Import and export policy of each relation within the fabric."""
REST = Term("rest", (), ("reject",))
SIX = 6
MOST_PATHS = 512
"""Largest `chassis maximum-ecmp` of the 24.4R1-EVO YANG."""


def max_paths(routing: Routing) -> int:
    """`maximum-ecmp` is 16 or a multiple of 32: the next one up."""
    return 16 if routing.max_paths <= 16 else min(-(-routing.max_paths // 32) * 32, MOST_PATHS)


def loops(routing: Routing) -> int:
    """A path is refused if our own AS number stands in it this often: once more than is allowed; 0: by default."""
    return routing.allow_own_asn + 1 if routing.allow_own_asn else 0


def lower_groups(switch: Switch, report: Report) -> tuple[Group, ...]:
    """The sessions, in groups that are treated alike."""
    _check(switch, report)
    found: dict[str, list[Neighbor]] = {}
    for one in switch.routing.neighbors:
        found.setdefault(group_name(one, switch.routing), []).append(one)
    return tuple(_group(name, found[name], switch) for name in sorted(found, key=natural))


def group_name(one: Neighbor, routing: Routing) -> str:
    """A group for each relation, family and password; of unnumbered ones also for each AS number."""
    name = one.relation.upper()
    if one.relation is Relation.EXTERNAL or one.password not in (None, routing.password):
        name = object_name(f"{name}-{one.peer.upper()}", GROUP_NAMES)
    if one.address is None:
        return f"{name}-UNNUMBERED-{one.remote_asn}"
    return f"{name}-V6" if one.address.version == SIX else name


def lower_policies(switch: Switch) -> tuple[Policy, ...]:
    """What is taken from whom, and what is told to whom."""
    routing = switch.routing
    community = f"community add {FROM_ABOVE}"
    accepted = {"accepted": routing.accepted}
    own = tuple(_own(routing))
    ours = Term("fabric", ("protocol bgp",), ("accept",))
    barrier = Term("no-valley", ("protocol bgp", f"community {FROM_ABOVE}"), ("reject",))
    found = [
        Policy("PER-FLOW", (Term("all", (), ("load-balance per-packet",)),)),
        Policy(IN_ABOVE, (*_terms(accepted, (), (community, "accept")), REST)),
        Policy(IN_BELOW, (*_terms(accepted, (), ("accept",)), REST)),
        Policy(TO_ABOVE, (barrier, *own, ours, REST)),
        Policy(TO_BELOW, (*own, ours, REST)),
    ]
    outside = {group_name(n, routing): n for n in routing.neighbors if n.relation is Relation.EXTERNAL}
    for name, one in outside.items():
        taken = tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in one.accept)
        told = tuple(PrefixRange(p, p.prefixlen, p.max_prefixlen) for p in one.advertise)
        out = tuple(_terms({"told": told}, (f"policy {TO_BELOW}",), (UNMARK, "accept")))
        found += [
            Policy(f"IN-{name}", (*_terms({"accepted": taken}, (), (UNMARK, "accept")), REST)),
            Policy(f"OUT-{name}", (*out, REST)),
        ]
    used = {"PER-FLOW"}
    for one in routing.neighbors:
        used |= {
            *POLICIES.get(one.relation, (f"IN-{group_name(one, routing)}", f"OUT-{group_name(one, routing)}"))
        }
    if outside:
        used.add(TO_BELOW)
    return tuple(sorted((one for one in found if one.name in used), key=lambda policy: natural(policy.name)))


def is_marking(policies: Iterable[Policy]) -> bool:
    """Whether a policy sets or matches the mark of routes from above."""
    texts = (
        text for policy in policies for term in policy.terms for text in (*term.conditions, *term.actions)
    )
    return any(FROM_ABOVE in text for text in texts)


def as_lists(groups: Iterable[Group], switch: Switch) -> tuple[tuple[str, int], ...]:
    """An `as-list` of one number for each group of unnumbered sessions."""
    names = {group.as_list for group in groups if group.as_list}
    asns = {one.remote_asn for one in switch.routing.neighbors if one.address is None}
    return tuple((f"AS-{asn}", asn) for asn in sorted(asns) if f"AS-{asn}" in names)


def families(one: Neighbor) -> tuple[str, ...]:
    """Address families of a session; an unnumbered one carries both."""
    if one.address is None:
        return ("inet", "inet6")
    return ("inet6",) if one.family == SIX else ("inet",)


def _group(name: str, sessions: list[Neighbor], switch: Switch) -> Group:
    first, routing = sessions[0], switch.routing
    inside = first.relation is not Relation.EXTERNAL
    policies = POLICIES.get(first.relation, (f"IN-{name}", f"OUT-{name}"))
    numbered = first.address is not None
    ports = {one.port for one in sessions if not numbered}
    return Group(
        name,
        families(first),
        not numbered,
        *policies,
        routing.hold_ms // 1000,
        (routing.bfd_interval_ms or 0) if by_bfd(first, routing) else 0,
        routing.bfd_multiplier,
        first.max_prefixes or 0,
        secret(first.password or (routing.password if inside else None)),
        tuple(_neighbor(one) for one in sorted(sessions, key=_by_address) if numbered),
        tuple(sorted(ports, key=natural)),
        "" if numbered else f"AS-{first.remote_asn}",
        switch.shuts_sessions,
        inside and tells_peer_as(routing),
    )


def tells_peer_as(routing: Routing) -> bool:
    """Whether neighbours of one AS number must hear of each other, which Junos keeps quiet about by default."""
    below = {(one.peer, one.remote_asn) for one in routing.neighbors if one.relation is Relation.DOWN}
    reused = routing.allow_own_asn > 0 or routing.peers_reuse_asn
    return reused or len({asn for _, asn in below}) < len(below)


def _neighbor(one: Neighbor) -> BgpNeighbor:
    return BgpNeighbor(str(one.address), quoted(f"{one.peer} over {one.port}"), one.remote_asn)


def _by_address(one: Neighbor) -> tuple[int, int]:
    return (one.address.version, one.address.value) if one.address else (0, 0)


def _own(routing: Routing) -> Iterator[Term]:
    """Loopbacks, and the hosts: as one if there is an aggregate, else one by one."""
    yield from _terms({"loopbacks": routing.loopbacks}, ("protocol direct",), ("accept",))
    blocks = tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in routing.aggregates)
    if blocks:
        yield from _terms({"aggregates": blocks}, ("protocol aggregate",), ("accept",))
        outside = tuple(one for one in routing.host_prefixes if not _covered(one.prefix, routing.aggregates))
    else:
        outside = routing.host_prefixes
    yield from _terms({"hosts": outside}, ("protocol direct",), ("accept",))


def _covered(prefix: Prefix, blocks: Iterable[Prefix]) -> bool:
    low, length = int(prefix.network_address), prefix.prefixlen
    return any(
        block.version == prefix.version
        and block.prefixlen <= length
        and low >> (block.max_prefixlen - block.prefixlen)
        == int(block.network_address) >> (block.max_prefixlen - block.prefixlen)
        for block in blocks
    )


def _terms(
    lists: dict[str, tuple[PrefixRange, ...]], conditions: tuple[str, ...], actions: tuple[str, ...]
) -> Iterator[Term]:
    """One term for each list and address family."""
    for name, ranges in lists.items():
        for version, suffix in ((4, ""), (6, "-v6")):
            filters = tuple(_filter(one) for one in ranges if one.prefix.version == version)
            if filters:
                yield Term(name + suffix, (*conditions, *filters), actions)


def _filter(one: PrefixRange) -> str:
    if one.shortest == one.longest == one.prefix.prefixlen:
        return f"route-filter {one.prefix} exact"
    return f"route-filter {one.prefix} prefix-length-range /{one.shortest}-/{one.longest}"


def _check(switch: Switch, report: Report) -> None:
    routing = switch.routing
    place = Origin(("networks", switch.network, "routing"))
    if routing.hold_ms % 3000 or routing.keepalive_ms * 3 != routing.hold_ms:
        hold_s = max(-(-routing.keepalive_ms // 1000), 1) * 3
        report.add(
            codes.UNITS.at(
                place.child("bgp", "hold"),
                f"Junos sends keepalives every third of the hold time: {routing.keepalive_ms} ms and {routing.hold_ms} "
                "ms do not go together",
                value=routing.hold_ms,
                hint=f"write `keepalive: {hold_s // 3}s` and `hold: {hold_s}s`",
            )
        )
    report.extend(out_of_range(switch, RoutingRanges("Junos", MOST_PATHS), codes.RANGE))

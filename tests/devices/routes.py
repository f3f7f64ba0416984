"""Routes that pass through routing policies: what the neutral data of a switch means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from ipaddress import IPv4Network, IPv6Network, ip_network
from itertools import product

from fabric.devices.model import Prefix, PrefixRange, Switch
from fabric.devices.routing_model import Clause, RoutePolicy

MARK, DRAINED, OTHER = "64999:1", "65535:0", "65000:7"
NOWHERE: tuple[Prefix, ...] = (IPv4Network("203.0.113.0/24"), IPv6Network("2001:db8:ffff::/48"))
"""Prefixes of no network."""


@dataclass(frozen=True)
class Route:
    """A route on its way in or out."""

    prefix: Prefix
    communities: frozenset[str] = frozenset()
    local_preference: int = 100
    protocol: str = "bgp"


def within(one: PrefixRange, prefix: Prefix) -> bool:
    """Whether a prefix is of a range."""
    same = one.prefix.version == prefix.version and one.shortest <= prefix.prefixlen <= one.longest
    shift = one.prefix.max_prefixlen - one.prefix.prefixlen
    return same and int(prefix.network_address) >> shift == int(one.prefix.network_address) >> shift


def passed(policy: RoutePolicy, route: Route) -> Route | None:
    """What becomes of a route; None: it is rejected."""
    clause = next((one for one in policy.clauses if _matches(one, route)), None)
    if clause is None or not clause.permit:
        return None
    added = {clause.add.value} if clause.add else set()
    deleted = {clause.delete.value} if clause.delete else set()
    preference = route.local_preference if clause.local_preference is None else clause.local_preference
    return replace(
        route, communities=frozenset(route.communities - deleted | added), local_preference=preference
    )


def _matches(clause: Clause, route: Route) -> bool:
    if clause.community and clause.community.value not in route.communities:
        return False
    return clause.prefixes is None or any(within(one, route.prefix) for one in clause.prefixes.ranges)


def samples(switch: Switch, families: Iterable[int]) -> Iterator[Route]:
    """Routes at both ends of every range that the switch knows, and of none, with any communities."""
    routing, versions = switch.routing, set(families)
    ranges = [*routing.loopbacks, *routing.host_prefixes, *routing.accepted]
    outside = [p for one in routing.neighbors for p in (*one.accept, *one.advertise)]
    prefixes = {p for one in ranges for p in _ends(one)} | {*outside, *NOWHERE}
    prefixes |= {_first(p, p.max_prefixlen) for p in outside}
    marks = [frozenset(filter(None, chosen)) for chosen in product(("", MARK), ("", DRAINED), ("", OTHER))]
    known = sorted((p for p in prefixes if p.version in versions), key=str)
    return (Route(prefix, communities) for prefix in known for communities in marks)


def _ends(one: PrefixRange) -> set[Prefix]:
    beyond = min(one.longest + 1, one.prefix.max_prefixlen)
    return {
        _first(one.prefix, length) for length in (one.prefix.prefixlen, one.shortest, one.longest, beyond)
    }


def _first(prefix: Prefix, length: int) -> Prefix:
    """The first prefix of that length inside."""
    return (
        ip_network((int(prefix.network_address), length))
        if prefix.version == 4
        else IPv6Network((int(prefix.network_address), length))
    )

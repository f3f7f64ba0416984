"""The routing policy of a switch as route-maps, prefix lists and community lists, for products that have these.

Peer groups are named here as well. A route-map has a clause for each prefix list; a prefix list has one address family.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from fabric.devices.model import Neighbor, PrefixRange, Relation
from fabric.devices.routing_model import (
    Clause,
    CommunitySet,
    PeerGroup,
    PolicyStyle,
    RoutePolicy,
    RoutingPolicy,
)
from fabric.platforms.object_names import NameRule, natural, object_name

GROUP_NAMES = NameRule("A-Za-z0-9_-", 50)
"""Of peer groups, whose names stand in those of route-maps and prefix lists too: NX-OS takes 63 characters there, and
no product that is known takes fewer."""
STEP, BEFORE = 10, 5
"""Between clauses, and of a clause for routes of drained neighbours to the one that it precedes."""


def group_name(first: Neighbor, taken: Collection[str]) -> str:
    """`UP`, `DOWN-V6`, `EXTERNAL-CORE`: relation, kind of session and, outside, the neighbour.

    With a number behind it where another group has it already.
    """
    kind = "-UNNUMBERED" if first.address is None else "-V6" if first.address.version == 6 else ""
    name = first.relation.upper() + kind
    if first.relation is Relation.EXTERNAL:
        name += f"-{first.peer.upper()}"
    several = (name, *(f"{name}-{i}" for i in range(2, len(taken) + 3)))
    fitting = (object_name(proposal, GROUP_NAMES) for proposal in several)
    return next(candidate for candidate in fitting if candidate not in taken)


BY_POLICY = PolicyStyle(group_name)
"""Of products that do nothing for a drained switch without a policy."""
BY_DAEMON = PolicyStyle(group_name, drains_by_itself=True)
"""Of FRR. Source: its manual, bgp: `bgp graceful-shutdown`."""


def sets(clause: Clause) -> Iterator[str]:
    """What a clause sets, as NX-OS and FRR word it."""
    if clause.delete:
        yield f"comm-list {clause.delete.name} delete"
    if clause.add:
        yield f"community {clause.add.value} additive"
    if clause.local_preference is not None:
        yield f"local-preference {clause.local_preference}"


class Words(msgspec.Struct, frozen=True):
    """How a product words policies, where products differ."""

    sets: Callable[[Clause], Iterable[str]] = sets
    """What stands behind `set`."""
    deletes_by_list: bool = True
    """Communities are deleted by the name of a community list."""
    knows_eq: bool = False
    """Prefix lists know `eq` beside `ge` and `le`."""
    by_family: bool = False
    """Each address family has route-maps of its own."""
    prints_open: bool = False
    """A policy that every route passes as it is has a route-map, and is not left out."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One sequence of a route-map."""

    name: str
    sequence: int
    clause: Clause
    version: int
    """Address family of the prefix list; 0: none is matched."""
    sets: tuple[str, ...]

    @property
    def action(self) -> str:
        """`permit` or `deny`."""
        return "permit" if self.clause.permit else "deny"

    @property
    def prefix_list(self) -> str:
        """The name of what is matched; empty: every prefix."""
        return list_name(self.clause.prefixes.name, self.version) if self.clause.prefixes else ""

    @property
    def matches(self) -> tuple[str, ...]:
        """What stands behind `match`, as EOS, NX-OS and FRR word it."""
        listed = (f"{WORDS[self.version]} address prefix-list {self.prefix_list}",) if self.version else ()
        return (f"community {self.clause.community.name}", *listed) if self.clause.community else listed


class PrefixList(msgspec.Struct, frozen=True, gc=False):
    """Prefixes of one address family."""

    name: str
    version: int
    ranges: tuple[PrefixRange, ...]
    knows_eq: bool

    @property
    def word(self) -> str:
        """Before `prefix-list`."""
        return WORDS[self.version]

    @property
    def numbered(self) -> Iterator[tuple[int, PrefixRange]]:
        """With their sequences."""
        return ((STEP * i, prefix_range) for i, prefix_range in enumerate(self.ranges, start=1))

    @property
    def entries(self) -> Iterator[tuple[int, str]]:
        """The same in words: `permit 10.0.0.0/8 ge 31 le 32`."""
        return (
            (number, bounds(prefix_range, knows_eq=self.knows_eq)) for number, prefix_range in self.numbered
        )


class RouteMaps(msgspec.Struct, frozen=True, gc=False):
    """What the groups of a switch use, by name; prefix lists of IPv4 before those of IPv6."""

    prefix_lists: tuple[PrefixList, ...]
    communities: tuple[CommunitySet, ...]
    entries: tuple[Entry, ...]


WORDS = {4: "ip", 6: "ipv6"}
SUFFIXES = {4: "", 6: "-V6"}
"""Of what has one address family."""


def by_name(groups: Iterable[PeerGroup]) -> list[PeerGroup]:
    """Peer groups as products show them."""
    return sorted(groups, key=lambda group: natural(group.name))


def list_name(prefixes: str, version: int) -> str:
    """`PL-ACCEPTED-V6`."""
    return f"PL-{prefixes}{SUFFIXES[version]}"


def route_maps(routing_policy: RoutingPolicy, words: Words) -> RouteMaps:
    """What the groups of a switch use."""
    named = (policy for policy in routing_policy.policies if words.prints_open or not policy.is_open)
    used = sorted(named, key=lambda policy: natural(policy.name))
    entries = tuple(
        entry
        for policy in used
        for suffix, versions in _maps(policy, routing_policy, words)
        for entry in _entries(f"RM-{policy.name}{suffix}", policy, versions, words)
    )
    return RouteMaps(tuple(_prefix_lists(entries, words)), _communities(entries, words), entries)


def _maps(
    policy: RoutePolicy, routing_policy: RoutingPolicy, words: Words
) -> Iterable[tuple[str, tuple[int, ...]]]:
    """The route-maps of a policy: what stands behind the name, and the address families."""
    if not words.by_family:
        return (("", tuple(WORDS)),)
    return ((SUFFIXES[version], (version,)) for version in routing_policy.families_of(policy))


def _entries(name: str, policy: RoutePolicy, versions: Sequence[int], words: Words) -> Iterator[Entry]:
    """Nothing to permit: deny, since a route-map that is missing or empty permits everything."""
    sequence = 0
    for clause, version in _by_family(policy, versions):
        before = clause.local_preference is not None
        sequence += 0 if before else STEP
        number = sequence + BEFORE if before else sequence
        yield Entry(name, number, clause, version, tuple(words.sets(clause)))
    if not sequence:
        yield Entry(name, STEP, Clause(permit=False), 0, ())


def _by_family(policy: RoutePolicy, versions: Sequence[int]) -> Iterator[tuple[Clause, int]]:
    """The clauses of each family, then those for every prefix."""
    for version in versions:
        for clause in policy.clauses:
            if clause.prefixes and clause.prefixes.of(version):
                yield clause, version
    for clause in policy.clauses:
        if not clause.prefixes:
            yield clause, 0


def _prefix_lists(entries: Iterable[Entry], words: Words) -> Iterator[PrefixList]:
    """Those that clauses match."""
    clauses = ((entry.version, entry.clause.prefixes) for entry in entries)
    by_key = {
        (version, prefix_set.name): prefix_set for version, prefix_set in clauses if prefix_set is not None
    }
    for version, name in sorted(by_key, key=lambda key: (key[0], natural(key[1]))):
        ranges = by_key[version, name].of(version)
        yield PrefixList(list_name(name, version), version, ranges, words.knows_eq)


def _communities(entries: Iterable[Entry], words: Words) -> tuple[CommunitySet, ...]:
    """Those that must have a list: what clauses match or, in some products, delete."""
    clauses = [entry.clause for entry in entries]
    named = [clause.community for clause in clauses]
    named += [clause.delete for clause in clauses] if words.deletes_by_list else []
    by_name = {community.name: community for community in named if community is not None}
    return tuple(by_name[name] for name in sorted(by_name))


@lru_cache(maxsize=4096)  # most ranges are those of the whole network
def bounds(prefix_range: PrefixRange, *, knows_eq: bool = False) -> str:
    """What a prefix list permits, in the shortest form that the product knows."""
    length, longest = prefix_range.prefix.prefixlen, prefix_range.prefix.max_prefixlen
    if prefix_range.is_exact:
        return f"permit {prefix_range.prefix}"
    if knows_eq and prefix_range.shortest == prefix_range.longest:
        return f"permit {prefix_range.prefix} eq {prefix_range.shortest}"
    words = f"permit {prefix_range.prefix}" + (
        f" ge {prefix_range.shortest}" if prefix_range.shortest > length else ""
    )
    implied = knows_eq and prefix_range.longest == longest and prefix_range.shortest > length
    return words if implied else f"{words} le {prefix_range.longest}"

"""Routing policy of a switch in the standards' terms: peer groups, the policies of each, what they match.

A platform words these; it decides nothing. Names are those of the product, made by its `PolicyStyle`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec

from fabric.devices.model import Neighbor, PrefixRange, Relation


class PrefixSet(msgspec.Struct, frozen=True, gc=False):
    """Prefixes of both address families, with the lengths that match inside each."""

    name: str
    ranges: tuple[PrefixRange, ...]

    def of(self, version: int) -> tuple[PrefixRange, ...]:
        """Those of one address family."""
        return tuple(entry for entry in self.ranges if entry.prefix.version == version)


class CommunitySet(msgspec.Struct, frozen=True, gc=False):
    """A standard community with a name."""

    name: str
    value: str
    """`64999:1`."""


class Clause(msgspec.Struct, frozen=True, gc=False):
    """One clause of a policy. It matches a route of one of its prefixes that carries its community."""

    permit: bool = True
    prefixes: PrefixSet | None = None
    """None: every prefix."""
    community: CommunitySet | None = None
    """None: whatever the route carries."""
    add: CommunitySet | None = None
    delete: CommunitySet | None = None
    local_preference: int | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it lets every route through as it is."""
        return self == PLAIN


PLAIN = Clause()


class RoutePolicy(msgspec.Struct, frozen=True, gc=False):
    """Clauses in order. The first one that matches decides; a route that none matches is rejected."""

    name: str
    """In capitals, without any product's prefix: `FROM-ABOVE`, `TO-BELOW`, `EXTERNAL-CORE-IN`."""
    clauses: tuple[Clause, ...]

    @property
    def is_open(self) -> bool:
        """Whether every route passes as it is."""
        return bool(self.clauses) and self.clauses[0].is_plain


class PeerGroup(msgspec.Struct, frozen=True, gc=False):
    """Sessions that are treated alike."""

    name: str
    relation: Relation
    unnumbered: bool
    families: tuple[int, ...]
    """Address families of the routes; unnumbered sessions carry IPv4 too."""
    members: tuple[Neighbor, ...]
    """Each session once, in the order of the ports."""
    import_policy: RoutePolicy
    export_policy: RoutePolicy
    password: str | None
    """A secret reference."""
    bfd: bool
    ttl_security: bool
    max_prefixes: int
    """Of each address family; 0: no limit."""
    allow_own_asn: int
    """How often our own AS number may occur in a path."""
    shut: bool

    @property
    def is_external(self) -> bool:
        """Whether its neighbour is outside of the fabric."""
        return self.relation is Relation.EXTERNAL


Session = tuple[Neighbor, PeerGroup]


class RoutingPolicy(msgspec.Struct, frozen=True, gc=False):
    """Everything that decides about the routes of one switch."""

    groups: tuple[PeerGroup, ...]
    """In the order of their first session."""
    connected: RoutePolicy
    """Which of our connected prefixes enter BGP."""
    from_above: CommunitySet
    """The mark of routes received from upstream or across."""
    graceful_shutdown: CommunitySet
    """RFC 8326: the mark of routes of a switch that is being drained."""
    families: tuple[int, ...]
    """Address families that the network carries."""

    @property
    def policies(self) -> tuple[RoutePolicy, ...]:
        """Those that are used, each once."""
        used = (policy for group in self.groups for policy in (group.import_policy, group.export_policy))
        return tuple({policy.name: policy for policy in (self.connected, *used)}.values())

    def families_of(self, policy: RoutePolicy) -> tuple[int, ...]:
        """Address families that a policy is used in."""
        ways = ((group, (group.import_policy.name, group.export_policy.name)) for group in self.groups)
        using = [group for group, names in ways if policy.name in names]
        return tuple(sorted({version for group in using for version in group.families})) or self.families

    @property
    def active_families(self) -> tuple[int, ...]:
        """Address families of the network, and those that a session carries."""
        return tuple(
            sorted({*self.families, *(family for group in self.groups for family in group.families)})
        )

    @property
    def is_marking(self) -> bool:
        """Whether a policy sets, matches or deletes a community."""
        clauses = [clause for policy in self.policies for clause in policy.clauses]
        return any(clause.community or clause.add or clause.delete for clause in clauses)

    @property
    def sessions(self) -> Iterator[Session]:
        """Each session with its group."""
        return ((member, group) for group in self.groups for member in group.members)

    @property
    def group_names(self) -> dict[str, str]:
        """The name of the group of each session, by the session's key."""
        return {session.key: group.name for session, group in self.sessions}


class PolicyStyle(msgspec.Struct, frozen=True):
    """What a product calls groups, and what it does without a policy."""

    group_name: Callable[[Neighbor, Collection[str]], str]
    """Of the first session of a group and the names that are taken."""
    drains_by_itself: bool = False
    """It sends and obeys GRACEFUL_SHUTDOWN (RFC 8326) without a policy."""
    adding_replaces: bool = False
    """Added communities replace those of the route: GRACEFUL_SHUTDOWN is lost, unless it is looked for."""
    deletes_communities: bool = True
    graceful_shutdown: str = ""
    """The product's word for the community; empty: its value."""
    one_asn_unnumbered: bool = False
    """The unnumbered sessions of a group have one AS number."""


def prefix_sets(policies: Iterable[RoutePolicy]) -> tuple[PrefixSet, ...]:
    """The prefix sets that policies match, each once."""
    used = (clause.prefixes for policy in policies for clause in policy.clauses)
    return tuple({prefix_set.name: prefix_set for prefix_set in used if prefix_set is not None}.values())

"""Valley-free routing policy of one switch, as data.

Routes received from upstream or across are marked, and marked ones are not advertised upstream or across. Sessions to
the outside neither take that mark in nor hand it out. What a drained neighbour sends is used only if there is nothing
else, and a drained switch sends its routes so (RFC 8326).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fabric.devices.model import Neighbor, PrefixRange, Relation, Routing, Switch
from fabric.devices.routing_model import (
    Clause,
    CommunitySet,
    PeerGroup,
    PolicyStyle,
    PrefixSet,
    RoutePolicy,
    RoutingPolicy,
)
from fabric.topology.attachments.address_blocks import is_inside

FROM_ABOVE, GRACEFUL_SHUTDOWN = "FROM-ABOVE", "GRACEFUL-SHUTDOWN"
Ways = tuple[RoutePolicy, RoutePolicy]
"""Import and export policy."""


class _Rules(msgspec.Struct, frozen=True, gc=False):
    """What the policies of one switch are made of."""

    mark: CommunitySet
    graceful_shutdown: CommunitySet
    obeys: bool
    """Policies look for GRACEFUL_SHUTDOWN in what is received."""
    keeps: bool
    """Those that mark do so all the same."""
    sends: CommunitySet | None
    """Added to every route that is sent."""
    unmark: CommunitySet | None
    """Deleted from every route of a neighbour outside, both ways."""

    def imports(
        self,
        prefixes: PrefixSet,
        name: str,
        add: CommunitySet | None = None,
        delete: CommunitySet | None = None,
    ) -> RoutePolicy:
        """Take these prefixes; those of a drained neighbour only if there is nothing else."""
        if not prefixes.ranges:
            return RoutePolicy(name, ())
        taken = Clause(prefixes=prefixes, add=add, delete=delete)
        if not (self.obeys or (self.keeps and add)):
            return RoutePolicy(name, (taken,))
        last = Clause(
            prefixes=prefixes, community=self.graceful_shutdown, add=add, delete=delete, local_preference=0
        )
        return RoutePolicy(name, (last, taken))


def routing_policy(switch: Switch, style: PolicyStyle) -> RoutingPolicy:
    """The peer groups of a switch and their policies, in a product's style."""
    routing = switch.routing
    rules = _rules(switch, style)
    inside = inside_policies(routing, rules)
    together: dict[tuple[object, ...], list[Neighbor]] = {}
    for neighbor in routing.neighbors:
        together.setdefault(_key(neighbor, style), []).append(neighbor)
    groups: dict[str, PeerGroup] = {}
    for neighbors in together.values():
        name = style.group_name(neighbors[0], groups)
        policies = inside.get(neighbors[0].relation) or outside_policies(name, neighbors[0], rules)
        groups[name] = _group(name, neighbors, policies, switch)
    originated = (PrefixSet("LOOPBACKS", routing.loopbacks), PrefixSet("HOSTS", routing.host_prefixes))
    connected = RoutePolicy(
        "CONNECTED", tuple(Clause(prefixes=prefix_set) for prefix_set in originated if prefix_set.ranges)
    )
    return RoutingPolicy(
        tuple(groups.values()), connected, rules.mark, rules.graceful_shutdown, routing.families
    )


def uncovered_hosts(routing: Routing) -> tuple[PrefixRange, ...]:
    """Connected prefixes of hosts and attachments that no aggregate covers."""
    blocks = routing.aggregates
    return tuple(
        prefix
        for prefix in routing.host_prefixes
        if not any(is_inside(prefix.prefix, block) for block in blocks)
    )


def _rules(switch: Switch, style: PolicyStyle) -> _Rules:
    mark = CommunitySet(FROM_ABOVE, "{}:{}".format(*switch.routing.from_above))
    value = style.graceful_shutdown or "{}:{}".format(*switch.routing.graceful_shutdown)
    shutdown = CommunitySet(GRACEFUL_SHUTDOWN, value)
    by_policy = not style.drains_by_itself
    return _Rules(
        mark,
        shutdown,
        by_policy,
        style.adding_replaces,
        shutdown if switch.drained and by_policy else None,
        mark if style.deletes_communities else None,
    )


def inside_policies(routing: Routing, rules: _Rules) -> dict[Relation, Ways]:
    """The policies of sessions within the fabric."""
    accepted = PrefixSet("ACCEPTED", routing.accepted)
    send = Clause(add=rules.sends)
    above = (
        rules.imports(accepted, "FROM-ABOVE", add=rules.mark),
        RoutePolicy("TO-ABOVE", (Clause(permit=False, community=rules.mark), send)),
    )
    below = rules.imports(accepted, "FROM-BELOW"), RoutePolicy("TO-BELOW", (send,))
    return {Relation.UP: above, Relation.ACROSS: above, Relation.DOWN: below}


def outside_policies(name: str, neighbor: Neighbor, rules: _Rules) -> Ways:
    """Those of a neighbour outside: what it may send, and what is advertised to it."""
    taken = PrefixSet(f"{name}-IN", tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in neighbor.accept))
    advertised = PrefixSet(
        f"{name}-OUT", tuple(PrefixRange(p, p.prefixlen, p.max_prefixlen) for p in neighbor.advertise)
    )
    clauses = (
        (Clause(prefixes=advertised, add=rules.sends, delete=rules.unmark),) if advertised.ranges else ()
    )
    return rules.imports(taken, taken.name, delete=rules.unmark), RoutePolicy(advertised.name, clauses)


def _key(neighbor: Neighbor, style: PolicyStyle) -> tuple[object, ...]:
    """Sessions with equal keys are one group: of a relation, a kind of address and, outside, a neighbour."""
    kind = 0 if neighbor.address is None else neighbor.address.version
    outside = (
        (neighbor.peer, neighbor.accept, neighbor.advertise) if neighbor.relation is Relation.EXTERNAL else ()
    )
    asn = neighbor.remote_asn if neighbor.address is None and style.one_asn_unnumbered else 0
    return (
        neighbor.relation,
        kind,
        outside,
        asn,
        neighbor.password,
        neighbor.bfd,
        neighbor.ttl_security,
        neighbor.max_prefixes,
    )


def _group(name: str, neighbors: Sequence[Neighbor], policies: Ways, switch: Switch) -> PeerGroup:
    first, routing = neighbors[0], switch.routing
    inside = first.relation is not Relation.EXTERNAL
    carried = {neighbor.family for neighbor in neighbors} | ({4} if first.address is None else set())
    return PeerGroup(
        name,
        first.relation,
        first.address is None,
        tuple(sorted(carried)),
        tuple({neighbor.address or neighbor.port: neighbor for neighbor in neighbors}.values()),
        *policies,
        first.password or (routing.password if inside else None),
        routing.has_bfd(first),
        first.ttl_security,
        first.max_prefixes or 0,
        routing.allow_own_asn if inside else 0,
        switch.shuts_sessions,
    )

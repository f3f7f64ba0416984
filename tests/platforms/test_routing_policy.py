"""Every product's text says the routing policy of the neutral data: read back, it lets the same routes pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from fabric.devices import routing_policy as neutral
from fabric.devices.model import Relation, Switch
from fabric.devices.routing_model import Clause, PeerGroup, PolicyStyle, RoutePolicy, RoutingPolicy
from fabric.platforms.facts import Facts
from fabric.platforms.registry import platform
from tests.devices import routes
from tests.devices.routes import DRAINED, MARK, Route, samples
from tests.platforms import read_policies
from tests.platforms.everywhere import ANY, EXPECTATIONS, FEATURES, MODELS, capabilities, devices
from tests.platforms.random_sites import switches
from tests.platforms.read_policies import Ways, sends_graceful_shutdown
from tests.platforms.sites import attachments, leaf, network, printed, refusals

STYLE = PolicyStyle(lambda first, taken: f"{first.relation}-{first.peer}-{len(taken)}")
SHOWN = frozenset({MARK, DRAINED})
"""Communities that are compared: some products cannot add one and keep those of others."""
ROUTED = [
    (name, feature)
    for name in sorted(MODELS)
    for feature in FEATURES
    if FEATURES[feature].able(capabilities(name))
    and any(
        word in feature for word in ("tiers", "planes", "unnumbered", "ipv6", "dual", "border", "long names")
    )
]


def expected(switch: Switch) -> RoutingPolicy:
    """All of the policy, said by clauses."""
    return neutral.routing_policy(switch, STYLE)


def read(switch: Switch) -> Facts:
    """What is printed for a switch, as its reader has it."""
    return platform(switch.platform).read(printed(switch)).facts


def disagreements(switch: Switch, made: RoutingPolicy, facts: Facts) -> Iterator[tuple[str, Route]]:
    """Routes of which text and data make different things, with the session and the way."""
    assert {one.key for one in switch.routing.neighbors} == facts.neighbors.keys()
    for group in made.groups:
        names = {facts.neighbors[one.key].policy for one in group.members}
        for name in sorted(names):
            for version in group.families:
                ways = EXPECTATIONS[switch.platform].policies(facts, name, version)
                for route in samples(switch, [version]):
                    for way in _differing(switch, group, ways, route, facts):
                        yield f"{name} {way}", route
                yield from (("connected", one) for one in _unlike(switch, made, group, ways, version))


def _differing(switch: Switch, group: PeerGroup, ways: Ways, route: Route, facts: Facts) -> Iterator[str]:
    received, sent = (read_policies.passed(policy, route) for policy in (ways.imports, ways.exports))
    if EXPECTATIONS[switch.platform].obeys_graceful_shutdown:
        if received is not None and DRAINED in received.communities:
            received = replace(received, local_preference=0)
        if sent is not None and sends_graceful_shutdown(facts):
            sent = replace(sent, communities=sent.communities | {DRAINED})
    if _shown(received) != _shown(routes.passed(group.import_policy, route)):
        yield "import"
    if _shown(sent) != _shown(routes.passed(group.export_policy, route)):
        yield "export"


def _shown(route: Route | None) -> Route | None:
    return None if route is None else replace(route, communities=route.communities & SHOWN)


def _unlike(
    switch: Switch, made: RoutingPolicy, group: PeerGroup, ways: Ways, version: int
) -> Iterator[Route]:
    """Connected routes that are advertised to the fabric in one of both alone; aggregates stand for theirs."""
    for route in () if group.is_external else samples(switch, [version]):
        covered = any(
            route.prefix.subnet_of(one) for one in switch.routing.aggregates if one.version == version
        )
        connected = replace(route, communities=frozenset(), protocol="direct")
        said = read_policies.passed(ways.connected, connected)
        if not covered and (said is None) != (routes.passed(made.connected, connected) is None):
            yield connected


@pytest.mark.covering(most=40)
@pytest.mark.parametrize(("name", "feature"), ROUTED)
def test_what_is_printed_lets_the_same_routes_pass(name, feature):
    for switch in devices(name, feature).values():
        for drained in (False, True) if capabilities(name).drain else (False,):
            one = changed(switch, drained=drained, keeps_sessions=True)

            assert [] == list(disagreements(one, expected(one), read(one))), one.name


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(MODELS)).flatmap(switches))
def test_so_does_what_is_printed_for_any_switch(found):
    for switch in found:
        if not refusals(switch):
            assert [] == list(disagreements(switch, expected(switch), read(switch)))


ROUTER = "{network: compute, kind: router, links: 1, speed: 400G, to: {unit: 0, rails: [0]}, bgp: "
NAMES_ALIKE = attachments(
    f"core: {ROUTER}{{asn: 65010, default_route: true, advertise: [10.0.0.0/10]}}}}\n"
    f"core-v6: {ROUTER}{{asn: 65011, prefixes: [192.0.2.0/24]}}}}\n"
    f"core-out: {ROUTER}{{asn: 65013, prefixes: [203.0.113.0/25]}}}}\n"
    f"v6-core: {ROUTER}{{asn: 65012, prefixes: [198.51.100.0/24]}}}}\n"
)
"""Names that end or begin as products mark groups of IPv6, or policies of one direction."""


@pytest.mark.parametrize("name", sorted(MODELS))
def test_neighbours_outside_keep_policies_of_their_own_whatever_they_are_called(name):
    family = "dual" if capabilities(name).ipv6_fabric else "ipv4"
    room = network('tiers: {leaf: {reserved_ports: 4, max_oversubscription: "10:1"}}')
    switch = leaf(
        name, room, network(f"addressing: {{family: {family}, host_family: {family}}}"), NAMES_ALIKE
    )

    outside = [one for one in switch.routing.neighbors if one.relation is Relation.EXTERNAL]
    assert {"core", "core-out", "core-v6", "v6-core"} == {one.peer for one in outside}
    facts = read(switch)
    assert [] == list(disagreements(switch, expected(switch), facts))
    assert len(outside) == len({facts.neighbors[one.key].policy for one in outside})


Mutation = Callable[[RoutePolicy, bool], RoutePolicy]
"""A policy of sessions inside or outside of the fabric, with one clause otherwise."""


def _each(policy: RoutePolicy, change: Callable[[Clause], Clause | None]) -> RoutePolicy:
    return RoutePolicy(policy.name, tuple(one for clause in policy.clauses if (one := change(clause))))


def _wider(clause: Clause) -> Clause:
    """Every prefix where some were named."""
    if clause.prefixes is None:
        return clause
    every = tuple(
        changed(one, prefix=one.prefix.supernet(new_prefix=0), shortest=0) for one in clause.prefixes.ranges
    )
    return changed(clause, prefixes=changed(clause.prefixes, ranges=every))


MUTATIONS: dict[str, tuple[str, Mutation]] = {
    "no barrier": (
        "leaf-0-0",
        lambda policy, inside: _each(policy, lambda one: one if one.permit or not inside else None),
    ),
    "no mark": (
        "leaf-0-0",
        lambda policy, inside: _each(policy, lambda one: changed(one, add=None) if inside else one),
    ),
    "everything is taken from the fabric": (
        "leaf-0-0",
        lambda policy, inside: _each(policy, _wider) if inside else policy,
    ),
    "the mark stays outside": (
        "spine-0",
        lambda policy, inside: policy if inside else _each(policy, lambda one: changed(one, delete=None)),
    ),
    "everything passes outside": (
        "spine-0",
        lambda policy, inside: policy if inside else _each(policy, _wider),
    ),
    "nothing passes outside": (
        "spine-0",
        lambda policy, inside: policy if inside else RoutePolicy(policy.name, ()),
    ),
}
"""Each with a switch that it concerns."""


@pytest.mark.parametrize("name", sorted(MODELS))
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_one_clause_otherwise_is_seen(name, mutation):
    where, mutate = MUTATIONS[mutation]
    switch = devices(name, "border router")[where]
    made, inside, outside = expected(switch), neutral.inside_policies, neutral.outside_policies

    def mutated_inside(*arguments):
        return {
            relation: tuple(mutate(policy, True) for policy in both)  # noqa: FBT003
            for relation, both in inside(*arguments).items()
        }

    def mutated_outside(*arguments):
        return tuple(mutate(policy, False) for policy in outside(*arguments))  # noqa: FBT003

    with patch.multiple(neutral, inside_policies=mutated_inside, outside_policies=mutated_outside):
        facts = read(switch)

    assert list(disagreements(switch, made, facts))
    assert [] == list(disagreements(switch, made, read(switch)))


def test_the_sites_have_all_relations():
    found = {
        one.relation
        for feature in ("two tiers", "border router")
        for switch in devices(ANY, feature).values()
        for one in switch.routing.neighbors
    }

    assert {Relation.UP, Relation.DOWN, Relation.EXTERNAL} <= found

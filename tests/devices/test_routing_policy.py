"""The routing policy of a switch as data: valley-free, whatever the site."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from fabric.devices.model import Neighbor, Relation, Switch
from fabric.devices.routing_model import PeerGroup, PolicyStyle, RoutingPolicy
from fabric.devices.routing_policy import routing_policy
from tests.devices.routes import DRAINED, MARK, NOWHERE, Route, passed, samples, within
from tests.platforms.everywhere import devices
from tests.platforms.random_sites import switches

ABOVE = (Relation.UP, Relation.ACROSS)


def named(first: Neighbor, taken: Collection[str]) -> str:
    return f"{first.relation.upper()}-{first.peer}-{len(taken)}"


STYLE = PolicyStyle(named)
"""A product that does nothing by itself."""


def of(switch: Switch, style: PolicyStyle = STYLE) -> RoutingPolicy:
    return routing_policy(switch, style)


def ways(made: RoutingPolicy) -> list[tuple[PeerGroup, PeerGroup]]:
    """From whom a route is received, and to whom it would be advertised."""
    return list(product(made.groups, made.groups))


def through(source: PeerGroup, target: PeerGroup, route: Route) -> Route | None:
    """What becomes of a route of one neighbour on its way to another."""
    received = passed(source.import_policy, route)
    return None if received is None else passed(target.export_policy, received)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(switches("eos"))
def test_the_policy_of_any_switch_is_valley_free(found):
    for switch in found:
        made = of(switch)
        assert {one.key for one in switch.routing.neighbors} == made.group_names.keys()
        for source, target in ways(made):
            for route in samples(switch, source.families):
                _judge(switch, source, target, route)


def _judge(switch: Switch, source: PeerGroup, target: PeerGroup, route: Route) -> None:
    received, sent = passed(source.import_policy, route), through(source, target, route)
    known = source.members[0].accept if source.is_external else switch.routing.accepted
    if source.is_external:
        assert (received is not None) == (route.prefix in known)
    else:
        assert (received is not None) == any(within(one, route.prefix) for one in known)
    if received is not None:
        assert (received.local_preference == 0) == (DRAINED in route.communities)
    if source.relation in ABOVE and target.relation in ABOVE:
        assert sent is None
    if source.relation is Relation.DOWN and not target.is_external and MARK not in route.communities:
        assert (sent is None) == (received is None)
    if target.relation is Relation.DOWN:
        assert (sent is None) == (received is None)
    if sent is not None:
        assert not target.is_external or MARK not in sent.communities
        assert not switch.drained or DRAINED in sent.communities


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(switches("eos"))
def test_neighbours_outside_hear_what_is_written_and_bring_no_mark_in(found):
    for switch in found:
        for group in of(switch).groups:
            first = group.members[0]
            for route in samples(switch, group.families) if group.is_external else ():
                received, sent = passed(group.import_policy, route), passed(group.export_policy, route)
                assert received is None or MARK not in received.communities
                assert sent is None or MARK not in sent.communities
                assert (sent is not None) == any(route.prefix.subnet_of(one) for one in first.advertise)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(switches("eos"))
def test_loopbacks_and_hosts_enter_bgp_and_nothing_else(found):
    for switch in found:
        connected, routing = of(switch).connected, switch.routing
        for route in samples(switch, (4, 6)):
            ours = any(within(one, route.prefix) for one in (*routing.loopbacks, *routing.host_prefixes))
            assert (passed(connected, route) is not None) == ours
        assert all(passed(connected, Route(prefix)) is None for prefix in NOWHERE)


@pytest.mark.parametrize("feature", ["two tiers", "three tiers", "unnumbered", "dual stack", "border router"])
def test_sessions_of_a_group_agree_in_all_that_a_group_says(feature):
    for switch in devices("eos", feature).values():
        for group in of(switch).groups:
            said = {(one.relation, one.bfd, one.ttl_security, one.max_prefixes) for one in group.members}
            assert 1 == len(said)
            assert group.unnumbered == all(one.address is None for one in group.members)
            assert {one.family for one in group.members} <= set(group.families)


def test_a_product_that_drains_by_itself_has_no_clause_for_it():
    for switch in devices("eos", "border router").values():
        made = of(replace(switch, drained=True), replace(STYLE, drains_by_itself=True))
        clauses = [clause for policy in made.policies for clause in policy.clauses]

        assert clauses
        assert not any(made.graceful_shutdown in (one.community, one.add) for one in clauses)


def test_unnumbered_sessions_are_split_by_as_number_where_the_product_wants_it():
    switch = devices("eos", "unnumbered")["spine-0"]

    groups = of(switch, replace(STYLE, one_asn_unnumbered=True)).groups

    assert len({one.remote_asn for one in switch.routing.neighbors}) == len(groups)


def test_adding_that_replaces_keeps_the_mark_of_drained_neighbours():
    leaf = devices("eos", "two tiers")["leaf-0-0"]
    style = replace(STYLE, drains_by_itself=True, adding_replaces=True)
    (group,) = of(leaf, style).groups

    first, second = group.import_policy.clauses
    assert (DRAINED, MARK, 0) == (first.community.value, first.add.value, first.local_preference)
    assert (None, MARK) == (second.community, second.add.value)

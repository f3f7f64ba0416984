"""The law of routing: whoever the cables join reach each other over all shortest ways, and nobody else does."""

from __future__ import annotations

import pytest

from fabric.analysis import check_routes, codes
from fabric.analysis.routes.build_speakers import Built, build
from fabric.analysis.routes.evaluate import evaluate
from fabric.diagnostics import Diagnostic
from tests.analysis.oracle import Way, graph, ways
from tests.analysis.sites import FAMILIES, POLICIES, SHAPES, Site, intent, made

Table = dict[tuple[str, str, int], Way]
"""Hops and next hops by switch, origin and address family."""


def evaluated(built: Built) -> Table:
    """Every route of every switch; how wide each is comes out the same one by one and of all origins at once."""
    speakers, found = built.speakers, {}
    for family in speakers.sessions:
        routes = evaluate(speakers, family)
        for node, name in enumerate(speakers.names):
            widths: dict[int, int] = {}
            for origin, target in enumerate(speakers.names):
                route = routes.best(node, origin)
                if route is not None:
                    hops = {speakers.names[peer]: links for peer, links in route.next_hops.items()}
                    found[name, target, family] = Way(route.length, hops)
                    widths[route.width] = widths.get(route.width, 0) | 1 << origin
            alone = (1 << speakers.count) - 1
            at_once = {
                width: origins & alone
                for width, origins in routes.origins_by_width(node).items()
                if origins & alone
            }
            assert widths == at_once
    return found


Cuts = tuple[tuple[str, str], ...]


def allowed(site: Site, families: tuple[int, ...], dead: tuple[str, ...] = (), cut: Cuts = ()) -> Table:
    """Every way over the cables."""
    net = site.topology.networks["compute"]
    links = graph(net, dead, cut)
    found: Table = {}
    for origin in net.switches:
        for name, way in ways(net, links, [origin]).items():
            found |= {(name, net.names[origin], family): way for family in families}
    return found


def without_equals(site: Site, table: Table) -> Table:
    """Leave out what is between two spines that share an AS number: they stand in for each other."""
    net = site.topology.networks["compute"]
    nodes = {net.names[node]: net.node(net.names[node]) for node in net.switches}
    return {
        key: way
        for key, way in table.items()
        if key[0] == key[1] or not nodes[key[0]].role or nodes[key[0]].asn != nodes[key[1]].asn
    }


def between_leaves(table: Table) -> Table:
    """The routes of leaves to leaves."""
    return {key: way for key, way in table.items() if all(name.startswith("leaf") for name in key[:2])}


def lawful(site: Site, dead: tuple[str, ...] = (), cut: Cuts = ()) -> None:
    """Hold every route, of all switches and of a switch of each kind, against the cables."""
    exact = build(site.devices.contexts[0], site.devices, every=True)
    table = evaluated(exact)
    expected = allowed(site, tuple(exact.speakers.sessions), dead, cut)
    assert [] == exact.mismatches
    if cut and len({one.routing.asn for one in site.devices.values()}) < len(site.devices):
        expected, found = (
            between_leaves(expected),
            between_leaves(table),
        )  # equal spines stand in for each other
    else:
        expected, found = without_equals(site, expected), without_equals(site, table)
    assert expected == found
    assert table == evaluated(build(site.devices.contexts[0], site.devices))
    assert [] == of_routes(site)


def of_routes(site: Site) -> list[Diagnostic]:
    """What is found of routes; where an attachment has cables to is judged elsewhere."""
    return [one for one in check_routes(site.devices) if one.code != codes.UNATTACHED.code]


@pytest.mark.covering
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("shape", SHAPES)
def test_whoever_the_cables_join_reach_each_other(shape, policy):
    lawful(made(intent(shape, policy=policy)))


@pytest.mark.covering
@pytest.mark.parametrize("family", FAMILIES[1:])
@pytest.mark.parametrize("shape", SHAPES)
def test_in_every_address_family(shape, family):
    lawful(made(intent(shape, family=family, policy="rfc7938")))


@pytest.mark.covering
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "rail-only"])
def test_while_a_switch_is_drained(shape, policy):
    value = intent(shape, policy=policy)
    net = made(value).topology.networks["compute"]
    spine = next(name for name in net.names if name.startswith("spine"))
    state = {"drained": [{"device": spine, "reason": "test", "owner": "noc", "expires": "2999-01-01"}]}

    lawful(made(value, state), dead=(spine,))


def test_planes_that_must_not_meet_do_not():
    site = made(intent("planes in pods"))
    planes = {node.name: node.plane for node in map(site.topology.networks["compute"].node, site.devices)}
    table = evaluated(build(site.devices.contexts[0], site.devices, every=True))

    assert {0, 1} == set(planes.values())
    assert all(planes[here] == planes[there] for here, there, _ in table)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_leaf_is_between_others(shape):
    site = made(intent(shape, policy="rfc7938"))
    table = evaluated(build(site.devices.contexts[0], site.devices, every=True))
    leaves = {name for name in site.devices if name.startswith("leaf")}

    assert all(hop == target for (_, target, _), way in table.items() for hop in leaves & set(way.next_hops))


PARTS = [shape for shape in SHAPES if {"pods", "zones"} & set(SHAPES[shape])]


@pytest.mark.covering
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("shape", PARTS)
def test_with_leaf_numbers_used_again_in_every_pod(shape, policy):
    site = made(intent(shape, policy=policy, asn={"leaf_numbers": "per_pod"}))
    leaves = [one for one in site.devices.values() if one.role == "leaf"]

    assert len({leaf.routing.asn for leaf in leaves}) < len(leaves)
    lawful(site)


def test_no_switch_accepts_its_own_as_number_without_need():
    for shape in SHAPES:
        for policy in POLICIES:
            switches = made(intent(shape, policy=policy)).devices.values()
            assert {0} == {switch.routing.allow_own_asn for switch in switches}
    reused = made(intent("pods", asn={"leaf_numbers": "per_pod"})).devices

    assert {("leaf", 1), ("spine", 0), ("superspine", 0)} == {
        (switch.role, switch.routing.allow_own_asn) for switch in reused.values()
    }


WHY = {"reason": "test", "owner": "noc", "expires": "2999-01-01"}
TIERS = [(shape, "leaf", "spine") for shape in SHAPES if shape != "rail-only"]
TIERS += [(shape, "spine", "superspine") for shape in SHAPES if "superspine" in SHAPES[shape]]
TIERS += [(shape, "spine", "spine") for shape in PARTS if "zones" in SHAPES[shape]]


@pytest.mark.covering
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("shape", "lower", "upper"), TIERS)
def test_while_the_links_of_two_switches_are_out(shape, lower, upper, policy):
    value = intent(shape, policy=policy)
    switches = made(value).devices
    name, peer = next(
        (one.name, port.peer)
        for one in switches.values()
        for port in one.ports
        if one.role == lower and port.peer in switches and switches[port.peer].role == upper
    )
    ports = [port.name for port in switches[name].ports if port.peer == peer]
    out = [{"device": name, "port": port, "peer": peer, **WHY} for port in ports]

    lawful(made(value, {"excluded_links": out}), cut=((name, peer),) * len(ports))

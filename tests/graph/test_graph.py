"""The arrays of a network say what its columns say, on every shipped site."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from fabric.graph import Graph, Tier, graph_of, leaves_below
from fabric.intent.load import load
from fabric.topology.expand import expand
from fabric.topology.model import Link, NetworkTopology
from fabric.topology.roles import NONE, Role
from tests.topology.builders import REFERENCE

SITES = sorted(path.parent.name for path in REFERENCE.glob("*/site.yaml"))
SMALL = sorted(
    set(SITES) - {"meta-24k", "hpn7-pod", "superpod-b300-spectrumx-16su", "megascale", "aquila-clique"}
)


@cache
def network(site: str) -> NetworkTopology:
    return expand(load(REFERENCE / site)).networks["compute"]


def below(graph: Graph, switch: int) -> set[int]:
    """The leaves that a switch reaches by going down, one link at a time."""
    if graph.role[switch] == Role.LEAF:
        return {switch}
    tree = np.isin(graph.tier, (Tier.LEAF, Tier.SPINE)) & graph.carries & (graph.upper == switch)
    return set().union(*(below(graph, node) for node in set(graph.lower[tree].tolist())))


@pytest.mark.parametrize("site", SITES)
def test_every_link_is_there_once_with_its_lower_end_first(site: str) -> None:
    net = network(site)
    graph = graph_of(net)

    ends = [tuple(port.id for port in link.ends) for link in net.links() if isinstance(link, Link)]
    assert sorted(zip(graph.lower_port.tolist(), graph.upper_port.tolist(), strict=True)) == sorted(ends)
    assert sorted(graph.cable.tolist()) == sorted(net.cable[lower] for lower, _ in ends)


@pytest.mark.parametrize("site", SITES)
def test_a_link_has_the_speed_of_the_port_map_and_the_tier_of_its_ends(site: str) -> None:
    net = network(site)
    graph = graph_of(net)
    for link in range(0, graph.count, max(1, graph.count // 200)):
        lower, upper = int(graph.lower[link]), int(graph.upper[link])
        ports = net.port_maps[net.port_map[upper]].slots
        assert graph.mbps[link] == ports[graph.upper_port[link] - net.port_base[upper]].speed_mbps
        assert graph.tier[link] == (
            Tier.HOST
            if net.role[lower] == Role.HOST
            else Tier.OUT
            if net.role[lower] == Role.ATTACHMENT
            else Tier.ACROSS
            if net.role[lower] == net.role[upper]
            else Tier(net.role[upper])
        )


@pytest.mark.parametrize("site", SITES)
def test_the_rail_of_a_host_link_is_that_of_its_nic(site: str) -> None:
    net = network(site)
    graph = graph_of(net)
    for link in graph.links(Tier.HOST)[:: max(1, graph.count // 200)]:
        host = int(graph.lower[link])
        nic = (int(graph.lower_port[link]) - net.port_base[host]) // net.sizes.planes
        assert graph.rail[link] == (net.rail_of(host, nic) if net.rail[host] != NONE else NONE)


@pytest.mark.parametrize("site", SMALL)
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_the_leaves_below_a_switch_are_those_that_links_lead_down_to(site: str, share: float) -> None:
    graph = graph_of(network(site))
    carries = np.random.default_rng(7).random(graph.count) >= share
    leaves = graph.nodes(Role.LEAF)
    reached = leaves_below(graph, carries)
    broken = Graph(
        **{**{name: getattr(graph, name) for name in graph.__dataclass_fields__}, "carries": carries}
    )

    for switch in graph.net.switches:
        assert {leaves.start + int(i) for i in np.flatnonzero(reached[switch])} == below(broken, switch)


@pytest.mark.parametrize("site", SMALL)
def test_what_is_shut_or_drained_does_not_carry(site: str) -> None:
    net = network(site)
    whole = graph_of(net)
    assert whole.carries.all()
    ports = {int(whole.lower_port[0]), int(whole.upper_port[-1])}
    switch = net.names[0]

    graph = graph_of(net, ports, (switch,))
    for link in range(graph.count):
        own = {int(graph.lower_port[link]), int(graph.upper_port[link])}
        at = {net.names[graph.lower[link]], net.names[graph.upper[link]]}
        assert graph.carries[link] == (ports.isdisjoint(own) and switch not in at)

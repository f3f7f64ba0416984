"""Paths are the shortest that go up, across and down again: what walking the links one by one finds."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from fabric.analysis.routes.expected_widths import expected_widths
from fabric.compiler import derive
from fabric.graph import Graph, Tier
from fabric.simulation.flows import flows_of
from fabric.simulation.hashing import HashModel
from fabric.simulation.place_flows import place, spread
from fabric.simulation.routes import FAR, Routes, routes_of
from fabric.simulation.simulate import collective
from fabric.topology.expand import expand
from fabric.topology.roles import Role
from tests.simulation.sites import SITES, SMALL, graph, intent, job_on, routes

WAYS = ("up", "across", "down")


def steps(net: Graph) -> dict[int, list[tuple[int, int, int]]]:
    """Of each switch: where a link leads (as in `WAYS`), the other end, the directed link."""
    found = defaultdict(list)
    for link in range(net.count):
        if not net.carries[link] or net.tier[link] in (Tier.HOST, Tier.OUT):
            continue
        lower, upper = int(net.lower[link]), int(net.upper[link])
        across = net.tier[link] == Tier.ACROSS
        found[lower].append((1 if across else 0, upper, link))
        found[upper].append((1 if across else 2, lower, link + net.count))
    return found


def walked(net: Graph, leaf: int) -> tuple[dict[int, int], dict[int, set[int]]]:
    """Distance of every switch to a leaf, and its first links on shortest ways, by a walk over (switch, least way)."""
    around = steps(net)
    distance = {(leaf, way): 0 for way in range(3)}
    for depth in range(1, net.count):
        further = {
            (node, least): depth
            for node, links in around.items()
            for least in range(3)
            if (node, least) not in distance
            and any(way >= least and distance.get((other, way)) == depth - 1 for way, other, _ in links)
        }
        if not further:
            break
        distance |= further
    hops = {node: far for (node, least), far in distance.items() if least == 0}
    first = {
        node: {link for way, other, link in around[node] if distance.get((other, way)) == far - 1}
        for node, far in hops.items()
        if far
    }
    return hops, first


@pytest.mark.parametrize("site", [*SMALL, "aquila-clique", "leonardo-dragonfly-plus", "superpod-b200-16su"])
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_next_hops_are_those_of_a_walk_over_the_links(site, share):
    whole = graph(site)
    carries = np.random.default_rng(3).random(whole.count) >= share
    net = Graph(**{**{name: getattr(whole, name) for name in whole.__dataclass_fields__}, "carries": carries})
    found = routes_of(net)
    leaves = net.nodes(Role.LEAF)
    for leaf in leaves[:: max(1, len(leaves) // 2)]:
        hops, first = walked(net, leaf)
        column = found.hops[:, leaf - leaves.start]
        assert hops == {node: int(d) for node, d in enumerate(column) if d < FAR}
        assert first == {node: next_links(found, node, leaf - leaves.start) for node in first}


def next_links(found: Routes, node: int, leaf: int) -> set[int]:
    hops = found.next_hops(np.array([node], np.int32), np.array([leaf], np.int32))
    return set(hops.links.tolist())


@pytest.mark.parametrize("site", ["lab-8"])
def test_as_many_equal_paths_as_the_routes_of_the_devices_have(site):
    topology = expand(intent(site))
    devices = derive(intent(site), topology)
    (context,) = devices.contexts
    widths = expected_widths(context, devices)
    net, found = graph(site).net, routes(site)
    checked = 0
    for node in net.switches:
        for width, origin in widths[net.names[node]].values():
            leaf = net.node(origin).id
            if leaf < len(found.leaves) and leaf != node:
                checked += 1
                assert width == len(next_links(found, node, leaf))

    assert checked > 20


def test_a_port_of_hpn_has_60_paths_to_another_segment():
    """HPN (SIGCOMM 2024), table 1: 60 choices, all at the leaf; the spine has one link to the leaf of that plane."""
    net, found = graph("hpn7-pod"), routes("hpn7-pod")
    here, there = (net.net.node(name).id for name in ("leaf-0-00-0", "leaf-0-14-7"))
    up = next_links(found, here, there)
    spines = {int(net.upper[link]) for link in up}

    assert len(up) == 60
    assert len(spines) == 60
    assert {len(next_links(found, spine, there)) for spine in spines} == {1}


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("model", [HashModel.CRC32, HashModel.MIXER, HashModel.DESTINATION])
def test_a_path_is_a_chain_of_links_from_the_source_to_the_target(site, model):
    net, job = graph(site), job_on(site, placement="random", gpus=None)
    (phase,) = collective("allreduce").phases(len(job.hosts))
    flows = flows_of(job, phase, 1e6, qps=1, seed=1)
    found = routes(site)
    paths = place(found, flows, model)

    assert paths.arrived.all()
    assert (paths.links[:, 0] == flows.source).all()
    assert (paths.links[:, -1] == flows.target + net.count).all()
    at = net.upper[flows.source].copy()
    for hop in paths.links.T[1:-1]:
        there = hop >= 0
        assert (found.tail[hop[there]] == at[there]).all()
        at[there] = found.head[hop[there]]
    assert (at == net.upper[flows.target]).all()
    crossed = (paths.links >= 0).sum(axis=1) - 2
    leaf = net.upper[flows.target] - found.leaves.start
    assert (crossed == found.hops[net.upper[flows.source], leaf]).all()


@pytest.mark.parametrize("site", SITES)
def test_sprayed_bytes_are_the_mean_of_many_hashes(site):
    """What enters a tier is the same whoever chooses; sprayed, no link carries more than hashed at the worst."""
    net, job = graph(site), job_on(site, placement="random")
    (phase,) = collective("allreduce").phases(len(job.hosts))
    flows = flows_of(job, phase, 1e6, qps=1, seed=1)
    sprayed, _arrived = spread(routes(site), flows)
    hashed = place(routes(site), flows, HashModel.MIXER).loads(flows.bytes, 2 * net.count)
    for tier in Tier:
        of_tier = np.tile(net.tier == tier, 2)
        assert hashed[of_tier].sum() == pytest.approx(sprayed[of_tier].sum())
    assert sprayed.max() <= hashed.max() * 1.000001

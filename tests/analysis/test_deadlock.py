"""Ranks prove what a search over all waits finds, and a circle that is found is one."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.analysis.deadlock import circle, dependencies, is_valley_free_safe, minimal_circle, ranks
from fabric.analysis.deadlock.minimal import arcs
from fabric.graph import Graph, graph_of
from fabric.intent.load import load
from fabric.topology.expand import expand
from fabric.topology.roles import Role
from tests.topology.builders import REFERENCE, expanded

SITES = sorted(path.parent.name for path in REFERENCE.glob("*/site.yaml"))
LAYOUTS = {"aquila-clique"}
SMALL = ("lab-8", "rail-only", "superpod-h100-1su", "dcnplus-pod")


@cache
def graph(site: str) -> Graph:
    return graph_of(expand(load(REFERENCE / site)).networks["compute"])


def waits_of(net: Graph, *, valleys: bool) -> tuple[np.ndarray, np.ndarray]:
    """Every wait, one by one: link `i` up is buffer `i`, down it is `i + count`."""
    switches, count = len(net.net.switches), net.count
    arriving: dict[int, list[int]] = {}
    leaving: dict[int, list[int]] = {}
    for link, (lower, upper) in enumerate(zip(net.lower.tolist(), net.upper.tolist(), strict=True)):
        for buffer, start, end in ((link, lower, upper), (link + count, upper, lower)):
            leaving.setdefault(start, []).append(buffer)
            arriving.setdefault(end, []).append(buffer)

    def is_up(buffer: int) -> bool:
        return buffer < count and net.role[net.lower[buffer]] != net.role[net.upper[buffer]]

    def is_down(buffer: int) -> bool:
        return buffer >= count and net.role[net.lower[buffer - count]] != net.role[net.upper[buffer - count]]

    pairs = [
        (one, other)
        for node in range(switches)
        for one in arriving.get(node, ())
        for other in leaving.get(node, ())
        if one % count != other % count and (valleys or is_up(one) or is_down(other))
    ]
    waits, for_ = np.array(pairs, np.int32).reshape(-1, 2).T
    return waits, for_


@pytest.mark.parametrize("site", sorted(set(SITES) - LAYOUTS))
def test_no_valley_free_fabric_has_a_circle_whatever_fails(site: str) -> None:
    assert is_valley_free_safe(graph(site))


def zones() -> Graph:
    network = {
        "tiers": {"leaf": {"model": "nvidia-sn5600"}, "spine": {"model": "nvidia-sn5600", "count": 2}},
        "zones": {"units": 1},
    }
    hosts = {"gpu": {"per_unit": 4, "nics": {"compute": {"count": 2, "speed": "400G"}}}}
    return graph_of(
        expanded({"units": 2, "hosts": hosts, "networks": {"compute": network}}).networks["compute"]
    )


@pytest.mark.parametrize("site", ["zones", "lab-8", "superpod-h100-1su"])
def test_a_search_over_all_waits_agrees_with_the_ranks(site: str) -> None:
    net = zones() if site == "zones" else graph(site)
    up, down = ranks(net)
    rank = np.r_[up, down]
    waits, for_ = waits_of(net, valleys=False)

    assert np.all(rank[waits] < rank[for_])
    assert circle(2 * net.count, waits, for_) == ()
    assert is_valley_free_safe(net)


def test_with_valleys_there_is_a_circle_and_each_of_it_waits_for_the_next() -> None:
    net = graph("lab-8")
    waits, for_ = waits_of(net, valleys=True)
    around = circle(2 * net.count, waits, for_)
    pairs = set(zip(waits.tolist(), for_.tolist(), strict=True))

    assert len(around) > 1
    assert all(pair in pairs for pair in zip(around, (*around[1:], around[0]), strict=True))


@settings(max_examples=25)
@given(st.data())
def test_one_wrong_rank_is_found(data: st.DataObject) -> None:
    net = graph("lab-8")
    up, down = (each.copy() for each in ranks(net))
    link = data.draw(st.integers(0, net.count - 1))
    if net.role[net.lower[link]] == Role.HOST:
        up[link] = 99
    else:
        up[link], down[link] = down[link], up[link]

    assert not is_valley_free_safe(net, (up, down))


@settings(max_examples=50)
@given(st.integers(2, 7).flatmap(lambda n: st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)))))
def test_a_circle_is_found_where_powers_of_the_matrix_have_one(pairs: set[tuple[int, int]]) -> None:
    count = 8
    waits, for_ = np.array(sorted(pairs), np.int32).reshape(-1, 2).T
    matrix = np.zeros((count, count), np.int64)
    matrix[waits, for_] = 1
    reach, has_circle = matrix.copy(), False
    for _ in range(count):
        has_circle = has_circle or bool(np.trace(reach))
        reach = np.minimum(reach @ matrix, 1)
    around = circle(count, waits, for_)

    assert has_circle == bool(around)
    assert all(pair in pairs for pair in zip(around, (*around[1:], *around[:1]), strict=True))


def ring(leaves: int) -> Graph:
    network = {
        "rails": "none",
        "layout": {"kind": "torus", "dimensions": [leaves]},
        "tiers": {"leaf": {"model": "nvidia-sn5600"}},
    }
    hosts = {"gpu": {"per_unit": 1, "nics": {"compute": {"count": 1, "speed": "400G"}}}}
    site = {"units": leaves, "hosts": hosts, "networks": {"compute": network}}
    return graph_of(expanded(site).networks["compute"])


@pytest.mark.parametrize(("leaves", "has_circle"), [(2, False), (3, False), (4, True), (5, True), (8, True)])
def test_a_ring_has_a_circle_from_four_leaves_on(leaves: int, has_circle: bool) -> None:  # noqa: FBT001
    around = minimal_circle(ring(leaves))

    assert bool(around) is has_circle
    assert len(around) in {0, leaves}


@pytest.mark.parametrize("site", SMALL)
def test_shortest_routes_between_leaves_of_a_tree_make_no_circle(site: str) -> None:
    assert minimal_circle(graph(site)) == ()


def dragonfly() -> Graph:
    network = {
        "rails": "none",
        "layout": {"kind": "dragonfly", "units": 3, "global_links": 1},
        "tiers": {"leaf": {"model": "nvidia-sn5600"}},
    }
    hosts = {"gpu": {"per_unit": 1, "nics": {"compute": {"count": 1, "speed": "400G"}}}}
    return graph_of(
        expanded({"units": 12, "hosts": hosts, "networks": {"compute": network}}).networks["compute"]
    )


def test_shortest_routes_of_a_dragonfly_wait_in_a_circle() -> None:
    """One lane is too few: a group's links lead to the link to the next group, and from it."""
    net = dragonfly()
    found = arcs(net)
    waits, for_ = dependencies(found)
    pairs = {
        (found.start[one], found.end[one], found.end[other]) for one, other in zip(waits, for_, strict=True)
    }
    around = minimal_circle(net)

    assert len(around) > 2
    for first, middle, last in zip(around, (*around[1:], around[0]), (*around[2:], *around[:2]), strict=True):
        assert (first, middle, last) in pairs

"""Every single failure: what the arrays say is what walking the links says, and classes hold all of them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings

from fabric.failures import Fabric, Impact, Placement, fabric_of, placed, single_failures, spare_hosts
from fabric.failures.components import Failures, failures_of
from fabric.failures.impact import restricted
from fabric.graph import Tier, graph_of
from fabric.intent.load import load, load_text
from fabric.topology.expand import expand
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role
from tests.failures.walking import Walked
from tests.properties.layout_strategies import layouts
from tests.properties.strategies import intents
from tests.properties.test_topology_laws import CHECKED, network
from tests.topology.builders import REFERENCE, built
from tests.topology.test_symmetry import SHAPES, swap

SITES = sorted(path.parent.name for path in REFERENCE.glob("*/site.yaml"))
SMALL = ("dcnplus-pod", "lab-8", "rail-only", "superpod-h100-1su")
SLOW = {
    "aquila-clique",
    "leonardo-dragonfly-plus",
    "megascale",
    "meta-24k",
    "superpod-b200-16su",
    "superpod-b300-spectrumx-16su",
}
"""So many links that walking takes long: their layouts stand among the shapes, and are drawn at random."""

LARGE = sorted({*SITES} - {*SMALL} - SLOW)


@cache
def site(name: str) -> tuple[Fabric, dict[str, str]]:
    intent = load(REFERENCE / name)
    graph = graph_of(expand(intent).networks["compute"])
    return fabric_of(graph, spare_hosts(intent, graph)), placed(intent)


def links_of(failures: Failures, number: int) -> set[int]:
    return set(failures.links[failures.starts[number] : failures.starts[number + 1]].tolist())


def listed(impact: Impact) -> Counter[Any]:
    return Counter({(row.kind, *msgspec.structs.astuple(row.effect)): row.count for row in impact.classes})


def walked(fabric: Fabric, placed: Placement) -> Counter[Any]:
    """Every failure by itself."""
    slow = Walked(fabric.graph)
    return Counter(
        (failures.kind, *slow.effect(links_of(failures, number)).values())
        for failures in failures_of(fabric.graph, placed)
        for number in range(failures.count)
    )


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("name", SMALL)
def test_the_classes_are_those_of_walking_after_each_failure(name: str) -> None:
    fabric, placed = site(name)

    assert walked(fabric, placed) == listed(single_failures(fabric, placed))


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("name", LARGE)
def test_the_classes_of_a_large_site_hold_what_walking_finds(name: str) -> None:
    fabric, placed = site(name)

    assert_some_are_walked(fabric, placed)


def assert_some_are_walked(fabric: Fabric, placed: Placement) -> None:
    """One failure of each kind has the effect of a class."""
    classes, slow = listed(single_failures(fabric, placed)), Walked(fabric.graph)
    for failures in failures_of(fabric.graph, placed):
        number = int(np.random.default_rng(3).integers(failures.count))
        assert classes[failures.kind, *slow.effect(links_of(failures, number)).values()]


@pytest.mark.covering(most=5)
@pytest.mark.parametrize("value", SHAPES.values(), ids=SHAPES)
def test_every_shape_has_the_classes_of_walking_and_no_symmetry_is_broken(value: dict[str, Any]) -> None:
    fabric = fabric_of(graph_of(built(value)))

    assert walked(fabric, Placement()) == listed(single_failures(fabric, Placement()))
    assert fabric.broken == ()


@pytest.mark.covering(most=5)
@pytest.mark.parametrize("value", SHAPES.values(), ids=SHAPES)
def test_two_swapped_cables_break_symmetries_and_the_answer_is_still_that_of_walking(
    value: dict[str, Any],
) -> None:
    net = built(value)
    whole = fabric_of(graph_of(net))
    first, other = apart(net)
    swap(net, first, other)
    fabric = fabric_of(graph_of(net))

    assert fabric.broken
    assert len(fabric.symmetries) < len(whole.symmetries)
    assert walked(fabric, Placement()) == listed(single_failures(fabric, Placement()))


def apart(net: NetworkTopology) -> tuple[int, int]:
    """Lower ports of two links of the leaves with no switch in common."""
    graph = graph_of(net)
    lower, upper = graph.lower, graph.upper
    links = np.flatnonzero(graph.tier == 1)
    other = next(i for i in links if lower[i] != lower[links[0]] and upper[i] != upper[links[0]])
    return int(graph.lower_port[links[0]]), int(graph.lower_port[other])


def test_a_leaf_that_dies_with_its_only_spine_is_not_parted_from_others() -> None:
    """Seen: of two leaves at one spine, the second without hosts, a failure of the spine lost a pair of leaves."""
    graph = graph_of(built(SHAPES["two tiers"]))
    (one, two), spine = graph.nodes(Role.LEAF)[:2], graph.nodes(Role.SPINE)[0]
    of_host = (graph.tier == Tier.HOST) & (graph.upper == one)
    fabric = fabric_of(
        restricted(graph, of_host | (np.isin(graph.lower, (one, two)) & (graph.upper == spine)))
    )

    assert walked(fabric, Placement()) == listed(single_failures(fabric, Placement()))


@given(intents())
@settings(CHECKED, max_examples=15)
def test_a_random_site_has_the_classes_of_walking(value: dict[str, Any]) -> None:
    fabric = fabric_of(graph_of(network(value)))

    assert walked(fabric, Placement()) == listed(single_failures(fabric, Placement()))


def test_the_pod_of_15360_gpus_has_the_five_published_cases() -> None:
    """SIGCOMM 2024, doi 10.1145/3651890.3672265: 6.25 % is also what its fault injection measured."""
    fabric, placed = site("hpn7-pod")
    rows = {row.kind: row for row in single_failures(fabric, placed).classes}
    optic = rows.pop("optic")  # of a switch's cage, which carries two of its uplinks: the paper counts none

    assert (optic.count, optic.effect.bisection_percent) == (7_200, 99.9861)
    assert {kind: row.count for kind, row in rows.items()} == {
        "host link": 30_720,
        "leaf-spine link": 14_400,
        "leaf": 240,
        "spine": 120,
        "plane": 2,
    }
    assert {kind: row.effect.bisection_percent for kind, row in rows.items()} == {
        "host link": 100,
        "leaf-spine link": 99.9931,
        "leaf": 99.5833,
        "spine": 99.1667,
        "plane": 50,
    }
    assert 100 - rows["host link"].effect.allreduce_percent == 6.25
    assert rows["leaf-spine link"].effect.leaf_oversubscription == round(25_600 / 23_600, 4)
    assert rows["spine"].effect.leaf_oversubscription == round(25_600 / 23_600, 4)
    assert rows["leaf"].effect.hosts_slowed == 128
    assert rows["plane"].effect.allreduce_percent == 50
    assert all(row.effect.is_harmless for row in rows.values())


@given(layouts())
@settings(CHECKED, max_examples=8)
def test_a_random_torus_or_dragonfly_has_the_classes_of_walking(value: dict[str, Any]) -> None:
    assert_some_are_walked(fabric_of(graph_of(network(value))), Placement())


@pytest.mark.parametrize("name", ["lab-8", "superpod-h100-1su"])
def test_an_optic_is_what_fills_a_cage_of_several_links(name: str) -> None:
    """Two cables of one cage hang on one optic: seen, only cables of several links had any."""
    fabric, _ = site(name)
    graph = fabric.graph
    cages: dict[tuple[int, int, int], set[int]] = {}
    for link in range(graph.count):
        for node, port in ((graph.lower, graph.lower_port), (graph.upper, graph.upper_port)):
            owner = int(node[link])
            chosen = graph.net.port_map[owner]
            if chosen != NONE:
                slot = graph.net.port_maps[chosen].slots[int(port[link] - graph.port_base[owner])]
                cages.setdefault((owner, slot.slot, slot.cage), set()).add(link)
    (optics,) = (each for each in failures_of(graph, Placement()) if each.kind == "optic")

    expected = sorted(sorted(links) for links in cages.values() if len(links) > 1)

    assert expected == sorted(sorted(links_of(optics, i)) for i in range(optics.count))
    assert optics.name(0).endswith("cage 1")


SITE_WITH_FEEDS = """
site: feeds
units: 1
hosts: {gpu: {per_unit: 4, gpus: 2, nics: {compute: {count: 2, speed: 400G}}}}
networks:
  compute:
    tiers:
      leaf: {model: arista-7060x6-64pe}
      spine: {model: arista-7060x6-64pe, count: 2}
"""
FEEDS = """
feeds:
  racks: {r1: [a, b], r2: [b]}
  devices: {spine-1: [a]}
devices:
  leaf-0-0: {rack: r1}
  spine-0: {rack: r2}
  spine-1: {rack: r2}
hosts:
  gpu-0-0: {rack: r2}
  gpu-0-1: {rack: r1}
"""


def test_a_feed_takes_what_has_no_other_feed() -> None:
    intent = load_text({"site.yaml": SITE_WITH_FEEDS, "inventory.yaml": FEEDS})
    fabric = fabric_of(graph_of(expand(intent).networks["compute"]))
    (feeds,) = (each for each in failures_of(fabric.graph, placed(intent)) if each.kind == "feed")
    graph = fabric.graph

    def of(*names: str) -> set[int]:
        return {
            link
            for link in range(graph.count)
            for node in (graph.lower[link], graph.upper[link])
            if graph.net.names[node] in names
        }

    assert {feeds.name(i): links_of(feeds, i) for i in range(feeds.count)} == {
        "feed a": of("spine-1"),
        "feed b": of("spine-0", "gpu-0-0"),
    }
    assert walked(fabric, placed(intent)) == listed(single_failures(fabric, placed(intent)))

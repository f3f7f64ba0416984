"""Symmetries that the builder states hold on the links, and a planted miswire breaks some of them."""

from __future__ import annotations

from typing import Any

import pytest

from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role
from tests.topology.builders import built, hosts, links, owners, small
from tests.topology.symmetry import Graph, broken, generators

SHAPES: dict[str, dict[str, Any]] = {
    "two tiers": small(spine={"count": 4}),
    "folded": small(rails={"leaves": 2}, spine={"count": 2}),
    "folded interleaved": small(rails={"leaves": 2, "fold": "interleaved"}, spine={"count": 2}),
    "two planes": small(gpu=hosts(4, 2, 2), planes={"count": 2}, spine={"count": 2}),
    "planes that meet": small(
        gpu=hosts(4, 2, 2), planes={"count": 2, "meet_at": "spine"}, spine={"count": 2}
    ),
    "three tiers": small(units=4, pods={"units": 2}, spine={"count": 4}, superspine={"count": 2}),
    "one group of superspines": small(
        units=4, pods={"units": 2}, spine={"count": 4}, superspine={"groups": 1, "count": 2}
    ),
    "rails apart": small(spine={"group_by": "rail", "count": 2}),
    "pods and rails apart": small(
        units=4, pods={"units": 2}, spine={"count": 2, "group_by": "pod+rail"}, superspine={"count": 2}
    ),
    "zones": small(units=4, zones={"units": 2}, spine={"count": 2}),
    "partial": small(units=3, gpu=hosts(4, last_unit=2, spare_per_unit=1), spine={"count": 2}),
}


@pytest.mark.parametrize("value", SHAPES.values(), ids=SHAPES)
def test_the_stated_symmetries_hold(value: dict[str, Any]) -> None:
    net = built(value)

    assert () == broken(net)
    assert len(generators(net)) > 4


@pytest.mark.parametrize("value", SHAPES.values(), ids=SHAPES)
def test_two_swapped_uplinks_break_a_symmetry(value: dict[str, Any]) -> None:
    net = built(value)
    owner, found = owners(net), links(net, Role.LEAF, Role.SPINE)
    first = found[0]
    # Both ends must differ: the links of one leaf, or of one spine, are exchanged without being wrong.
    other = next(link for link in found if {owner[p] for p in link}.isdisjoint(owner[p] for p in first))
    swap(net, first[0], other[0])

    assert broken(net)


def test_two_swapped_nics_of_a_host_break_a_symmetry() -> None:
    net = built(SHAPES["two tiers"])
    first = net.port_base[net.names.index("gpu-0-0")]
    swap(net, first, first + 1)

    assert any(name.startswith("swap hosts") for name in broken(net))


def swap(net: NetworkTopology, one: int, two: int) -> None:
    """Plug the far ends of two ports the wrong way round."""
    a, b = net.peer[one], net.peer[two]
    net.peer[one], net.peer[two] = b, a
    net.peer[a], net.peer[b] = two, one


def test_the_kinds_of_symmetry_are_all_stated() -> None:
    words = {g.name.split(" of")[0] for g in generators(built(SHAPES["pods and rails apart"]))}

    assert {
        "swap hosts",
        "rotate hosts",
        "swap units",
        "rotate units",
        "rotate pods",
        "rotate rails",
        "swap spines",
        "rotate spines",
        "rotate superspines",
    } == words


def test_nothing_is_like_a_switch_with_an_attachment() -> None:
    thing = {
        "network": "compute",
        "kind": "other",
        "links": 1,
        "speed": "400G",
        "to": {"unit": 0, "rails": [0]},
    }
    net = built(small(leaf={"reserved_ports": 1}, spine={"count": 4}, site={"attachments": {"x": thing}}))

    assert () == broken(net)
    assert all(g.moves[0] == 0 for g in generators(net))


def test_generators_are_permutations() -> None:
    graph = Graph(built(SHAPES["three tiers"]))

    assert all(sorted(g.moves) == list(range(graph.vertices)) for g in generators(graph.network, graph))

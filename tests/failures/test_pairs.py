"""Every pair of links, by orbits: the same classes and sizes as one pair after the other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from fabric.diagnostics import Refused
from fabric.failures import Fabric, Placement, fabric_of, pair_classes, pair_failures, single_failures
from fabric.failures.components import LINKS, failures_of
from fabric.graph import Tier, graph_of
from tests.failures.test_singles import apart, links_of, listed, site
from tests.failures.walking import Walked
from tests.topology.builders import built
from tests.topology.test_symmetry import SHAPES, swap


def one_by_one(
    fabric: Fabric, monkeypatch: pytest.MonkeyPatch, placed: Placement | None = None
) -> Counter[Any]:
    """The classes without any symmetry."""
    with monkeypatch.context() as patched:
        patched.setattr("fabric.failures.pair_classes.MOST_ORBITS", 0)
        return listed(pair_failures(fabric, placed))


def components(fabric: Fabric, placed: Placement) -> list[tuple[int, str, set[int]]]:
    """Of each that may fail: the number of its kind, the kind, the links."""
    found = [each for each in failures_of(fabric.graph, placed) if each.kind in pair_classes.KINDS]
    return [
        (number, each.kind, links_of(each, i)) for number, each in enumerate(found) for i in range(each.count)
    ]


def test_the_pairs_of_the_smallest_site_are_those_of_walking() -> None:
    fabric, placed = site("lab-8")
    slow = Walked(fabric.graph)
    walked = Counter(
        (f"{one[1]} + {two[1]}", *slow.effect(one[2] | two[2]).values())
        for one, two in combinations(components(fabric, placed), 2)
    )

    assert walked == listed(pair_failures(fabric, placed))


@pytest.mark.parametrize("name", ["lab-8", "rail-only", "superpod-h100-1su"])
def test_orbits_of_a_site_hold_what_each_of_its_pairs_does(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fabric, placed = site(name)
    by_orbit = pair_failures(fabric, placed)
    count = len(components(fabric, placed))

    assert by_orbit.failures == count * (count - 1) // 2
    assert by_orbit.classes_by_orbit < by_orbit.failures
    assert listed(by_orbit) == one_by_one(fabric, monkeypatch, placed)


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("value", SHAPES.values(), ids=SHAPES)
def test_orbits_of_a_shape_hold_what_each_of_its_pairs_does(
    value: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    net = built(value)
    whole = fabric_of(graph_of(net))
    assert listed(pair_failures(whole)) == one_by_one(whole, monkeypatch)

    swap(net, *apart(net))
    fabric = fabric_of(graph_of(net))
    assert listed(pair_failures(fabric)) == one_by_one(fabric, monkeypatch)
    assert pair_failures(fabric).classes_by_orbit > pair_failures(whole).classes_by_orbit


def test_the_pod_of_15360_gpus_has_a_thousand_million_pairs() -> None:
    fabric, _ = site("hpn7-pod")
    answer = pair_failures(fabric)
    of_links = [row for row in answer.classes if set(row.kind.split(" + ")) <= set(LINKS.values())]
    counts = {row.count: row.effect for row in of_links}

    assert (answer.failures, answer.classes_by_orbit) == (1_034_283_421, 71)
    assert sum(row.count for row in of_links) == 1_017_884_640
    assert counts[15_360].rails_isolated == 1  # both ports of one NIC
    assert counts[424_800].leaf_oversubscription == round(25_600 / 23_200, 4)


def test_a_network_without_symmetries_is_refused_where_its_pairs_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fabric, _ = site("hpn7-pod")
    monkeypatch.setattr(pair_classes, "MOST_ORBITS", 1)

    with pytest.raises(Refused, match="45,482 failures have 5 classes"):
        pair_failures(fabric)
    assert np.unique(fabric.graph.tier).tolist() == [Tier.HOST, Tier.LEAF]


def of_layout(layout: dict[str, Any], units: int, spines: int = 0) -> dict[str, Any]:
    """A small network of two hosts a leaf."""
    tiers: dict[str, Any] = {"leaf": {"model": "qm9700"}}
    if spines:
        tiers["spine"] = {"model": "qm9700", "count": spines}
    return {
        "site": "layout",
        "units": units,
        "hosts": {"node": {"per_unit": 2, "nics": {"compute": {"count": 1, "speed": "400G"}}}},
        "networks": {
            "compute": {"technology": "infiniband", "rails": "none", "layout": layout, "tiers": tiers}
        },
    }


LAYOUTS = {
    "dragonfly": of_layout({"kind": "dragonfly", "units": 3, "local_links": 2, "global_links": 2}, 15),
    "dragonfly with a rest": of_layout({"kind": "dragonfly", "units": 3, "global_links": 2}, 12),
    "dragonfly+ of equal groups": of_layout({"kind": "dragonfly+", "units": 2, "links_per_pair": 4}, 8, 2),
    "dragonfly+ of groups in a ring": of_layout(
        {"kind": "dragonfly+", "units": 2, "links_per_pair": 2}, 6, 3
    ),
}


@pytest.mark.parametrize("value", LAYOUTS.values(), ids=LAYOUTS)
def test_orbits_of_a_small_layout_hold_what_walking_each_pair_says(
    value: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    fabric = fabric_of(graph_of(built(value)))
    by_orbit = listed(pair_failures(fabric))
    monkeypatch.setattr("fabric.failures.reach.tolerated", lambda *_graph: 0)
    bare = fabric_of(graph_of(built(value)))
    slow = Walked(bare.graph)
    several = list(combinations(components(bare, Placement()), 2))

    assert fabric.broken == ()
    assert by_orbit == one_by_one(bare, monkeypatch)
    for one, two in several[:: len(several) // 40]:
        assert (f"{one[1]} + {two[1]}", *slow.effect(one[2] | two[2]).values()) in by_orbit


def test_groups_with_equal_links_between_all_spines_are_alike() -> None:
    fabric = fabric_of(graph_of(built(LAYOUTS["dragonfly+ of equal groups"])))

    singles = single_failures(fabric, Placement()).classes

    assert [row.count for row in singles if row.kind == "link across"] == [24]
    assert pair_failures(fabric).classes_by_orbit < 60

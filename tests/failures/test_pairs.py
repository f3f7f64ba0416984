"""Every pair of links, by orbits: the same classes and sizes as one pair after the other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from fabric.diagnostics import Refused
from fabric.failures import Fabric, fabric_of, pair_failures
from fabric.failures.components import LINKS
from fabric.graph import Tier, graph_of
from tests.failures.test_singles import apart, listed, site
from tests.failures.walking import Walked
from tests.topology.builders import built
from tests.topology.test_symmetry import SHAPES, swap


def one_by_one(fabric: Fabric, monkeypatch: pytest.MonkeyPatch) -> Counter[Any]:
    """The classes without any symmetry."""
    with monkeypatch.context() as patched:
        patched.setattr("fabric.failures.pair_classes.MOST_ORBITS", 0)
        return listed(pair_failures(fabric))


def test_the_pairs_of_the_smallest_site_are_those_of_walking() -> None:
    fabric, _ = site("lab-8")
    slow, tiers = Walked(fabric.graph), fabric.graph.tier

    def kind(pair: tuple[int, int]) -> str:
        return " + ".join(LINKS[Tier(tier)] for tier in sorted(tiers[list(pair)]))

    walked = Counter(
        (kind(pair), *slow.effect(pair).values()) for pair in combinations(range(fabric.graph.count), 2)
    )
    assert walked == listed(pair_failures(fabric))


@pytest.mark.parametrize("name", ["lab-8", "rail-only", "superpod-h100-1su"])
def test_orbits_of_a_site_hold_what_each_of_its_pairs_does(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fabric, _ = site(name)
    by_orbit = pair_failures(fabric)

    assert by_orbit.failures == fabric.graph.count * (fabric.graph.count - 1) // 2
    assert by_orbit.classes_by_orbit < fabric.graph.count
    assert listed(by_orbit) == one_by_one(fabric, monkeypatch)


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


def test_the_pod_of_15360_gpus_has_a_thousand_million_pairs_in_30_classes() -> None:
    fabric, _ = site("hpn7-pod")
    answer = pair_failures(fabric)
    counts = {row.count: row.effect for row in answer.classes}

    assert (answer.failures, answer.classes_by_orbit) == (1_017_884_640, 30)
    assert counts[15_360].rails_isolated == 1  # both ports of one NIC
    assert sum(not effect.is_harmless for effect in counts.values()) == 1
    assert counts[424_800].leaf_oversubscription == round(25_600 / 23_200, 4)


def test_a_network_without_symmetries_is_refused_where_its_pairs_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fabric, _ = site("hpn7-pod")
    monkeypatch.setattr(link_pairs, "MOST_ORBITS", 1)

    with pytest.raises(Refused, match="45,120 links have 2 classes"):
        pair_failures(fabric)
    assert np.unique(fabric.graph.tier).tolist() == [Tier.HOST, Tier.LEAF]

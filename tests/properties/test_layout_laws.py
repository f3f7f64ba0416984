"""Laws of every torus, dragonfly and dragonfly+, over random ones."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import prod
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.topology.expand import expand
from fabric.topology.model import NetworkTopology
from fabric.topology.resize import differences
from fabric.topology.roles import NONE, Facing, Role
from tests.properties.layout_strategies import layouts
from tests.properties.strategies import shuffled
from tests.topology.builders import errors, expanded, intent_of, owners
from tests.topology.symmetry import broken

CHECKED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def network(value: dict[str, Any]) -> NetworkTopology:
    return expand(intent_of(value)).networks["compute"]


def across(net: NetworkTopology) -> list[tuple[int, int]]:
    """Links between switches of one tier, by their nodes."""
    owner = owners(net)
    ends = ((owner[port], owner[peer]) for port, peer in enumerate(net.peer) if peer > port)
    return [(a, b) for a, b in ends if net.role[a] == net.role[b]]


def formula(value: dict[str, Any]) -> int:
    """Links between switches of one tier and plane, as the layout's formula counts them."""
    layout, units = value["networks"]["compute"]["layout"], value["units"]
    leaves = units * value["hosts"]["gpu"]["nics"]["compute"]["count"]
    if layout["kind"] == "torus":
        sizes = layout["dimensions"]
        halves = sum(1 if size == 2 and not layout.get("doubled") else 2 for size in sizes)
        return prod(sizes) * halves * layout["links"] // 2
    groups = units // layout["units"]
    if layout["kind"] == "dragonfly+":
        return groups * (groups - 1) // 2 * layout["links_per_pair"]
    members = leaves // groups
    local = groups * members * (members - 1) // 2 * layout["local_links"]
    ends = members * layout["global_links"]
    # Where groups and ends are odd, one end of each group has no partner.
    return local + (groups * (ends - groups * ends % 2) // 2 if groups > 1 else 0)


@CHECKED
@given(layouts())
def test_every_layout_has_the_links_of_its_formula(value: dict[str, Any]) -> None:
    assert value["networks"]["compute"]["planes"]["count"] * formula(value) == len(across(network(value)))


@CHECKED
@given(layouts())
def test_a_port_is_used_once_and_both_ends_look_across(value: dict[str, Any]) -> None:
    net = network(value)
    owner = owners(net)

    for port, peer in enumerate(net.peer):
        if peer == NONE or net.role[owner[port]] != net.role[owner[peer]]:
            continue
        assert net.peer[peer] == port
        assert owner[peer] != owner[port]
        made = net.port_maps[net.port_map[owner[port]]]
        assert made.facing[port - net.port_base[owner[port]]] is Facing.ACROSS


@CHECKED
@given(layouts())
def test_links_of_two_planes_never_meet(value: dict[str, Any]) -> None:
    net = network(value)

    assert all(net.plane[one] == net.plane[other] for one, other in across(net))


@CHECKED
@given(layouts())
def test_pairs_of_groups_differ_by_at_most_one_link(value: dict[str, Any]) -> None:
    net = network(value)
    groups = sorted({net.pod[node] for node in net.role_start[Role.LEAF]})
    for plane in range(net.sizes.planes):
        pairs = Counter(dict.fromkeys(combinations(groups, 2), 0))
        for one, other in across(net):
            if net.plane[one] == plane and net.pod[one] != net.pod[other]:
                pairs[min(net.pod[one], net.pod[other]), max(net.pod[one], net.pod[other])] += 1
        counts = pairs.values() or [1]
        assert max(counts) - min(counts) <= 1
        assert min(counts) >= 1


@CHECKED
@given(layouts())
def test_the_stated_symmetries_hold(value: dict[str, Any]) -> None:
    assert () == broken(network(value))


@CHECKED
@given(layouts(), st.data())
def test_growth_moves_nothing(value: dict[str, Any], data: st.DataObject) -> None:
    units = value["units"]
    fewer = data.draw(st.integers(1, units), label="units of the first day")
    day_one = {**value, "units": fewer, "capacity": {"units": units}}
    found = {code for code, *_ in errors(day_one)}
    assert found <= {"FAB229"}, "switches that nothing joins yet"
    if not found:
        before = expanded(day_one)
        after = expanded({**value, "capacity": {"units": units}}, before.lock)
        assert () == differences(before, after)


@CHECKED
@given(layouts(), st.data())
def test_the_order_of_keys_means_nothing(value: dict[str, Any], data: st.DataObject) -> None:
    one, other = network(value), network(shuffled(value, data.draw))

    assert (one.peer, one.cable, one.names) == (other.peer, other.cable, other.names)


@CHECKED
@given(layouts())
def test_a_cable_between_switches_has_a_number_of_its_own(value: dict[str, Any]) -> None:
    net = network(value)

    cabled = [net.cable[port] for port, peer in enumerate(net.peer) if peer > port]
    assert NONE not in cabled
    assert len(cabled) == len(set(cabled))

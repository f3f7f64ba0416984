"""Laws of every topology, over random intents."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fabric.topology.expand import expand
from fabric.topology.model import NetworkTopology, Topology
from fabric.topology.resize import differences
from fabric.topology.roles import NONE, Role
from tests.properties.strategies import intents, shuffled
from tests.topology.builders import errors, intent_of, links, owners
from tests.topology.symmetry import Graph, broken, generators

CHECKED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)

EXPECTED = {"FAB201", "FAB204", "FAB206"}
"""What a random shape may run into: too few ports, spines or rails that do not divide."""


def whole(value: dict[str, Any]) -> Topology:
    """The topology of an intent; intents that ports or rails do not allow are passed over."""
    found = {code for code, *_ in errors(value)}
    assert found <= EXPECTED
    assume(not found)
    return expand(intent_of(value))


def network(value: dict[str, Any]) -> NetworkTopology:
    return whole(value).networks["compute"]


def speeds(net: NetworkTopology, value: dict[str, Any]) -> list[int]:
    """Speed of every port."""
    nics = {name: group["nics"]["compute"]["speed"] for name, group in value["hosts"].items()}
    found: list[int] = []
    for node, chosen in enumerate(net.port_map):
        count = net.port_base[node + 1] - net.port_base[node]
        if chosen == NONE:
            found += [int(nics[net.host_group[node]].removesuffix("G")) * 1000] * count
        else:
            found += [slot.speed_mbps for slot in net.port_maps[chosen].slots]
    return found


@CHECKED
@given(intents())
def test_most_random_intents_can_be_built(value: dict[str, Any]) -> None:
    assert network(value).names


@CHECKED
@given(intents())
def test_a_port_is_used_once_and_the_peer_of_the_peer_is_the_port(value: dict[str, Any]) -> None:
    net = network(value)

    assert all(net.peer[q] == p != q for p, q in enumerate(net.peer) if q != NONE)


@CHECKED
@given(intents())
def test_no_part_of_a_cage_is_two_ports(value: dict[str, Any]) -> None:
    for made in network(value).port_maps:
        lanes = [(s.slot, s.cage, s.first_lane + i) for s in made.slots for i in range(s.lanes)]

        assert len(lanes) == len(set(lanes))
        assert list(made.facing) == sorted(made.facing)


@CHECKED
@given(intents())
def test_both_ends_of_a_link_agree_on_speed(value: dict[str, Any]) -> None:
    net = network(value)
    found = speeds(net, value)

    assert all(found[p] == found[q] for p, q in enumerate(net.peer) if q != NONE)


@CHECKED
@given(intents())
def test_nic_i_of_every_host_lands_on_rail_i_and_its_port_p_on_plane_p(value: dict[str, Any]) -> None:
    net = network(value)
    owner, planes, rails = owners(net), net.sizes.planes, value["networks"]["compute"]["rails"]
    for host in net.role_start[Role.HOST]:
        for port in range(net.port_base[host], net.port_base[host + 1]):
            nic, plane = divmod(port - net.port_base[host], planes)
            leaf = owner[net.peer[port]]

            assert (net.unit[host], plane) == (net.unit[leaf], net.plane[leaf])
            if rails == "none":
                assert NONE == net.rail[leaf]
            elif rails["fold"] == "interleaved":
                assert net.rail_of(host, nic) % rails["leaves"] == net.index[leaf]
            else:
                assert net.rail_of(host, nic) * rails["leaves"] // net.sizes.rails == net.index[leaf]


@CHECKED
@given(intents())
def test_planes_never_meet_below_the_named_tier(value: dict[str, Any]) -> None:
    net = network(value)
    owner, meet = owners(net), value["networks"]["compute"]["planes"].get("meet_at", "none")
    for p, q in enumerate(net.peer):
        ends = {net.plane[owner[p]], net.plane[owner[q]]} if q != NONE else set()
        if NONE in ends and Role.HOST not in (net.role[owner[p]], net.role[owner[q]]):
            assert meet != "none"
        assert len(ends - {NONE}) < 2


@CHECKED
@given(intents())
def test_a_leaf_has_the_same_links_to_every_spine_of_its_group(value: dict[str, Any]) -> None:
    net = network(value)
    owner = owners(net)
    found: dict[int, dict[int, int]] = {}
    for a, b in links(net, Role.LEAF, Role.SPINE):
        pair = found.setdefault(owner[a], {})
        pair[owner[b]] = pair.get(owner[b], 0) + 1

    for spines in found.values():
        assert {net.sizes.links_per_leaf_spine} == set(spines.values())
        assert 1 == len({net.group[spine] for spine in spines})
        assert len(spines) == sum(net.group[i] == net.group[min(spines)] for i in net.role_start[Role.SPINE])


@CHECKED
@given(intents())
def test_names_loopbacks_and_unique_as_numbers_are_unique(value: dict[str, Any]) -> None:
    net = network(value)
    loopbacks = [net.loopback[i] for i in net.switches]

    assert len(net.names) == len(set(net.names))
    assert len(loopbacks) == len(set(loopbacks))
    if value["networks"]["compute"]["addressing"]["asn"]["policy"] == "unique":
        assert len(net.switches) == len({net.asn[i] for i in net.switches})


@CHECKED
@given(intents())
def test_as_numbers_differ_across_every_link_between_switches(value: dict[str, Any]) -> None:
    net = network(value)
    owner = owners(net)
    for p, q in enumerate(net.peer):
        ends = (owner[p], owner[q]) if q != NONE else None
        if ends and max(net.role[i] for i in ends) <= Role.SUPERSPINE:
            assert net.asn[ends[0]] != net.asn[ends[1]]


@CHECKED
@given(intents())
def test_addresses_are_unique_but_for_the_two_ports_of_a_bond(value: dict[str, Any]) -> None:
    net = network(value)
    owner = owners(net)
    bonded = value["networks"]["compute"]["addressing"]["host_links"]["mode"] == "lacp"
    for column in (net.address, net.address6):
        users: dict[int, list[int]] = {}
        for port, address in enumerate(column):
            if address != NONE:
                users.setdefault(address, []).append(port)
        for ports in users.values():
            nics = {(owner[p], (p - net.port_base[owner[p]]) // net.sizes.planes) for p in ports}
            assert len(ports) == 1 or (bonded and len(ports) == 2 and len(nics) == 1)


@CHECKED
@given(intents())
def test_both_ends_of_a_numbered_link_are_in_one_prefix(value: dict[str, Any]) -> None:
    net = network(value)
    for p, q in enumerate(net.peer):
        for column, lengths, bits in (
            (net.address, net.prefix_length, 32),
            (net.address6, net.prefix6_length, 128),
        ):
            if q == NONE or not column or NONE in (column[p], column[q]):
                continue
            size = 1 << (bits - lengths[p])
            assert lengths[p] == lengths[q]
            assert column[p] // size == column[q] // size
            assert column[p] != column[q]


@CHECKED
@given(intents())
def test_all_hosts_of_a_leaf_are_in_its_block(value: dict[str, Any]) -> None:
    net = network(value)
    owner = owners(net)
    for leaf_port, host_port in links(net, Role.LEAF, Role.HOST):
        leaf = owner[leaf_port]
        if net.block[leaf] != NONE and net.address[host_port] != NONE:
            size = 1 << (32 - net.block_length[leaf])
            assert net.block[leaf] % size == 0
            assert net.address[host_port] // size == net.block[leaf] // size


@CHECKED
@given(intents())
def test_the_stated_symmetries_hold(value: dict[str, Any]) -> None:
    assert () == broken(network(value))


@CHECKED
@given(intents(), st.data())
def test_a_planted_miswire_breaks_a_symmetry(value: dict[str, Any], data: st.DataObject) -> None:
    net = network(value)
    owner, found = owners(net), links(net, Role.LEAF, Role.SPINE)
    one = data.draw(st.sampled_from(found))
    others = [x for x in found if {owner[p] for p in x}.isdisjoint(owner[p] for p in one)]
    assume(others)
    two = data.draw(st.sampled_from(others))
    graph = Graph(net)
    before = list(graph.sorted)
    net.peer[one[0]], net.peer[two[0]] = two[1], one[1]
    net.peer[one[1]], net.peer[two[1]] = two[0], one[0]
    after = Graph(net)
    stated = generators(net, after)
    # Where a handful of switches are all alike, the wrong fabric can be a relabelling of the right one.
    moving = [g for g in stated if any(g.moves[owner[p]] != owner[p] for p in (*one, *two))]
    assume(list(after.sorted) != before and len(moving) > 2)

    assert broken(net)


@CHECKED
@given(intents(), st.data())
def test_equal_intents_give_equal_bytes_whatever_the_order_of_keys(
    value: dict[str, Any], data: st.DataObject
) -> None:
    one, two = whole(value), whole(shuffled(value, data.draw))

    assert msgspec.json.encode(one.lock) == msgspec.json.encode(two.lock)
    assert fingerprint(one) == fingerprint(two)


def fingerprint(topology: Topology) -> list[Any]:
    """Every column of every network."""
    return [
        [getattr(net, key) for key in NetworkTopology.__slots__ if key != "sizes"]
        for _, net in sorted(topology.networks.items())
    ]


@CHECKED
@given(intents())
def test_growth_within_capacity_moves_nothing(value: dict[str, Any]) -> None:
    first = whole(value)
    bigger = {**value, "units": value["capacity"]["units"]}
    bigger["hosts"] = {
        name: {k: v for k, v in group.items() if k != "last_unit"} for name, group in value["hosts"].items()
    }
    if "last_unit" in value["hosts"]["gpu"]:
        assume(value["units"] <= bigger["units"])

    assert () == differences(first, expand(intent_of(bigger, first.lock)))


@pytest.mark.parametrize("seed", range(3))
def test_expanding_is_repeatable(seed: int) -> None:
    value = {
        "units": 1 + seed,
        "hosts": {"gpu": {"per_unit": 4, "nics": {"compute": {"count": 4, "speed": "400G"}}}},
        "networks": {
            "compute": {"tiers": {"leaf": {"model": "nvidia-sn5600"}, "spine": {"model": "nvidia-sn5600"}}}
        },
    }

    assert fingerprint(expand(intent_of(value))) == fingerprint(expand(intent_of(value)))

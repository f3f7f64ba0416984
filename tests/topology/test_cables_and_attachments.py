"""Cables are not links; attachments take their ports."""

from __future__ import annotations

from collections import Counter
from ipaddress import ip_address
from typing import Any

import pytest

from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Facing, Role
from tests.topology.builders import SPLIT, built, cables, errors, hosts, links, neighbors, owners, small


def split(**more: Any) -> dict[str, Any]:
    return small(gpu=hosts(8), leaf={"model": SPLIT}, spine={"model": SPLIT, "count": 4}, **more)


def ends_of_cables(net: NetworkTopology, one: Role, other: Role) -> Counter[tuple[int, int]]:
    """How many cables join how many lower to how many upper devices."""
    owner = owners(net)
    found: dict[int, tuple[set[int], set[int]]] = {}
    for a, b in links(net, one, other):
        low, high = found.setdefault(net.cable[a], (set(), set()))
        low.add(owner[a])
        high.add(owner[b])
    return Counter((len(low), len(high)) for low, high in found.values())


def test_by_default_a_link_is_a_cable() -> None:
    net = built(split())

    assert len(links(net, Role.LEAF, Role.SPINE)) == cables(net, links(net, Role.LEAF, Role.SPINE))


def test_both_ends_of_a_link_are_in_the_same_cable() -> None:
    net = built(split(cables={"leaf_spine": {"length": "40m", "links": 2, "split_at": "lower"}}))

    assert all(net.cable[p] == net.cable[q] for p, q in enumerate(net.peer) if q != NONE)
    assert all((net.cable[p] == NONE) == (q == NONE) for p, q in enumerate(net.peer))


@pytest.mark.parametrize(
    ("order", "end", "expected"),
    [
        # 8 uplinks to 4 spines: two links a pair, side by side in one cage.
        ("spine", "lower", {(1, 1): 64 // 2 * 2}),
        # Link by link the two ports of a leaf's cage go to two spines.
        ("link", "lower", {(1, 2): 64}),
    ],
)
def test_a_cable_is_split_at_the_named_end(order: str, end: str, expected: dict[Any, int]) -> None:
    value = split(cables={"leaf_spine": {"length": "40m", "links": 2, "split_at": end}})
    value["networks"]["compute"]["tiers"]["spine"]["order"] = order
    net = built(value)

    assert {ends: n // 2 for ends, n in expected.items()} == ends_of_cables(net, Role.LEAF, Role.SPINE)


def test_a_cable_split_at_the_spine_may_end_at_two_leaves() -> None:
    value = small(gpu=hosts(4), leaf={"model": SPLIT}, spine={"model": SPLIT, "count": 4},
                  cables={"leaf_spine": {"length": "40m", "links": 2, "split_at": "upper"}})  # fmt: skip
    net = built(value)

    assert {(2, 1): 16} == ends_of_cables(net, Role.LEAF, Role.SPINE)


def test_two_hosts_may_share_a_cable_of_the_leaf() -> None:
    net = built(
        small(gpu=hosts(8), leaf={"model": SPLIT}, cables={"host_leaf": {"length": "5m", "links": 2}})
    )

    assert {(2, 1): 32} == ends_of_cables(net, Role.HOST, Role.LEAF)


def test_the_two_planes_of_a_nic_may_share_a_cable() -> None:
    value = small(gpu=hosts(4, 4, 2), planes={"count": 2},
                  cables={"host_leaf": {"length": "5m", "links": 2, "split_at": "lower"}})  # fmt: skip
    net = built(value)

    assert {(1, 2): 32} == ends_of_cables(net, Role.HOST, Role.LEAF)


def test_every_layer_has_its_own_numbers() -> None:
    net = built(small(units=4, pods={"units": 2}, spine={"count": 2}, superspine={"count": 2}))
    layers = [(Role.HOST, Role.LEAF), (Role.LEAF, Role.SPINE), (Role.SPINE, Role.SUPERSPINE)]
    numbers = [{net.cable[a] for a, _ in links(net, *layer)} for layer in layers]

    assert sum(len(n) for n in numbers) == len(set().union(*numbers))


def test_more_links_than_a_cage_has_ports_are_refused() -> None:
    found = errors(small(cables={"leaf_spine": {"length": "40m", "links": 2}}))

    assert ("FAB221", "networks.compute.cables.leaf_spine.links") == found[0][:2]
    assert "a cage of the spine has 1 port" in found[0][2]


def test_more_links_than_a_nic_has_ports_are_refused() -> None:
    cable = {"length": "5m", "links": 2, "split_at": "lower"}

    assert "a NIC has 1 port" in errors(small(cables={"host_leaf": cable}))[0][2]


# --- attachments


def attached(to: dict[str, Any] | None = None, reserved: int = 2, **more: Any) -> dict[str, Any]:
    thing = {"network": "compute", "kind": "router", "links": 2, "speed": "400G", "to": to or {}, **more}
    tier = (to or {}).get("tier", "leaf")
    return small(site={"attachments": {"wan": thing}}, **{tier: {"reserved_ports": reserved}})


def test_links_land_on_the_chosen_switches_in_turn() -> None:
    net = built(attached({"unit": "last", "rails": [1, 3]}, links=4))

    assert ["leaf-1-1", "leaf-1-3"] * 2 == neighbors(net, "wan")


def test_an_attachment_takes_reserved_ports() -> None:
    net = built(attached({"unit": 0, "rails": [0]}))
    made = net.port_maps[net.port_map[0]]
    base = made.range_of(Facing.OUT)

    assert (2, 0) == (len(base), len(made.range_of(Facing.SPARE)))
    assert ["wan", "wan"] == neighbors(net, "leaf-0-0")[base.start : base.stop]
    assert 2 == len(net.port_maps[net.port_map[1]].range_of(Facing.SPARE))


def test_an_attachment_may_hang_on_spines() -> None:
    assert ["spine-0", "spine-1"] == neighbors(built(attached({"tier": "spine"})), "wan")


def test_an_attachment_may_take_an_empty_host_position() -> None:
    value = attached({"unit": "last", "host_slot": 3, "rails": [0, 1]}, reserved=0)
    value["hosts"]["gpu"]["last_unit"] = 3
    net = built(value)

    assert ["gpu-1-0", "gpu-1-1", "gpu-1-2", "wan"] == neighbors(net, "leaf-1-0")[:4]
    assert "10.0.0.39" == str(ip_address(net.address[net.port_base[net.names.index("wan")]]))


def test_an_attachment_may_name_its_cages_and_speed() -> None:
    net = built(attached({"unit": 0, "rails": [0], "cages": "33-34"}, reserved=0, speed="200G", links=4))
    made = net.port_maps[net.port_map[0]]

    assert [(33, 0, 200_000), (33, 1, 200_000), (34, 0, 200_000), (34, 1, 200_000)] == [
        (made.slots[i].cage, made.slots[i].sub_port, made.slots[i].speed_mbps)
        for i in made.range_of(Facing.OUT)
    ]


def test_cages_of_an_attachment_stay_free_on_every_switch_of_the_tier() -> None:
    net = built(attached({"unit": 0, "rails": [0], "cages": "2"}, reserved=0, links=1))
    used = [{slot.cage for slot in net.port_maps[net.port_map[leaf]].slots} for leaf in range(2)]

    assert 2 in used[0]
    assert 2 not in used[1]


def test_given_addresses_are_taken() -> None:
    pair = [{"ours": "198.51.100.0/31", "theirs": "198.51.100.1/31"}]
    net = built(attached({"unit": 0, "rails": [0]}, links=1, addresses=pair))
    port = net.port_base[net.names.index("wan")]

    assert ("198.51.100.1", "198.51.100.0") == (
        str(ip_address(net.address[port])),
        str(ip_address(net.address[net.peer[port]])),
    )


@pytest.mark.parametrize(
    ("value", "code", "place", "words"),
    [
        (attached({"unit": 7}), "FAB220", "attachments.wan.to", "no leaf is where `to` says"),
        (
            attached({"unit": 0, "rails": [0]}, reserved=1),
            "FAB220",
            "attachments.wan.to",
            "needs 2 reserved ports",
        ),
        (
            attached({"unit": 0, "host_slot": 1}),
            "FAB220",
            "attachments.wan.to.host_slot",
            "host position 1 of unit 0 holds gpu-0-1",
        ),
        (attached(speed="100G"), "FAB208", "attachments.wan.speed", "100G cannot join a port of 400G"),
        (attached(network="storage"), "FAB220", "attachments.wan.network", "there is no network `storage`"),
        (
            attached({"unit": 0, "rails": [0], "cages": "1-2"}, reserved=0, links=3),
            "FAB201",
            "attachments.wan.to.cages",
            "in cages 1-2",
        ),
        (
            attached({"unit": 0, "cages": "70"}, reserved=0),
            "FAB223",
            "attachments.wan.to.cages",
            "cage 70 is taken or does not exist",
        ),
    ],
    ids=lambda v: v if isinstance(v, str) and v.startswith("FAB") else "",
)
def test_an_attachment_without_ports_is_refused(
    value: dict[str, Any], code: str, place: str, words: str
) -> None:
    found = [e for e in errors(value) if e[:2] == (code, place)]

    assert found, errors(value)
    assert words in found[0][2]

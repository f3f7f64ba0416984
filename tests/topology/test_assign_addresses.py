"""Addresses and AS numbers: families, parity, order, blocks, pools."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any

import pytest

from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role
from tests.topology.builders import built, errors, hosts, links, names, owners, small


def addressed(**rules: Any) -> NetworkTopology:
    return built(small(addressing=rules))


def host_address(net: NetworkTopology, name: str, nic: int = 0) -> str:
    return str(IPv4Address(net.address[net.port_base[net.names.index(name)] + nic]))


def ends(net: NetworkTopology, one: Role, other: Role) -> list[tuple[int, int]]:
    return [(net.address[a], net.address[b]) for a, b in links(net, one, other)]


def test_hosts_of_a_leaf_are_one_aligned_block() -> None:
    net = built(small(gpu=hosts(5)))
    leaf = net.role_start[Role.LEAF][5]
    block = ip_network((net.block[leaf], net.block_length[leaf]))
    ports = [p for p, _ in links(net, Role.LEAF, Role.HOST) if owners(net)[p] == leaf]

    assert ip_network("10.0.0.80/28") == block
    assert all(ip_address(net.address[p]) in block for p in ports)
    assert all(ip_address(net.address[net.peer[p]]) in block for p in ports)


def test_the_default_order_is_unit_rail_plane_host() -> None:
    net = addressed()

    # Blocks of four hosts are eight addresses: 4 rails make 32 a unit.
    assert "10.0.0.1" == host_address(net, "gpu-0-0", 0)
    assert "10.0.0.3" == host_address(net, "gpu-0-1", 0)
    assert "10.0.0.9" == host_address(net, "gpu-0-0", 1)
    assert "10.0.0.33" == host_address(net, "gpu-1-0", 0)


def test_rails_may_be_fastest_as_in_junipers_guide() -> None:
    # JVD appendix A: base + 2 * (8 * server + rail), leaf even.
    value = small(
        gpu=hosts(4, 8), addressing={"order": ["unit", "plane", "host", "rail"], "host_pool": "10.200.0.0/16"}
    )
    net = built(value)

    assert "10.200.0.1" == host_address(net, "gpu-0-0", 0)
    assert "10.200.0.17" == host_address(net, "gpu-0-1", 0)
    assert NONE == net.block[0]


def test_each_rail_may_have_its_own_range() -> None:
    net = addressed(order=["rail", "plane", "unit", "host"])

    assert ["10.0.0.1", "10.0.0.17"] == [host_address(net, "gpu-0-0", rail) for rail in (0, 1)]


@pytest.mark.parametrize(("even", "leaf_parity"), [("leaf", 0), ("host", 1)])
def test_either_end_of_a_host_link_may_be_even(even: str, leaf_parity: int) -> None:
    net = addressed(host_even=even)

    assert {(leaf_parity, 1 - leaf_parity)} == {(a % 2, b % 2) for a, b in ends(net, Role.LEAF, Role.HOST)}


@pytest.mark.parametrize(("even", "spine_parity"), [("upper", 0), ("lower", 1)])
def test_either_end_of_a_fabric_link_may_be_even(even: str, spine_parity: int) -> None:
    net = addressed(fabric_even=even)

    assert {(1 - spine_parity, spine_parity)} == {(a % 2, b % 2) for a, b in ends(net, Role.LEAF, Role.SPINE)}


def test_fabric_links_are_numbered_by_leaf_and_uplink() -> None:
    net = addressed()
    first = net.port_base[1] + net.sizes.leaf_downlinks

    # Leaf 1 has four uplinks; leaf 0 took the first four pairs.
    assert "10.128.0.9" == str(IPv4Address(net.address[first]))


@pytest.mark.parametrize(("length", "size"), [(31, 2), (30, 4), (29, 8), (26, 64)])
def test_a_routed_host_port_may_have_a_larger_prefix(length: int, size: int) -> None:
    net = addressed(host_links={"prefix_length": length})
    found = ends(net, Role.LEAF, Role.HOST)

    assert all(a // size == b // size and a != b for a, b in found)
    assert length == net.prefix_length[links(net, Role.HOST, Role.LEAF)[0][0]]
    if length < 31:
        assert all(0 < x % size < size - 1 for pair in found for x in pair)


def test_a_vlan_has_a_subnet_per_leaf() -> None:
    net = addressed(host_links={"mode": "vlan"})
    leaf = net.names.index("leaf-0-1")

    # Four hosts, network, gateway and broadcast need eight addresses.
    assert ("10.0.0.8", 29) == (str(IPv4Address(net.block[leaf])), net.block_length[leaf])
    assert "10.0.0.10" == host_address(net, "gpu-0-0", 1)
    assert {NONE} == {a for a, _ in ends(net, Role.LEAF, Role.HOST)}


def bonded(**planes: Any) -> NetworkTopology:
    rules = {"host_links": {"mode": "lacp", "host_arp_duplication": True}}
    return built(small(gpu=hosts(4, 2, 2), planes={"count": 2, **planes}, addressing=rules))


@pytest.mark.parametrize("meet_at", ["none", "spine"])
def test_a_bond_has_one_address_and_its_two_leaves_one_subnet(meet_at: str) -> None:
    net = bonded(meet_at=meet_at)

    assert host_address(net, "gpu-0-2", 0) == host_address(net, "gpu-0-2", 1)
    assert host_address(net, "gpu-0-2", 0) != host_address(net, "gpu-0-2", 2)
    assert net.block[net.names.index("leaf-0-1-1")] == net.block[net.names.index("leaf-1-1-1")]


def test_ipv6_links_are_127s() -> None:
    net = addressed(family="ipv6")
    a, b = links(net, Role.LEAF, Role.SPINE)[0]

    assert {NONE} == set(net.address)
    assert ("fd00:128::1", "fd00:128::") == (
        str(ip_address(net.address6[a])),
        str(ip_address(net.address6[b])),
    )
    assert (127, 127) == (net.prefix6_length[a], net.prefix6_length[b])
    assert "fd00:255::" == str(ip_address(net.loopback6[0]))


def test_dual_stack_has_both() -> None:
    net = addressed(family="dual")
    a, _ = links(net, Role.HOST, Role.LEAF)[0]

    assert ("10.0.0.1", "fd00::1") == (str(ip_address(net.address[a])), str(ip_address(net.address6[a])))


def test_unnumbered_links_have_no_addresses_but_hosts_and_loopbacks_do() -> None:
    net = addressed(family="unnumbered")

    assert {NONE} == {x for pair in ends(net, Role.LEAF, Role.SPINE) for x in pair}
    assert "10.0.0.1" == host_address(net, "gpu-0-0")
    assert "10.255.0.0" == str(ip_address(net.loopback[0]))


def test_hosts_with_slaac_choose_their_own_address() -> None:
    net = addressed(family="ipv6", host_links={"assignment": "slaac", "prefix6_length": 64})
    a, b = links(net, Role.LEAF, Role.HOST)[0]

    assert ("fd00::2", 64, NONE) == (str(ip_address(net.address6[a])), net.prefix6_length[a], net.address6[b])


def test_loopbacks_stand_in_blocks_by_role() -> None:
    net = built(small(superspine={}, pods={"units": 1}, units=4))
    first = {role: net.loopback[net.role_start[role].start] - net.loopback[0] for role in list(Role)[:3]}

    assert {Role.LEAF: 0, Role.SPINE: 16, Role.SUPERSPINE: 24} == first
    assert len(net.switches) == len({net.loopback[i] for i in net.switches})


def test_unconnected_ports_have_no_address() -> None:
    net = built(small(gpu=hosts(4, last_unit=1), spine={"count": 4, "installed": 2}))

    assert all(net.address[p] == NONE for p, peer in enumerate(net.peer) if peer == NONE)


def test_infiniband_has_neither_addresses_nor_as_numbers() -> None:
    net = built(small(leaf={"model": "qm9700"}, spine={"model": "qm9700"}, technology="infiniband"))

    assert ({NONE}, {NONE}, {0}) == (set(net.address), set(net.loopback), set(net.asn))


# --- AS numbers


def test_unique_numbers_are_ordinals_in_a_range_by_role() -> None:
    net = built(small(spine={"count": 2}))

    assert [4_200_000_000 + i for i in range(8)] == [net.asn[i] for i in net.role_start[Role.LEAF]]
    assert [4_200_001_000, 4_200_001_001] == [net.asn[i] for i in net.role_start[Role.SPINE]]


def asns(policy: str, **more: Any) -> dict[Role, list[int]]:
    value = small(
        units=4,
        pods={"units": 2},
        spine={"count": 2},
        superspine={"count": 2},
        addressing={"asn": {"policy": policy, "leaf": 65101, "spine": 65001, "superspine": 65000, **more}},
    )
    net = built(value)
    return {role: [net.asn[i] for i in net.role_start[role]] for role in list(Role)[:3]}


def test_rfc7938_has_one_number_a_pod_of_spines() -> None:
    found = asns("rfc7938")

    assert [65001, 65001, 65002, 65002] == found[Role.SPINE]
    assert {65000} == set(found[Role.SUPERSPINE])
    assert 16 == len(set(found[Role.LEAF]))


def test_shared_spines_have_one_number_a_pod_since_routes_cross_two_pods() -> None:
    found = asns("shared-spine")

    assert [65001, 65001, 65002, 65002] == found[Role.SPINE]
    assert {65000} == set(found[Role.SUPERSPINE])


def test_shared_spines_of_two_tiers_have_one_number() -> None:
    net = built(small(spine={"count": 2}, addressing={"asn": {"policy": "shared-spine", "spine": 65001}}))

    assert {65001} == {net.asn[i] for i in net.role_start[Role.SPINE]}


def test_an_override_gives_one_switch_another_number() -> None:
    net = built(small(site={"overrides": [{"device": "leaf-0-2", "asn": 65222}]}))

    assert 65222 == net.node("leaf-0-2").asn
    assert 1 == sum(asn == 65222 for asn in net.asn)


# --- refusals


def refused(code: str, **rules: Any) -> tuple[str, str, str]:
    found = [e for e in errors(small(addressing=rules)) if e[0] == code]
    assert found
    return found[0][1:]


def test_a_pool_that_is_too_small_says_what_would_be_enough() -> None:
    place, rule, hint = refused("FAB216", host_pool="10.0.0.0/27")

    assert "networks.compute.addressing.host_pool" == place
    assert "hosts of compute need 64 addresses at full capacity, 10.0.0.0/27 has 32" == rule
    assert "10.0.0.0/26 would be enough" == hint
    assert not errors(small(addressing={"host_pool": "10.0.0.0/26"}))


@pytest.mark.parametrize(
    ("key", "pool", "enough"),
    [("fabric_pool", "10.128.0.0/30", "/26"), ("loopback_pool", "10.255.0.0/30", "/28")],
)
def test_every_pool_is_held_against_the_capacity(key: str, pool: str, enough: str) -> None:
    first = pool.partition("/")[0]

    assert f"{first}{enough} would be enough" == refused("FAB216", **{key: pool})[2]


def test_pools_of_one_network_must_not_overlap() -> None:
    place, rule, _ = refused("FAB217", host_pool="10.128.4.0/22")

    assert "networks.compute.addressing.host_pool" == place
    assert (
        "10.128.4.0/22 of hosts of compute overlaps 10.128.0.0/10 of links between switches of compute"
        in rule
    )


def test_pools_of_two_networks_must_not_overlap() -> None:
    value = small()
    value["hosts"]["gpu"]["nics"]["storage"] = {"count": 1, "speed": "400G"}
    value["networks"]["storage"] = small()["networks"]["compute"]

    assert {"FAB217"} == {code for code, *_ in errors(value)}
    assert 3 == len(errors(value))


def test_a_network_without_ip_takes_no_pool() -> None:
    value = small()
    value["hosts"]["gpu"]["nics"]["storage"] = {"count": 1, "speed": "400G"}
    value["networks"]["storage"] = {
        "technology": "infiniband",
        "tiers": {"leaf": {"model": "qm9700"}, "spine": {"model": "qm9700"}},
    }

    assert not errors(value)


def test_an_incomplete_order_is_refused() -> None:
    assert "networks.compute.addressing.order" == refused("FAB224", order=["unit", "host"])[0]


def test_a_bond_needs_two_planes() -> None:
    place, rule, _ = refused("FAB219", host_links={"mode": "lacp", "host_arp_duplication": True})

    assert "networks.compute.addressing.host_links.mode" == place
    assert "the network has 1" in rule


def test_a_subnet_per_leaf_needs_hosts_last() -> None:
    rules = {"order": ["unit", "host", "plane", "rail"], "host_links": {"mode": "vlan"}}

    assert "networks.compute.addressing.order" == refused("FAB219", **rules)[0]


def test_as_ranges_that_run_into_each_other_are_refused() -> None:
    place, rule, hint = refused("FAB218", asn={"leaf": 65000, "spine": 65004})

    assert "networks.compute.addressing.asn.spine" == place
    assert "compute spines from 65004 run into compute leaves, 65000 to 65007 by capacity" == rule
    assert "start at 65008 or later" == hint


def test_a_router_must_not_have_a_number_of_ours() -> None:
    router = {
        "network": "compute",
        "kind": "router",
        "links": 1,
        "speed": "400G",
        "bgp": {"asn": 4_200_000_003},
    }
    found = errors(small(leaf={"reserved_ports": 1}, site={"attachments": {"wan": router}}))

    assert ("FAB218", "attachments.wan.bgp.asn") in [e[:2] for e in found]


def test_names_of_leaves_follow_the_planes() -> None:
    assert "leaf-0-0-0" == names(bonded(), Role.LEAF)[0]


@pytest.mark.parametrize("policy", ["unique", "rfc7938", "shared-spine"])
def test_as_many_numbers_are_reserved_as_switches_get(policy: str) -> None:
    """The next range may start right behind the last number of the spines, and not before."""
    used = len(set(asns(policy, spine=65001, superspine=65501)[Role.SPINE]))

    assert 65000 + used == asns(policy, spine=65000, superspine=65000 + used, leaf=66000)[Role.SUPERSPINE][0]
    value = {"policy": policy, "leaf": 66000, "spine": 65000, "superspine": 65000 + used - 1}
    found = errors(
        small(
            units=4,
            pods={"units": 2},
            spine={"count": 2},
            superspine={"count": 2},
            addressing={"asn": value},
        )
    )
    assert [("FAB218", "networks.compute.addressing.asn.superspine")] == [e[:2] for e in found]

"""The reader on files of another author: what it understands, and exactly what it says it does not."""

from __future__ import annotations

import json
from pathlib import Path

from fabric.platforms.base import NeighborFacts
from fabric.platforms.cumulus import PLATFORM

PUBLISHED = Path(__file__).parent / "published"


def _read(name: str):
    return PLATFORM.read((PUBLISHED / name).read_text())


def test_a_leaf_with_vlan_gateway_is_understood():
    facts = _read("leaf.yaml").facts

    assert ("l1", 65001, "10.0.0.3") == (facts.hostname, facts.asn, facts.router_id)
    assert {"eth0", "lo", "swp1", "swp2", "swp3", "swp4", "vlan100"} == set(facts.interfaces)
    assert ("10.1.0.1/30",) == facts.interfaces["swp1"].addresses
    assert "l1 -> s1 [external]" == facts.interfaces["swp1"].description
    assert (100, 100) == (facts.interfaces["swp3"].vlan, facts.interfaces["swp4"].vlan)
    assert ("172.16.0.3/24",) == facts.interfaces["vlan100"].addresses
    assert "mgmt" == facts.interfaces["eth0"].vrf
    assert {key: NeighborFacts(remote_asn=65000) for key in ("10.1.0.2", "10.1.0.6")} == facts.neighbors
    assert "network 10.0.0.3/32\nnetwork 172.16.0.0/24" == facts.services["bgp"]


def test_a_spine_with_unnumbered_neighbours_is_understood():
    facts = _read("spine.yaml").facts

    assert {
        "swp1": NeighborFacts(remote_asn=65001),
        "swp2": NeighborFacts(remote_asn=65002),
    } == facts.neighbors
    assert ("10.0.0.1/32", "2001:db8:0:1::1/64") == facts.interfaces["lo"].addresses
    assert "ipv4\nipv6" == facts.services["families"]
    assert "swp1 on\nswp2 on" == facts.services["router advertisements"]


def test_what_a_leaf_says_that_we_do_not_know_is_listed():
    assert UNREAD_LEAF == list(_read("leaf.yaml").unread)


def test_what_a_spine_says_that_we_do_not_know_is_listed():
    assert UNREAD_SPINE == list(_read("spine.yaml").unread)


SNIPPET = '{ "address": { "defaults": { "mtu": "1500" } } }\n'
UNREAD_LEAF = [
    (5, "system global system-mac ca:fe:00:03:00:00"),
    (9, "system config snippet system-mtu file /etc/network/ifupdown2/policy.d/mtu.json"),
    (10, f"system config snippet system-mtu content {json.dumps(SNIPPET)}"),
    (28, "interface swp1 ip ipv6 enable off"),
    (39, "interface swp2 ip ipv6 enable off"),
    (48, "interface swp3 ip ipv6 enable off"),
    (61, "interface swp4 ip ipv6 enable off"),
    (76, "interface vlan100 ip ipv6 enable off"),
    (79, "interface vlan100 ip vrr address 172.16.0.254/24"),
    (80, "interface vlan100 ip vrr enable on"),
    (81, "interface vlan100 ip vrr mac-address 02:00:ca:fe:00:ff"),
    (83, "interface vlan100 ip vrr state up"),
    (90, "interface lo ip ipv6 enable off"),
    (94, "bridge domain br_default type vlan-aware"),
    (103, "router vrr enable on"),
    (123, "vrf default router bgp neighbor 10.1.0.2 address-family ipv4-unicast enable on"),
    (
        125,
        "vrf default router bgp neighbor 10.1.0.2 address-family ipv4-unicast community-advertise regular on",
    ),
    (
        126,
        "vrf default router bgp neighbor 10.1.0.2 address-family ipv4-unicast community-advertise extended off",
    ),
    (
        127,
        "vrf default router bgp neighbor 10.1.0.2 address-family ipv4-unicast community-advertise large off",
    ),
    (133, "vrf default router bgp neighbor 10.1.0.6 address-family ipv4-unicast enable on"),
    (
        135,
        "vrf default router bgp neighbor 10.1.0.6 address-family ipv4-unicast community-advertise regular on",
    ),
    (
        136,
        "vrf default router bgp neighbor 10.1.0.6 address-family ipv4-unicast community-advertise extended off",
    ),
    (
        137,
        "vrf default router bgp neighbor 10.1.0.6 address-family ipv4-unicast community-advertise large off",
    ),
]
UNREAD_SPINE = [
    (5, "system global system-mac ca:fe:00:01:00:00"),
    (9, "system config snippet system-mtu file /etc/network/ifupdown2/policy.d/mtu.json"),
    (10, f"system config snippet system-mtu content {json.dumps(SNIPPET)}"),
    (28, "interface swp1 ip ipv6 forward on"),
    (30, "interface swp1 ip neighbor-discovery enable on"),
    (33, "interface swp1 ip neighbor-discovery router-advertisement interval 5000"),
    (44, "interface swp2 ip ipv6 forward on"),
    (46, "interface swp2 ip neighbor-discovery enable on"),
    (49, "interface swp2 ip neighbor-discovery router-advertisement interval 5000"),
    (82, "vrf default router bgp neighbor swp1 capabilities extended-nexthop on"),
    (85, "vrf default router bgp neighbor swp1 address-family ipv4-unicast enable on"),
    (87, "vrf default router bgp neighbor swp1 address-family ipv4-unicast community-advertise extended on"),
    (89, "vrf default router bgp neighbor swp1 address-family ipv6-unicast enable on"),
    (91, "vrf default router bgp neighbor swp1 address-family ipv6-unicast community-advertise extended on"),
    (96, "vrf default router bgp neighbor swp2 capabilities extended-nexthop on"),
    (99, "vrf default router bgp neighbor swp2 address-family ipv4-unicast enable on"),
    (101, "vrf default router bgp neighbor swp2 address-family ipv4-unicast community-advertise extended on"),
    (103, "vrf default router bgp neighbor swp2 address-family ipv6-unicast enable on"),
    (105, "vrf default router bgp neighbor swp2 address-family ipv6-unicast community-advertise extended on"),
]

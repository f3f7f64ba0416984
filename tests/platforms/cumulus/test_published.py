"""The reader on files of another author: what it understands, and exactly what it says it does not."""

from __future__ import annotations

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


UNREAD_LEAF = [
    (5, "system-mac: ca:fe:00:03:00:00"),
    (9, "file: /etc/network/ifupdown2/policy.d/mtu.json"),
    (10, "content: |"),
    (30, "enable: off"),
    (42, "enable: off"),
    (52, "enable: off"),
    (62, "enable: off"),
    (74, "enable: off"),
    (85, "enable: off"),
    (90, "type: vlan-aware"),
    (135, "enable: on"),
    (137, "regular: on"),
    (138, "extended: off"),
    (139, "large: off"),
    (146, "enable: on"),
    (148, "regular: on"),
    (149, "extended: off"),
    (150, "large: off"),
    (155, "enable: on"),
    (163, "172.16.0.254/24: {}"),
    (164, "enable: on"),
    (165, "mac-address: 02:00:ca:fe:00:ff"),
    (167, "up: {}"),
]
UNREAD_SPINE = [
    (5, "system-mac: ca:fe:00:01:00:00"),
    (9, "file: /etc/network/ifupdown2/policy.d/mtu.json"),
    (10, "content: |"),
    (30, "forward: on"),
    (32, "enable: on"),
    (35, "interval: 5000"),
    (47, "forward: on"),
    (49, "enable: on"),
    (52, "interval: 5000"),
    (91, "extended-nexthop: on"),
    (94, "enable: on"),
    (96, "extended: on"),
    (98, "enable: on"),
    (100, "extended: on"),
    (105, "extended-nexthop: on"),
    (108, "enable: on"),
    (110, "extended: on"),
    (112, "enable: on"),
    (114, "extended: on"),
]

"""The reader against our own output, and what planning needs of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.platforms.junos import PLATFORM
from tests.platforms.junos.devices import INTENTS, device_of
from tests.platforms.sites import printed
from tests.platforms.strategies import switches

PUBLISHED = Path(__file__).parent / "published"


@pytest.mark.parametrize("case", sorted(set(INTENTS) - {"override"}))
def test_what_is_printed_reads_back_as_the_same_device(case):
    device = device_of(case)
    reading = PLATFORM.read(printed(device))

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts


@pytest.mark.parametrize("case", sorted(INTENTS))
def test_the_canonical_form_is_its_own_and_its_blocks_are_all_of_it(case):
    text = printed(device_of(case))
    canonical = PLATFORM.canonical(text)
    pieces = PLATFORM.blocks(canonical)

    assert canonical == PLATFORM.canonical(canonical)
    assert canonical == "".join(piece.text for piece in pieces)
    assert len(pieces) == len({piece.key for piece in pieces})
    assert PLATFORM.read(text).facts.neighbors == PLATFORM.read(canonical).facts.neighbors


def test_what_junos_makes_of_our_text_by_itself_is_no_difference():
    part = "snmp {\n v3 {\n  user a {\n   authentication-sha256 {\n    KEY;\n   }\n  }\n }\n}\n"
    ours = part.replace("KEY", 'authentication-password "<masked>"')
    theirs = ours.replace('authentication-password "<masked>"', 'authentication-key "$9$x"')
    user = "system {\n login {\n  user a {\n   class FABRIC-ADMIN;\n  }\n }\n}\n"

    assert PLATFORM.canonical(ours) == PLATFORM.canonical(f"## Last changed: now\nversion 23.4R2;\n{theirs}")
    assert PLATFORM.canonical(user) == PLATFORM.canonical(user.replace("class", "uid 2000;\n   class"))


def test_routers_outside_hear_no_more_than_a_tier_below():
    told = PLATFORM.read(printed(device_of("external"))).facts.policies["OUT-EXTERNAL-FIRST"]

    assert "term told from policy OUT-TO-BELOW" in told
    assert told.endswith("term rest then reject")


def test_unread_statements_come_with_their_line():
    assert ((3, "system strange thing"),) == PLATFORM.read(
        "system {\n host-name x;\n strange thing;\n}\n"
    ).unread


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(switches("junos"))
def test_any_switch_reads_back_as_itself(device):
    reading = PLATFORM.read(printed(device))

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(switches("junos"))
def test_the_canonical_form_says_the_same_of_traffic(device):
    text = printed(device)
    before, after = PLATFORM.read(text), PLATFORM.read(PLATFORM.canonical(text))

    assert len(before.unread) == len(after.unread)
    assert before.facts.interfaces == after.facts.interfaces
    assert before.facts.neighbors == after.facts.neighbors
    assert before.facts.profiles == after.facts.profiles
    assert before.facts.policies == after.facts.policies


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from('ab {};"\\\n#[]/*:0') | st.characters(), max_size=200))
def test_any_text_is_read_without_a_crash(text):
    PLATFORM.read(text)
    canonical = PLATFORM.canonical(text)

    assert canonical == PLATFORM.canonical(canonical)
    assert canonical == "".join(block.text for block in PLATFORM.blocks(canonical))


WORDS = sorted({word for case in INTENTS for word in printed(device_of(case)).split()})


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*WORDS, "{", "}", ";", '"']), max_size=40))
def test_words_of_ours_in_any_order_are_read_without_a_crash(words):
    PLATFORM.read(" ".join(words))
    PLATFORM.canonical(" ".join(words))


def test_lines_of_an_override_that_no_rule_knows_are_reported():
    assert ["protocols rstp disable"] == [
        path for _, path in PLATFORM.read(printed(device_of("override"))).unread
    ]


def test_a_published_leaf_is_understood():
    """Juniper's validated front-end design."""
    facts = published("leaf1_qfx5130-32cd").facts

    assert ("leaf1", 4_201_032_400, "10.0.4.0") == (facts.hostname, facts.asn, facts.router_id)
    assert (9170, ("10.0.5.1/31",)) == (
        facts.interfaces["et-0/0/0"].ip_mtu_bytes,
        facts.interfaces["et-0/0/0"].addresses,
    )
    assert 10_000 == facts.interfaces["et-0/0/8:0"].speed_mbps
    assert "et-0/0/8" not in facts.interfaces
    assert ("10.10.3.1/24",) == facts.interfaces["irb unit 3"].addresses
    peer = facts.neighbors["10.0.5.8"]
    assert (4_201_032_301, True, False, "l3clos-l") == (
        peer.remote_asn,
        peer.bfd,
        peer.has_password,
        peer.policy,
    )
    assert "neighbor 10.0.5.8 local-address 10.0.5.9" in facts.policies["group l3clos-l"]
    assert facts.policies["LEAF_TO_SPINE_FABRIC_OUT"].startswith(
        "term LEAF_TO_SPINE_FABRIC_OUT-10 from community FROM_SPINE_FABRIC_TIER"
    )


def test_published_queueing_is_understood():
    """Juniper's validated back-end design: RoCE on queue 4, its notifications on queue 3."""
    facts = published("leaf2_qfx5240-64od").facts

    assert {26: 4, 48: 3} == facts.dscp_to_traffic_class
    assert 3 == facts.profiles["sm1"][4].priority
    assert (True, 5) == (facts.profiles["sm1"][3].strict, facts.profiles["sm1"][3].share_percent)
    assert ("drop", 200, 200, 100) == facts.watchdog
    assert (400_000, "sm1") == (
        facts.interfaces["et-0/0/0:0"].speed_mbps,
        facts.interfaces["et-0/0/0:0"].queueing,
    )
    assert "dp1 from 55% to 90%, probability 100%" == facts.services["drop-profiles"]
    assert (
        "shared-buffer ingress buffer-partition lossless-headroom percent 24"
        in facts.services["class-of-service"]
    )


UNREAD = {
    "leaf1_qfx5130-32cd": (
        (23, 'security certificates local aos_grpc "******"'),
        (76, "interfaces et-0/0/8:0 native-vlan-id 3"),
        (81, "interfaces et-0/0/8:0 unit 0 family ethernet-switching vlan members vn3"),
        (171, "routing-options graceful-restart"),
        (180, "protocols bgp multipath"),
        (184, "protocols bgp group l3clos-l vpn-apply-export"),
        (231, "protocols l2-learning telemetry enable-remote-entries"),
        (240, "protocols rstp bridge-priority 0"),
        (241, "protocols rstp bpdu-block-on-edge"),
        (243, "protocols rstp interface et-0/0/8:0 edge"),
        (249, "vlans vn3 description FrontEnd-Cluster-VN3"),
    ),
    "leaf2_qfx5240-64od": (
        (22, "forwarding-options hash-key family inet layer-3"),
        (23, "forwarding-options hash-key family inet layer-4"),
        (147, "routing-options graceful-restart"),
    ),
}


@pytest.mark.parametrize("name", sorted(UNREAD))
def test_what_is_not_known_of_a_published_configuration_is_told_and_nothing_else(name):
    assert UNREAD[name] == published(name).unread


def published(name):
    """The reading of a configuration that we did not write."""
    return PLATFORM.read((PUBLISHED / f"{name}.conf").read_text())


def test_marking_says_the_depth_that_it_assumes():
    device = device_of("leaf")
    depth = int(re.search(r"-of-(\d+)", printed(device))[1])

    assert any(f"{depth} bytes" in text for text in PLATFORM.derived(device).values())

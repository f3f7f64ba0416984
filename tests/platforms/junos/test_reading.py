"""The reader against our own output, and what planning needs of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.configuration import Unreadable
from fabric.platforms.junos import PLATFORM
from fabric.platforms.junos.dialect import DIALECT
from tests.configuration.dialects import twice
from tests.platforms.judging import differing
from tests.platforms.junos.devices import INTENTS, device_of
from tests.platforms.sites import printed
from tests.platforms.strategies import switches

PUBLISHED = Path(__file__).parent / "published"


@pytest.mark.parametrize("case", sorted(INTENTS))
def test_the_plain_form_is_its_own_and_says_the_same(case):
    text = printed(device_of(case))
    plain = DIALECT.plain(text)
    before, after = PLATFORM.read(text), PLATFORM.read(plain)

    assert plain == DIALECT.plain(plain)
    assert before.facts == after.facts
    assert [path for _, path in before.unread] == [path for _, path in after.unread]


def test_what_junos_makes_of_our_text_by_itself_is_no_difference():
    part = "snmp { v3 { usm { local-engine { user a { authentication-sha256 { KEY; } } } } } }"
    ours = part.replace("KEY", 'authentication-password "<masked>"')
    theirs = ours.replace('authentication-password "<masked>"', 'authentication-key "$9$x"')
    user = "system {\n login {\n  user a {\n   class FABRIC-ADMIN;\n  }\n }\n}\n"

    assert {} == differing("junos", ours, f"## Last changed: now\nversion 23.4R2;\n{theirs}")
    assert {} == differing("junos", user, user.replace("class", "uid 2000;\n   class"))
    assert {} == differing("junos", user.replace("class", "uid 2000;\n   class"), user)


def test_routers_outside_hear_no_more_than_a_tier_below():
    told = PLATFORM.read(printed(device_of("external"))).facts.policies["OUT-EXTERNAL-FIRST"]

    assert "term told from policy OUT-TO-BELOW" in told
    assert told.endswith("term rest then reject")


def test_unread_statements_come_with_their_line():
    assert ((3, "system strange thing"),) == PLATFORM.read(
        "system {\n host-name x;\n strange thing;\n}\n"
    ).unread


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(switches("junos"))
def test_the_plain_form_and_the_tree_printed_say_the_same(device):
    text = printed(device)
    read = PLATFORM.read(text)
    tree = DIALECT.tree(DIALECT.pieces(text).values(), defaults=True)

    assert read == PLATFORM.read(DIALECT.plain(text))
    assert read.facts == PLATFORM.read(DIALECT.written(tree.values())).facts


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(switches("junos"))
def test_no_two_statements_of_a_place_set_the_same_thing(device):
    lines = [line for piece in DIALECT.pieces(printed(device)).values() for line in DIALECT.lines(piece)]

    assert [] == list(twice(lines, DIALECT.top))


def read_or_refused(text):
    """What a text says; nothing if it is refused, with its line."""
    try:
        return PLATFORM.read(text)
    except Unreadable as error:
        return None if str(error).startswith(f"line {error.number}: ") else pytest.fail(str(error))


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from('ab {};"\\\n#[]/*:0') | st.characters(), max_size=200))
def test_any_text_is_read_or_refused(text):
    if read_or_refused(text) is not None:
        plain = DIALECT.plain(text)

        assert plain == DIALECT.plain(plain)
        assert {} == differing("junos", text, plain)


WORDS = sorted({word for case in set(INTENTS) - {"override"} for word in printed(device_of(case)).split()})


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*WORDS, "{", "}", ";", '"']), max_size=40))
def test_words_of_ours_in_any_order_are_read_or_refused(words):
    read_or_refused(" ".join(words))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_text_of_ours_with_other_words_is_read_or_refused(data):
    words = printed(device_of(data.draw(st.sampled_from(sorted(set(INTENTS) - {"override"}))))).split()
    for at in data.draw(st.lists(st.integers(0, len(words) - 1), max_size=30)):
        words[at] = data.draw(st.sampled_from([*WORDS, "0", "x;", "[", "]"]))

    read_or_refused(" ".join(words))


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

"""What is printed reads back as the same device, in every release."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.devices.model import LinkRole
from fabric.platforms.cumulus import PLATFORM
from tests.platforms.cumulus.devices import INTENTS, NEEDS, device
from tests.platforms.cumulus.grammar import refused
from tests.platforms.sites import printed
from tests.platforms.strategies import switches

EVERY = switches(
    "cumulus", releases=("5.9.4", "5.11.1", "5.13.1", "5.14.0", "5.15.0", "5.16.1", "5.17.0", None)
)
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
RELEASES = ("5.9.1", "5.13.1", "5.14.0", "5.16.1", None)
SAYABLE = [
    (case, release)
    for case in sorted(INTENTS)
    for release in RELEASES
    if release is None or tuple(map(int, release.split(".")[:2])) >= NEEDS.get(case, (5, 9))
]


@pytest.mark.parametrize(("case", "release"), SAYABLE)
def test_what_is_printed_reads_back_as_the_same_device(case, release):
    made = device(case, release)
    reading = PLATFORM.read(printed(made))

    assert () == reading.unread
    assert PLATFORM.project(made) == reading.facts


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(EVERY)
def test_any_switch_reads_back_as_itself_and_keeps_to_the_grammar(made):
    text = printed(made)
    reading = PLATFORM.read(text)

    assert () == reading.unread
    assert PLATFORM.project(made) == reading.facts
    assert [] == refused(text, made.release)


@settings(max_examples=15, deadline=None, suppress_health_check=SLOW)
@given(EVERY)
def test_the_canonical_form_of_any_switch_says_the_same_and_is_its_own(made):
    text = printed(made)
    canonical = PLATFORM.canonical(text)

    assert PLATFORM.read(text).facts == PLATFORM.read(canonical).facts
    assert canonical == PLATFORM.canonical(canonical)
    assert canonical == "".join(block.text for block in PLATFORM.blocks(canonical))


ANYTHING = st.recursive(
    st.none() | st.text(max_size=8) | st.integers() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=" -:{}[]'\"&*!|>\n\tabsetqos0.é\x00", max_size=120))
def test_no_text_stops_the_reader(text):
    for line, _ in PLATFORM.read(text).unread:
        assert line >= 1
    PLATFORM.blocks(PLATFORM.canonical(text))


@settings(max_examples=150, deadline=None)
@given(ANYTHING, st.sampled_from(["qos", "interface", "system", "vrf", "router", "service", "bridge"]))
def test_no_tree_stops_the_reader(tree, start):
    import yaml

    text = yaml.safe_dump([{"set": {start: tree}}, {"unset": tree}], allow_unicode=True)
    PLATFORM.read(text)
    PLATFORM.blocks(PLATFORM.canonical(text))


def test_each_object_is_a_block():
    made = device("spine")
    keys = [block.key for block in PLATFORM.blocks(PLATFORM.canonical(printed(made)))]

    assert len(set(keys)) == len(keys)
    assert f"vrf default router bgp neighbor {made.routing.neighbors[0].address}" in keys
    assert "router policy route-map RM-FROM-BELOW" in keys
    assert "qos pfc lossless-800g-40m" in keys


def test_a_setting_that_no_row_knows_is_reported_with_its_line():
    text = "- set:\n    system:\n      hostname: x\n      strange: 1\n"

    assert ((4, "strange: 1"),) == PLATFORM.read(text).unread


def test_valley_routes_are_denied_upward():
    facts = PLATFORM.read(printed(device("spine"))).facts

    assert "10 community-list FROM-ABOVE; 10 deny; 20 permit" == facts.policies["RM-TO-ABOVE"]
    assert "ipv4 outbound RM-TO-ABOVE" in facts.policies["group UP"]
    assert "outbound" not in facts.policies["group DOWN"]
    assert "set 64999:1" in facts.policies["RM-FROM-ABOVE"]


def test_routing_protocols_share_the_class_of_congestion_notifications():
    facts = PLATFORM.read(printed(device("leaf"))).facts

    assert 6 == facts.dscp_to_traffic_class[48]
    assert all(queues[6].strict for name, queues in facts.profiles.items() if name != "default-global")


@pytest.mark.parametrize("release", ["5.14.0", "5.16.1"])
def test_adaptive_routing_stands_on_every_uplink(release):
    made = device("adaptive routing", release)
    facts = PLATFORM.read(printed(made)).facts
    uplinks = [port.name for port in made.ports if port.role is LinkRole.UP]

    assert uplinks
    assert uplinks == facts.services["adaptive routing"].splitlines()


def test_priorities_of_no_class_go_to_the_queue_of_the_rest():
    facts = PLATFORM.read(printed(device("leaf"))).facts

    assert {0: 1, 1: 1, 2: 1, 3: 3, 4: 1, 5: 1, 6: 6, 7: 1} == facts.traffic_class_to_queue


@pytest.mark.parametrize(
    ("release", "word"), [("5.14.0", "disable"), ("5.16.1", "disable"), ("5.17.0", "disabled")]
)
def test_the_marking_that_the_product_does_by_itself_is_switched_off(release, word):
    assert f"'0':\n              ecn: {word}\n" in printed(device("leaf", release))

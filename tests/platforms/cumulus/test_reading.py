"""What is printed reads back as the same device, in every release."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.configuration import Unreadable, compare
from fabric.devices.model import LinkRole
from fabric.platforms.cumulus import PLATFORM
from fabric.platforms.cumulus.dialect import DIALECT
from tests.configuration.dialects import twice
from tests.platforms.cumulus.devices import INTENTS, NEEDS, device
from tests.platforms.cumulus.grammar import refused
from tests.platforms.expected_facts import expected_facts
from tests.platforms.judging import differing
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
    assert expected_facts(made) == reading.facts


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(EVERY)
def test_any_switch_reads_back_as_itself_and_keeps_to_the_grammar(made):
    text = printed(made)
    reading = PLATFORM.read(text)

    assert () == reading.unread
    assert expected_facts(made) == reading.facts
    assert [] == refused(text, made.release)


@settings(max_examples=15, deadline=None, suppress_health_check=SLOW)
@given(EVERY)
def test_the_plain_form_of_any_switch_and_its_tree_say_the_same(made):
    text = printed(made)
    plain, read = DIALECT.plain(text), PLATFORM.read(text)
    tree = DIALECT.tree(DIALECT.pieces(text).values(), defaults=True)

    assert plain == DIALECT.plain(plain)
    assert read == PLATFORM.read(plain)
    assert read == PLATFORM.read(DIALECT.written(tree.values()))


@settings(max_examples=20, deadline=None, suppress_health_check=SLOW)
@given(EVERY)
def test_no_two_lines_of_a_place_set_the_same_thing(made):
    lines = [line for piece in DIALECT.pieces(printed(made)).values() for line in DIALECT.lines(piece)]

    assert [] == list(twice(lines, DIALECT.top))


ANYTHING = st.recursive(
    st.none() | st.text(max_size=8) | st.integers() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


def read_or_refused(text):
    """Hold what is said of a text to its plain form; a text that is no NVUE file is refused with its line."""
    try:
        plain = DIALECT.plain(text)
    except Unreadable as error:
        plain = ""
        if not str(error).startswith(f"line {error.number}: "):
            pytest.fail(str(error))

    assert plain == DIALECT.plain(plain)
    assert {} == differing("cumulus", text if plain else "", plain)
    assert all(line >= 1 for line, _ in PLATFORM.read(plain).unread)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=" -:{}[]'\"&*!|>\n\tabsetqos0.é\x00", max_size=120))
def test_any_text_is_read_or_refused(text):
    read_or_refused(text)


@settings(max_examples=150, deadline=None)
@given(ANYTHING, st.sampled_from(["qos", "interface", "system", "vrf", "router", "service", "bridge"]))
def test_any_tree_is_read_or_refused(tree, start):
    text = yaml.safe_dump([{"set": {start: tree}}, {"header": tree}], allow_unicode=True)
    read_or_refused(text)


def test_each_object_is_a_change():
    made = device("spine")
    keys = [one.what for one in compare(DIALECT, "x", "", DIALECT.plain(printed(made))).changes]

    assert len(set(keys)) == len(keys)
    assert f"vrf default router bgp neighbor {made.routing.neighbors[0].address}" in keys
    assert "router policy route-map RM-FROM-BELOW" in keys
    assert "qos pfc lossless-800g-40m" in keys


def test_a_setting_that_no_row_knows_is_reported_with_its_line():
    text = "- set:\n    system:\n      hostname: x\n      strange: 1\n"

    assert ((4, "system strange 1"),) == PLATFORM.read(text).unread


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

"""What two ends of a link must agree in, told in words that no product owns."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.meaning import disagreements, port_meaning

FACTS = Facts(
    interfaces={"1": InterfaceFacts(ip_mtu_bytes=9000, queueing="p")},
    dscp_to_traffic_class={26: 3, 0: 0},
    traffic_class_to_queue={3: 5, 0: 0},
    profiles={
        "p": {
            5: ClassFacts(priority=3, share_percent=50, ecn=(500_000, 2_000_000, 100)),
            0: ClassFacts(share_percent=50),
        }
    },
    watchdog=("drop", 200, 200, 100),
)
HERE = port_meaning(FACTS, "1")


def roce(**changed):
    """The same port with another treatment of DSCP 26."""
    queue = FACTS.profiles["p"][5]
    profiles = {"p": {**FACTS.profiles["p"], 5: replace(queue, **changed)}}
    return port_meaning(replace(FACTS, profiles=profiles), "1")


def told(one, other):
    return [(found.what, found.near, found.far, found.harmful) for found in disagreements(one, other)]


def test_a_code_point_is_followed_through_class_and_queue():
    assert HERE.classes[26].priority == 3
    assert HERE.classes[0].share_percent == 50
    assert HERE.classes[48] is None


def test_queue_numbers_and_names_are_each_products_own():
    elsewhere = replace(
        FACTS,
        interfaces={"et-0": InterfaceFacts(ip_mtu_bytes=9000, queueing="x")},
        dscp_to_traffic_class={26: 4, 0: 1},
        traffic_class_to_queue={},
        profiles={"x": {4: FACTS.profiles["p"][5], 1: FACTS.profiles["p"][0]}},
    )

    assert told(HERE, port_meaning(elsewhere, "et-0")) == []


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (replace(HERE, ip_mtu_bytes=1500), ("IP MTU", "9000 B", "1500 B", True)),
        (roce(priority=None), ("PFC priority of DSCP 26", "priority 3", "lossy", True)),
        (roce(priority=4), ("PFC priority of DSCP 26", "priority 3", "priority 4", True)),
        (roce(strict=True), ("scheduling of DSCP 26", "50%", "strict", False)),
        (roce(ecn=None), ("ECN of DSCP 26", "500,000 to 2,000,000 B at 100%", "no marking", False)),
        (
            roce(ecn=(600_000, 2_000_000, 100)),
            ("ECN of DSCP 26", "500,000 to 2,000,000 B at 100%", "600,000 to 2,000,000 B at 100%", False),
        ),
        (
            replace(HERE, watchdog=None),
            ("PFC watchdog", "drop after 200 ms, restored after 200 ms", "none", False),
        ),
        (
            replace(HERE, watchdog=("forward", 0, 0, 0)),
            ("PFC watchdog", "drop after 200 ms, restored after 200 ms", "forward", False),
        ),
    ],
)
def test_each_difference_is_told_with_both_sides(other, expected):
    assert told(HERE, other) == [expected]


@pytest.mark.parametrize(
    "other",
    [
        HERE,
        roce(ecn=(521_106, 2_084_425, 100)),
        replace(HERE, watchdog=("drop", 0, 0, 0)),
        replace(HERE, watchdog=("drop", 200, 200, 10)),
        replace(HERE, classes=(None,) * 64, watchdog=None),
    ],
    ids=["equal", "rounding", "own timers", "own polling", "no queueing at all"],
)
def test_what_is_the_same_on_the_wire_is_no_difference(other):
    assert told(HERE, other) == []
    assert told(other, HERE) == []

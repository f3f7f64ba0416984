"""Configurations that we did not write: what is read of them, and every line that is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.configuration import compare, merge
from fabric.platforms.base import ClassFacts, InterfaceFacts, NeighborFacts, Reading
from fabric.platforms.nxos import PLATFORM
from fabric.platforms.nxos.dialect import DIALECT

PUBLISHED = Path(__file__).parent / "published"
FILES = sorted(PUBLISHED.glob("*.cfg"))
WORDS = sorted(
    {word for file in FILES for word in file.read_text().split()} | {"dscp", "seq", "0-", "-1", ","}
)


def reading(name: str) -> Reading:
    return PLATFORM.read((PUBLISHED / f"{name}.cfg").read_text())


def unread(name: str) -> list[int]:
    return [number for number, _ in reading(name).unread]


def test_of_a_checkpoint_only_the_switchs_own_lines_are_unread():
    assert [
        *range(6, 7), *range(9, 21), 24, *range(30, 36), *range(38, 52), 70, 78, 80, *range(82, 88)
    ] == unread("checkpoint")  # fmt: skip


def test_a_checkpoint_says_which_ports_are_shut():
    interfaces = reading("checkpoint").facts.interfaces

    assert (
        InterfaceFacts(enabled=False, addresses=("4.3.2.1/24",), ip_mtu_bytes=1500)
        == interfaces["Ethernet2/1"]
    )
    assert InterfaceFacts(enabled=True) == interfaces["Ethernet2/2"]
    assert InterfaceFacts(addresses=("10.0.0.72/24",), vrf="management") == interfaces["mgmt0"]


def test_a_template_of_peers_is_read_with_its_policies():
    facts = reading("peer-template").facts

    assert {"1.1.1.1": NeighborFacts(remote_asn=12121, policy="SPINE")} == facts.neighbors
    assert (
        "ipv4 allowas-in 1; ipv4 route-map match_metric out; ipv4 send-community"
        == (facts.policies["template SPINE"])
    )
    assert [10, 11, 16, *range(18, 23)] == unread("peer-template")


def test_a_reference_for_roce_is_read_with_its_queues():
    facts = reading("azure-local-tor").facts

    assert {
        0: ClassFacts(share_percent=48),
        3: ClassFacts(share_percent=50, ecn=(300_000, 300_000, 100)),
    } == facts.profiles["AZLOCAL-QUEUE-OUT"]
    assert {3: 3, 7: 7} == facts.traffic_class_to_queue
    assert ("tor-1a", 65242, "10.1.1.21", 8) == (
        facts.hostname,
        facts.asn,
        facts.router_id,
        facts.max_paths,
    )
    assert "permit 0.0.0.0/0; deny 0.0.0.0/0 le 32" == facts.policies["DefaultRoute"]


def test_of_a_reference_for_roce_every_foreign_line_is_told():
    assert [
        19, 32, 33, *range(39, 44), 46, 47, 54, 56, *range(59, 63), *range(66, 70), 74, 75, 78, *range(82, 85), 86,
        *range(101, 108), *range(110, 114), 129, 140, *range(153, 157), *range(162, 172), *range(174, 187),
        *range(189, 198), 213, 214, 216, 222, 223, 229,
    ] == unread("azure-local-tor")  # fmt: skip


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_plain_form_of_a_published_configuration_says_the_same(file):
    plain = DIALECT.plain(file.read_text())

    assert plain == DIALECT.plain(plain)
    assert PLATFORM.read(file.read_text()).facts == PLATFORM.read(plain).facts


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_published_configuration_is_carried_along_whole(file):
    ours, theirs = "hostname x\n", DIALECT.plain(file.read_text())
    merged = merge(DIALECT, ours, theirs, None)
    changes = compare(DIALECT, "x", theirs, DIALECT.plain(merged.text)).changes

    assert ["hostname"] == [change.what for change in changes]
    assert () == merge(DIALECT, merged.text, DIALECT.plain(merged.text), None).kept


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_line_of_a_published_configuration_that_goes_is_a_difference(file):
    plain = DIALECT.plain(file.read_text())
    tree = DIALECT.tree(DIALECT.pieces(plain).values())

    for key in tree:
        rest = DIALECT.written(node for name, node in tree.items() if name != key)
        changes = compare(DIALECT, "x", plain, DIALECT.plain(rest)).changes

        assert [[key]] == [
            [node.key for node in change.old if node.key not in {one.key for one in change.new}]
            for change in changes
        ]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=6)))
)
def test_no_text_is_too_strange_for_the_reader(lines):
    text = "\n".join("  " * depth + " ".join(words) for depth, words in lines)
    PLATFORM.read(text)
    plain = DIALECT.plain(text)

    assert () == compare(DIALECT, "x", plain, plain).changes
    assert () == merge(DIALECT, plain, plain, None).kept
    assert (
        ()
        == compare(
            DIALECT, "x", plain, DIALECT.written(DIALECT.tree(DIALECT.pieces(plain).values()).values())
        ).changes
    )

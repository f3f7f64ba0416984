"""Our reader is stricter than OpenSM: what we never write is unread, and what OpenSM would misread is too."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.platforms.base import PART
from fabric.platforms.opensm.read import parse
from tests.platforms.subnets import TENANTED, manager, printed

FOREIGN = Path(__file__).parent / "foreign"
"""Files of other making, which OpenSM 3.3.23 takes without an error."""
OURS = printed(manager("opensm", TENANTED))


def unread(name: str, text: str) -> list[str]:
    """The lines of a file that nobody understands. One that counts as a whole is among them itself."""
    return [line for number, line in parse(f"{PART}{name}\n{text}").unread if number > 1]


def foreign(name: str) -> list[str]:
    return unread(name, (FOREIGN / name).read_text())


def test_files_that_opensm_itself_writes_are_understood():
    assert foreign("guid2lid") == []


def test_guids_and_names_have_one_form():
    assert foreign("root-guids") == []
    assert foreign("node-name-map") == []
    assert foreign("opensm.conf") == []


def test_partitions_with_a_default_membership_or_in_one_line():
    """Only what says each member's way is understood: a membership by default is easily changed for all."""
    lines = foreign("partitions.conf")

    assert [line[:40] for line in lines if "=" in line] == [
        "blue=0x1001, ipoib, rate=16, mtu=4, sl=1",
        "red=0x1002, ipoib, rate=16, mtu=4, sl=2,",
    ]
    assert (
        len(parse(f"{PART}partitions.conf\n{(FOREIGN / 'partitions.conf').read_text()}").config.partitions)
        == 1
    )


def test_a_policy_without_the_use_of_a_group_is_not_ours():
    lines = [line for line in (FOREIGN / "qos-policy.conf").read_text().splitlines() if line.strip()]

    assert foreign("qos-policy.conf") == [line.strip() for line in lines]


@pytest.mark.parametrize(
    "wrong",
    [
        "red=0x1001, ipoib, rate=21, mtu=5, sl=0 :\n    0x01=full;\n",
        "red=0x1001, ipoib, rate=21, mtu=5, sl=0 :\n    0x0000000000010020=full\n",
        "red=0x1001, ipoib, rate=21, mtu=5, sl=0 :\n    0x0000000000010020=ful;\n",
        "red=0x1001, ipoib, rate=21, mtu=5, sl=0 :\n    0x0000000000010020;\n",
        "red=0x1001, ipoib, rate=21, mtu=5, sl=0 :\r\n    0x0000000000010020=full;\r\n",
        "red=0x1001, ipoib, rate=21, mtu=5, sl=0\n    0x0000000000010020=full;\n",
        "red=0x1001, ipoib, rate=21, mtu=5, sl=16 :\n    0x0000000000010020=full;\n",
        "red=0x1001, ipoib, rate=21, mtu=6, sl=1 :\n    0x0000000000010020=full;\n",
        "red, ipoib, rate=21, mtu=5, sl=0 :\n    0x0000000000010020=full;\n",
        "red=0x1001, rate=21, mtu=5, sl=0, ipoib :\n    0x0000000000010020=full;\n",
        "red=0x1001, ipoib, rate=21, mtu=5, sl=0 :\n    0x0000000000010020=both;\n",
        "red=0x1001, ipoib, rate=21, mtu=5, sl=0 :\n    0x0000000000010020=full,, ALL=full;\n",
        "red=0x1001, ipoib, rate=21, mtu=5, sl=0 :\n    0x0000000000010020=full; blue=0x2 : ALL=full;\n",
        "red=0x1001, ipoib, rate=21, mtu=5, sl=0 :;\n",
        f"{'x' * 32}=0x1001, ipoib, rate=21, mtu=5, sl=0 :\n    0x0000000000010020=full;\n",
        "mgid=ff12:401b::1, rate=21\n",
        "red=0x9001, ipoib, rate=21, mtu=5, sl=0 :\n    0x0000000000010020=full;\n",
        "red=0x0000, ipoib, rate=21, mtu=5, sl=0 :\n    0x0000000000010020=full;\n",
    ],
)
def test_a_partition_that_opensm_would_misread_is_unread_with_all_its_lines(wrong):
    found = unread("partitions.conf", wrong)

    assert len(found) == len([line for line in wrong.split("\n") if line.strip()])
    assert parse(f"{PART}partitions.conf\n{wrong}").config.partitions == ()


@pytest.mark.parametrize(
    "wrong",
    [
        "port-groups\nend-port-groups\n",
        "qos-levels\n    qos-level\n        name: DEFAULT\n        sl: 16\n    end-qos-level\nend-qos-levels\n",
        "qos-levels\n    qos-level\n        name: DEFAULT\n        sl: 0\n    end-qos-level\n",
        "qos-ulps\n    default : 0\nend-qos-ulps\n",
        "qos-match-rules\n    qos-match-rule\n        use: x\n    end-qos-match-rule\nend-qos-match-rules\n",
    ],
)
def test_one_wrong_word_makes_all_of_the_policy_unread(wrong):
    good = (
        "qos-levels\n    qos-level\n        name: DEFAULT\n        sl: 0\n    end-qos-level\nend-qos-levels\n"
    )

    assert unread("qos-policy.conf", good) == []
    assert len(unread("qos-policy.conf", wrong)) == len(wrong.split("\n")) - 1
    assert len(unread("qos-policy.conf", good + wrong)) == len((good + wrong).split("\n")) - 1


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("opensm.conf", "routing_engine"),
        ("opensm.conf", "routing_engine ftree, updn"),
        ("root-guids", "0x10"),
        ("root-guids", "0x00000000000010g0"),
        ("io-guids", "0X0000000000001000"),
        ("node-name-map", '0x0000000000001000 "a" "b"'),
        ("node-name-map", "0x0000000000001000 leaf"),
        ("guid2lid", "0x0000000000001000 0x0001"),
        ("guid2lid", "0x0000000000001000 1 1"),
        ("prefix-routes.conf", "fe80::/64 0x1"),
        ("torus-2QoS.conf", "torus 4 4"),
        ("torus-2QoS.conf", "torus 4 4 4"),
        ("other.conf", "anything"),
        ("", "anything"),
    ],
)
def test_a_line_that_we_never_write_is_unread(name, wrong):
    assert unread(name, f"{wrong}\n") == [wrong]


def test_a_file_that_stands_twice_is_unread():
    twice = f"{OURS}{PART}partitions.conf\nDefault=0x7fff, ipoib, rate=21, mtu=5, sl=0 :\n    ALL=full;\n"

    assert [line for _, line in parse(twice).unread] == [
        "partitions.conf again",
        "Default=0x7fff, ipoib, rate=21, mtu=5, sl=0 :",
        "ALL=full;",
    ]


@pytest.mark.parametrize("again", ["red=0x1009", "blue=0x1001"])
def test_a_second_partition_of_one_name_or_key_is_unread(again):
    """OpenSM makes one of both, under the first name, and says nothing."""
    first = "red=0x1001, rate=21, mtu=5, sl=0 :\n    0x0000000000010020=full;\n"
    second = f"{again}, rate=21, mtu=5, sl=0 :\n    0x0000000000010030=full;\n"

    assert len(unread("partitions.conf", first + second)) == 2


@pytest.mark.parametrize(
    ("name", "twice"),
    [
        ("opensm.conf", ("lmc 1", "lmc 2")),
        ("root-guids", ("0x0000000000001000", "0x0000000000001000")),
        ("node-name-map", ('0x0000000000001000 "a"', '0x0000000000001000 "b"')),
        ("guid2lid", ("0x0000000000001000 0x0001 0x0004", "0x0000000000002000 0x0004 0x0007")),
        ("guid2lid", ("0x0000000000001000 0x0001 0x0001", "0x0000000000002000 0x0002 0x0001")),
        ("guid2lid", ("0x0000000000001000 0x0001 0x0001", "0x0000000000002000 0x0000 0x0000")),
        ("guid2lid", ("0x0000000000001000 0x0001 0x0001", "0x0000000000001000 0x0002 0x0002")),
    ],
)
def test_what_is_said_twice_or_given_to_two_is_unread(name, twice):
    assert unread(name, "\n".join(twice)) == [twice[1]]


def test_a_second_membership_of_one_port_makes_its_partition_unread():
    """Which of them OpenSM would take, no source says."""
    twice = "red=0x1001, rate=21, mtu=5, sl=0 :\n    ALL=full,\n    ALL=limited;\n"

    assert len(unread("partitions.conf", twice)) == 3


def test_what_stands_before_the_first_file_is_unread():
    assert [line for _, line in parse(f"anything\n{OURS}").unread] == ["", "anything"]

"""The reader against our own output, and our output against forms that published sources show."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from fabric.devices.model import Switch
from fabric.diagnostics import Invalid
from fabric.platforms.dellsonic import PLATFORM
from fabric.platforms.dellsonic.dialect import DIALECT
from tests.configuration.dialects import said, tree, twice
from tests.platforms.dellsonic.devices import INTENTS, REFUSED, device
from tests.platforms.dellsonic.grammar import grammar
from tests.platforms.judging import differing
from tests.platforms.sites import HASH, printed, refusals
from tests.platforms.strategies import switches

SAID = sorted(INTENTS)
many_switches = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@pytest.mark.parametrize("case", SAID)
def test_every_printed_line_has_a_published_form(case: str) -> None:
    assert [] == grammar(printed(device(case)))


@many_switches
@given(switches("dellsonic", HASH))
def test_any_switch_is_a_tree_of_published_lines_that_set_different_things(device: Switch) -> None:
    text = printed(device)
    found = tree("dellsonic", text)
    lines = (line for piece in DIALECT.pieces(text).values() for line in DIALECT.lines(piece))

    assert [] == grammar(text)
    assert [] == list(twice(lines, DIALECT.top))
    assert list(said(found.values())) == list(
        said(tree("dellsonic", DIALECT.written(found.values())).values())
    )


@pytest.mark.parametrize(
    "line",
    [
        "interface Eth1/1\n mtu 9300",
        "interface Eth1/1\n speed 401000",
        "interface Eth1/1\n cable-length 3m",
        "interface Eth1/1\n priority-flow-control priority 5",
        "interface Ethernet8",
        "router bgp 1\n address-family ipv4 unicast\n  maximum-paths 300",
        "router bgp 1\n neighbor 10.0.0.1 remote-as 2",
        "bgp community-list standard C permit 65536:1",
        "qos wred-policy W\n green minimum-threshold 1 maximum-threshold 12481 drop-probability 5",
        "qos scheduler-policy P\n queue 8",
        "qos map dscp-tc M\n dscp 24 traffic-class 9",
        "ip load-share hash seed 16777216",
        "buffer init lossles",
    ],
)
def test_what_no_source_shows_is_found(line: str) -> None:
    assert [line.rsplit("\n", 1)[-1].strip()] == grammar(line)


def test_every_unread_line_comes_with_its_number() -> None:
    text = "hostname x\n!\nfancy thing\n inside\ninterface Eth1/1\n mtu 9000\n strange\n"

    assert ((3, "fancy thing"), (4, "inside"), (7, "strange")) == PLATFORM.read(text).unread


ONE_THING = [
    (
        "qos map dscp-tc M\n dscp",
        " 24-26 traffic-class 3",
        " 24,25,26 traffic-class 3",
        " 24-25 traffic-class 3",
    ),
    ("router bgp 1\n peer-group UP\n  password", " <masked>", " U2FsdGVkX18k= encrypted", " x\n  shutdown"),
    (
        "qos map tc-pg M\n traffic-class",
        " 0-1 priority-group 7",
        " 0 priority-group 7\n traffic-class 1 priority-group 7",
        " 0 priority-group 7",
    ),
]
"""The beginning of a text; how it goes on in our spelling, as shown by the product, and if it says something else."""


@pytest.mark.parametrize(("before", "ours", "shown", "other"), ONE_THING)
def test_two_spellings_of_one_thing_are_no_difference(before: str, ours: str, shown: str, other: str) -> None:
    first, second, third = (f"{before}{end}\n" for end in (ours, shown, other))

    assert {} == differing("dellsonic", first, second) == differing("dellsonic", second, first)
    assert {} != differing("dellsonic", first, third)


@pytest.mark.parametrize("case", SAID)
def test_the_plain_form_says_the_same(case: str) -> None:
    text = printed(device(case))
    plain = PLATFORM.read(DIALECT.plain(text))

    assert () == plain.unread
    assert PLATFORM.read(text).facts == plain.facts


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_the_other_cases_are_refused(case: str) -> None:
    with pytest.raises(Invalid, match="Dell Enterprise SONiC"):
        printed(device(case))


def test_a_case_that_is_said_is_not_refused() -> None:
    assert [] == [one for case in SAID for one in refusals(device(case))]

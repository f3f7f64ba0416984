"""The reader against our own output."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.platforms.frr import PLATFORM
from fabric.platforms.frr.dialect import DIALECT
from tests.configuration.dialects import twice
from tests.platforms import sites
from tests.platforms.expected_facts import expected_facts
from tests.platforms.frr.devices import CASES, leaf
from tests.platforms.frr.printing import printed
from tests.platforms.sites import network
from tests.platforms.strategies import switches

LINES = [line for make in CASES.values() for line in printed(make()).splitlines()]
OURS = {"bgp as-path access-list MINE seq 5 permit ^65000", "link-type dummy"}
"""Lines of overrides that the reader does not know."""


def test_only_lines_of_an_override_are_unknown():
    reading = PLATFORM.read(printed(CASES["extended"]()))

    assert OURS == {line for _, line in reading.unread}


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
@given(switches("frr"))
def test_any_switch_says_nothing_twice(device):
    lines = [line for piece in DIALECT.pieces(printed(device)).values() for line in DIALECT.lines(piece)]

    assert [] == list(twice(lines, DIALECT.top))


@settings(max_examples=200, deadline=None)
@given(st.text() | st.lists(st.sampled_from(LINES), max_size=30).map("\n".join))
def test_the_reader_takes_any_text(text):
    reading = PLATFORM.read(text)
    numbers = [number for number, _ in reading.unread]

    assert sorted(numbers) == numbers
    plain = DIALECT.plain(text)
    assert plain == DIALECT.plain(plain)


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_plain_form_says_the_same_and_is_its_own(case):
    text = printed(CASES[case]())
    form = DIALECT.plain(text)

    assert form == DIALECT.plain(form)
    assert PLATFORM.read(text).facts == PLATFORM.read(form).facts


def test_unread_lines_come_with_their_numbers_in_the_joined_text():
    text = printed(leaf()).replace("    mtu 9000", "    mtu 9000\n    strange 1", 1)

    assert [(text.splitlines().index("    strange 1") + 1, "strange 1")] == list(PLATFORM.read(text).unread)


def test_a_password_is_masked_and_a_placeholder_is_not():
    text = printed(sites.leaf("frr", network('routing: {bgp: {password: "env:BGP"}}')))

    assert "password <secret:env:BGP>" in DIALECT.plain(text)
    assert "geheim" not in DIALECT.plain(text.replace("<secret:env:BGP>", "geheim"))


def test_the_files_are_those_of_the_system():
    files = PLATFORM.files("leaf-0-0", printed(leaf()))

    assert [
        "frr.conf",
        "vtysh.conf",
        "daemons",
        "interfaces",
        "sysctl.conf",
        "qos.sh",
        "qos.service",
        "ports.rules",
    ] == [p.rpartition("/")[2] for p in files]
    assert files["configs/leaf-0-0/qos.sh"].startswith("#!/bin/bash\n")
    assert PLATFORM.read(PLATFORM.joined("leaf-0-0", files.get)).facts == expected_facts(leaf())


def test_a_function_that_splits_cages_in_another_way_is_not_understood():
    text = printed(leaf()).replace('devlink port split "$1"', "devlink port split swp9")

    assert "cage() {" in {line for _, line in PLATFORM.read(text).unread}


def test_a_port_with_a_profile_that_is_not_there_is_not_understood():
    text = printed(leaf()).replace("\nlossless-400g-5m swp1s0\n", "\nother swp1s0\n")

    assert ["other swp1s0"] == [line for _, line in PLATFORM.read(text).unread]


def test_a_text_without_the_name_of_its_file_is_not_understood():
    assert (1, "hostname a") in PLATFORM.read("hostname a\n").unread

"""Patterns of lines: what fits, what the line sets, and what its parts are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.configuration.patterns import Pattern

FITS = [
    ("neighbor <peer> remote-as {asn}", "neighbor 10.0.0.1 remote-as 65001", "neighbor 10.0.0.1 remote-as"),
    ("[no] shutdown", "shutdown", "shutdown"),
    ("[no] shutdown", "no shutdown", "shutdown"),
    ("ip route [vrf <vrf>] <prefix> {hop}", "ip route vrf M 0.0.0.0/0 192.0.2.1", "ip route vrf M 0.0.0.0/0"),
    ("ip route [vrf <vrf>] <prefix> {hop}", "ip route 0.0.0.0/0 192.0.2.1", "ip route 0.0.0.0/0"),
    ("description {text*}", "description to spine-1, port 3", "description"),
    ("ip|ipv6 prefix-list <name>", "ipv6 prefix-list X", "ipv6 prefix-list X"),
    ("<port:[^|]+>|<prefix>", "Ethernet0|10.0.0.0/31", "Ethernet0|10.0.0.0/31"),
    ("speed {mbps:\\d+} [lanes {lanes:\\d{1,2}}]", "speed 400000 lanes 4", "speed"),
]


@pytest.mark.parametrize(("pattern", "line", "key"), FITS)
def test_what_a_line_sets_is_the_line_without_its_values(pattern, line, key):
    found = Pattern(pattern).match(line)

    assert found is not None
    assert found.key == key
    assert set(found.parts) == set(re.findall(r"[<{]([a-z]\w*)", pattern))
    assert all(not value or value in line for value in found.parts.values())


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("neighbor <peer> remote-as {asn}", "neighbor 10.0.0.1 remote-as"),
        ("neighbor <peer> remote-as {asn}", "neighbor 10.0.0.1 remote-as 1 2"),
        ("speed {mbps:\\d+}", "speed fast"),
        ("ip|ipv6 route", "ipip route"),
        ("<port:[^|]+>|<prefix>", "Ethernet0"),
    ],
)
def test_a_line_that_is_longer_shorter_or_of_other_words_does_not_fit(pattern, line):
    assert Pattern(pattern).match(line) is None


@pytest.mark.parametrize("pattern", ["", "a [b", "a b]", "a {b", "[a]"])
def test_what_is_no_pattern_is_refused(pattern):
    with pytest.raises(ValueError, match="is not a pattern of lines"):
        Pattern(pattern)


WORDS = st.text("abcxyz019.:-", min_size=1, max_size=6)


@given(st.lists(st.tuples(st.sampled_from(["plain", "name", "value"]), WORDS), min_size=1, max_size=5))
def test_two_lines_of_a_pattern_share_a_key_if_they_differ_in_values_alone(words):
    forms = {"plain": "{}", "name": "<n{}>", "value": "{{v{}}}"}
    pattern = Pattern(
        " ".join(
            forms[kind].format(word if kind == "plain" else place)
            for place, (kind, word) in enumerate([("plain", "line"), *words])
        )
    )
    line = " ".join(["line", *(word for _, word in words)])
    others = " ".join(["line", *(word + "q" * (kind == "value") for kind, word in words)])
    named = " ".join(["line", *(word + "q" * (kind == "name") for kind, word in words)])

    assert pattern.match(line).key == pattern.match(others).key
    assert (pattern.match(line).key == pattern.match(named).key) == (line == named)


@pytest.mark.parametrize(("pattern", "line", "_key"), FITS)
def test_the_first_word_of_a_line_that_fits_is_among_the_starts(pattern, line, _key):
    starts = Pattern(pattern).starts

    assert not starts or line.split()[0] in starts

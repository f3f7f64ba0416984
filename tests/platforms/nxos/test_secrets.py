"""No secret in clear: placeholders in what we print, masks in what a switch shows."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.platforms.nxos.dialect import DIALECT
from tests.platforms.nxos.devices import CASES
from tests.platforms.sites import printed

PLACEHOLDER = re.compile(r"<secret:[^>]+>")
VALUES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=9, max_size=40)
"""What a secret may be: printable, no blanks, no line breaks (`fabric.deployment.connection.secrets`)."""


@cache
def device():
    """Every place of a secret: a login, TACACS+ servers, BGP."""
    return "\n".join(printed(CASES[case]()) for case in ("services", "reused numbers"))


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_is_printed_holds_no_secret(case):
    for line in printed(CASES[case]()).splitlines():
        words = line.split()
        if words[:1] == ["username"] and "password" in words:
            assert words[4].startswith(("$5$", "<secret:", "!"))
        elif {"password", "key"} & set(words[:4]):
            assert PLACEHOLDER.search(line)


def test_placeholders_are_kept_whole():
    assert {"<secret:env:TACACS>", "<secret:env:BGP>"} <= set(PLACEHOLDER.findall(DIALECT.plain(device())))


@given(VALUES)
def test_a_secret_of_any_characters_is_masked(value):
    pushed = PLACEHOLDER.sub(lambda _match: value, device())

    assert PLACEHOLDER.sub("<masked>", DIALECT.plain(device())) == DIALECT.plain(pushed)


@pytest.mark.parametrize("kind", ["0", "3", "7"])
def test_how_a_switch_encodes_a_secret_is_no_difference(kind):
    ours = "router bgp 1\n  template peer UP\n    password 0 <secret:env:BGP>\n"
    shown = f"router bgp 1\n  template peer UP\n    password {kind} 9125d59c18a9b015\n"

    assert PLACEHOLDER.sub("<masked>", DIALECT.plain(ours)) == DIALECT.plain(shown)

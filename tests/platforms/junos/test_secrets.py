"""No secret stands in a text, and what stands for one survives Junos's quotation marks."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.configuration.syntaxes.curly import parse, words_of
from fabric.platforms.junos.dialect import DIALECT
from fabric.platforms.junos.names import quoted, unquoted
from tests.platforms.junos.devices import INTENTS, device_of
from tests.platforms.sites import printed


@pytest.mark.parametrize(
    ("case", "references"),
    [
        ("all services", {"env:SNMP_AUTH", "env:SNMP_PRIV", "file:/run/a", "file:/run/p", "env:VIEWER_HASH"}),
        ("tacacs", {"env:TACACS", "env:A", "env:P"}),
        ("protected", {"env:BGP"}),
        ("external", {"env:BORDER"}),
    ],
)
def test_every_reference_stands_in_the_text_and_in_its_plain_form(case, references):
    text = printed(device_of(case))

    assert references == set(re.findall(r'"<secret:([^">]+)>"', text))
    assert references == set(re.findall(r'"<secret:([^">]+)>"', DIALECT.plain(text)))


@pytest.mark.parametrize("case", sorted(INTENTS))
def test_hashes_of_passwords_are_masked(case):
    assert "$6$" not in DIALECT.plain(printed(device_of(case)))


@pytest.mark.parametrize(
    "line",
    [
        'encrypted-password "$6$x"; ## SECRET-DATA',
        'secret "$9$abc";',
        "authentication-key open;",
        'authentication-password "<html>";',
        'privacy-key "$9$q\\"x";',
        '"-----BEGIN PRIVATE KEY-----\\nMII\\n"; ## SECRET-DATA',
        "something-new plain; ## SECRET-DATA",
        'something-new "$9$ab\\"c";',
        "key\n    open;",
        "key /* of two */ open;",
    ],
)
def test_a_secret_of_the_device_is_masked(line):
    value = re.sub(r"; ?(?:## SECRET-DATA)?$", "", line).partition(" ")[2] or line
    plain = DIALECT.plain(f"system {{\n    part {{\n        {line}\n    }}\n}}\n")

    assert "<masked>" in plain
    assert value not in plain


def test_what_junos_marks_is_masked_in_its_own_diff_too():
    diff = '+      certificate "-----BEGIN PRIVATE KEY-----"; ## SECRET-DATA\n-      secret "$9$abc"; ## SECRET-DATA\n'

    assert diff.count("SECRET-DATA") == DIALECT.mask(diff).count('"<masked>"')


def test_a_placeholder_that_junos_marks_stays():
    text = 'system {\n    root {\n        encrypted-password "<secret:env:X>"; ## SECRET-DATA\n    }\n}\n'

    assert '"<secret:env:X>"' in DIALECT.plain(text)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.just("\n")))
def test_any_text_survives_quotation(text):
    (line,) = parse(f"message {quoted(text)};")

    assert text == unquoted(words_of(line.text)[1])

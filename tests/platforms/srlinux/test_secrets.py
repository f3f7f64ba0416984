"""No secret in clear: placeholders in what we print, masks in what a device shows."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.platforms.srlinux import PLATFORM
from fabric.platforms.srlinux.documents import SECRETS
from fabric.platforms.srlinux.names import bare
from tests.platforms.sites import network, printed
from tests.platforms.srlinux.devices import CASES, asked

PLACEHOLDER = re.compile(r"<secret:[^>]+>")
VALUES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=12, max_size=40)
"""What a secret may be: printable, no blanks, no line breaks (`fabric.deployment.connection.secrets`)."""


plain = PLATFORM.dialect().plain


def device():
    """Every place of a secret: a login, TACACS+ servers, SNMP users, BGP."""
    return printed(asked(network("routing: {bgp: {password: 'env:BGP'}}"), base="tacacs"))


def secrets(tree):
    """The values of all leaves that hold a secret."""
    for key, value in (
        tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    ):
        if bare(str(key)) in SECRETS and isinstance(value, str):
            yield value
        else:
            yield from secrets(value)


def filled(value, tree):
    """The tree as a push would send it: the value of a secret in place of each placeholder."""
    if isinstance(tree, dict):
        return {key: filled(value, inner) for key, inner in tree.items()}
    if isinstance(tree, list):
        return [filled(value, inner) for inner in tree]
    return PLACEHOLDER.sub(lambda _match: value, tree) if isinstance(tree, str) else tree


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_is_printed_holds_hashes_and_placeholders_only(case):
    found = list(secrets(json.loads(printed(CASES[case]()))))

    assert found
    assert all(PLACEHOLDER.fullmatch(value) or value.startswith("$6$") for value in found)


def test_placeholders_are_kept_whole():
    kept = set(PLACEHOLDER.findall(plain(device())))

    assert {"<secret:env:BGP>", "<secret:env:TACACS>", "<secret:env:A>", "<secret:env:P>"} == kept
    assert set(PLACEHOLDER.findall(device())) == kept


@given(VALUES)
def test_a_secret_of_any_characters_is_masked_wherever_it_stands(value):
    pushed = json.dumps(filled(value, json.loads(device())))

    assert PLACEHOLDER.sub("<masked>", plain(device())) == plain(pushed)


@given(VALUES)
def test_a_secret_that_nobody_knows_is_not_told_with_what_is_unread(value):
    text = json.dumps({"system": {"new-server": dict.fromkeys(SECRETS, value)}})

    assert {"<masked>"} == {line.rpartition(" ")[2] for _, line in PLATFORM.read(text).unread}
    assert f'"{value}"' not in str(PLATFORM.read(text).facts) or value == "<masked>"


def test_a_container_with_the_name_of_a_secret_is_left_as_it_is():
    text = '{"system": {"aaa": {"authentication": {"password": {"history": 4}}}}}'

    assert '"history": 4' in plain(text)
    assert ["system aaa authentication password history 4"] == [
        line for _, line in PLATFORM.read(text).unread
    ]


def test_a_text_about_a_secret_is_no_secret():
    text = json.dumps({"system": {"banner": {"login-banner": 'say "password": "please"'}}})

    assert "please" in plain(text)

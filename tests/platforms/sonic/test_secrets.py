"""No secret stands in clear, and none that is put in place of its placeholder breaks a file."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.deployment.connection.secrets import references
from fabric.platforms.base import split_parts
from fabric.platforms.sonic.dialect import DIALECT
from fabric.platforms.sonic.secrets import fill, unfit
from tests.platforms.sites import network, printed
from tests.platforms.sonic.devices import CASES, asked

PROTECTED = network("routing: {bgp: {password: 'env:BGP'}}")
NASTY = [
    '"quoted"',
    "back\\slash",
    "$var",
    "it's",
    "\\u0041",
    "</script>",
    "{}",
    '\\"',
    "<secret:env:TACACS>",
]
PRINTABLE = st.text(alphabet=[chr(code) for code in range(ord("!"), ord("~") + 1)], min_size=1, max_size=40)


def secrets_of(device):
    """The references in both files."""
    return references([printed(device)])


def passkey(value):
    """The TACACS key that SONiC would read."""
    text = fill(printed(CASES["tacacs"]()), lambda _reference: value)
    return json.loads(split_parts(text)["config_db.json"])["TACPLUS"]["global"]["passkey"]


@pytest.mark.parametrize("value", NASTY)
def test_a_secret_with_signs_of_json_arrives_as_it_is(value):
    assert value == passkey(value)


@given(PRINTABLE)
def test_any_secret_that_the_push_accepts_arrives_as_it_is(value):
    assert value == passkey(value)


def test_a_password_of_bgp_arrives_as_it_is():
    text = fill(printed(asked(PROTECTED)), lambda _reference: 'a"b\\c')

    assert ' neighbor UP password a"b\\c\n' in text


def test_every_kind_of_secret_is_a_placeholder():
    every = asked(PROTECTED, base="all services")

    assert {"env:BGP", "env:SNMP_AUTH", "env:SNMP_PRIV", "file:/run/a", "file:/run/p"} == secrets_of(every)
    assert {"env:TACACS", "env:A", "env:P"} == secrets_of(CASES["tacacs"]())
    assert "env:BORDER" in secrets_of(CASES["external"]())


@pytest.mark.parametrize("case", sorted(CASES))
def test_references_survive_the_plain_form(case):
    text = printed(CASES[case]())

    assert references([text]) == references([DIALECT.plain(text)])


def test_what_sonics_models_refuse_is_told_without_the_value():
    text = printed(CASES["tacacs"]())
    told = list(unfit(text, lambda reference: {"env:TACACS": "a#b"}.get(reference, "short")))

    assert 3 == len(told)
    assert all("a#b" not in line and "short" not in line for line in told)
    assert [] == list(unfit(text, lambda _reference: "long-enough"))


THEIRS = {
    "TACPLUS": {"global": {"passkey": "hunter2"}},
    "SNMP_USER": {"watch": {"SNMP_USER_AUTH_PASSWORD": "hunter2"}},
    "SNMP_COMMUNITY": {"hunter2": {"TYPE": "RO"}},
    "NTP_KEY": {"1": {"value": "hunter2"}},
    "RADIUS": {"global": {"passkey": "hunter2"}},
    "BGP_PEER_GROUP": {"default|UP": {"auth_password": "hunter2"}},
    "MACSEC_PROFILE": {"a": {"primary_cak": "hunter2"}},
}


@pytest.mark.parametrize("table", sorted(THEIRS))
def test_secrets_of_others_are_masked(table):
    text = f"#!part config_db.json\n{json.dumps({table: THEIRS[table]})}\n#!part frr.conf\n"

    assert "hunter2" not in DIALECT.plain(text)
    assert table in DIALECT.plain(text)


@pytest.mark.parametrize(
    "line",
    [" neighbor A password hunter2", " neighbor A password <hunter2", " neighbor A password 8 hunter2"],
)
def test_passwords_of_others_in_frr_are_masked(line):
    text = f"#!part config_db.json\n{{}}\n#!part frr.conf\nrouter bgp 1\n{line}\n"

    assert "hunter2" not in DIALECT.plain(text)

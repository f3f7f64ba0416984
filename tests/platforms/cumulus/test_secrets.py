"""No secret stands in clear, and none that the push puts in place of its placeholder breaks the file."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.deployment.connection.secrets import Secrets, references
from fabric.platforms.cumulus import PLATFORM
from fabric.platforms.cumulus.dialect import DIALECT
from tests.platforms.cases import case
from tests.platforms.cumulus.devices import INTENTS, changed, device
from tests.platforms.sites import network, printed

PASSWORD = case(network("routing: {bgp: {password: 'env:BGP'}}"))
SECRETS = {"env:BGP": "b", "env:TACACS": "t", "env:VIEWER_HASH": "h"}
NASTY = [
    "it's",
    '"quoted"',
    "back\\slash",
    "$nvsec$x",
    "<secret:env:BGP>",
    "#hash",
    "a: b".replace(" ", ""),
    "-",
    "|",
    "'",
    "{}",
]


def filled(made, **values):
    """The tree of a file with its secrets in place."""
    text = Secrets(SECRETS | values).fill(printed(made), PLATFORM)
    (block,) = yaml.load(text, yaml.CSafeLoader)
    return block["set"]


def password(value):
    """The BGP password that the product would read."""
    tree = filled(changed(PASSWORD), **{"env:BGP": value})
    return tree["vrf"]["default"]["router"]["bgp"]["peer-group"]["UP"]["password"]


@pytest.mark.parametrize("value", NASTY)
def test_a_secret_with_signs_of_yaml_arrives_as_it_is(value):
    assert value == password(value)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=[chr(code) for code in range(ord("!"), ord("~") + 1)], min_size=1, max_size=30))
def test_any_secret_that_the_push_accepts_arrives_as_it_is(value):
    assert value == password(value)


def test_every_kind_of_secret_is_a_placeholder():
    tacacs = filled(device("tacacs"), **{"env:TACACS": "s'\"e"})["system"]["aaa"]["tacacs"]["server"]
    users = filled(device("plain services"), **{"env:VIEWER_HASH": "$6$a$b/'."})["system"]["aaa"]["user"]

    assert {"s'\"e"} == {server["secret"] for server in tacacs.values()}
    assert "$6$a$b/'." == users["viewer"]["hashed-password"]


@pytest.mark.parametrize("name", sorted(INTENTS))
def test_references_survive_the_plain_form(name):
    text = printed(device(name, None))

    assert references([text]) == references([DIALECT.plain(text)])


def test_hashes_are_masked_and_placeholders_stay():
    text = DIALECT.plain(printed(device("tacacs")))

    assert "$6$" not in text
    assert "hashed-password: '<masked>'" in text
    assert "secret: '<secret:env:TACACS>'" in text


def test_a_user_with_keys_alone_has_a_hash_that_no_password_has():
    users = filled(device("plain services"))["system"]["aaa"]["user"]

    assert users["robot"]["hashed-password"].startswith("$6$locked$....")
    assert "ssh" in users["robot"]


DEVICE = """
- set:
    system:
      aaa:
        tacacs:
          server:
            192.0.2.1: {secret: <looks-like-ours}
      snmp-server:
        readonly-community:
          public-secret: {access: {any: {}}}
        username:
          watcher:
            auth-sha:
              sha-secret:
                encrypt-aes: {aes-secret: {}}
          other: {auth-md5: md5-secret, password: [list-secret]}
        trap-destination:
          192.0.2.9: {community-password: {trap-secret: {version: 2c}}}
    vrf:
      default:
        router:
          bgp:
            peer-group:
              UP: {password: $nvsec$0123}
"""


def test_secrets_of_the_device_are_masked_wherever_they_stand():
    text = DIALECT.plain(DEVICE)

    assert not [word for word in ("looks-like", "-secret", "nvsec") if word in text]
    assert "'<masked>':" in text
    assert text == DIALECT.plain(text)


@pytest.mark.parametrize("value", NASTY)
@pytest.mark.parametrize("mark", ["'", '"'])
def test_a_secret_arrives_between_the_quotation_marks_of_an_override(mark, value):
    text = PLATFORM.fill(f"- set: {{a: {mark}<secret:env:X>{mark}}}", {"env:X": value}.__getitem__)

    assert [{"set": {"a": value}}] == yaml.load(text, yaml.CSafeLoader)


def test_no_secret_is_taken_for_one_because_of_its_words():
    text = "- set:\n    interface:\n      swp1:\n        description: 'password: x'\n"

    assert text == DIALECT.plain(text)


@pytest.mark.parametrize("line", ["password: x", "  secret: 'it''s'", 'hashed-password: "$6$x"'])
def test_a_line_alone_is_masked_too(line):
    assert f"{line.partition(':')[0]}: '<masked>'" == DIALECT.mask(line)


@pytest.mark.parametrize(
    "line", ["auth-sha:", "readonly-community: {public: {}}", "password: {}", "description: x"]
)
def test_a_line_alone_that_tells_no_value_is_left_as_it_is(line):
    assert line == DIALECT.mask(line)


COMMUNITIES = st.lists(
    st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789", min_size=4, max_size=12),
    min_size=1,
    max_size=6,
    unique=True,
)


@settings(max_examples=60, deadline=None)
@given(COMMUNITIES, st.sampled_from(["readonly-community", "readonly-community-v6"]))
def test_names_that_are_secrets_stay_as_many_as_they_were_and_a_mask_is_masked_once(names, kind):
    """Seen: two SNMP communities became one key, so that a plan did not show one of them go."""
    rows = "".join(f"            {name}:\n              access: any\n" for name in names)
    text = f"- set:\n    system:\n      snmp-server:\n        {kind}:\n{rows}"
    shown = DIALECT.mask(text)
    (block,) = yaml.load(shown, yaml.CSafeLoader)

    assert len(names) == len(block["set"]["system"]["snmp-server"][kind])
    assert not [name for name in names if f" {name}:" in shown]
    assert shown == DIALECT.mask(shown)

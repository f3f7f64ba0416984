"""Whatever arrives, the emulated switch answers: no input makes it crash."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.platforms.emulation import HttpRequest
from fabric.platforms.eos.emulator import CliError
from fabric.platforms.eos.emulator.store import GRAMMAR, parse, settled, text
from fabric.platforms.eos.emulator.tree import EMPTY, Editor
from fabric.sandbox.emulated_network import Network
from tests.platforms.eos import emulated
from tests.platforms.eos.stanzas.reading import lines, texts

KNOWN = sorted({line.text for config in texts().values() for line in lines(config)})
WORDS = sorted({word for line in KNOWN for word in line.split()})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
COMMANDS = st.lists(
    st.sampled_from([*KNOWN, "end", "exit", "show version", "show running-config", "rollback clean-config"])
    | st.lists(
        st.sampled_from([*WORDS, "no", "default", "configure", "session", "commit", "show"]), max_size=6
    ).map(" ".join)
    | st.text(max_size=30)
    | JSON,
    max_size=8,
)


@pytest.fixture(name="device", scope="module")
def _device():
    return Network((emulated.spec("leaf1"),))["leaf1"]


def asked(device, body: bytes) -> dict:
    """The answer to a request of our user."""
    login = base64.b64encode(f"{emulated.USER}:{emulated.PASSWORD}".encode()).decode()
    reply = device.request(HttpRequest("POST", "/command-api", f"Basic {login}", body))

    assert 200 == reply.status
    answer = json.loads(reply.body)
    assert isinstance(answer, dict)
    return answer


@settings(max_examples=150, deadline=None)
@given(body=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_body_is_answered(device, body):
    assert "error" in asked(device, body)


@settings(max_examples=150, deadline=None)
@given(commands=COMMANDS, form=st.sampled_from(["json", "text", None, "yaml"]), session=st.booleans())
def test_any_commands_are_answered(commands, form, session):
    device = Network((emulated.spec("leaf1"),))["leaf1"]
    opened = ["configure session fuzz"] if session else ["configure"]
    request = {
        "method": "runCmds",
        "id": 1,
        "params": {"cmds": ["enable", *opened, *commands], "format": form},
    }
    if device.reachable():
        login = base64.b64encode(f"{emulated.USER}:{emulated.PASSWORD}".encode()).decode()
        reply = device.request(
            HttpRequest("POST", "/command-api", f"Basic {login}", json.dumps(request).encode())
        )

        assert {"result", "error"} & set(json.loads(reply.body))


@settings(max_examples=150, deadline=None)
@given(
    authorization=st.text(max_size=40)
    | st.binary(max_size=20).map(lambda b: f"Basic {base64.b64encode(b).decode()}")
)
def test_any_login_is_answered(device, authorization):
    assert 401 == device.request(HttpRequest("POST", "/command-api", authorization, b"{}")).status


@settings(max_examples=150, deadline=None)
@given(rows=st.lists(st.sampled_from([*KNOWN, *(f"no {line}" for line in KNOWN)]), max_size=40))
def test_whatever_was_typed_is_read_back_unchanged(rows):
    editor = Editor(GRAMMAR, EMPTY)
    for row in rows:
        try:
            editor.feed(row)
        except CliError:
            continue
    once = text(settled(editor))

    assert once == text(parse(once))

"""Our program on a switch: started once, then an answer for each request, as long as somebody asks."""

from __future__ import annotations

import json
import shlex

import pytest

from fabric.platforms.frr.session import AGENT, MODULES
from fabric.platforms.frr.session_program import Conversation, Ended, command, program
from tests.programs import ANY, run

TEXT = program(AGENT, MODULES)


def asked(*lines):
    """What is printed for these lines, and how it ends."""
    words = shlex.split(command(TEXT, "fabric-frr"))
    return run(*words[words.index("python3") :], input=f"{TEXT}{''.join(lines)}", exits=ANY)


def request(verb, **words):
    return f"{json.dumps({'verb': verb, **words})}\n"


def test_each_request_has_its_answer_in_order():
    done = asked(request("facts"), request("ports"), request("facts"))
    first, ports, again = (json.loads(line)["answer"] for line in done.stdout.splitlines())

    assert (0, "") == (done.returncode, done.stderr)
    assert "lo" not in ports
    assert first["hostname"] == again["hostname"]
    assert first["uptime"] <= again["uptime"]


@pytest.mark.parametrize("cut", [1, 10])
def test_a_request_that_is_cut_short_is_not_carried_out(cut):
    done = asked(request("facts"), request("facts")[:-cut])

    assert (0, 1) == (done.returncode, done.stdout.count("\n"))


def test_a_mistake_of_ours_is_told_and_nothing_is_answered_behind_it():
    done = asked(request("facts"), request("nonsense"), request("facts"))

    assert (1, 1) == (done.returncode, done.stdout.count("\n"))
    assert "KeyError: 'nonsense'" in done.stderr


class Channel:
    """One on which something comes that is not an answer."""

    closed = eof_received = False

    def __init__(self, line):
        self._line = line

    def settimeout(self, _seconds):
        """Nothing is waited for."""

    def exec_command(self, _text):
        """Nothing runs."""

    def sendall(self, _data):
        """Nobody listens."""

    def close(self):
        """Nothing is open."""

    def recv_ready(self):
        return bool(self._line)

    def recv(self, _bytes):
        return self._line


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"answer": "username netops password 7 0458021B1C2E5A\n', "its answer cannot be read"),
        (b"sudo: a password is required\n", "the user may not become root: sudo: a password is required"),
    ],
)
def test_an_answer_that_cannot_be_read_is_not_shown(line, reason):
    """It may be a whole configuration."""

    class Transport:
        def open_session(self, **_options):
            return Channel(line)

    conversation = Conversation(Transport(), TEXT, "fabric-frr", 1)
    with pytest.raises(Ended) as ended:
        conversation.ask({"verb": "running"}, 1)

    assert str(ended.value) == reason

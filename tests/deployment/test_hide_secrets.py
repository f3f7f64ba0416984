"""No log holds a secret while it is in use: not ours, not those of the drivers and of the libraries under them."""

from __future__ import annotations

import io
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, get_ident
from typing import Any
from uuid import uuid4

import netmiko
import paramiko
import pyeapi.eapilib
import pytest

from fabric.deployment import Secrets
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.hide_secrets import cover_new_loggers, hidden_from_logs
from tests.deployment.conftest import Network
from tests.planning.toy import PLATFORM

WORD = "HUNTER2-of-the-push"
TALKERS = ("netmiko", "paramiko", "pyeapi")
SECRETS = Secrets({"env:A": WORD})


@pytest.fixture
def told() -> Iterator[io.StringIO]:
    """Everything that any logger tells at its most talkative, by a handler of somebody else on the root."""
    stream = io.StringIO()
    with talkative(logging.StreamHandler(stream)):
        yield stream


@pytest.fixture
def told_here() -> Iterator[io.StringIO]:
    """The same of this thread alone: connections of earlier tests may still end in threads of theirs."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(of_this_thread())
    with talkative(handler):
        yield stream


def of_this_thread() -> Callable[[logging.LogRecord], bool]:
    here = get_ident()
    return lambda record: record.thread == here


@contextmanager
def talkative(handler: logging.Handler) -> Iterator[None]:
    """Every logger tells the root's handlers all it has."""
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    for name in [name for name in logging.root.manager.loggerDict if name.startswith(TALKERS)]:
        logger = logging.getLogger(name)  # others may have quietened it
        logger.disabled, logger.propagate = False, True
        logger.setLevel(logging.NOTSET)
    yield
    root.removeHandler(handler)
    root.setLevel(before)


def netmiko_writes(text: str) -> None:
    """What netmiko's own code logs of a line that it sends."""

    class Channel:
        def write_channel(self, data: str) -> None:
            """Nobody listens."""

    connection: Any = netmiko.BaseConnection(host="192.0.2.1", auto_connect=False)
    connection.channel = Channel()
    connection.write_channel(text)


def pyeapi_fails(text: str) -> None:
    """What pyeapi's own code logs of a request that goes nowhere."""
    nobody = pyeapi.eapilib.HttpLocalEapiConnection(port=1)
    with pytest.raises(pyeapi.eapilib.ConnectionError):
        nobody.execute([f"username a secret {text}"])


def paramiko_logs_in(text: str) -> None:
    """A real login by password over a real transport, whose loggers paramiko makes at that moment."""
    ours, theirs = socket.socketpair()
    server, client = paramiko.Transport(theirs), paramiko.Transport(ours)
    client.set_log_channel(f"paramiko.of.{uuid4().hex}")
    server.add_server_key(paramiko.RSAKey.generate(2048))
    try:
        server.start_server(Event(), paramiko.ServerInterface())  # type: ignore[arg-type]  # threading's own
        client.start_client(timeout=30)
        with pytest.raises(paramiko.AuthenticationException):
            client.auth_password("netops", text)
        logging.getLogger(client.get_log_channel()).debug("auth with %s", text)
    finally:
        client.close()
        server.close()


LIBRARIES = {"netmiko": netmiko_writes, "pyeapi": pyeapi_fails, "paramiko": paramiko_logs_in}


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_library_of_a_driver_logs_a_secret(told: io.StringIO, library: str) -> None:
    """Each is made to log it: without us the word stands in what is told."""
    LIBRARIES[library](WORD)
    assert WORD in told.getvalue()
    told.truncate(0)
    with hidden_from_logs(SECRETS):
        LIBRARIES[library](WORD)

    assert WORD not in told.getvalue()
    assert "<secret:env:A>" in told.getvalue()


@contextmanager
def own_handler(logger: logging.Logger) -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    yield stream
    logger.removeHandler(handler)


@pytest.mark.parametrize("moment", ["before", "within", "within, then a call"])
def test_loggers_and_handlers_are_covered_whenever_they_come(told: io.StringIO, moment: str) -> None:
    name = f"late.{uuid4().hex}"
    if moment == "before":
        logging.getLogger(name)
    with hidden_from_logs(SECRETS):
        logger = logging.getLogger(name)
        logger.warning("propagates %s", WORD)
        if moment == "within, then a call":
            cover_new_loggers()
        if moment != "within":  # a handler of its own, which nobody knew when we began
            with own_handler(logger) as stream:
                logger.warning("alone %s", WORD)
            assert stream.getvalue() == "alone <secret:env:A>\n"

    assert WORD not in told.getvalue()


def test_runs_that_overlap_hide_each_other_s_secrets_to_the_end(told_here: io.StringIO) -> None:
    """One that ends first takes nothing away from the other, and the last leaves nothing behind."""
    factory, everything = logging.getLogRecordFactory(), filters()
    first, second = hidden_from_logs(SECRETS), hidden_from_logs(Secrets({"env:B": "other-word"}))
    logger = logging.getLogger("overlapping")
    first.__enter__()
    second.__enter__()
    assert logging.getLogRecordFactory() is factory
    logger.error("both %s %s", WORD, "other-word")
    first.__exit__(None, None, None)
    logger.error("second %s", "other-word")
    second.__exit__(None, None, None)
    logger.error("after %s", "other-word")

    assert told_here.getvalue().splitlines() == [
        "both <secret:env:A> <secret:env:B>",
        "second <secret:env:B>",
        "after other-word",
    ]
    assert filters() == everything


def filters() -> int:
    """How many filters stand anywhere."""
    made = [one for one in logging.root.manager.loggerDict.values() if isinstance(one, logging.Logger)]
    return sum(len(one.filters) + sum(len(h.filters) for h in one.handlers) for one in (logging.root, *made))


def test_whatever_a_record_carries_is_cleaned(told: io.StringIO) -> None:
    kept: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.addFilter(of_this_thread())
    handler.emit = kept.append  # type: ignore[method-assign]  # as structured handlers keep records
    logging.getLogger().addHandler(handler)
    logger = logging.getLogger("carrying")
    try:
        with hidden_from_logs(SECRETS):
            logger.error("%s", "plain", extra={"request": f"login {WORD}"}, stack_info=True)
            logger.error("%d of %s", WORD)  # noqa: PLE1206  # arguments that do not fit
            _fail(logger)
    finally:
        logging.getLogger().removeHandler(handler)

    assert [record.levelname for record in kept] == ["ERROR"] * 3
    assert WORD not in "".join(f"{vars(record)}" for record in kept) + told.getvalue()
    assert "ValueError" in told.getvalue()
    assert kept[0].args == ("plain",)  # what holds no secret stays as it was


def _fail(logger: logging.Logger) -> None:
    try:
        int(WORD)
    except ValueError:
        logger.exception("it failed with %s", WORD)


def test_a_connection_hides_its_own_password_and_what_it_fills_in(
    applied: Network, told_here: io.StringIO
) -> None:
    """Wherever it runs: a worker in another process has no run around it."""
    target = applied.targets()["leaf-0-0-0"]
    logger = logging.getLogger("napalm.toy")
    with Connection(target, PLATFORM, SECRETS) as device:
        logger.debug("login %s, push %s", target.password, WORD)
        device.unmasked("foreign secret <masked>\n", "foreign secret KEPT-on-the-device\n")
        logger.debug("kept %s", "KEPT-on-the-device")
    logger.debug("after")

    assert told_here.getvalue().splitlines() == [
        "login <secret:password:leaf-0-0-0>, push <secret:env:A>",
        "kept <secret:kept:0>",
        "after",
    ]

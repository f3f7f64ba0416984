"""Bytes on the wire: TLS, requests, keep-alive, and faults."""

from __future__ import annotations

import asyncio
import http.client
import os
import socket
import ssl
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from fabric.diagnostics import Refused
from fabric.sandbox import Sandbox
from fabric.sandbox.https_server import Connection
from tests.ports import free_port
from tests.sandbox.played import devices
from tests.sandbox.toy_device import ToyDevice, toy

PORT = free_port()


@pytest.fixture(name="box")
def _box() -> Iterator[Sandbox]:
    with Sandbox(devices(2), port=PORT, block=20) as made:
        yield made


def context() -> ssl.SSLContext:
    """A client that takes any certificate."""
    made = ssl.create_default_context()
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE
    return made


def connection(box: Sandbox, name: str = "switch-0", timeout: float = 5) -> http.client.HTTPSConnection:
    """A connection to a device."""
    target = box.targets[name]
    return http.client.HTTPSConnection(target.address, target.port, context=context(), timeout=timeout)


def asked(client: http.client.HTTPSConnection, path: str = "/nothing") -> int:
    """The status of one request."""
    client.request("POST", path, body=b"{}")
    reply = client.getresponse()
    reply.read()
    return reply.status


def test_each_device_answers_on_its_own_address(box):
    assert 2 == len({target.address for target in box.targets.values()})
    assert [404, 404] == [asked(connection(box, name)) for name in box.targets]


def test_a_connection_is_kept_for_the_next_request(box):
    client = connection(box)
    asked(client)
    first = client.sock
    asked(client)

    assert first is client.sock


def test_requests_in_one_packet_are_answered_in_order(box):
    target = box.targets["switch-0"]
    request = b"POST /nothing HTTP/1.1\r\nContent-Length: 0\r\n\r\nGET /command-api HTTP/1.1\r\n\r\n"
    with (
        socket.create_connection((target.address, target.port), 5) as plain,
        context().wrap_socket(plain) as client,
    ):
        client.sendall(request)
        got = b""
        while got.count(b"HTTP/1.1") < 2:
            got += client.recv(4096)

    assert got.index(b"404") < got.index(b"405")


@pytest.mark.parametrize(
    "garbage", [b"hello\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"x" * 70_000]
)
def test_what_is_no_request_is_answered_as_such_and_dropped(box, garbage):
    target = box.targets["switch-0"]
    with (
        socket.create_connection((target.address, target.port), 5) as plain,
        context().wrap_socket(plain) as client,
    ):
        client.sendall(garbage)

        assert client.recv(4096).startswith(b"HTTP/1.1 400")
        assert b"" == client.recv(4096)


def test_a_login_without_a_user_is_refused(box):
    assert 401 == asked(connection(box), "/command-api")


class Client(asyncio.Transport):
    """The far end of one connection, without a network: what it has received, and what waits until later."""

    def __init__(self, device: ToyDevice) -> None:
        super().__init__()
        self.received = b""
        self.later: list[tuple[float, Callable[[], None]]] = []
        self.connection = Connection(device, lambda: True, set())
        self.connection.connection_made(self)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.received += bytes(data)

    def call_later(self, delay_s: float, call: Callable[..., None], *arguments: object) -> None:
        self.later.append((delay_s, partial(call, *arguments)))

    def send(self, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Send so many requests at once, to a loop in which no time passes."""
        monkeypatch.setattr(asyncio, "get_running_loop", lambda: self)
        self.connection.data_received(b"POST /nothing HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}" * count)


def alone() -> ToyDevice:
    """A device that needs nothing of a sandbox."""
    surroundings: Any = None
    return ToyDevice(toy("switch-0"), surroundings)


@pytest.mark.parametrize("latency_ms", [1, 150, 60_000])
def test_latency_is_added_to_every_answer(latency_ms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    device = alone()
    device.faults.latency_ms = latency_ms
    client = Client(device)
    client.send(3, monkeypatch)

    for count in range(3):
        assert count == client.received.count(b"HTTP/1.1 ")
        [(delay_s, answer)] = client.later
        assert latency_ms / 1000 == delay_s
        client.later.clear()
        answer()
    assert (3, []) == (client.received.count(b"HTTP/1.1 "), client.later)


def test_a_device_that_hangs_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    device = alone()
    client = Client(device)
    client.send(1, monkeypatch)
    device.faults.hang = True
    client.send(1, monkeypatch)

    assert (1, []) == (client.received.count(b"HTTP/1.1 "), client.later)


def test_a_device_that_refuses_closes_at_once_and_the_others_do_not_notice(box):
    box.set_faults("switch-0", refuse=True)

    with pytest.raises(OSError, match=r"."):
        asked(connection(box))

    assert 404 == asked(connection(box, "switch-1"))


def test_clearing_makes_a_device_whole_again(box):
    box.set_faults("switch-0", refuse=True, latency_ms=5)
    box.clear_faults("switch-0")

    assert 404 == asked(connection(box))


def test_nobody_listens_after_the_end():
    with Sandbox(devices(1), port=PORT, block=21) as box:
        target = box.targets["switch-0"]
        client = connection(box)
        asked(client)

    with pytest.raises(OSError, match=r"."):
        asked(client)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((target.address, target.port), 5)


def test_an_address_that_is_taken_is_an_error_and_leaves_nothing_behind():
    taken = rf"127\S+:{PORT} is taken by process {os.getpid()} \("
    with Sandbox(devices(1), port=PORT, block=22), pytest.raises(Refused, match=taken):
        Sandbox(devices(2), port=PORT, block=22).start()
    with Sandbox(devices(2), port=PORT, block=22):
        pass

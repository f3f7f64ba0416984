"""A port for a server is one that no other server has, and that no other process chooses."""

from __future__ import annotations

import socket
from contextlib import ExitStack, suppress
from typing import get_args

import pytest

from fabric.platforms.emulation import Transport
from tests import ports
from tests.ports import EACH, Ports


@pytest.mark.parametrize("behind", range(EACH))
@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.9", ""])
def test_the_port_of_a_server_on_any_address_is_not_chosen(address, behind):
    chosen = Ports()
    with socket.socket() as server:
        server.bind((address, chosen.free() + EACH + behind))
        server.listen()
        taken = server.getsockname()[1]

        following = [chosen.free() for _ in range(3)]

    assert not any(port <= taken < port + EACH for port in following)


def test_no_two_processes_choose_the_same_ports():
    first, second = Ports(), Ports()

    of_each = [{made.free() + i for _ in range(10) for i in range(EACH)} for made in (first, second)]

    assert not of_each[0] & of_each[1]


def test_a_port_is_not_chosen_again_soon():
    chosen = Ports()

    assert len({chosen.free() for _ in range(50)}) == 50


def test_a_device_with_servers_of_every_kind_has_them_at_ports_that_are_free():
    assert len(get_args(Transport)) <= EACH


def test_who_gets_no_port_is_told(monkeypatch):
    chosen = Ports()
    monkeypatch.setattr(ports, "is_free", lambda _port: False)
    with pytest.raises(RuntimeError, match="none is free"):
        chosen.free()

    with ExitStack() as others:
        monkeypatch.setattr(ports, "SHARE", (ports.BEHIND - ports.FIRST) // 2)
        for first in range(ports.FIRST, ports.BEHIND - ports.SHARE + 1, ports.SHARE):
            claim = others.enter_context(socket.socket(socket.AF_UNIX))
            with suppress(OSError):  # another process that runs tests may have it: as good
                claim.bind(f"\0fabric-tests-ports-{first}")
        with pytest.raises(RuntimeError, match="have all ports"):
            Ports()

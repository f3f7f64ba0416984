"""Where a device does not listen, TCP is refused, as by a real one; where it does, connections are taken."""

from __future__ import annotations

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from fabric.deployment.connection.check_trust import State, identities
from fabric.diagnostics import Refused
from fabric.platforms import registry
from fabric.platforms.base import Trust
from fabric.sandbox import Sandbox
from tests.ports import free_port
from tests.sandbox.test_growth import PRODUCTS, fresh

RESTART_S = 30.0


def listening(box: Sandbox, name: str) -> dict[str, bool]:
    """By protocol, whether a connection is taken."""
    return {protocol: _is_taken(box, name, protocol) for protocol in box.targets[name].ports}


def _is_taken(box: Sandbox, name: str, protocol: str) -> bool:
    target = box.targets[name]
    try:
        socket.create_connection((target.address, target.ports[protocol])).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_device_that_refuses_takes_no_connection(product: str, tmp_path: Path) -> None:
    with Sandbox(fresh(product), port=free_port(), block=92) as box:
        refusing, other = box.targets
        every = set(box.targets[refusing].ports)
        for _ in range(2):
            box.set_faults(refusing, refuse=True)

            assert listening(box, refusing) == dict.fromkeys(every, False)
            assert listening(box, other) == dict.fromkeys(every, True)

            way = msgspec.structs.replace(box.targets[refusing], trust=Trust())
            endpoints = registry.platform(product).endpoints
            with ThreadPoolExecutor(1) as executor:
                found = identities({refusing: way}, lambda _name: endpoints, tmp_path, executor)  # noqa: B023
            assert {(one.state, one.reason) for one in found} == {(State.SILENT, "Connection refused")}

            box.clear_faults(refusing)
            assert listening(box, refusing) == dict.fromkeys(every, True)


def test_one_that_has_lost_a_server_refuses_at_that_port_only(toys: Sandbox) -> None:
    device = toys.network["toy-0"]

    def loses(*protocols: str) -> None:
        device.silent = set(protocols)
        toys.network.changed("toy-0")

    for lost in (("ssh",), ("https",), ("https", "ssh"), ()):
        toys.run(lambda lost=lost: loses(*lost))
        toys.run(lambda: None)  # a turn of the loop

        assert listening(toys, "toy-0") == {name: name not in lost for name in ("https", "ssh")}


def test_nobody_listens_while_a_device_restarts(toys: Sandbox) -> None:
    toys.set_faults("toy-0", reboot_s=RESTART_S)
    for step, expected in (
        (lambda: toys.network.restarts("toy-0"), False),
        (lambda: toys.network.clock.advance(RESTART_S + 1), True),
    ):
        call: Callable[[], None] = step
        toys.run(call)
        toys.run(lambda: None)

        assert set(listening(toys, "toy-0").values()) == {expected}


def test_a_port_that_a_stranger_has_taken_meanwhile_is_told(toys: Sandbox) -> None:
    target = toys.targets["toy-0"]
    toys.set_faults("toy-0", refuse=True)
    with socket.socket() as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        stranger.bind((target.address, target.ports["https"]))
        stranger.listen()
        with pytest.raises(Refused, match="is taken by process"):
            toys.clear_faults("toy-0")
    toys.clear_faults("toy-0")

    assert set(listening(toys, "toy-0").values()) == {True}


def test_what_was_connected_before_stays_connected(toys: Sandbox) -> None:
    target = toys.targets["toy-0"]
    with socket.create_connection((target.address, target.ports["ssh"])) as client:
        assert client.recv(8).startswith(b"SSH-2.0-")
        toys.set_faults("toy-0", refuse=True)
        client.sendall(b"SSH-2.0-test\r\n")

        assert client.recv(4096)

"""A sandbox takes nobody else's server for its own: whoever has its port is named."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fabric import sandbox
from fabric.diagnostics import Refused
from fabric.sandbox import port_owners, ssh_server
from fabric.sandbox.loopback_addresses import allocate
from fabric.sandbox.port_owners import is_taken, owner
from fabric.sandbox.ssh_server import SshServer
from tests.ports import free_port
from tests.programs import needed_programs
from tests.sandbox.played import devices

BLOCK = 40
MINE = rf"process {os.getpid()} \("


@contextmanager
def listening(address: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET) -> Iterator[int]:
    """A stranger that accepts connections and says nothing."""
    with socket.socket(family) as server:
        server.bind((address, port))
        server.listen()
        yield server.getsockname()[1]


@pytest.mark.parametrize(
    ("address", "family"),
    [("127.0.0.1", socket.AF_INET), ("0.0.0.0", socket.AF_INET), ("::", socket.AF_INET6)],  # noqa: S104
)
def test_the_owner_of_a_port_is_found_wherever_it_listens(address, family):
    with listening(address, family=family) as port:
        assert is_taken("127.0.0.1", port)
        assert f"process {os.getpid()} (" in owner("127.0.0.1", port)

    assert not is_taken("127.0.0.1", port)
    assert "another process" == owner("127.0.0.1", port)


def test_the_owner_is_found_though_other_files_of_it_close_meanwhile(tmp_path, monkeypatch):
    """Another thread of it, or of ours: seen on a busy machine."""
    monkeypatch.setattr(port_owners, "PROC", tmp_path)
    (tmp_path / "net").mkdir()
    row = "0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 77 1"
    (tmp_path / "net" / "tcp").write_text(f"sl local_address rem_address st …\n{row}\n")
    files = tmp_path / "42" / "fd"
    files.mkdir(parents=True)
    (files / "9").symlink_to("socket:[77]")
    for closed in range(9):  # what is no link cannot be read as one, as what is gone cannot
        (files / str(closed)).touch()

    assert "process 42" == owner("127.0.0.1", 8080)


def test_a_connection_is_not_a_listener():
    with listening("127.0.0.1") as port, socket.create_connection(("127.0.0.1", port)) as client:
        host, own = client.getsockname()

        assert "another process" == owner(host, own)


def test_a_sandbox_does_not_start_on_a_port_of_a_stranger(tmp_path):
    address = allocate(2, block=BLOCK)[1]
    with (
        listening(address) as port,
        pytest.raises(Refused, match=rf"{address}:{port} is taken by {MINE}") as refused,
    ):
        sandbox.up(devices(2), tmp_path, port=port, block=BLOCK)

    assert "--port" in str(refused.value.hint)
    assert sandbox.status(tmp_path) is None


@pytest.fixture
def sshd() -> None:
    needed_programs("sshd", "ssh-keygen", "ssh-keyscan")


@pytest.mark.live
def test_an_sshd_does_not_start_on_a_port_of_a_stranger(sshd, tmp_path):
    with (
        listening("127.0.0.1") as port,
        pytest.raises(Refused, match=rf"127.0.0.1:{port} is taken by {MINE}"),
    ):
        SshServer(tmp_path, "127.0.0.1", port).start()


@pytest.mark.live
def test_an_sshd_does_not_start_on_a_port_of_another_sshd(sshd, tmp_path):
    port = free_port()
    with (
        SshServer(tmp_path / "first", "127.0.0.1", port),
        pytest.raises(Refused, match=r"process \d+ \(sshd\)"),
    ):
        SshServer(tmp_path / "second", "127.0.0.1", port).start()


@pytest.mark.live
@pytest.mark.parametrize("folder", ["other", "same"], ids=["another key", "our own key"])
def test_a_stranger_that_was_faster_than_our_sshd_is_not_taken_for_it(sshd, folder, tmp_path, monkeypatch):
    port = free_port()
    with SshServer(tmp_path / folder, "127.0.0.1", port):
        free = iter([False])  # nobody was there when we looked; then our sshd cannot bind
        monkeypatch.setattr(ssh_server, "is_taken", lambda *_: next(free, True))
        ours = SshServer(tmp_path / "same", "127.0.0.1", port)

        with pytest.raises(Refused, match=r"is taken by process \d+ \(sshd\)"):
            ours.start()


@pytest.mark.live
def test_an_sshd_that_starts_is_ours_and_ends(sshd, tmp_path):
    server = SshServer(tmp_path, "127.0.0.1", free_port())
    with server:
        assert "(sshd)" in owner("127.0.0.1", server.port)

    assert not is_taken("127.0.0.1", server.port)


@pytest.mark.live
def test_an_sshd_that_cannot_start_says_why(sshd, tmp_path, monkeypatch):
    monkeypatch.setattr(ssh_server, "CONFIG", f"{ssh_server.CONFIG}NoSuchOption yes\n")

    with pytest.raises(Refused, match=r"does not listen .*: .*bad configuration options") as refused:
        SshServer(tmp_path, "127.0.0.1", free_port()).start()

    assert Path(str(refused.value.hint).removeprefix("its log is ")).is_file()

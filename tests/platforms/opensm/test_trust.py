"""The host of an OpenSM is known by the SSH host key that `fabric trust` has recorded, or that OpenSSH's files have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import msgspec
import pytest

from fabric.deployment.connection.check_trust import State, record
from fabric.platforms import trust
from fabric.platforms.base import Target, Trust
from fabric.sandbox.ssh_server import SshServer
from tests.platforms.recorded_devices import (
    knows_nobody,
    looked,
    opens,
    recording_opens_and_another_is_refused,
)
from tests.ports import free_port
from tests.programs import needed_programs

pytestmark = pytest.mark.live
ODD = (
    "garbage",
    "{host} ssh-rsa not-base64!",
    "{host} ssh-ed25519 AAAA",
    "{host} ssh-odd AAAAB3NzaC1kc3MAAAAB",
    "@cert-authority * ssh-ed25519 AAAA",
    "@strange {host} ssh-ed25519 AAAA",
    "|1|broken ssh-rsa AAAA",
    "\x00\xff\xfe",
)
"""Lines of somebody's known_hosts that are passed over, as by ssh(1)."""


class Hosts:
    """Servers at one port of loopback, one after the other, each with a host key of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self._numbers = count()
        self.server: SshServer | None = None
        self.another()

    def another(self) -> None:
        self.close()
        self.server = SshServer(self.folder / str(next(self._numbers)), "127.0.0.1", self.port).start()

    def way(self) -> Target:
        """To the one that answers now. It is known by nothing."""
        assert self.server is not None
        return Target(
            name="sm-1",
            address="127.0.0.1",
            port=self.port,
            username=self.server.user,
            password="",
            key_file=str(self.server.key_file),
        )

    def close(self) -> None:
        if self.server is not None:
            self.server.stop()


@pytest.fixture
def hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hosts]:
    needed_programs("sshd", "ssh-keygen", "ssh-keyscan")
    knows_nobody(tmp_path / "home", monkeypatch)
    made = Hosts(tmp_path / "hosts")
    yield made
    made.close()


def test_what_was_recorded_opens_the_connection_and_another_does_not(hosts: Hosts, tmp_path: Path) -> None:
    first = hosts.way()
    authorized = Path(f"{first.key_file}.pub").read_text()

    def another() -> None:
        hosts.another()
        assert hosts.server is not None
        hosts.server.let_in(authorized)

    recording_opens_and_another_is_refused("opensm", first, tmp_path / "site", another)


@pytest.mark.parametrize("number", [0, 1])
def test_files_of_openssh_let_in_whatever_else_stands_in_them(
    hosts: Hosts, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = hosts.way()
    assert hosts.server is not None
    line = hosts.server.known_hosts.read_text().strip()
    host, kind, key = line.split()
    odd = "\n".join(text.format(host=host) for text in ODD)
    path = Path(trust.FILES[number]).expanduser()
    for text, state in (
        (f"{odd}\n{line}\n{odd}", State.KNOWN),
        (odd, State.NEW),
        (f"*,!192.0.2.1 {kind} {key}", State.KNOWN),
        (f"*,!{host.replace('[', '?')} {kind} {key}", State.NEW),
        (f"{line}\n@revoked * {kind} {key}", State.REFUSED),
        (f"{line}\n@revoked 192.0.2.1 {kind} {key}", State.KNOWN),
    ):
        path.write_text(text, errors="surrogateescape")
        told = opens(way, "opensm")
        assert (told == "") is (state is State.KNOWN), (text, told)
        assert told == "" or "known_hosts" in told, told
        (found,) = looked(way, "opensm", Path("none"))
        assert found.state is state
        assert record([found], Path("none"), new=state is not State.NEW, replaced=["sm-1"]) == ()

    other = msgspec.structs.replace(way, trust=Trust(known_hosts="/nonexistent"))
    assert "/nonexistent" in opens(other, "opensm")

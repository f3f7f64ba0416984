"""Faults of hosts whose sshd is real: each is noticed by a real client, and gone when it is cleared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired

import msgspec
import pytest

from fabric.diagnostics import Refused
from fabric.platforms.emulation import Faults
from fabric.sandbox.host_faults import COMMIT, SUPPORTED, HostFaults
from fabric.sandbox.ssh_server import SshServer
from tests.ports import free_port
from tests.programs import ANY, needed_programs, run
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.live

WRITES = "echo before; cat >FILE && echo commits && : >FILE.done"
"""What a client asks for: it reads, writes and answers."""


class Host(msgspec.Struct):
    """A host and its faults."""

    folder: Path
    server: SshServer
    faults: HostFaults

    def set(self, **faults: object) -> None:
        self.faults.set(msgspec.convert(faults, Faults), frozenset(faults))

    def ask(self, seconds: float = PATIENCE_S) -> CompletedProcess[str]:
        """Write a file on the host, from what the command reads."""
        server, file = self.server, self.folder / "file"
        options = (
            *("-F", "none", "-i", str(server.key_file), "-p", str(server.port)),
            *("-o", f"UserKnownHostsFile={server.known_hosts}", "-o", "BatchMode=yes"),
        )
        words = WRITES.replace("FILE", str(file))
        address = f"{server.user}@{server.address}"
        return run("ssh", *options, address, words, exits=ANY, input="text", limit_s=seconds)

    @property
    def is_written(self) -> bool:
        return (self.folder / "file").exists() and (self.folder / "file").read_text() == "text"

    def forget(self) -> None:
        for file in self.folder.glob("file*"):
            file.unlink()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    needed_programs("sshd", "ssh", "ssh-keygen", "ssh-keyscan")
    (tmp_path / COMMIT).write_text("echo commits")
    with SshServer(tmp_path / "ssh", "127.0.0.1", free_port()) as server:
        yield Host(tmp_path, server, HostFaults(tmp_path, server))


FAULTS: dict[str, tuple[dict[str, object], int, bool]] = {
    "nobody listens": ({"refuse": True}, 255, False),
    "the login is refused": ({"deny_login": True}, 255, False),
    "answers are late": ({"latency_ms": 50}, 0, True),
    "the disk is full": ({"disk_full": True}, 1, False),
    "it dies before a commit": ({"die_in_commit": "before"}, 255, False),
    "it dies after a commit": ({"die_in_commit": "after"}, 255, True),
}
"""What is set, the exit code of the client, and whether the file is written."""


@pytest.mark.parametrize(("faults", "code", "is_written"), FAULTS.values(), ids=FAULTS)
def test_each_fault_is_noticed_and_is_gone_when_it_is_cleared(
    host: Host, faults: dict[str, object], code: int, *, is_written: bool
) -> None:
    whole = host.ask()
    assert (whole.returncode, whole.stdout, host.is_written) == (0, "before\ncommits\n", True), whole.stderr
    host.forget()
    host.set(**faults)
    set_now = host.faults.now()
    broken = host.ask()
    written, strikes_once = host.is_written, "die_in_commit" in faults

    assert (broken.returncode, written) == (code, is_written), broken.stderr
    assert set_now == faults
    assert host.faults.now() == ({} if strikes_once else faults)
    if strikes_once:
        assert host.ask().returncode == 0
    host.faults.clear()
    host.forget()
    assert (host.faults.now(), host.ask().returncode, host.is_written) == ({}, 0, True)


def test_a_host_that_hangs_never_answers(host: Host) -> None:
    host.set(hang=True)

    with pytest.raises(TimeoutExpired):
        host.ask(seconds=1)
    host.faults.clear()
    assert host.ask().returncode == 0


def test_a_fault_that_a_host_cannot_have_is_refused_by_name(host: Host) -> None:
    known = {field.name for field in msgspec.structs.fields(Faults)}

    assert SUPPORTED < known
    for name in known - SUPPORTED:
        with pytest.raises(Refused, match=rf"{re.escape(name)}: .*faults of hosts are deny_login, "):
            host.faults.set(Faults(), frozenset({name}))

"""The host of a subnet manager is reached however its login shell behaves: each command has a channel of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.platforms.opensm.session_host import Host
from fabric.sandbox import ssh_server
from fabric.sandbox.ssh_server import SshServer
from tests.ports import free_port
from tests.programs import needed_programs

pytestmark = pytest.mark.live
SILENT = (
    'if [ -n "$SSH_ORIGINAL_COMMAND" ]; then exec sh -c "$SSH_ORIGINAL_COMMAND"; else exec sleep 3600; fi'
)
"""A login shell that never shows a prompt, as one that is slow; commands run."""
TALKING = SILENT.replace("exec sleep 3600", "while echo 'root# welcome >'; do sleep 0.01; done")
"""One that greets with what looks like prompts."""


def host(server: SshServer) -> Host:
    """A connection to a server of ours."""
    login = {"username": server.user, "password": None, "use_keys": True, "key_file": str(server.key_file)}
    place = {"port": server.port, "alt_key_file": str(server.known_hosts), "conn_timeout": 60}
    return Host("127.0.0.1", {**login, **place})


@pytest.fixture
def programs() -> None:
    needed_programs("sshd", "ssh-keygen", "ssh-keyscan")


@pytest.mark.parametrize("shell", [SILENT, TALKING], ids=["silent", "talking"])
def test_a_host_is_reached_whatever_its_login_shell_shows(programs, shell, tmp_path, monkeypatch):
    monkeypatch.setattr(ssh_server, "CONFIG", f"{ssh_server.CONFIG}ForceCommand {shell}\n")
    with SshServer(tmp_path, "127.0.0.1", free_port()) as server:
        reached = host(server)
        reached.open()
        try:
            assert b"said\n" == reached.run("echo said")
        finally:
            reached.close()


def test_a_sandbox_runs_nothing_of_the_users_own_at_a_login(programs, tmp_path, monkeypatch):
    """A slow, broken or locking ~/.bashrc is no part of it."""
    with SshServer(tmp_path, "127.0.0.1", free_port()) as server:
        reached = host(server)
        reached.open()
        try:
            assert str(tmp_path / "home") == reached.run('printf %s "$HOME"').decode()
            assert [] == list(Path(tmp_path / "home").iterdir())
        finally:
            reached.close()

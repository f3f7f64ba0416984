"""Faults of hosts whose sshd and programs are real: what a client asks for runs through a script that breaks it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import msgspec

from fabric.diagnostics import Refused
from fabric.platforms.emulation import Faults
from fabric.sandbox.ssh_server import SshServer

SUPPORTED = frozenset({"refuse", "hang", "deny_login", "latency_ms", "disk_full", "die_in_commit"})
"""What can be wrong with a host whose programs nobody has written for this."""
COMMIT = "commit"
"""File in a host's folder: words of the command that commits a change there."""

BROKEN = """#!/bin/sh
# Runs what a client asks for, broken on purpose. New logins come here; those that are open go on as they were.
server=$PPID
sleep {latency_s}
while {hang} && kill -0 "$server" 2>/dev/null; do sleep 0.2; done
if {disk_full}; then
    trap '' XFSZ # a write fails, and nobody is killed for it
    ulimit -f 0
fi
case $SSH_ORIGINAL_COMMAND in
*{commit}*)
    if rm {dies} 2>/dev/null; then
        {before} || sh -c "$SSH_ORIGINAL_COMMAND" >/dev/null 2>&1
        kill -KILL "$server"
        exit 1
    fi ;;
esac
exec sh -c "$SSH_ORIGINAL_COMMAND"
"""


class HostFaults:
    """What is wrong with one host on purpose. A fault counts from the next login on."""

    def __init__(self, folder: Path, server: SshServer) -> None:
        self._folder, self._server = folder, server
        self._faults = Faults()
        self._is_refusing = False

    @property
    def _dies(self) -> Path:
        """There while the connection is still to drop in a commit."""
        return self._server.folder / "dies"

    def now(self) -> dict[str, Any]:
        """The faults that are set. One that strikes once is not, when it has struck."""
        if self._faults.die_in_commit and not self._dies.exists():
            self._faults.die_in_commit = ""
        usual = msgspec.structs.asdict(Faults())
        return {n: v for n, v in msgspec.structs.asdict(self._faults).items() if v != usual[n]}

    def set(self, faults: Faults, names: frozenset[str]) -> None:
        """Set some faults by name. `Refused` if one of them cannot be set on a host."""
        if others := sorted(names - SUPPORTED):
            message = (
                f"{', '.join(others)}: a host of a subnet manager is real (sshd and the product itself); "
                f"faults of hosts are {', '.join(sorted(SUPPORTED))}"
            )
            raise Refused(message)
        for name in names:
            setattr(self._faults, name, getattr(faults, name))
        if "die_in_commit" in names:
            self._dies.touch() if self._faults.die_in_commit else self._dies.unlink(missing_ok=True)
        self._look()

    def clear(self) -> None:
        """Make the host whole again."""
        self._faults = Faults()
        self._dies.unlink(missing_ok=True)
        self._look()

    def _look(self) -> None:
        """Let in, break and listen as the faults say."""
        self._server.let_in(self._keys())
        if self._faults.refuse and not self._is_refusing:
            self._server.stop()
        elif self._is_refusing and not self._faults.refuse:
            self._server.start()
        self._is_refusing = self._faults.refuse

    def _keys(self) -> str:
        """The line of sshd's file of keys."""
        faults = self._faults
        if faults.deny_login:
            return ""
        if not (faults.hang or faults.latency_ms or faults.disk_full or faults.die_in_commit):
            return self._server.own_key
        script = self._server.folder / "broken"
        script.write_text(self._script())
        return f'command="exec sh {shlex.quote(str(script))}" {self._server.own_key}'

    def _script(self) -> str:
        faults, commit = self._faults, self._folder / COMMIT
        return BROKEN.format(
            latency_s=faults.latency_ms / 1000,
            hang=_word(faults.hang),
            disk_full=_word(faults.disk_full),
            commit=shlex.quote(commit.read_text() if commit.exists() else "nothing is committed here"),
            dies=shlex.quote(str(self._dies)),
            before=_word(faults.die_in_commit == "before"),
        )


def _word(is_so: bool) -> str:  # noqa: FBT001  # a shell's word for it
    return "true" if is_so else "false"

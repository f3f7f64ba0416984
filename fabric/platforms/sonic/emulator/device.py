"""How an emulated switch is reached: SSH, with commands of its shell and the program of our driver."""

from __future__ import annotations

import shlex
from collections.abc import MutableMapping, Sequence

from fabric.platforms.emulation import (
    Channel,
    Emulated,
    LineRefused,
    SshReply,
    Surroundings,
    Transport,
    strikes,
)
from fabric.platforms.sonic.agent import main, timer
from fabric.platforms.sonic.agent.database import FILE
from fabric.platforms.sonic.agent.machine import NAME, Refused
from fabric.platforms.sonic.agent.tables import parsed
from fabric.platforms.sonic.emulator import agent_channel
from fabric.platforms.sonic.emulator.machine import EmulatedMachine
from fabric.platforms.sonic.emulator.shell import Shell
from fabric.platforms.sonic.emulator.switch import SonicSwitch

NEEDS_ROOT = frozenset({"config", "docker", "systemctl", "systemd-run", "sonic-db-cli", "vtysh"})


class SonicEmulator(SonicSwitch):
    """A switch with sshd."""

    transports: tuple[Transport, ...] = ("ssh",)

    def __init__(self, spec: Emulated, surroundings: Surroundings) -> None:
        self.files: MutableMapping[str, bytes] = {}
        super().__init__(spec, surroundings)
        self.shell = Shell(self, self.fires)
        self.machine = EmulatedMachine(self, self.shell)

    def listens(self, transport: Transport) -> bool:
        """Whether SSH answers at the address that we came by."""
        return transport == "ssh" and self.is_reachable

    def login(self, username: str, password: str) -> bool:
        """A local user, whom CONFIG_DB does not know, or the TACACS+ server, which knows our account too."""
        with strikes(self, "login"):
            known = (self.spec.username, self.spec.password)
            return not self.faults.deny_login and (username, password) == known

    def login_with_key(self, username: str, key: str) -> bool:
        """Whether it is the key of our account."""
        ours = self.spec.public_key.split()[:2]
        return bool(ours) and username == self.spec.username and ours == key.split()[:2]

    def reads_input(self, command: str) -> bool:
        """Vtysh of a file does."""
        return self.shell.reads_input(_words(command))

    def run(self, command: str, given: bytes) -> SshReply:
        """Run a command of the shell. Of Python, only the program of our driver is run, on a channel."""
        words = _words(command)
        is_root = words[:1] == ["sudo"]
        if is_root:
            words = [word for word in words[1:] if word != "-n"]
        if "python3" in words:
            return SshReply(1, b"", b"python3: the sandbox runs no program but that of the driver\n")
        if words and words[0] in NEEDS_ROOT and not is_root:
            return SshReply(1, b"", b"Root privileges are required for this operation\n")
        done = self.shell.run(words, given.decode(errors="replace"))
        return SshReply(done.status, done.out.encode(), done.err.encode())

    def channel(self, kind: str) -> Channel | None:
        """Our driver's program does here what it does on a switch; no other one is run, and no interactive shell."""
        return agent_channel.AgentChannel(self, self.machine) if kind == agent_channel.COMMAND else None

    def fires(self, words: Sequence[str]) -> None:
        """Systemd starts our program, which is on the disk."""
        if list(words[: len(timer.PYTHON) + 2]) != [*timer.PYTHON, timer.PROGRAM, NAME]:
            return
        if self.disk.get(timer.PROGRAM) == agent_channel.TEXT:
            try:
                main.by_systemd(self.machine, list(words[len(timer.PYTHON) + 2 :]))
            except (Refused, OSError) as error:
                self.log.append(f"systemd: {error}")

    def drift(self, lines: tuple[str, ...]) -> None:
        """Somebody types these commands in root's shell."""
        for line in lines:
            done = self.shell.run(shlex.split(line), "")
            if done.status:
                raise LineRefused(f"{line}: {(done.err or done.out).strip()}")

    def reboot(self) -> None:
        """CONFIG_DB starts from its file, FRR from its own; what is enabled at the start runs before."""
        self.shell.stop_timers()
        self.boots, self.booted_at = self.boots + 1, self.around.now()
        if self.shell.guards_boot:
            self.fires([*timer.PYTHON, timer.PROGRAM, NAME, "boot"])
        self.neighbors.forget()
        self.counters.clear()
        self.restart_services(parsed(self.disk[FILE]))
        self.around.restarts(self.name)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []

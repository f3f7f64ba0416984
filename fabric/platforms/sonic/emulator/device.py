"""How an emulated switch is reached: SSH, with commands of its shell and the program of our driver."""

from __future__ import annotations

import json
import shlex
from collections.abc import MutableMapping, Sequence

from fabric.platforms.emulation import (
    Channel,
    Emulated,
    LineRefused,
    SshReply,
    Step,
    Surroundings,
    Transport,
    strikes,
)
from fabric.platforms.frr.session_host import AS_ROOT, START, program
from fabric.platforms.sonic.agent import main, timer
from fabric.platforms.sonic.agent.database import FILE
from fabric.platforms.sonic.agent.machine import NAME, Refused
from fabric.platforms.sonic.agent.tables import parsed
from fabric.platforms.sonic.emulator.machine import EmulatedMachine
from fabric.platforms.sonic.emulator.shell import Shell
from fabric.platforms.sonic.emulator.switch import SonicSwitch
from fabric.platforms.sonic.session import AGENT, MODULES

STEPS: dict[str, Step] = {
    "load": "load",
    "load_before": "load",
    "compare": "compare",
    "commit": "commit",
    "confirm": "confirm",
    "rollback": "rollback",
    "running": "read",
    "pending": "read",
    "show": "read",
    "ports": "read",
    "lldp": "read",
    "facts": "read",
}
"""What a request to our program is of a change."""
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
        """A program does, and vtysh of a file."""
        words = _words(command)
        return "python3" in words or self.shell.reads_input(words)

    def run(self, command: str, given: bytes) -> SshReply:
        """Run a command of the shell, or our program."""
        words = _words(command)
        is_root = words[:3] == ["sh", "-c", AS_ROOT]
        if is_root:
            words = words[4:]
        elif words[:1] == ["sudo"]:
            is_root, words = True, [word for word in words[1:] if word != "-n"]
        if words[:1] == ["python3"]:
            return self._program(words, given)
        if words and words[0] in NEEDS_ROOT and not is_root:
            return SshReply(1, b"", b"Root privileges are required for this operation\n")
        done = self.shell.run(words, given.decode(errors="replace"))
        return SshReply(done.status, done.out.encode(), done.err.encode())

    def _program(self, words: list[str], given: bytes) -> SshReply:
        """Our driver's program does here what it does on a switch; no other one is run."""
        text = program(AGENT, MODULES)
        code = START.format(size=len(text.encode()))
        if words[1:] != ["-I", "-X", "utf8", "-c", code, NAME] or not given.startswith(text.encode()):
            return SshReply(1, b"", b"python3: the sandbox runs no program but that of the driver\n")
        request = json.loads(given[len(text.encode()) :])
        step = STEPS.get(request["verb"])
        if step is None:
            return SshReply(0, json.dumps(main.answered(self.machine, request, text)).encode())
        with strikes(self, step):
            answer = main.answered(self.machine, request, text)
        return SshReply(0, json.dumps(answer).encode())

    def fires(self, words: Sequence[str]) -> None:
        """Systemd starts our program, which is on the disk."""
        if list(words[: len(timer.PYTHON) + 2]) != [*timer.PYTHON, timer.PROGRAM, NAME]:
            return
        if self.disk.get(timer.PROGRAM) == program(AGENT, MODULES):
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

    def channel(self, kind: str) -> Channel | None:  # noqa: ARG002  # the protocol's
        """No interactive shell is played."""
        return None


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []

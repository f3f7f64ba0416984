"""Our driver's program on an emulated switch: its text comes first, then a line of JSON for each request."""

from __future__ import annotations

import json

from fabric.platforms.emulation import Emulator, Step, strikes
from fabric.platforms.frr.session_program import command, program
from fabric.platforms.sonic.agent import main
from fabric.platforms.sonic.agent.machine import NAME, Machine
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
TEXT = program(AGENT, MODULES)
COMMAND = command(TEXT, NAME)


class AgentChannel:
    """Implements `Channel`."""

    def __init__(self, switch: Emulator, machine: Machine) -> None:
        self._switch, self._machine = switch, machine
        self._given, self._is_loaded = b"", False
        self.ended = False

    def feed(self, data: bytes) -> bytes:
        """An answer for each request that is whole."""
        self._given += data
        text = TEXT.encode()
        if not self._is_loaded:
            if len(self._given) < len(text):
                return b""
            if not self._given.startswith(text):
                self.ended = True
                return b"python3: the sandbox runs no program but that of the driver\n"
            self._is_loaded, self._given = True, self._given[len(text) :]
        *lines, self._given = self._given.split(b"\n")
        return b"".join(self._answer(json.loads(line)) + b"\n" for line in lines)

    def hang_up(self) -> None:
        """Nothing of the program is left: what it was at work on is done."""

    def _answer(self, request: main.Request) -> bytes:
        step = STEPS.get(request["verb"])
        if step is None:
            return json.dumps(main.answered(self._machine, request, TEXT)).encode()
        with strikes(self._switch, step):
            answer = main.answered(self._machine, request, TEXT)
        return json.dumps(answer).encode()

"""What is asked of the switch beneath its commands: programs, files, a clock, and who is logged in."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

STATE = "/var/lib/fabric-sonic"
"""Only root may read it: candidates, what waits, what ran before the last commits, and the log."""
NAME = "fabric-sonic"
"""In the command line of each process of ours, and of the units of systemd."""


class Refused(Exception):  # it is an answer
    """What the one who asked is told: a kind that his side knows, and a text without secrets."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Done(NamedTuple):
    """A program that has ended."""

    status: int
    out: str
    err: str


class Machine(Protocol):
    """One switch. Files are replaced whole: after `write` the new text is on the disk, or the old one is."""

    def execute(self, *words: str, stdin: str = "", seconds: float | None = None) -> Done:
        """Run a program to its end. `Refused` if it takes too long; never for its exit status."""

    def read(self, path: str) -> str | None:
        """The text of a file; None if there is none."""

    def write(self, path: str, text: str) -> None:
        """Replace a file, or make one that only root may read. `OSError` if the disk is full."""

    def rename(self, old: str, new: str) -> None:
        """Works on a full disk, too."""

    def remove(self, path: str) -> None:
        """No error if there is none."""

    def names(self, folder: str) -> list[str]:
        """Files of a folder by name; none if there is no folder."""

    def now(self) -> float:
        """Seconds since the start of the machine: nobody sets this clock."""

    def boot(self) -> str:
        """Changes with each start."""

    def alone(self, seconds: float) -> AbstractContextManager[None]:
        """Nobody else of ours changes this switch meanwhile. `Refused` if somebody does for longer than that."""

    def login(self) -> str:
        """The SSH connection that asks; empty if there is none."""

    def is_there(self, login: str) -> bool:
        """Whether that connection still stands."""

    def note(self, message: str) -> None:
        """A line of the log."""


def read_json(machine: Machine, path: str) -> dict[str, Any]:
    """The value of a file; empty if there is none, or it is not ours."""
    try:
        value = json.loads(machine.read(path) or "")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def write_json(machine: Machine, path: str, value: object) -> None:
    """`write` of a value."""
    machine.write(path, json.dumps(value, indent=1, sort_keys=True) + "\n")


def first_line(*texts: str) -> str:
    """The first line that says something."""
    lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
    return lines[0] if lines else ""


def last_line(*texts: str) -> str:
    """The last one."""
    lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""

"""Which process holds a lock, and whether it still runs: its number alone is given to another one after a while."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

PROC = Path("/proc")
MACHINE_ID = Path("/etc/machine-id")
BOOT_ID = PROC / "sys" / "kernel" / "random" / "boot_id"
START_FIELD = 19
"""Of `/proc/PID/stat`, counted behind the name: when the process began, in ticks since the boot (proc(5), field 22)."""

Life = Literal["alive", "dead", "unknown"]
"""`unknown`: it runs on another machine, or in a container that cannot be looked into from here."""


class Identity(NamedTuple):
    """What tells a process from every other one. Empty fields where the system does not say."""

    installation: str
    """Of the machine, the same after a reboot."""
    boot: str
    namespace: str
    """In which its number holds: containers count for themselves."""
    started: str

    def __str__(self) -> str:
        return " ".join(field or "-" for field in self)

    @classmethod
    def parse(cls, text: str) -> Identity:
        """From its text; of a journal of an earlier version, nothing is known."""
        fields = [("" if field == "-" else field) for field in text.split()]
        return cls(*fields) if len(fields) == len(cls._fields) else cls("", "", "", "")


def host_name() -> str:
    """The name of this machine."""
    return socket.gethostname()


def identity(process: int | None = None) -> Identity:
    """Of this process, or of the one with that number in this namespace."""
    number = os.getpid() if process is None else process
    namespace = ""
    with suppress(OSError):
        namespace = str((PROC / "self" / "ns" / "pid").readlink())
    return Identity(_text(MACHINE_ID), _text(BOOT_ID), namespace, _started(number))


def life(machine: str, process: int, known: str) -> Life:
    """Whether a process still runs, by the name of its machine, its number and its identity's text."""
    if machine != host_name():
        return "unknown"
    then, now = Identity.parse(known), identity(process)
    if not then.boot:
        return _by_number(process)
    if then.boot != now.boot:  # rebooted since; or another machine of the same name
        return "dead" if then.installation and then.installation == now.installation else "unknown"
    if then.namespace != now.namespace:
        return "unknown"
    if _is_hidden(process):
        return "unknown"
    return "alive" if then.started and then.started == now.started else "dead"


def _is_hidden(process: int) -> bool:
    """Whether somebody else's process of that number runs but is not shown (`hidepid`, proc(5)): it may be another."""
    if _text(PROC / str(process) / "stat"):
        return False
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except ProcessLookupError:
        pass
    return False


def _by_number(process: int) -> Life:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return "dead"
    except PermissionError:
        return "alive"
    return "alive"


def _started(process: int) -> str:
    """When a process began; empty if it does not run any more, be it that nobody has collected it yet."""
    stat = _text(PROC / str(process) / "stat").rpartition(")")[2].split()
    return stat[START_FIELD] if len(stat) > START_FIELD and stat[0] not in {"Z", "X"} else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""

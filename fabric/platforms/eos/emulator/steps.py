"""Which step of a driver an eAPI request is: faults strike by step."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fabric.platforms.emulation import Step
from fabric.platforms.eos.emulator.store import Store

SESSION = re.compile(r"configure session (\S+)(?: (commit|abort)\b.*)?\Z")
IN_SESSION = re.compile(r"(commit|abort)(?: timer \S+)?\Z")


def step_of(commands: Iterable[str], store: Store) -> Step | None:
    """The step that these commands are; None if no step of a driver is so (dropping a candidate)."""
    name, step = "", None
    for command in commands:
        if match := SESSION.match(command):
            name, step = match[1], _closing(match[2], match[1], store)
        elif name and (match := IN_SESSION.match(command)):
            return _closing(match[1], name, store)
        elif command.startswith("configure replace "):
            return "rollback"
        elif command.startswith("show session-config "):
            return "compare"
    if name:
        return step
    return "read"


def _closing(action: str | None, name: str, store: Store) -> Step | None:
    waits = store.timer is not None and store.timer.session == name
    if action is None:
        return "load"
    if action == "abort":
        return "rollback" if waits else None
    return "confirm" if waits else "commit"

"""Rows of NVUE's table: objects with their keys, and keys that switch something on."""

from __future__ import annotations

from typing import Any

from fabric.configuration import Effect, Reader, Section, Statement
from fabric.platforms.cumulus.state import enter

ON = "{on:on|enabled?|true}"
"""A value that says yes, in either dialect."""


def thing(path: str, *keys: Statement, effect: Effect | None = None, **row: Any) -> Statement:
    """An object in others, as `nv set` names it: `neighbor-discovery prefix <prefix>`.

    Its effect is also that of its keys that have none of their own. Those below a name know the name.
    """
    *above, last = path.split()
    row.setdefault("reads", enter if "<" in last else None)
    statement = Statement(last, below=Section(*keys, effect=effect), effect=effect, **row)
    return thing(" ".join(above), statement, effect=effect) if above else statement


def container(path: str, *keys: Statement, effect: Effect | None = None, **row: Any) -> Statement:
    """An object of which each key is a thing of its own."""
    return thing(path, *keys, effect=effect, is_container=True, **row)


def switch(pattern: str, reads: Reader, **row: Any) -> tuple[Statement, Statement]:
    """A key that is read where it says yes, and known where it does not."""
    return Statement(f"{pattern} {ON}", reads=reads, **row), Statement(f"{pattern} {{off}}", **row)

"""Rows that the tables of several command lines have alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fabric.configuration import Access, Effect, Statement


def others(effect: Effect, *starts: str, access: Access | None = None) -> Iterator[Statement]:
    """Lines that are known by their first words alone: what a change of them does is known, what they say is not read.

    They belong behind those that read some of them.
    """
    for start in starts:
        yield Statement(f"{start} <rest*>", is_unread=True, effect=effect, access=access, topic=start)


def plain(lines: Iterable[Statement]) -> Iterator[Statement]:
    """The lines of an interface on which each change does the same."""
    return (replace(line, effect=None) for line in lines)


def reached(lines: Iterable[Statement], *addressed: str) -> Iterator[Statement]:
    """The lines of the port that we talk to: it must not be shut, and lines that begin so must not go."""
    for line in plain(lines):
        if line.pattern.endswith("shutdown"):
            yield replace(line, access="changed")
        elif line.pattern.startswith(addressed):
            yield line
        else:
            yield replace(line, access="none")

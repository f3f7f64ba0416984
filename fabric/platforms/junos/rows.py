"""Rows of Junos's table: a stanza, whose only statement may follow on the same line, and readers of its statements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from fabric.configuration import Effect, Parts, Reader, Section, Statement
from fabric.platforms.junos.state import JunosState, Place

MAX_DEPTH = 8
"""Levels of statements of which only the words are known."""


def stanza(pattern: str, *lines: Statement, effect: Effect | None = None, **row: Any) -> Statement:
    """A statement with others below it. Its effect is also that of those below it that have none of their own."""
    return Statement(pattern, below=Section(*lines, effect=effect), effect=effect, is_inline=True, **row)


def values(*words: str) -> Iterator[Statement]:
    """Statements of a word and its value, which are noted."""
    return (Statement(f"{word} {{value*}}", reads=noted) for word in words)


@cache
def anything(*words: str, depth: int = MAX_DEPTH) -> tuple[Statement, ...]:
    """Statements that are noted, with all below them. Each is a thing of its own; of `words`, a place has one value."""
    below = Section(*anything(*words, depth=depth - 1)) if depth else None
    return tuple(
        Statement(pattern, reads=noted, below=below)
        for pattern in (*(f"{word} {{value*}}" for word in words), "<words*>")
    )


def noted(place: Place, parts: Parts) -> Place:
    """Note a statement; what stands below it is noted in its stead."""
    return place.note(parts["line"])


def entered(place: Place, parts: Parts) -> Place:
    """Go on below a statement that says nothing by itself."""
    return place.enter(parts["line"])


def section(name: str) -> Reader:
    """A reader that goes on in a section of the settings."""
    return lambda state, _parts: _place(state, name)


def noted_in(name: str) -> Reader:
    """A reader that notes a statement in a section, and goes on below it."""
    return lambda state, parts: _place(state, name).note(parts["line"])


def entered_in(name: str) -> Reader:
    """A reader that goes on below a statement in a section."""
    return lambda state, parts: _place(state, name).enter(parts["line"])


def _place(state: JunosState, name: str) -> Place:
    return Place(state.notes(name), owner=state)

"""Configurations of command-line products as trees, and tables of the lines that a reader knows.

A configuration of this kind is a tree drawn by indentation. A `Table` says what to do with each line of one
section; what no row of it knows is returned with its number, never dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec


class Line(msgspec.Struct):
    """One line, without its indentation, and the lines below it."""

    number: int
    """In the text, from 1."""
    text: str
    children: list[Line] = msgspec.field(default_factory=list)


NUMBER = "<number>"
"""Stands for a line's number as the first word of a pattern."""

Unread = list[tuple[int, str]]
"""Number and text of lines that no table knows."""

Handler = Callable[[Any, re.Match[str]], Any]
"""(state, match) to the state of the lines below; None: the same state."""


class Row(msgspec.Struct, frozen=True):
    """What to do with lines of one form. Without a handler they are known and say nothing that we keep."""

    pattern: str
    """A regular expression that the whole line matches. Its first word is plain text, or `<number>`."""
    handle: Handler | None = None
    below: Table | None = None
    """The lines below it; None: it has none."""
    free: bool = False
    """Whatever stands below it is text, and is read as known."""


class Table:
    """The lines of one section, found by their first word."""

    def __init__(self, *rows: Row) -> None:
        self._rows: dict[str, list[tuple[re.Pattern[str], Row]]] = {}
        for row in rows:
            pattern = re.compile(row.pattern.replace(NUMBER, r"\d+"))
            for first in _first_words(row.pattern):
                self._rows.setdefault(first, []).append((pattern, row))

    def find(self, text: str) -> tuple[Row, re.Match[str]] | None:
        """The first row whose pattern is the whole line."""
        first = text.partition(" ")[0]
        for pattern, row in self._rows.get(NUMBER if first.isdecimal() else first, ()):
            match = pattern.fullmatch(text)
            if match is not None:
                return row, match
        return None


def read_lines(lines: Iterable[Line], table: Table, state: Any, unread: Unread) -> None:
    """Give each line to its row. Lines without one go to `unread`, with everything below them."""
    for line in lines:
        found = table.find(line.text)
        if found is None:
            unread.extend(flat([line]))
            continue
        row, match = found
        inner = row.handle(state, match) if row.handle else None
        if row.below is not None:
            read_lines(line.children, row.below, state if inner is None else inner, unread)
        elif not row.free:
            unread.extend(flat(line.children))


def parse(text: str, *, comment: str = "!", literals: Mapping[str, str] | None = None) -> list[Line]:
    """The top-level lines with what is indented below them; comments and blank lines are left out.

    `literals` are lines after which everything is text up to a closing line, which is left out: banners.
    """
    root: list[Line] = []
    above: list[tuple[int, list[Line]]] = [(-1, root)]
    closing: str | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        stripped = raw.strip()
        if closing is not None:
            if stripped == closing:
                closing = None
            else:
                above[-1][1].append(Line(number, raw))
            continue
        if not stripped or stripped.startswith(comment):
            continue
        indent = len(raw) - len(raw.lstrip())
        while above[-1][0] >= indent:
            above.pop()
        line = Line(number, stripped)
        above[-1][1].append(line)
        above.append((indent, line.children))
        closing = (literals or {}).get(stripped)
    return root


def flat(lines: Iterable[Line]) -> Iterator[tuple[int, str]]:
    """Number and text of every line of a tree."""
    for line in lines:
        yield line.number, line.text
        yield from flat(line.children)


def _first_words(pattern: str) -> tuple[str, ...]:
    """The plain first word of a pattern, also behind an optional `no `."""
    if pattern.startswith(NUMBER):
        return (NUMBER,)
    optional = pattern.startswith("(no )?")
    word = re.match(r"[A-Za-z0-9+-]+", pattern.removeprefix("(no )?"))
    if word is None:
        message = f"the first word of {pattern!r} is not plain text"
        raise ValueError(message)
    return ("no", word[0]) if optional else (word[0],)

"""Configurations as trees of statements: what is written twice is joined, and two are compared as Junos shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fabric.configuration import Line
from fabric.configuration.syntaxes.curly import OPEN, parse
from fabric.platforms.junos.dialect import DIALECT

SINGLE = frozenset({"host-name", "description", "mtu", "speed", "router-id", "location", "domain-name"})
"""Statements of which a place has one: a second one replaces it."""


def settled(text: str) -> str:
    """A text as Junos shows it. `Unreadable` if its braces or semicolons are wrong."""
    return written(joined(parse(text)))


def written(lines: Iterable[Line]) -> str:
    """A tree as text."""
    return DIALECT.syntax.written(lines)


def joined(lines: Iterable[Line], onto: Sequence[Line] = ()) -> list[Line]:
    """Statements merged into others: blocks with equal words become one."""
    rows: dict[str, Line] = {line.text: line for line in onto}
    for line in lines:
        known = rows.get(line.text)
        if _opens(line):
            below = joined(line.below, known.below if known is not None else ())
            rows[line.text] = Line(line.text, line.number, below, OPEN)
            continue
        word = line.text.split()[0]
        if known is None and word in SINGLE:
            for text in [text for text, row in rows.items() if text.split()[0] == word and not _opens(row)]:
                del rows[text]
        rows.setdefault(line.text, line)
    return list(rows.values())


def _opens(line: Line) -> bool:
    return bool(line.below) or line.raw == OPEN


def comparison(old: str, new: str) -> str:
    """What `show | compare` prints: empty if nothing differs."""
    return "".join(f"{row}\n" for row in _compared(parse(old), parse(new), ()))


def _compared(old: Sequence[Line], new: Sequence[Line], path: tuple[str, ...]) -> Iterator[str]:
    before, after = {line.text: line for line in old}, {line.text: line for line in new}
    rows = [row for text, line in before.items() if text not in after for row in _shown("-", line)]
    rows += [row for text, line in after.items() if text not in before for row in _shown("+", line)]
    if rows:
        yield f"[edit{''.join(f' {word}' for word in path)}]"
        yield from rows
    for text, line in after.items():
        if text in before and (line.below or before[text].below):
            yield from _compared(before[text].below, line.below, (*path, text))


def _shown(sign: str, line: Line) -> list[str]:
    return [f"{sign}  {row}" for row in written([line]).splitlines()]


__all__ = ["comparison", "joined", "parse", "settled", "written"]

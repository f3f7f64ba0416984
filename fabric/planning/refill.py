"""Masked lines get their values back from a text that has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import msgspec


class Refilled(msgspec.Struct, frozen=True):
    """A text with values in the place of masks. Never printed."""

    text: str
    values: tuple[str, ...]
    missing: tuple[str, ...] = ()
    """Masked lines that the source does not have; they stay masked."""

    def __repr__(self) -> str:
        return f"Refilled({len(self.values)} values, {len(self.missing)} missing)"


def refilled(text: str, source: str, mask: str) -> Refilled:
    """Put the values of `source` where `text` has `mask`.

    The n-th masked line of a form in a section takes the n-th line of that form in the same section of
    `source`. A section is a line at the left edge with what is indented below it.
    """
    if mask not in text:
        return Refilled(text, ())
    lines, values, missing = list[str](), list[str](), list[str]()
    taken, known = Counter[tuple[str, str]](), _by_first_word(source)
    for section, line in _sections(text):
        found = _matches(section, line, mask, known) if mask in line else []
        key = (section, line.strip())
        if mask in line and taken[key] < len(found):
            values += found[taken[key]]
            lines.append(_filled(line, mask, found[taken[key]]))
            taken[key] += 1
        else:
            missing += [line.strip()] if mask in line else []
            lines.append(line)
    return Refilled("".join(f"{line}\n" for line in lines), tuple(values), tuple(missing))


_Known = dict[str, list[tuple[str, str]]]


def _by_first_word(source: str) -> _Known:
    """Section and line, by the line's first word: most lines are never looked at."""
    known: _Known = {}
    for section, line in _sections(source):
        known.setdefault(line.strip().partition(" ")[0], []).append((section, line.strip()))
    return known


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Each line with the top line of its section."""
    top = ""
    for line in text.splitlines():
        if line and not line[0].isspace():
            top = line
        yield top, line


def _matches(section: str, line: str, mask: str, known: _Known) -> list[tuple[str, ...]]:
    here, there = _pattern(line, mask), _pattern(section, mask)
    lines = known.get(line.strip().partition(" ")[0], ())
    return [m.groups() for top, raw in lines if (m := here.match(raw)) and there.match(top.strip())]


def _pattern(line: str, mask: str) -> re.Pattern[str]:
    parts = (re.escape(part) for part in line.strip().split(mask))
    return re.compile("^" + r"(\S.*?)".join(parts) + "$")


def _filled(line: str, mask: str, values: tuple[str, ...]) -> str:
    first, *rest = line.split(mask)
    return first + "".join(value + part for value, part in zip(values, rest, strict=True))

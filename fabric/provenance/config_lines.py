"""The lines of a printed text, each with the headers of the sections that it stands in.

Every product's syntax shows by indentation what stands below what. An opening that names nothing (`{`, `-`) is called
by the line below it, so that two items of a list are told apart. Commas at line ends tell nothing of a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property

import msgspec

from fabric.provenance.model import Line

WORD = re.compile(r"\w")
COMMENT = ("!", "#", "//", "/*")
Section = tuple[str, ...]
"""Headers, the outermost first."""


class Files:
    """The texts of a device, row by row."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = {file: text.replace(",\n", "\n") for file, text in texts.items()}
        self._without_indentation: dict[str, list[str]] = {}

    @cached_property
    def rows(self) -> dict[str, list[str]]:
        """The rows of each file, without blank ones."""
        return {
            file: [row for row in text.split("\n") if row and not row.isspace()]
            for file, text in self._texts.items()
        }

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every line that says something."""
        return tuple(line for file, text in self._texts.items() for line in _lines(file, text))

    def has(self, line: Line, number: int = 1) -> bool:
        """Whether there are as many lines of these words in such a section."""
        found = 0
        for at in self._rows_with(line.file, line.text):
            found += self._stands_in(line.file, at, line.above)
            if found >= number:
                return True
        return False

    def has_section(self, file: str, section: Section) -> bool:
        """Whether there is a section with these headers."""
        if not section:
            return True
        rows, (*above, header) = self.rows.get(file, []), section
        return any(
            _label(rows, at) == header and self._stands_in(file, at, above)
            for at in self._rows_with(file, header.split(" ")[0] if _is_nameless(header) else header)
        )

    def _rows_with(self, file: str, words: str) -> Iterator[int]:
        """The places of rows that have these words and no others."""
        if words not in self._texts.get(file, ""):
            return
        stripped, at = self._stripped(file), -1
        with suppress(ValueError):  # there is no further one
            while True:
                at = stripped.index(words, at + 1)
                yield at

    def _stripped(self, file: str) -> list[str]:
        """The rows of a file without their indentation."""
        if file not in self._without_indentation:
            self._without_indentation[file] = list(map(str.strip, self.rows[file]))
        return self._without_indentation[file]

    def _stands_in(self, file: str, at: int, section: Sequence[str]) -> bool:
        """Whether a row has these headers above it; most are told by the nearest one."""
        rows = self.rows[file]
        left = list(section)
        depth = _depth(rows[at])
        for above in range(at - 1, -1, -1) if depth else ():
            row = rows[above]
            if _depth(row) >= depth or row.lstrip().startswith(COMMENT):
                continue
            if not left or _label(rows, above) != left.pop():
                return False
            depth = _depth(row)
            if not depth:
                break
        return not left


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip())


def _is_nameless(words: str) -> bool:
    return not WORD.search(words.split(" ", maxsplit=1)[0])


def _label(rows: Sequence[str], at: int) -> str:
    """What a header is called."""
    words = rows[at].strip()
    if WORD.search(words):
        return words
    return f"{words} {rows[at + 1].strip() if at + 1 < len(rows) else ''}"


def _lines(file: str, text: str) -> Iterator[Line]:
    numbered = [(n, row) for n, row in enumerate(text.split("\n"), 1) if row.strip()]
    rows = [row for _, row in numbered]
    above: list[tuple[int, str]] = []
    for at, (number, row) in enumerate(numbered):
        words = row.strip()
        if words.startswith(COMMENT):
            continue
        depth = _depth(row)
        while above and above[-1][0] >= depth:
            above.pop()
        if WORD.search(words):
            yield Line(file=file, number=number, text=words, above=tuple(label for _, label in above))
        above.append((depth, _label(rows, at)))


class Asked(msgspec.Struct, frozen=True):
    """A line, and which one it is of those that are the same."""

    line: Line
    number: int


def numbered(lines: Sequence[Line]) -> tuple[Asked, ...]:
    """Each line with its number among its equals."""
    seen: Counter[tuple[str, Section, str]] = Counter()
    asked = []
    for line in lines:
        same = (line.file, line.above, line.text)
        seen[same] += 1
        asked.append(Asked(line, seen[same]))
    return tuple(asked)

"""Lists with a head: `name=1, flag : first=a, second=b;`, over as many lines as it needs.

The head is a line, and each member a line below it. A comment behind a member says whose it is, so it is kept: as a
line below the member. What is not of this form stays as it is, a line each, below the first of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fabric.configuration.syntaxes.flat import BLANKS, without_comments
from fabric.configuration.syntaxes.syntax import Piece
from fabric.configuration.tree import Line

MARGIN = "    "
"""Before a member."""
IS_LIST = True
"""`Line.raw` of the head of a list that is of this form."""


class Written(NamedTuple):
    """A line of a list."""

    text: str
    behind: int
    """How many lines behind that of the head."""


@dataclass(frozen=True, kw_only=True)
class Listed:
    """How a file of lists is written."""

    comment: str = "#"
    is_by_path: bool = False

    def plain(self, text: str) -> str:
        """The text without blank lines and those that hold a comment alone."""
        return without_comments(text, self.comment)

    def pieces(self, text: str) -> dict[str, Piece]:
        """The lists by their first lines. One whose first line is there again is a piece of its own."""
        pieces: dict[str, Piece] = {}
        seen = Counter[str]()
        for number, lines in self._lists(text):
            first = lines[0].text
            seen[first] += 1
            pieces[first if seen[first] == 1 else f"{first}\n{seen[first]}"] = Piece(first, lines, number)
        return pieces

    def _lists(self, text: str) -> Iterator[tuple[int, list[Written]]]:
        """The lines of each list, and the number of the first. What follows the last semicolon counts as one."""
        first, entries = 0, list[Written]()
        for number, line in enumerate(text.split("\n"), 1):
            code, _ = self._parted(line)
            if not code:
                continue
            first = first if entries else number
            entries.append(Written(line.strip(BLANKS), number - first))
            if code.endswith(";"):
                yield first, entries
                entries = []
        if entries:
            yield first, entries

    def _parted(self, line: str) -> tuple[str, str]:
        """What a line says, and the comment behind it."""
        code, _, note = line.partition(self.comment)
        return code.strip(BLANKS), note.strip(BLANKS)

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one list."""
        return [self._tree(piece.body, piece.number)]

    def _tree(self, lines: Sequence[Written], number: int) -> Line:
        head, colon, rest = lines[0].text.partition(":")
        parted = [(*self._parted(text), at) for text, at in (Written(rest, 0), *lines[1:])]
        if parted[0][0] in ("", ";"):
            parted = parted[1:]
        codes = [code for code, _, _ in parted]
        if colon and self.comment not in head and all(map(_is_sound, codes)) and self._is_ended(lines):
            members = [line for code, note, at in parted for line in self._members(code, note, number + at)]
            return Line(head.strip(BLANKS), number, members, IS_LIST)
        return Line(lines[0].text, number, [Line(text, number + at) for text, at in lines[1:]])

    def _is_ended(self, lines: Sequence[Written]) -> bool:
        return self._parted(lines[-1].text)[0].endswith(";")

    def _members(self, code: str, note: str, number: int) -> list[Line]:
        """The members of a line; its comment is about the last one."""
        members = [Line(word.strip(BLANKS), number) for word in code[:-1].split(",")]
        if note:
            members[-1].below.append(Line(f"{self.comment} {note}", number))
        return members

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as a file."""
        return "".join(f"{line}\n" for line in self.shown(lines, ()))

    def shown(self, lines: Iterable[Line], _above: Sequence[str]) -> list[str]:
        """Lists as they stand in the file."""
        return [text for line in lines for text in self._printed(line)]

    def _printed(self, line: Line) -> Iterator[str]:
        if not line.raw:
            yield from (line.text, *(below.text for below in line.below))
            return
        yield f"{line.text} :" if line.below else f"{line.text} :;"
        for member in line.below:
            end = ";" if member is line.below[-1] else ","
            yield "  ".join((f"{MARGIN}{member.text}{end}", *(note.text for note in member.below)))


def _is_sound(code: str) -> bool:
    """Whether a line holds members, each ended by a comma, or by the semicolon of the list."""
    return code[-1] in ",;" and all(word.strip(BLANKS) for word in code[:-1].split(","))

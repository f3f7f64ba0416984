"""Files of one setting a line, whatever its margin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fabric.configuration.syntaxes.syntax import Piece
from fabric.configuration.tree import Line

BLANKS = " \t"
"""What may stand around a line. The line end of other systems is not one of them: it would belong to the last word."""


def without_comments(text: str, comment: str) -> str:
    """A text without its blank lines, and those that only hold a comment."""
    return re.sub(rf"(?m)^[ \t]*(?:{re.escape(comment)}.*)?(?:\n|\Z)", "", text)


def numbered(text: str, comment: str, first: int = 1) -> Iterator[tuple[int, str]]:
    """The lines of a text that say something, with their numbers."""
    for number, line in enumerate(text.split("\n"), first):
        stripped = line.strip(BLANKS)
        if stripped and not stripped.startswith(comment):
            yield number, stripped


@dataclass(frozen=True, kw_only=True)
class Flat:
    """How a file of single lines is written."""

    comment: str = "#"
    """First characters of a line that says nothing."""
    opens: re.Pattern[str] | None = None
    """A line that those after it stand below, up to the next one of its kind: `[section]`."""
    is_by_path: bool = False

    def plain(self, text: str) -> str:
        """The text without comments and blank lines."""
        return without_comments(text, self.comment)

    def pieces(self, text: str) -> dict[str, Piece]:
        """The lines of the first level. One that is there again is a piece of its own."""
        pieces: dict[str, Piece] = {}
        seen = Counter[str]()
        key = ""
        for number, line in numbered(text, self.comment):
            if key and self._is_below(pieces[key].header, line):
                known = pieces[key]
                pieces[key] = known._replace(body=(*known.body, (line, number - known.number)))
                continue
            seen[line] += 1
            key = line if seen[line] == 1 else f"{line}\n{seen[line]}"
            pieces[key] = Piece(line, (), number)
        return pieces

    def _is_below(self, header: str, line: str) -> bool:
        return (
            self.opens is not None and bool(self.opens.fullmatch(header)) and not self.opens.fullmatch(line)
        )

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece."""
        below = [Line(text, piece.number + behind) for text, behind in piece.body]
        return [Line(piece.header, piece.number, below)]

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as a file."""
        return "".join(f"{line}\n" for line in self.shown(lines, ()))

    def shown(self, lines: Iterable[Line], _above: Sequence[str]) -> list[str]:
        """Lines of a tree as they stand in the file."""
        return [text for line in lines for text in (line.text, *(below.text for below in line.below))]

"""Several files as one configuration: each is a line of the first level, with its own lines below.

What stands before the first file is in one without a name, and a file that is there twice is another one: nobody knows
them, and so nothing is dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabric.configuration.flat import Flat
from fabric.configuration.syntax import Piece, Syntax, under
from fabric.configuration.tree import Line

UNKNOWN = Flat()
"""How a file is read that nobody knows."""


@dataclass(frozen=True, kw_only=True)
class Files:
    """How the files of a product are written, in their order."""

    mark: str
    """Starts the line before each file; its name follows."""
    syntaxes: Mapping[str, Syntax]
    wholes: frozenset[str] = frozenset()
    """Files that are a piece each: their lines say something together, or are shown so."""
    unseen: frozenset[str] = frozenset()
    """Files that a device does not show: they are read, and never compared."""
    is_by_path: bool = False

    def plain(self, text: str) -> str:
        """Each file that a device shows, without comments and blank lines."""
        return "".join(
            f"{self.mark}{name}\n{self._syntax(name).plain(body)}"
            for name, body, _ in self._files(text)
            if name not in self.unseen
        )

    def pieces(self, text: str) -> dict[str, Piece]:
        """The pieces of all files; of a file without any, the file itself."""
        found: dict[str, Piece] = {}
        for name, body, number in self._files(text):
            is_whole = name in self.wholes or name not in self.syntaxes
            inside = {} if is_whole else self._syntax(name).pieces(body)
            if not inside:
                found[name] = Piece(name, body if is_whole else "", number)
            for key, piece in inside.items():
                moved = piece._replace(number=piece.number + number, above=(name, *piece.above))
                found[f"{name}\n{key}"] = moved
        return found

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece, below its file."""
        if not piece.above:
            return [Line(piece.header, piece.number, list(self._inside(piece)))]
        name, *above = piece.above
        return under([Line(name, piece.number)], self._syntax(name).lines(piece._replace(above=tuple(above))))

    def _inside(self, piece: Piece) -> Iterator[Line]:
        """The lines of a file that is a piece."""
        syntax = self._syntax(piece.header)
        for one in syntax.pieces(piece.body).values():
            yield from syntax.lines(one._replace(number=one.number + piece.number))

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as text: the files that it has, in the product's order."""
        below = {line.text: line.below for line in lines}
        order = (*(name for name in self.syntaxes if name in below), *(below.keys() - self.syntaxes.keys()))
        return "".join(f"{self.mark}{name}\n{self._syntax(name).written(below[name])}" for name in order)

    def shown(self, lines: Iterable[Line], above: Sequence[str]) -> list[str]:
        """Lines of a tree as they stand in their file."""
        if not above:
            return self.written(lines).splitlines()
        return self._syntax(above[0]).shown(lines, above[1:])

    def _files(self, text: str) -> Iterable[tuple[str, str, int]]:
        """Name, text and number of the line before it, of each file."""
        seen = set[str]()
        before, *parts = re.split(rf"(?m)^{re.escape(self.mark)}", text)
        number = 1 + before.count("\n")
        if before.strip():
            yield "", before, 0
        for part in parts:
            name, _, body = part.partition("\n")
            name = name.strip()
            while name in seen:
                name = f"{name} again"
            seen.add(name)
            yield name, body, number
            number += part.count("\n")

    def _syntax(self, name: str) -> Syntax:
        return self.syntaxes.get(name, UNKNOWN)

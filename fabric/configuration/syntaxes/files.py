"""Several files as one configuration: each is a line of the first level, with its own lines below.

What stands before the first file is in one without a name, and a file that is there twice is another one: nobody knows
them, and so nothing is dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fabric.configuration.foreign_secrets import ForeignSecrets
from fabric.configuration.syntaxes.flat import Flat
from fabric.configuration.syntaxes.syntax import Piece, Syntax, unlike, whole
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

    def without_secrets(self, text: str, secrets: ForeignSecrets, ours: str) -> str:
        """Each file without secrets of lines that nobody knows, but for lines of ours."""
        own = {name: body for name, body, _ in self._files(ours)}
        return "".join(
            f"{self.mark}{name}\n{secrets.of_part(name).hidden(self._syntax(name), body, own.get(name, ''))}"
            for name, body, _ in self._files(text)
        )

    def pieces(self, text: str) -> dict[str, Piece]:
        """The pieces of all files; of a file without any, the file itself."""
        pieces: dict[str, Piece] = {}
        for name, body, number in self._files(text):
            pieces |= self._placed(name, body, number, self._inner(name, body))
        return pieces

    def unlike(self, old: str, new: str) -> tuple[dict[str, Piece], dict[str, Piece]]:
        """The pieces of two texts, without those of files that both have in the same words."""
        before, after = ({file[0]: file for file in self._files(text)} for text in (old, new))
        sides: tuple[dict[str, Piece], dict[str, Piece]] = {}, {}
        for name in dict.fromkeys((*before, *after)):
            files = before.get(name), after.get(name)
            if files[0] is None or files[1] is None or self._is_whole(name):
                inside = tuple({} if file is None else self._inner(name, file[1]) for file in files)
            elif files[0][1] == files[1][1]:
                continue
            else:
                inside = unlike(self._syntax(name), files[0][1], files[1][1])
            for pieces, file, own in zip(sides, files, inside, strict=True):
                if file is not None and (own or not self._inner(*file[:2])):
                    pieces.update(self._placed(*file, own))
        return sides

    def _inner(self, name: str, body: str) -> dict[str, Piece]:
        return {} if self._is_whole(name) else self._syntax(name).pieces(body)

    def _is_whole(self, name: str) -> bool:
        return name in self.wholes or name not in self.syntaxes

    def _placed(self, name: str, body: str, number: int, inside: Mapping[str, Piece]) -> dict[str, Piece]:
        """The pieces of a file where it stands among the others."""
        if not inside:
            return {name: Piece(name, body if self._is_whole(name) else "", number)}
        return {
            f"{name}\n{key}": Piece(header, inner, at + number, (name, *above))
            for key, (header, inner, at, above) in inside.items()
        }

    def whole(self, text: str, number: int = 0) -> list[Line]:
        """The tree of all files."""
        return [
            Line(name, number + at, whole(self._syntax(name), body, number + at))
            for name, body, at in self._files(text)
        ]

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece, below its file."""
        if not piece.above:
            below = whole(self._syntax(piece.header), piece.body, piece.number)
            return [Line(piece.header, piece.number, below)]
        header, body, number, (name, *above) = piece
        inside = Piece(header, body, number, tuple(above))
        return [Line(name, number, self._syntax(name).lines(inside))]

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as text: the files that it has, in the product's order."""
        below = {line.text: line.below for line in lines}
        order = (*(name for name in self.syntaxes if name in below), *(below.keys() - self.syntaxes.keys()))
        return "".join(f"{self.mark}{name}\n{self._syntax(name).written(below[name])}" for name in order)

    def worded(self, text: str, ours: str) -> str:
        """The files of a text, those that say the same in the words of ours."""
        own = {self._syntax(name).plain(body): body for name, body, _ in self._files(ours)}
        return "".join(f"{self.mark}{name}\n{own.get(body, body)}" for name, body, _ in self._files(text))

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

"""Several files as one configuration: each is a line of the first level, with its own lines below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fabric.configuration.syntax import Piece, Syntax, under
from fabric.configuration.tree import Line


@dataclass(frozen=True, kw_only=True)
class Files:
    """How the files of a product are written, in their order."""

    mark: str
    """Starts the line before each file; its name follows."""
    syntaxes: Mapping[str, Syntax]
    is_by_path: bool = False

    def plain(self, text: str) -> str:
        """Each file without comments and blank lines."""
        return "".join(
            f"{self.mark}{name}\n{self._syntax(name).plain(body)}" for name, body, _ in self._files(text)
        )

    def pieces(self, text: str) -> dict[str, Piece]:
        """The pieces of all files; of a file without any, the file itself."""
        found: dict[str, Piece] = {}
        for name, body, number in self._files(text):
            inside = self._syntax(name).pieces(body)
            if not inside:
                found[name] = Piece(name, None, number)
            for key, piece in inside.items():
                moved = piece._replace(number=piece.number + number, above=(name, *piece.above))
                found[f"{name}\n{key}"] = moved
        return found

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece, below its file."""
        if not piece.above:
            return [Line(piece.header, piece.number)]
        name, *above = piece.above
        return under([Line(name, piece.number)], self._syntax(name).lines(piece._replace(above=tuple(above))))

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
        """Name, text and number of the line before it, of each file. What stands before the first is not theirs."""
        name, number, body = "", 0, list[str]()
        for at, line in enumerate(text.splitlines(keepends=True), 1):
            if line.startswith(self.mark):
                if name:
                    yield name, "".join(body), number
                name, number, body = line.removeprefix(self.mark).strip(), at, []
            else:
                body.append(line)
        if name:
            yield name, "".join(body), number

    def _syntax(self, name: str) -> Syntax:
        return self.syntaxes[name]

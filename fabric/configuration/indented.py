"""Command lines whose sections are told by indentation: EOS, NX-OS, FRR."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fabric.configuration.syntax import Piece
from fabric.configuration.tree import Line

MARGIN = re.compile(r"\n(?=[^ \t\n])")
"""Before a line at the left margin."""


@dataclass(frozen=True, kw_only=True)
class Indented:
    """How a product draws its tree."""

    comment: str = "!"
    """First characters of a line that says nothing."""
    step: str = "   "
    """One level."""
    texts: tuple[tuple[str, str], ...] = ()
    """Lines behind which everything is text, and the line that ends it: `banner motd`, `EOF`."""
    is_by_path: bool = False

    def plain(self, text: str) -> str:
        """The text without comments and blank lines; what stands in a text of its own stays as it is."""
        own = "|".join(
            rf"{re.escape(start)}[ \t]*\n(?:.*\n)*?(?:{re.escape(end)}[ \t]*\n|\Z)"
            for start, end in self.texts
        )
        nothing = rf"[ \t]*(?:{re.escape(self.comment)}.*)?\n"
        return re.sub(rf"(?m)^(?:(?P<own>{own or '(?!)'})|{nothing})", _own, text)

    def pieces(self, text: str) -> dict[str, Piece]:
        """The lines at the left margin, each with what stands below it; below one that is there twice, joined."""
        found: dict[str, Piece] = {}
        number, parts = 1, iter(MARGIN.split(text))
        closings = dict(self.texts)
        for part in parts:
            header, _, body = part.partition("\n")
            lines = part.count("\n") + 1
            if (closing := closings.get(header)) is not None:
                body = _until(closing, body, parts)
                lines = body.count("\n") + 3
            if header.strip() and not header.startswith(self.comment):
                header = header.rstrip()
                if (known := found.get(header)) is not None:
                    found[header] = known._replace(body=f"{known.body}\n{body}")
                else:
                    found[header] = Piece(header, body, number)
            number += lines
        return found

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece."""
        root = Line(piece.header, piece.number)
        if piece.header in dict(self.texts):
            root.below = [Line(text, at) for at, text in enumerate(piece.body.split("\n"), piece.number + 1)]
            return [root]
        above: list[tuple[int, Line]] = [(0, root)]
        for number, raw in enumerate(piece.body.split("\n"), piece.number + 1):
            text = raw.strip()
            if not text or text.startswith(self.comment):
                continue
            indent = len(raw) - len(raw.lstrip())
            while above[-1][0] >= indent and len(above) > 1:
                above.pop()
            line = Line(text, number)
            above[-1][1].below.append(line)
            above.append((indent, line))
        return [root]

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as the product would print it."""
        return "".join(f"{line}\n" for line in self._printed(lines, 0))

    def shown(self, lines: Iterable[Line], above: Sequence[str]) -> list[str]:
        """Lines of a tree as they stand in the text of the whole."""
        return list(self._printed(lines, len(above)))

    def _printed(self, lines: Iterable[Line], depth: int) -> Iterator[str]:
        for line in lines:
            yield f"{self.step * depth}{line.text}"
            closing = dict(self.texts).get(line.text)
            if closing is None:
                yield from self._printed(line.below, depth + 1)
            else:
                yield from (*(below.text for below in line.below), closing)


def _own(match: re.Match[str]) -> str:
    return match["own"] or ""


def _until(closing: str, body: str, parts: Iterator[str]) -> str:
    """A text up to the line that ends it, which is left out."""
    found = [body] if body else []
    for part in parts:
        if part.partition("\n")[0].rstrip() == closing:
            break
        found.append(part)
    return "\n".join(found)

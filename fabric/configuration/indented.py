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
        return re.sub(rf"(?m)^(?:(?P<own>{own or '(?!)'})|{self._nothing})", _own, text)

    @property
    def _nothing(self) -> str:
        """As a regular expression: a line that says nothing."""
        return rf"[^\S\n]*(?:{re.escape(self.comment)}.*)?\n"

    def pieces(self, text: str) -> dict[str, Piece]:
        """The lines at the left margin, each with what stands below it; below one that is there twice, joined."""
        found: dict[str, Piece] = {}
        last = ""
        for header, body, number in self._parts(text):
            if not header or header.startswith(self.comment):
                if body.strip():  # a comment at the margin ends no section
                    found[last] = found[last]._replace(body=f"{found[last].body}\n{header}\n{body}")
                continue
            last, known = header, found.get(header)
            joined = None if known is None else known._replace(body=f"{known.body}\n{body}")
            found[header] = joined or Piece(header, body, number)
        return found

    def _parts(self, text: str) -> Iterator[tuple[str, str, int]]:
        """Each line at the left margin, what follows up to the next one, and its number. The first says something."""
        at = re.compile(f"(?:{self._nothing})*").match(text).end()  # type: ignore[union-attr]  # it may be empty
        number, parts, closings = text.count("\n", 0, at) + 1, iter(MARGIN.split(text[at:])), dict(self.texts)
        for part in parts:
            header, _, body = part.partition("\n")
            lines = part.count("\n") + 1
            if (closing := closings.get(header.strip())) is not None:
                body, more = _until(closing, body, parts)
                lines += more
            yield header.strip(), body, number
            number += lines

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


def _until(closing: str, body: str, parts: Iterator[str]) -> tuple[str, int]:
    """A text up to the line that ends it, which is left out; and the number of lines that were taken from `parts`."""
    found, lines = [body] if body else [], 0
    for part in parts:
        lines += part.count("\n") + 1
        if part.partition("\n")[0].rstrip() == closing:
            break
        found.append(part)
    return "\n".join(found), lines

"""JSON objects, one a line (JSON Lines), each below the line of what it is about.

`{"group": "a", "size": 4}` and `{"group": "a", "member": "x"}` become `group a`, and below it `size 4` and `member x`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

import msgspec

from fabric.configuration.syntaxes.flat import numbered, without_comments
from fabric.configuration.syntaxes.json_documents import Document
from fabric.configuration.syntaxes.keyed_lines import Raw
from fabric.configuration.syntaxes.quoting import said
from fabric.configuration.syntaxes.syntax import Piece, under
from fabric.configuration.tree import Line
from fabric.decoding import from_json


class Record(NamedTuple):
    """A line of the text, and the object that it holds."""

    behind: int
    """How many lines behind the first about the same thing."""
    above: tuple[Raw, ...]
    """What it is about; empty if it does not tell, or is not an object."""
    document: Document


class Body:
    """What is said about one thing: the same if the lines are, wherever they stand."""

    __slots__ = ("records", "texts")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.records: list[Record] = []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and self.texts == other.texts

    def __hash__(self) -> int:
        return hash(tuple(self.texts))


@dataclass(frozen=True, kw_only=True)
class Records:
    """How a file of objects is written."""

    about: Mapping[str, str]
    """Keys that tell what an object is about, the outermost first, and the word that each has in the tree."""
    comment: str = "#"
    is_by_path: bool = False

    def plain(self, text: str) -> str:
        """The text without comments and blank lines."""
        return without_comments(text, self.comment)

    def pieces(self, text: str) -> dict[str, Piece]:
        """The objects about each thing, and each line that is not such an object."""
        pieces: dict[str, Piece] = {}
        for number, line in numbered(text, self.comment):
            document = _object(line)
            above = tuple(
                Raw(key, "entry", document[key]) for key in takewhile(document.__contains__, self.about)
            )
            header = self._line(above[0], 0).text if above else line
            piece = pieces.setdefault(header if above else f"\n{line}", Piece(header, Body(), number))
            piece.body.texts.append(line)
            piece.body.records.append(Record(number - piece.number, above, document))
        return pieces

    def _line(self, raw: Raw, number: int) -> Line:
        """That of a thing."""
        return Line(f"{self.about[raw.key]} {said(raw.value)}", number, [], raw)

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of what is said about one thing."""
        lines: list[Line] = []
        for behind, above, document in piece.body.records:
            number = piece.number + behind
            if not above:
                lines.append(Line(piece.header, number))
                continue
            named = {raw.key for raw in above}
            leaves = [
                Line(f"{key} {said(value)}", number, [], Raw(key, "value", value))
                for key, value in document.items()
                if key not in named
            ]
            if not lines:
                lines.append(self._line(above[0], number))
            lines[0].below += under([self._line(raw, number) for raw in above[1:]], leaves)
        return lines

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as a file."""
        return "".join(f"{line}\n" for line in self.shown(lines, ()))

    def shown(self, lines: Iterable[Line], _above: Sequence[str]) -> list[str]:
        """What is said about things, as it stands in the file."""
        return [text for line in lines for text in _printed(line, {})]


def _object(text: str) -> Document:
    """A line as an object; one without keys if it is none."""
    try:
        return from_json(text, Document)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}


def _printed(line: Line, above: Document) -> Iterator[str]:
    if not isinstance(line.raw, Raw):
        yield line.text
        return
    about = {**above, line.raw.key: line.raw.value}
    own = {child.raw.key: child.raw.value for child in line.below if _is_value(child)}
    inside = [child for child in line.below if not _is_value(child)]
    if own or not inside:
        yield json.dumps({**about, **own}, sort_keys=True)
    for child in inside:
        yield from _printed(child, about)


def _is_value(line: Line) -> bool:
    return isinstance(line.raw, Raw) and line.raw.kind == "value"

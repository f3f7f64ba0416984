"""JSON objects, one a line (JSON Lines), each below the line of what it is about.

`{"group": "a", "size": 4}` and `{"group": "a", "member": "x"}` become `group a`, and below it `size 4` and `member x`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from fabric.configuration.flat import numbered, without_comments
from fabric.configuration.keyed import Document, Raw, said
from fabric.configuration.syntax import Piece, under
from fabric.configuration.tree import Line


@dataclass(frozen=True)
class Record:
    """A line of the text."""

    text: str
    number: int = field(compare=False)


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
        """The objects about each thing, and each line that is no such object."""
        found: dict[str, Piece] = {}
        for number, line in numbered(text, self.comment):
            above = self._above(_object(line), number)
            header = above[0].text if above else line
            piece = found.setdefault(header if above else f"\n{line}", Piece(header, [], number))
            piece.body.append(Record(line, number - piece.number))
        return found

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of what is said about one thing."""
        found: list[Line] = []
        for record in piece.body:
            number = piece.number + record.number
            document = _object(record.text)
            above = self._above(document, number)
            leaves = [
                Line(f"{key} {said(value)}", number, [], Raw(key, "value", value))
                for key, value in document.items()
                if all(line.raw.key != key for line in above)
            ]
            if not above:
                found.append(Line(record.text, number))
            elif found:
                found[0].below += under(above[1:], leaves)
            else:
                found = under(above, leaves)
        return found

    def _above(self, document: Mapping[str, Any], number: int) -> list[Line]:
        """The lines of what an object is about; none if it does not tell."""
        found: list[Line] = []
        for key, word in self.about.items():
            if key not in document:
                break
            found.append(Line(f"{word} {said(document[key])}", number, [], Raw(key, "entry", document[key])))
        return found

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as a file."""
        return "".join(f"{line}\n" for line in self.shown(lines, ()))

    def shown(self, lines: Iterable[Line], _above: Sequence[str]) -> list[str]:
        """What is said about things, as it stands in the file."""
        return [text for line in lines for text in _printed(line, {})]


def _object(text: str) -> Document:
    """A line as an object; one without keys if it is none."""
    try:
        return msgspec.json.decode(text, type=Document)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}


def _printed(line: Line, above: Document) -> Iterator[str]:
    if not isinstance(line.raw, Raw):
        yield line.text
        return
    about = {**above, line.raw.key: line.raw.value}
    own = {one.raw.key: one.raw.value for one in line.below if _is_value(one)}
    inside = [one for one in line.below if not _is_value(one)]
    if own or not inside:
        yield json.dumps({**about, **own}, sort_keys=True)
    for one in inside:
        yield from _printed(one, about)


def _is_value(line: Line) -> bool:
    return isinstance(line.raw, Raw) and line.raw.kind == "value"

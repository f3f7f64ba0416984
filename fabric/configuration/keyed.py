"""Documents of keys and values: JSON (SONiC's CONFIG_DB, SR Linux) and YAML (NVUE).

An object is a line with the lines of its keys below it, a value a line `mtu 9216`, an entry of a list of objects a line
`interface ethernet-1/1` named by what tells it from the others. A list of plain values is one value: `speeds 100000
200000`. What the text does not tell (whether a number was a string) is kept in `Line.raw`, and printed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import msgspec

from fabric.configuration.syntax import Piece, Unreadable
from fabric.configuration.tree import Line

Document = dict[str, Any]


class Raw(NamedTuple):
    """What a line was in its document."""

    key: str
    kind: Literal["value", "object", "entry"]
    value: Any = None


def load_json(text: str) -> Document:
    """A JSON object. `Unreadable` if the text is none; an empty text is an empty object."""
    if not text.strip():
        return {}
    try:
        return msgspec.json.decode(text, type=Document)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        message = f"not a JSON object: {error}"
        raise Unreadable(message) from None


def dump_json(document: Document, indent: int) -> str:
    """An object, a line each value."""
    return f"{msgspec.json.format(msgspec.json.encode(document), indent=indent).decode()}\n"


def by_name(_key: str, entry: Mapping[str, Any]) -> str:
    """What tells an entry of a list from the others."""
    return str(entry.get("name", ""))


@dataclass(frozen=True, kw_only=True)
class Keyed:
    """How a product writes its document."""

    load: Callable[[str], Document] = load_json
    dump: Callable[[Document, int], str] = dump_json
    """(document, spaces a level)."""
    step: int = 4
    frame: tuple[int, int] = (1, 1)
    """Printed lines before and behind the keys of the first level: the braces of JSON."""
    names: Callable[[str, Mapping[str, Any]], str] = by_name
    """(key of the list, entry) to what tells the entry from the others; empty: all of it."""
    label: Callable[[str], str] = str
    """A key as the table has it: without the name of a module."""

    def plain(self, text: str) -> str:
        """A value a line: numbers of lines are those of this form."""
        return self.dump(self.load(text), self.step)

    def pieces(self, text: str) -> dict[str, Piece]:
        """What stands below each key of the first level; of an object there, what stands below each of its keys."""
        found: dict[str, Piece] = {}
        number = 1 + self.frame[0]
        for key, value in self.load(text).items():
            if not isinstance(value, dict) or not value:
                found.update(self._split(key, value, number, ()))
                number += height(value)
                continue
            number += 1
            for name, row in value.items():
                found.update(self._split(name, row, number, (self.label(key),)))
                number += height(row)
            number += self.frame[1]
        return found

    def _split(
        self, key: str, value: Any, number: int, above: tuple[str, ...]
    ) -> Iterator[tuple[str, Piece]]:
        """A piece; of a list of objects one for each."""
        label = self.label(key)
        if not _is_list(value):
            yield "\n".join((*above, label)), Piece(key, value, number, above)
            return
        for entry in value:
            yield "\n".join((*above, self._named(label, entry))), Piece(key, [entry], number, above)
            number += height(entry)

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece."""
        return list(self._lines(piece.header, piece.body, piece.number))

    def _lines(self, key: str, value: Any, number: int) -> Iterator[Line]:
        label = self.label(key)
        if isinstance(value, dict):
            yield Line(label, number, list(self._below(value, number + 1)), Raw(key, "object"))
        elif _is_list(value):
            for entry in value:
                below = list(self._below(entry, number + 2))
                yield Line(self._named(label, entry), number + 1, below, Raw(key, "entry"))
                number += height(entry)
        else:
            yield Line(f"{label} {said(value)}", number, [], Raw(key, "value", value))

    def _named(self, label: str, entry: Mapping[str, Any]) -> str:
        """An entry by what tells it from the others; one without a name is all that it says."""
        return f"{label} {self.names(label, entry) or said(entry)}"

    def _below(self, document: Mapping[str, Any], number: int) -> Iterator[Line]:
        for key, value in document.items():
            yield from self._lines(key, value, number)
            number += height(value)

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as the product would print it."""
        return self.dump(document(lines), self.step)

    def shown(self, lines: Iterable[Line], above: Sequence[str]) -> list[str]:
        """Lines of a tree as they stand in the text of the whole."""
        before, behind = self.frame
        printed = self.dump(document(lines), self.step).splitlines()
        margin = " " * (self.step * len(above))
        return [f"{margin}{line}" for line in printed[before : len(printed) - behind]]


def _is_list(value: Any) -> bool:
    """Whether a value is a list of objects."""
    return isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)


def said(value: Any) -> str:
    """A value as a word or words of a line."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return " ".join(value)
    return msgspec.json.encode(value).decode()


def height(value: Any) -> int:
    """Lines that a value takes, printed with its key."""
    if isinstance(value, dict):
        return 2 + sum(map(height, value.values())) if value else 1
    if isinstance(value, list):
        return 2 + sum(map(height, value)) if value else 1
    return 1


def document(lines: Iterable[Line]) -> Document:
    """The document that lines are made from."""
    made: Document = {}
    for line in lines:
        raw = line.raw if isinstance(line.raw, Raw) else _guessed(line)
        if raw.kind == "entry":
            made.setdefault(raw.key, []).append(document(line.below))
        elif raw.kind == "object":
            made[raw.key] = document(line.below)
        else:
            made[raw.key] = raw.value
    return made


def _guessed(line: Line) -> Raw:
    """What a line is that no document had: a container, or a value as text."""
    key, is_value, value = line.text.partition(" ")
    return Raw(key, "value", value) if is_value and not line.below else Raw(line.text, "object")

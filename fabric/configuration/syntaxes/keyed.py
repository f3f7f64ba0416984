"""Documents of keys and values: JSON (SONiC's CONFIG_DB, SR Linux) and YAML (NVUE).

An object is a line with the lines of its keys below it, a value a line `mtu 9216`, an entry of a list of objects a line
`interface ethernet-1/1` named by what tells it from the others. A list of plain values is one value: `speeds 100000
200000`. What the text does not tell (whether a number was a string) is kept in `Line.raw`, and printed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fabric.configuration.foreign_secrets import ForeignSecrets
from fabric.configuration.syntaxes.json_documents import (
    BRACES,
    MAX_DEPTH,
    NOTHING,
    TOO_DEEP,
    Document,
    dump_json,
    height,
    is_list,
    load_json,
    not_too_deep,
)
from fabric.configuration.syntaxes.keyed_lines import Name, Raw, by_name, document, leaf_line, object_raw
from fabric.configuration.syntaxes.keyed_secrets import ValueMask
from fabric.configuration.syntaxes.quoting import said
from fabric.configuration.syntaxes.syntax import Piece, Unreadable, under
from fabric.configuration.tree import Line


class Place(NamedTuple):
    """Where an object stands: the keys above its own keys, and what the table calls them."""

    keys: tuple[str, ...]
    labels: tuple[str, ...]


class Body(NamedTuple):
    """What a piece holds: a key of an object, or some entries of one, below the keys of the objects around it."""

    above: tuple[str, ...]
    document: Document


@dataclass(frozen=True, kw_only=True)
class Keyed:
    """How a product writes its document."""

    load: Callable[[str], Document] = load_json
    dump: Callable[[Document, int], str] = dump_json
    """(document, spaces a level)."""
    step: int = 4
    frame: tuple[int, int] = BRACES
    """Lines that open and close an object or a list, beside that of its key."""
    names: Callable[[str, Mapping[str, Any]], Name | None] = by_name
    """(key of the list, entry) to what tells the entry from the others; None: all of it."""
    label: Callable[[str], str] = str
    """A key as the table has it: without the name of a module."""
    deep: frozenset[tuple[str, ...]] = frozenset()
    """Objects, by the labels above them and their own, of which every key is a piece: large ones."""
    is_by_path: bool = True

    def plain(self, text: str) -> str:
        """A value a line: numbers of lines are those of this form."""
        with not_too_deep():
            plain = self.dump(self.load(text), self.step)
        depth = plain.find(f"\n{' ' * (self.step * (MAX_DEPTH + 1))}")
        if depth >= 0:
            raise Unreadable(plain.count("\n", 0, depth) + 2, TOO_DEEP)
        return plain

    def without_secrets(self, text: str, secrets: ForeignSecrets, ours: str) -> str:
        """The document with values masked that may be secrets; those that the table knows, or ours has, stay."""
        document, mask = (
            self.load(text),
            ValueMask(secrets, self.label, lambda key, entry: self._named(key, entry)[0]),
        )
        with not_too_deep():
            masked = mask.masked(document)
            if masked != document and ours:
                masked = mask.keeping(self.load(ours)).masked(document)
        return text if masked == document else self.dump(masked, self.step)

    def pieces(self, text: str) -> dict[str, Piece]:
        """Each key of the first level; of an object there, and of one that is deep, each of its keys.

        Of a list of objects each entry is a piece.
        """
        pieces: dict[str, Piece] = {}
        with not_too_deep():
            self._divide(self.load(text), 1 + self.frame[0], Place((), ()), pieces)
        return pieces

    def unlike(self, old: str, new: str) -> tuple[dict[str, Piece], dict[str, Piece]]:
        """The pieces of two texts, without values that both have alike."""
        first, second = self.load(old), self.load(new)
        sides: tuple[dict[str, Piece], dict[str, Piece]] = {}, {}
        with not_too_deep():
            self._divide(first, 1 + self.frame[0], Place((), ()), sides[0], second)
            self._divide(second, 1 + self.frame[0], Place((), ()), sides[1], first)
        return sides

    def _divide(
        self,
        document: Document,
        number: int,
        place: Place,
        pieces: dict[str, Piece],
        other: Mapping[str, Any] = NOTHING,
    ) -> int:
        """Add the pieces of an object but for those of `other`; the number behind its last line comes back."""
        closing, before = self.frame[1], "".join(f"{label}\n" for label in place.labels)
        for key, value in document.items():
            if key in other and other[key] == value:
                number += height(value, self.frame)
                continue
            label = self.label(key)
            if is_list(value):
                number = self._divide_list(key, value, number + 1, place, pieces) + closing
                continue
            if isinstance(value, dict) and value and self._is_divided(place, label):
                beside = other.get(key)
                within = beside if isinstance(beside, dict) else NOTHING
                inside = Place((*place.keys, key), (*place.labels, label))
                number = self._divide(value, number + 1, inside, pieces, within) + closing
                continue
            header = label if value.__class__ is dict else f"{label} {said(value)}"
            body = Body(place.keys, {key: value})
            _add(pieces, before + label, Piece(header, body, number, place.labels))
            number += height(value, self.frame)
        return number

    def _is_divided(self, place: Place, label: str) -> bool:
        return not place.keys or (bool(self.deep) and (*place.labels, label) in self.deep)

    def _divide_list(
        self, key: str, entries: Sequence[Document], number: int, place: Place, pieces: dict[str, Piece]
    ) -> int:
        label, before = self.label(key), "".join(f"{label}\n" for label in place.labels)
        for entry in entries:
            name = self.names(label, entry)
            header = f"{label} {said(entry) if name is None else name.text}"
            piece = Piece(header, Body(place.keys, {key: [entry]}), number, place.labels)
            _add(pieces, before + header, piece)
            number += height(entry, self.frame) - 1 + self.frame[0] if entry else 1
        return number

    def whole(self, text: str, number: int = 0) -> list[Line]:
        """The tree of a text whose first line is the one behind `number`."""
        lines: list[Line] = []
        with not_too_deep():
            self._read(self.load(text), number + 1 + self.frame[0], lines, MAX_DEPTH)
        return lines

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece, below the lines above it."""
        lines: list[Line] = []
        keys, inside = piece.body
        is_entry = any(map(is_list, inside.values()))
        first = piece.number - 1 if is_entry else piece.number
        try:  # no context manager: it is asked of every piece
            self._read(inside, first, lines, MAX_DEPTH - len(keys))
        except RecursionError:
            raise Unreadable(first, TOO_DEEP) from None
        above = [Line(self.label(key), piece.number, [], object_raw(key)) for key in keys]
        return under(above, lines)

    def _read(
        self,
        document: Mapping[str, Any],
        number: int,
        lines: list[Line],
        room: int,
        named: Mapping[str, Any] = NOTHING,
    ) -> int:
        """Add the lines of an object but for its name; the number behind its last one comes back."""
        if not room:
            raise Unreadable(number, TOO_DEEP)
        opening, closing = self.frame
        for key, value in document.items():
            label = self.label(key)
            if value.__class__ is dict:
                below: list[Line] = []
                lines.append(Line(label, number, below, object_raw(key)))
                number = self._read(value, number + 1, below, room - 1) + closing if value else number + 1
            elif key in named:
                number += 1
            elif value.__class__ is not list:
                text, raw = leaf_line(self.label, key, value)
                lines.append(Line(text, number, [], raw))
                number += 1
            elif not is_list(value):
                lines.append(Line(f"{label} {said(value)}", number, [], Raw(key, "value", value)))
                number += height(value, self.frame)
            else:
                number += 1
                for entry in value:
                    below = []
                    text, name = self._named(label, entry)
                    lines.append(Line(text, number, below, Raw(key, "entry", name)))
                    inside = (
                        self._read(entry, number + opening, below, room - 1, name) if entry else number + 1
                    )
                    number = inside + closing if entry else inside
                number += closing
        return number

    def _named(self, label: str, entry: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """The line of an entry, and the values that it is made of. One without a name is all that it says."""
        name = self.names(label, entry)
        if name is None:
            return f"{label} {said(entry)}", NOTHING
        return f"{label} {name.text}", {key: entry[key] for key in name.keys}

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as the product would print it."""
        return self.dump(document(lines, self.label), self.step)

    def shown(self, lines: Iterable[Line], above: Sequence[str]) -> list[str]:
        """Lines of a tree as they stand in the text of the whole."""
        before, behind = self.frame
        printed = self.written(lines).removesuffix("\n").split("\n")
        margin = " " * (self.step * len(above))
        return [f"{margin}{line}" for line in printed[before : len(printed) - behind]]


def _add(pieces: dict[str, Piece], key: str, piece: Piece) -> None:
    """A piece; with what is known of its key already: in another spelling, or in an entry of the same name."""
    known = pieces.get(key)
    if known is not None:
        first, second = known.body.document, piece.body.document
        both = {**first, **second}
        for name in first.keys() & second.keys():
            if is_list(first[name]) and is_list(second[name]):
                both[name] = first[name] + second[name]
        piece = known._replace(body=known.body._replace(document=both))
    pieces[key] = piece

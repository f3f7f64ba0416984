"""Documents of keys and values: JSON (SONiC's CONFIG_DB, SR Linux) and YAML (NVUE).

An object is a line with the lines of its keys below it, a value a line `mtu 9216`, an entry of a list of objects a line
`interface ethernet-1/1` named by what tells it from the others. A list of plain values is one value: `speeds 100000
200000`. What the text does not tell (whether a number was a string) is kept in `Line.raw`, and printed again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec

from fabric.configuration.foreign_secrets import ForeignSecrets, has_documents, is_suspect, names_secret
from fabric.configuration.statements import Section
from fabric.configuration.syntaxes.quoting import said
from fabric.configuration.syntaxes.syntax import Piece, Unreadable, under
from fabric.configuration.tree import MASK, Line

Document = dict[str, Any]
CONTAINERS = (dict, list)
NOTHING: Mapping[str, Any] = {}
MAX_DEPTH = 100
"""Levels of a document. No product has as many, and a deeper one would end in the interpreter's own limit."""
TOO_DEEP = f"more than {MAX_DEPTH} levels"
BRACES = (1, 1)
"""Lines that open and close an object or a list of JSON, beside that of its key."""
BYTE = re.compile(r"\(byte (\d+)\)")


class Place(NamedTuple):
    """Where an object stands: the keys above its own keys, and what the table calls them."""

    keys: tuple[str, ...]
    labels: tuple[str, ...]


class Body(NamedTuple):
    """What a piece holds: a key of an object, or some entries of one, below the keys of the objects around it."""

    above: tuple[str, ...]
    document: Document


class Raw(NamedTuple):
    """What a line was in its document."""

    key: str
    kind: Literal["value", "object", "entry"]
    value: Any = None
    """Of an entry, the values that name it."""


@lru_cache(maxsize=4096)
def _object(key: str) -> Raw:
    return Raw(key, "object")


@lru_cache(maxsize=16384, typed=True)
def _leaf(label: Callable[[str], str], key: str, value: Any) -> tuple[str, Raw]:
    """The line of a value that is no list. Most are alike on all ports and switches."""
    return f"{label(key)} {said(value)}", Raw(key, "value", value)


def load_json(text: str) -> Document:
    """A JSON object. `Unreadable` if the text is none; an empty text is an empty object."""
    if not text.strip():
        return {}
    try:
        return msgspec.json.decode(text, type=Document)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise unreadable_json(text, error) from None


def unreadable_json(text: str, error: Exception) -> Unreadable:
    """Where and why a text is no JSON object, from what its decoder says."""
    at = BYTE.search(str(error))
    if at is not None:
        number = text.encode(errors="surrogatepass")[: int(at[1])].count(b"\n") + 1
    else:
        number = text.rstrip().count("\n") + 1 if "truncated" in str(error) else 1
    return Unreadable(number, f"not a JSON object: {BYTE.sub('', str(error)).strip()}")


def dump_json(document: Document, indent: int) -> str:
    """An object, a line each value."""
    return f"{msgspec.json.format(msgspec.json.encode(document), indent=indent).decode()}\n"


class Name(NamedTuple):
    """What tells an entry of a list from the others."""

    text: str
    keys: tuple[str, ...]
    """The values that it is made of: they are the line of the entry, and no lines of their own."""


def by_name(_key: str, entry: Mapping[str, Any]) -> Name | None:
    """By its `name`."""
    name = entry.get("name")
    return Name(said(name), ("name",)) if isinstance(name, str) and name else None


@contextmanager
def _not_too_deep() -> Iterator[None]:
    """A document that even the interpreter finds too deep is `Unreadable`."""
    try:
        yield
    except RecursionError:
        raise Unreadable(1, TOO_DEEP) from None


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
        with _not_too_deep():
            plain = self.dump(self.load(text), self.step)
        depth = plain.find(f"\n{' ' * (self.step * (MAX_DEPTH + 1))}")
        if depth >= 0:
            raise Unreadable(plain.count("\n", 0, depth) + 2, TOO_DEEP)
        return plain

    def without_secrets(self, text: str, secrets: ForeignSecrets, ours: str) -> str:
        """The document with values masked that may be secrets; those that the table knows, or ours has, stay."""
        document, own = self.load(text), frozenset[tuple[str, str]]()
        with _not_too_deep():
            masked = self._hidden(document, secrets, secrets.top, own)
            if masked != document and ours:
                own = frozenset(_values(self.load(ours)))
                masked = self._hidden(document, secrets, secrets.top, own)
        return text if masked == document else self.dump(masked, self.step)

    def _hidden(
        self,
        document: Document,
        secrets: ForeignSecrets,
        section: Section | None,
        own: frozenset[tuple[str, str]],
        *,
        is_below: bool = False,
    ) -> Document:
        """A document without secrets. `own` are keys and values of ours; `is_below`: a key above says `secret`."""
        masked: Document = {}
        for key, value in document.items():
            label = self.label(key)
            if value.__class__ is dict or has_documents(value):
                entries = [value] if value.__class__ is dict else value
                inside = []
                for entry in entries:
                    line = label if value.__class__ is dict else self._named(label, entry)[0]
                    is_known, below = secrets.inside(line, section)
                    is_secret = is_below or (names_secret(key) and not is_known)
                    inside.append(self._hidden(entry, secrets, below, own, is_below=is_secret))
                masked[key] = inside[0] if value.__class__ is dict else inside
            elif (
                is_suspect(key, value, is_below=is_below)
                and not secrets.inside(f"{label} {said(value)}", section)[0]
                and (key, said(value)) not in own
            ):
                masked[key] = [MASK for _ in value] if value.__class__ is list else MASK
            else:
                masked[key] = value
        return masked

    def pieces(self, text: str) -> dict[str, Piece]:
        """Each key of the first level; of an object there, and of one that is deep, each of its keys.

        Of a list of objects each entry is a piece.
        """
        pieces: dict[str, Piece] = {}
        with _not_too_deep():
            self._divide(self.load(text), 1 + self.frame[0], Place((), ()), pieces)
        return pieces

    def unlike(self, old: str, new: str) -> tuple[dict[str, Piece], dict[str, Piece]]:
        """The pieces of two texts, without values that both have alike."""
        first, second = self.load(old), self.load(new)
        sides: tuple[dict[str, Piece], dict[str, Piece]] = {}, {}
        with _not_too_deep():
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
            if _is_list(value):
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
        with _not_too_deep():
            self._read(self.load(text), number + 1 + self.frame[0], lines, MAX_DEPTH)
        return lines

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece, below the lines above it."""
        lines: list[Line] = []
        keys, inside = piece.body
        is_entry = any(map(_is_list, inside.values()))
        first = piece.number - 1 if is_entry else piece.number
        try:  # no context manager: it is asked of every piece
            self._read(inside, first, lines, MAX_DEPTH - len(keys))
        except RecursionError:
            raise Unreadable(first, TOO_DEEP) from None
        above = [Line(self.label(key), piece.number, [], _object(key)) for key in keys]
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
                lines.append(Line(label, number, below, _object(key)))
                number = self._read(value, number + 1, below, room - 1) + closing if value else number + 1
            elif key in named:
                number += 1
            elif value.__class__ is not list:
                text, raw = _leaf(self.label, key, value)
                lines.append(Line(text, number, [], raw))
                number += 1
            elif not _is_list(value):
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


def _values(document: Any) -> Iterator[tuple[str, str]]:
    """Key and value, as a line has it, of each value of a document."""
    for key, value in document.items():
        inside = value if isinstance(value, list) else [value]
        if any(isinstance(entry, dict) for entry in inside):
            for entry in inside:
                yield from _values(entry) if isinstance(entry, dict) else ()
        else:
            yield key, said(value)


def _is_list(value: Any) -> bool:
    """Whether a value is a list of objects."""
    return value.__class__ is list and set(map(type, value)) == {dict}


def _add(pieces: dict[str, Piece], key: str, piece: Piece) -> None:
    """A piece; with what is known of its key already: in another spelling, or in an entry of the same name."""
    known = pieces.get(key)
    if known is not None:
        first, second = known.body.document, piece.body.document
        both = {**first, **second}
        for name in first.keys() & second.keys():
            if _is_list(first[name]) and _is_list(second[name]):
                both[name] = first[name] + second[name]
        piece = known._replace(body=known.body._replace(document=both))
    pieces[key] = piece


def height(value: Any, frame: tuple[int, int] = BRACES) -> int:
    """Lines that a value takes, printed with its key."""
    if value.__class__ not in CONTAINERS or not value:
        return 1
    if frame[0] == 1:  # counted in C: it is asked of every piece of a text
        shown = msgspec.json.format(msgspec.json.encode(value), indent=1)
        closing = 0 if frame[1] else shown.count(b"{\n") + shown.count(b"[\n")
        return shown.count(b"\n") + 1 - closing
    if value.__class__ is dict:
        return 1 + sum(height(entry, frame) for entry in value.values()) + frame[1]
    of_entry = frame[0] - 1
    return (
        1
        + sum(
            height(entry, frame) + (of_entry if entry.__class__ in CONTAINERS and entry else 0)
            for entry in value
        )
        + frame[1]
    )


def document(lines: Iterable[Line], label: Callable[[str], str] = str) -> Document:
    """The document that lines are made from. Of a key in several spellings the fullest is kept."""
    content: Document = {}
    parts = [(line, line.raw if isinstance(line.raw, Raw) else _guessed(line)) for line in lines]
    lists: dict[str, list[Document]] = {}
    spelled = {label(raw.key): raw.key for _, raw in sorted(parts, key=lambda part: len(part[1].key))}
    for line, raw in parts:
        key = spelled[label(raw.key)]
        if raw.kind == "entry":
            content[key] = lists.setdefault(key, [])
            content[key].append({**(raw.value or {}), **document(line.below, label)})
        elif raw.kind == "object":
            content[key] = document(line.below, label)
        else:
            content[key] = raw.value
    return content


def _guessed(line: Line) -> Raw:
    """What a line is that no document had: a container, or a value as text."""
    key, is_value, value = line.text.partition(" ")
    return Raw(key, "value", value) if is_value and not line.below else Raw(line.text, "object")

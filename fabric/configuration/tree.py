"""A configuration as a tree: raw lines as a syntax reads them, and nodes as a product's table knows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from typing import Any

import msgspec

from fabric.configuration.statements import BELOW, LINE, Parts, Section, Statement

MASK = "<masked>"
"""Stands for a secret. Of two lines that are the same with their secrets masked neither is the other."""


class Line(msgspec.Struct, gc=False):
    """One line as it stands, without its indentation, and the lines below it."""

    text: str
    number: int = 0
    """In its text, from 1."""
    below: list[Line] = msgspec.field(default_factory=list)
    raw: Any = None
    """What its syntax needs to print it, if that is more than the text."""


class Node(msgspec.Struct, gc=False):
    """What one line sets, and what is set below it. Nodes of one place have different keys."""

    key: str
    """What it sets: the line without its values."""
    text: str
    """The whole line."""
    number: int
    statement: Statement | None
    """None: nobody knows the line, which is then its own key."""
    parts: Parts
    below: dict[str, Node]
    raw: Any = None
    """As of its line."""

    def line(self) -> Line:
        """As it is written."""
        return Line(self.text, self.number, [node.line() for node in self.below.values()], self.raw)

    @property
    def said(self) -> str:
        """The line with each value in the form that equal values share."""
        return self.parts.get(LINE, self.text)

    def is_same(self, other: Node) -> bool:
        """Whether both say the same. Order counts among lines whose statement says so."""
        if self.text != other.text and self.said != other.said:
            return False
        if self.below.keys() != other.below.keys():
            return False
        if not all(node.is_same(other.below[key]) for key, node in self.below.items()):
            return False
        return not self.has_order or in_order(self.below) == in_order(other.below)

    @property
    def has_order(self) -> bool:
        """Whether the order of some lines below it may count."""
        section = self.statement.below if self.statement is not None else None
        return section is not None and section.has_order


def every(nodes: Iterable[Node]) -> Iterator[Node]:
    """Each node, and all below it."""
    for node in nodes:
        yield node
        yield from every(node.below.values())


def in_order(nodes: Mapping[str, Node]) -> list[str]:
    """The keys whose order counts."""
    return [key for key, node in nodes.items() if node.statement is not None and node.statement.order_counts]


def nodes(lines: Iterable[Line], section: Section | None, *, defaults: bool = False) -> dict[str, Node]:
    """What lines of one place say, by key; lines that say a default only if asked for.

    Of two lines that set one thing the second holds, and what stands below both is joined, but for what must be once.
    """
    by_key: dict[str, Node] = {}
    below: dict[str, list[list[Line]]] = {}
    for line in lines:
        known = section.find(line.text) if section is not None else None
        if known is not None and known.is_one:  # most lines
            statement, (key, parts), _ = known
            is_again = statement.is_once and key in by_key
            if is_again or (key in by_key and MASK in key):
                key = _again(key, by_key)
            by_key[key] = Node(
                key, line.text, line.number, None if is_again else statement, parts, {}, line.raw
            )
            if line.below:
                below.setdefault(key, []).append(line.below)
            continue
        for name, node, inside in _understood(line, section):
            key = _again(name, by_key) if name in by_key and _stands_beside(name, node) else name
            by_key[key] = node if key == name else _beside(key, node)
            if inside:
                below.setdefault(key, []).append(inside)
    for key, several in below.items():
        inner = several[0] if len(several) == 1 else chain.from_iterable(several)
        by_key[key].below = _below(inner, by_key[key].statement, defaults=defaults)
    return by_key if defaults else _without_defaults(by_key, section)


def _stands_beside(name: str, node: Node) -> bool:
    """Whether a line is kept beside another one that sets the same thing, and does not take its place."""
    return MASK in name or (node.statement is not None and node.statement.is_once)


def _beside(key: str, node: Node) -> Node:
    is_once = node.statement is not None and node.statement.is_once
    return msgspec.structs.replace(node, key=key, statement=None if is_once else node.statement)


def _again(key: str, taken: Mapping[str, Node]) -> str:
    """What a line is called whose key another one has."""
    return next(name for number in count(2) if (name := f"{key} ({number})") not in taken)


def _understood(line: Line, section: Section | None) -> Iterator[tuple[str, Node, list[Line]]]:
    """A line by its key, with the lines below it; of a line of many settings, each."""
    known = section.find(line.text) if section is not None else None
    if section is None or known is None:
        yield line.text, Node(line.text, line.text, line.number, None, {}, {}, line.raw), line.below
        return
    statement, (key, parts), is_one = known
    if is_one:
        yield key, Node(key, line.text, line.number, statement, parts, {}, line.raw), line.below
    elif statement.expands is not None:
        for text in statement.expands(parts):
            if text in (line.text, parts[LINE]):
                yield key, Node(key, text, line.number, statement, parts, {}), line.below
            else:
                yield from _understood(Line(text, line.number, line.below), section)
    else:
        text = parts[LINE].removesuffix(f" {parts[BELOW]}")
        inside = [Line(parts[BELOW], line.number, line.below, line.raw)]
        yield key, Node(key, text, line.number, statement, {**parts, LINE: text}, {}), inside


def _below(lines: Iterable[Line], statement: Statement | None, *, defaults: bool) -> dict[str, Node]:
    if statement is not None and statement.is_free:
        return {f"{place:06}": _text(place, line) for place, line in enumerate(lines)}
    return nodes(lines, statement.below if statement is not None else None, defaults=defaults)


def _text(place: int, line: Line) -> Node:
    """A line of a text: it is what it is by its place."""
    below = {f"{at:06}": _text(at, child) for at, child in enumerate(line.below)}
    return Node(f"{place:06}", line.text, line.number, None, {}, below, line.raw)


def _without_defaults(by_key: dict[str, Node], section: Section | None) -> dict[str, Node]:
    if section is None:
        return by_key
    implied = {
        node.statement.implies for node in by_key.values() if node.statement and node.statement.implies
    }
    defaults = section.defaults | implied if implied else section.defaults
    kept = {key: node for key, node in by_key.items() if node.below or not _says_nothing(node, defaults)}
    return by_key if len(kept) == len(by_key) else kept


def _says_nothing(node: Node, defaults: frozenset[str] | set[str]) -> bool:
    """Whether a line without others below it says only what is so anyway."""
    statement = node.statement
    if statement is None or node.said in defaults:
        return node.said in defaults
    return is_absent(statement, node.parts)


def is_absent(statement: Statement, parts: Parts) -> bool:
    """Whether a line of a statement says only what is so anyway, where nothing stands below it."""
    return statement.empty_is_absent or (statement.is_default is not None and statement.is_default(parts))

"""Masked lines get their values back from a text that has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from fabric.configuration.dialect import Dialect
from fabric.configuration.tree import Node


class Refilled(msgspec.Struct, frozen=True):
    """A text with values in the place of masks. Never printed."""

    text: str
    values: tuple[str, ...]
    missing: tuple[str, ...] = ()
    """Masked lines that the source does not have; they stay masked."""

    def __repr__(self) -> str:
        return f"Refilled({len(self.values)} values, {len(self.missing)} missing)"


def refilled(dialect: Dialect, text: str, source: str, mask: str) -> Refilled:
    """Put the values of `source` where `text` has `mask`.

    A masked line takes the value of the line that sets the same thing at the same place of `source`. Where what is
    masked is the name of a thing, the n-th such line of a place takes the n-th there.
    """
    if mask not in text:
        return Refilled(text, ())
    known = dialect.tree(dialect.pieces(dialect.syntax.plain(source)).values(), defaults=True)
    values, missing = list[str](), list[str]()
    masked = dialect.tree(dialect.pieces(text).values(), defaults=True)
    filled = _filled(masked.values(), known, mask, (values, missing))
    return Refilled(dialect.written(filled), tuple(values), tuple(missing))


def _filled(
    masked: Iterable[Node], known: Mapping[str, Node], mask: str, results: tuple[list[str], list[str]]
) -> list[Node]:
    """The nodes of one place, with their values."""
    values, missing = results
    filled, seen = list[Node](), Counter[str]()
    for node in masked:
        is_masked = mask in node.text
        source = _source(node, known, mask, seen[node.text]) if is_masked else known.get(node.key)
        if is_masked:
            seen[node.text] += 1
            match = None if source is None else _pattern(node.text, mask).fullmatch(source.text)
            values += match.groups() if match else ()
            missing += [] if match else [node.text]
            source = source if match else None
        below = _filled(node.below.values(), source.below if source else {}, mask, results)
        shown = source if is_masked and source else node
        filled.append(
            msgspec.structs.replace(
                node, text=shown.text, raw=shown.raw, below=dict(zip(node.below, below, strict=True))
            )
        )
    return filled


def _source(node: Node, known: Mapping[str, Node], mask: str, place: int) -> Node | None:
    """The node that a masked one was made from."""
    if mask not in node.key:
        return known.get(node.key)
    pattern = _pattern(node.text, mask)
    alike = [
        candidate
        for candidate in known.values()
        if candidate.statement is node.statement and pattern.fullmatch(candidate.text)
    ]
    return alike[place] if place < len(alike) else None


def _pattern(line: str, mask: str) -> re.Pattern[str]:
    return re.compile(r"(\S.*?)".join(map(re.escape, line.split(mask))))

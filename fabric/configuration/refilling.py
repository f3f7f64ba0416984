"""Masked lines get their values back from a text that has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from fabric.configuration.dialect import Dialect
from fabric.configuration.outline import Outline
from fabric.configuration.same_places import same_places
from fabric.configuration.sections import opened, setting, written
from fabric.configuration.syntaxes.syntax import Piece
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

    A masked line takes the value of the line that sets the same thing at the same place of `source`, or that line whole
    where a mask takes more away than values: what a key was made for. Where what is masked is the name of a thing, the
    n-th such line of a place takes the n-th there.
    """
    if mask not in text:
        return Refilled(text, ())
    if (filled := _in_place(dialect, text, source, mask)) is not None:
        return filled
    plain = dialect.syntax.plain
    both = dialect.pieces(plain(text)), dialect.pieces(plain(source))
    return (
        _by_keys(dialect, *both, mask) or _in_sections(dialect, *both, mask) or _in_all(dialect, *both, mask)
    )


def _in_place(dialect: Dialect, text: str, source: str, mask: str) -> Refilled | None:
    """The same, where each masked line stands in the masked source in the same words; None where one does not."""
    plain, known = dialect.syntax.plain(text), dialect.syntax.plain(dialect.lasting(source)).split("\n")
    shown, lines = dialect.plain(source), plain.split("\n")
    numbers = [number for number, line in enumerate(lines) if mask in line]
    found = same_places(dialect, plain, numbers, shown) if shown.count("\n") + 1 == len(known) else None
    if found is None:
        return None
    values: list[str] = []
    for number, at in found.items():
        several = _values(dialect, lines[number].strip(), known[at].strip(), mask)
        if several is None:
            return None
        values += several
        lines[number] = known[at]
    return Refilled("\n".join(lines), tuple(values))


def _in_all(dialect: Dialect, masked: Mapping[str, Piece], known: Mapping[str, Piece], mask: str) -> Refilled:
    """The same, with both texts read from end to end."""
    values, missing = list[str](), list[str]()
    texts = (dialect.tree(pieces.values(), defaults=True) for pieces in (masked, known))
    filled = _filled(dialect, (next(texts).values(), next(texts)), mask, (values, missing))
    return Refilled(dialect.written(filled), tuple(values), tuple(missing))


def _by_keys(
    dialect: Dialect, masked: Mapping[str, Piece], known: Mapping[str, Piece], mask: str
) -> Refilled | None:
    """The same, with nothing else looked at than the sections that have a mask; None where one hides its key."""
    several = opened(dialect, masked, lambda piece: mask in piece.header or mask in piece.body)
    if several is None or any(mask in key for nodes in several.values() for key in nodes):
        return None
    theirs = setting(dialect, known, {key for nodes in several.values() for key in nodes})
    values, missing = list[str](), list[str]()
    filled = {
        key: _filled(dialect, (nodes.values(), theirs), mask, (values, missing))
        for key, nodes in several.items()
    }
    return Refilled(written(dialect, masked, filled), tuple(values), tuple(missing))


def _in_sections(
    dialect: Dialect, masked: Mapping[str, Piece], known: Mapping[str, Piece], mask: str
) -> Refilled | None:
    """The same, with only those sections read that have a mask; None if more has to be known."""
    ours = Outline.of(dialect, masked, lambda _, piece: mask in piece.header or mask in piece.body)
    if ours is None:
        return None
    open_ones = [node for node in ours.nodes.values() if node.key not in ours.unread or mask in node.text]
    if any(mask in node.key and node.below for node in open_ones):
        return None  # one of several sections is to be found by its place
    keys = {node.key for node in open_ones}
    theirs = Outline.of(dialect, known, lambda key, _: key in keys)
    if theirs is None:
        return None
    values, missing = list[str](), list[str]()
    filled = {node.key: node for node in _filled(dialect, (open_ones, theirs.nodes), mask, (values, missing))}
    text = ours.written(dialect, (filled.get(key, node) for key, node in ours.nodes.items()))
    return Refilled(text, tuple(values), tuple(missing))


def _filled(
    dialect: Dialect,
    place: tuple[Iterable[Node], Mapping[str, Node]],
    mask: str,
    results: tuple[list[str], list[str]],
) -> list[Node]:
    """The masked nodes of one place, with the values of those that are known there."""
    (masked, known), (values, missing) = place, results
    filled, seen = list[Node](), Counter[str]()
    for node in masked:
        is_masked = mask in node.text
        source = _source(node, known, mask, seen[node.text]) if is_masked else known.get(node.key)
        if is_masked:
            seen[node.text] += 1
            found = None if source is None else _values(dialect, node.text, source.text, mask)
            values += found or ()
            missing += [node.text] if found is None else []
            source = None if found is None else source
        below = _filled(dialect, (node.below.values(), source.below if source else {}), mask, results)
        shown = source if is_masked and source else node
        filled.append(
            msgspec.structs.replace(
                node, text=shown.text, raw=shown.raw, below=dict(zip(node.below, below, strict=True))
            )
        )
    return filled


def _values(dialect: Dialect, masked: str, line: str, mask: str) -> tuple[str, ...] | None:
    """What a line has where it is masked; None if it is another line."""
    if match := _pattern(masked, mask).fullmatch(line):
        return match.groups()
    if masked in (dialect.mask(line).strip(), dialect.mask(f" {line}").strip()):
        return tuple(word for word in line.split() if word not in masked.split())
    return None


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

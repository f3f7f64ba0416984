"""Two configurations compared: which settings differ, and a unified diff of them.

Pieces whose text is equal say the same and are not read. Order does not count: a setting is found by what it sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from typing import Literal, NamedTuple

import msgspec

from fabric.configuration.dialect import Dialect
from fabric.configuration.syntax import Piece
from fabric.configuration.tree import Node

CONTEXT = 3
"""Unchanged lines around a change."""


class Change(msgspec.Struct, frozen=True):
    """A piece that differs, or the single lines of one topic."""

    what: str
    """`interface Ethernet1/1`, `ntp`."""
    old: tuple[Node, ...]
    """Empty where it is new."""
    new: tuple[Node, ...]
    """Empty where it is gone."""

    @property
    def action(self) -> Literal["+", "-", "~"]:
        """The printed sign."""
        if not self.old:
            return "+"
        return "~" if self.new else "-"


class Difference(NamedTuple):
    """One line that differs, with the lines above it."""

    above: tuple[Node, ...]
    old: Node | None
    new: Node | None

    @property
    def node(self) -> Node:
        """As it was; where it was not, as it will be."""
        node = self.old or self.new
        assert node is not None  # noqa: S101  # one of them is there, or nothing differs
        return node


class Comparison(msgspec.Struct, frozen=True):
    """What differs between two texts, and the unified diff of it."""

    changes: tuple[Change, ...] = ()
    diff: str = ""


def compare(
    dialect: Dialect, name: str, old: str, new: str, *, labels: tuple[str, str] = ("running", "intended")
) -> Comparison:
    """Compare two masked texts of a device."""
    if old == new:
        return Comparison()
    before, after = dialect.pieces(old), dialect.pieces(new)
    was = dialect.tree(piece for header, piece in before.items() if _body(after, header) != piece.body)
    will = dialect.tree(piece for header, piece in after.items() if _body(before, header) != piece.body)
    changes = tuple(_changes(was, will))
    if not changes:
        return Comparison()
    headers = (f"--- {name} {labels[0]}\n", f"+++ {name} {labels[1]}\n")
    return Comparison(
        changes, "".join((*headers, *(line for change in changes for line in _hunks(dialect, change))))
    )


def _body(pieces: Mapping[str, Piece], header: str) -> str | None:
    piece = pieces.get(header)
    return None if piece is None else piece.body


def _changes(was: Mapping[str, Node], will: Mapping[str, Node]) -> Iterator[Change]:
    """What differs, in the order of the new text; what is gone stands where it was."""
    topics: dict[str, tuple[list[Node], list[Node]]] = {}
    for key in merged_order(was, will):
        old, new = was.get(key), will.get(key)
        if old is not None and new is not None and old.is_same(new):
            continue
        sides = topics.setdefault(_topic(new or old, key), ([], []))
        for side, node in zip(sides, (old, new), strict=True):
            if node is not None:
                side.append(node)
    for what, (gone, come) in topics.items():
        yield Change(what, tuple(gone), tuple(come))


def _topic(node: Node | None, key: str) -> str:
    return node.statement.topic or key if node is not None and node.statement is not None else key


def merged_order(first: Iterable[str], second: Iterable[str]) -> list[str]:
    """The keys of `second` in their order, each key of `first` alone after the one it followed there."""
    wanted = dict.fromkeys(second)
    after: dict[str | None, list[str]] = {}
    previous: str | None = None
    for key in first:
        if key in wanted:
            previous = key
        else:
            after.setdefault(previous, []).append(key)
    order = after.get(None, [])
    for key in wanted:
        order.append(key)
        order.extend(after.get(key, ()))
    return order


def differences(change: Change) -> Iterator[Difference]:
    """The lines that differ in a change."""
    yield from _below((), {node.key: node for node in change.old}, {node.key: node for node in change.new})


def _below(above: tuple[Node, ...], old: Mapping[str, Node], new: Mapping[str, Node]) -> Iterator[Difference]:
    for key in merged_order(old, new):
        was, will = old.get(key), new.get(key)
        if was is None or will is None or was.text != will.text:
            yield Difference(above, was, will)
        if was is not None or will is not None:
            node = will or was
            yield from _below((*above, node), was.below if was else {}, will.below if will else {})  # type: ignore[arg-type]


def _hunks(dialect: Dialect, change: Change) -> Iterator[str]:
    """The hunks of one change, at the lines where it stands; what it is stands behind the numbers, as in git."""
    old, new = (dialect.written(side).splitlines(keepends=True) for side in (aligned(change), change.new))
    at = [min((node.number for node in side), default=1) - 1 for side in (change.old, change.new)]
    for line in list(unified_diff(old, new, n=CONTEXT))[2:]:
        yield _moved(line, change.what, *at) if line.startswith("@@ ") else line


def aligned(change: Change) -> list[Node]:
    """The old nodes of a change in the order of the new ones: a diff shows what differs, not what has moved."""
    return _aligned({node.key: node for node in change.old}, {node.key: node for node in change.new})


def _aligned(old: Mapping[str, Node], new: Mapping[str, Node]) -> list[Node]:
    found = []
    for key in merged_order(old, new):
        if (node := old.get(key)) is not None:
            beside = new[key].below if key in new else {}
            below = {child.key: child for child in _aligned(node.below, beside)}
            found.append(msgspec.structs.replace(node, below=below))
    return found


def _moved(header: str, what: str, old_at: int, new_at: int) -> str:
    _, old, new, _ = header.split()
    return f"@@ -{_shifted(old[1:], old_at)} +{_shifted(new[1:], new_at)} @@ {what}\n"


def _shifted(numbers: str, by: int) -> str:
    start, comma, count = numbers.partition(",")
    return f"{int(start) + by}{comma}{count}"

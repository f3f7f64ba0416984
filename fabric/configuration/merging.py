"""Ours and theirs in one configuration: what others have set is carried along, what we have set is ours.

Three-way: a setting of the device that is neither ours now nor was ours last time is foreign. Foreign single lines
stand before ours, foreign sections behind them; where their order counts, each behind the line that it followed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from fabric.configuration.comparison import merged_order
from fabric.configuration.dialect import Dialect
from fabric.configuration.outline import Outline
from fabric.configuration.sections import setting
from fabric.configuration.syntaxes.syntax import Piece, Sectioned
from fabric.configuration.tree import Node, in_order


class Foreign(NamedTuple):
    """A setting of others, with all that stands below it."""

    node: Node
    above: tuple[Node, ...]
    """The settings of ours that it stands in, from the first level down."""
    beside: Mapping[str, Node]
    """The settings of ours at the same place."""


class Merged(msgspec.Struct, frozen=True):
    """A configuration with what is foreign in it."""

    text: str
    foreign: tuple[Foreign, ...] = ()
    """Empty: the text is ours as it was."""

    @property
    def kept(self) -> tuple[str, ...]:
        """The foreign lines."""
        return kept_lines(self.foreign)


def merge(dialect: Dialect, ours: str, theirs: str, applied: str | None) -> Merged:
    """Our text with what is foreign in the device's, `theirs`. `applied` is what we put there last; None: nothing."""
    found, written = _merged(dialect, ours, theirs, applied)
    return Merged(written(), found) if found else Merged(ours)


def foreign(dialect: Dialect, ours: str, theirs: str, applied: str | None) -> tuple[Foreign, ...]:
    """What is foreign, for whom the text is not needed."""
    return _merged(dialect, ours, theirs, applied)[0]


def kept_lines(settings: Iterable[Foreign]) -> tuple[str, ...]:
    """The lines of foreign settings."""
    return tuple(line for setting in settings for line in _lines(setting.node))


def _merged(
    dialect: Dialect, ours: str, theirs: str, applied: str | None
) -> tuple[tuple[Foreign, ...], Callable[[], str]]:
    """What is foreign, and what writes our text with it."""
    if not theirs:
        return (), lambda: ours
    plain = dialect.syntax.plain  # a comment of ours makes no piece unlike
    intended, running = dialect.pieces(plain(ours)), dialect.pieces(theirs)
    before = intended if applied == ours else dialect.pieces(plain(applied)) if applied is not None else {}
    unlike = dialect.saying_else(dialect.saying_else(running, intended), before)
    theirs_read = dialect.tree(unlike.values())
    if not theirs_read:
        return (), lambda: ours
    # What we put there last and want still says nothing that ours does not.
    last = _setting(dialect, _unlike(before, intended), theirs_read)
    kept: list[Foreign] = []
    if (outline := Outline.of(dialect, intended, lambda key, _: key in theirs_read)) is not None:
        merged = _joined(outline.nodes, theirs_read, last, kept)
        return tuple(kept), lambda: outline.written(dialect, merged.values())
    joined: dict[str, Node] = {}
    for own in (_unlike(intended, running), intended):
        # The first time few pieces are read. With less of ours more looks foreign, so if nothing does, nothing is.
        kept = []
        joined = _joined(dialect.tree(own.values(), defaults=True), theirs_read, last, kept)
        if not kept:
            break
    return tuple(kept), lambda: dialect.worded(joined.values(), ours)


def _setting(dialect: Dialect, pieces: Mapping[str, Piece], keys: Container[str]) -> dict[str, Node]:
    """What pieces say; those may be left out that set nothing of these keys."""
    if isinstance(dialect.syntax, Sectioned):
        return setting(dialect, pieces, keys)
    return dialect.tree(pieces.values(), defaults=True)


def _unlike(pieces: Mapping[str, Piece], others: Mapping[str, Piece]) -> dict[str, Piece]:
    """The pieces that say something else than the others do."""
    return {
        key: piece for key, piece in pieces.items() if key not in others or others[key].body != piece.body
    }


def _joined(
    ours: Mapping[str, Node],
    theirs: Mapping[str, Node],
    before: Mapping[str, Node],
    kept: list[Foreign],
    above: tuple[Node, ...] = (),
) -> dict[str, Node]:
    """The settings of one place."""
    foreign: dict[str, Node] = {}
    own = dict(ours)
    for key, node in theirs.items():
        mine, was = own.get(key), before.get(key)
        if mine is None and was is None:
            foreign[key] = node
            kept.append(Foreign(node, above, ours))
        elif mine is not None and node.below and not has_one_owner(mine):
            below = _joined(mine.below, node.below, was.below if was else {}, kept, (*above, mine))
            own[key] = msgspec.structs.replace(mine, below=below)
    single = {key: node for key, node in foreign.items() if not node.below}
    joined = single | own | {key: node for key, node in foreign.items() if node.below}
    if not in_order(foreign):
        return joined
    order = merged_order((key for key in theirs if key in joined), own)
    return {key: joined[key] for key in order}


def has_one_owner(node: Node) -> bool:
    """Whether what stands below a line is a text, or says something only as a whole."""
    return node.statement is not None and (node.statement.is_free or node.statement.finish is not None)


def _lines(node: Node) -> Iterator[str]:
    yield node.text
    for below in node.below.values():
        yield from _lines(below)

"""Some lines of a configuration put in the words of another one; all others stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from fabric.configuration.dialect import Dialect
from fabric.configuration.sections import opened, written
from fabric.configuration.syntaxes.syntax import Piece
from fabric.configuration.tree import Node

Path = tuple[str, ...]
"""The keys of a line and of those above it, from the first level down."""


def with_lines(
    dialect: Dialect, text: str, lines: Mapping[Path, Node], may_hold: Callable[[Piece], bool]
) -> str:
    """A text with some of its lines as the nodes of another text have them, whatever stands below them.

    `may_hold`: whether a section may have one of them; the others stay in their own words where the syntax has any.
    """
    pieces = dialect.pieces(dialect.syntax.plain(text))
    several = opened(dialect, pieces, may_hold)
    if several is None:
        tree = dialect.tree(pieces.values(), defaults=True)
        return dialect.worded(_replaced(tree.values(), lines, ()), text)
    return written(
        dialect, pieces, {key: _replaced(nodes.values(), lines, ()) for key, nodes in several.items()}
    )


def _replaced(nodes: Iterable[Node], lines: Mapping[Path, Node], above: Path) -> Iterator[Node]:
    for node in nodes:
        path = (*above, node.key)
        shown = lines.get(path, node)
        below = dict(zip(node.below, _replaced(node.below.values(), lines, path), strict=True))
        yield msgspec.structs.replace(node, text=shown.text, raw=shown.raw, below=below)

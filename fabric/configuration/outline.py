"""A configuration of which only those sections are read that something is to be done with.

Most sections of a device are neither merged nor filled: that they are there is known by their headers, and they are
printed in their own words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Self

from fabric.configuration.dialect import Dialect
from fabric.configuration.syntaxes.syntax import Piece, Sectioned
from fabric.configuration.tree import Node


class Outline(NamedTuple):
    """What stands on the first level of a configuration."""

    nodes: dict[str, Node]
    """By key, in the order of the text; defaults too."""
    unread: dict[str, Piece]
    """By key: those of which only the header was read, so that nothing stands below their nodes."""

    @classmethod
    def of(
        cls, dialect: Dialect, pieces: Mapping[str, Piece], is_wanted: Callable[[str, Piece], bool]
    ) -> Self | None:
        """The outline of pieces, with all that stands below those that are wanted, by key and piece.

        None if the syntax has no sections, or several pieces say something of one key: then all of them are to be read.
        """
        if not isinstance(dialect.syntax, Sectioned):
            return None
        nodes: dict[str, Node] = {}
        unread: dict[str, Piece] = {}
        for piece in pieces.values():
            node = _header(dialect, piece)
            if node is not None and (not piece.body or not is_wanted(node.key, piece)):
                several: Mapping[str, Node] = {node.key: node}
                unread[node.key] = piece
            else:
                several = dialect.tree((piece,), defaults=True)
            if not nodes.keys().isdisjoint(several):
                return None
            nodes.update(several)
        return cls(nodes, unread)

    def written(self, dialect: Dialect, nodes: Iterable[Node]) -> str:
        """Nodes as the product would print them; those of this outline that were not read in their own words."""
        assert isinstance(dialect.syntax, Sectioned)  # noqa: S101  # or there would be no outline
        return dialect.syntax.joined(
            self.unread[node.key]
            if self.nodes.get(node.key) is node and node.key in self.unread
            else node.line()
            for node in nodes
        )


def _header(dialect: Dialect, piece: Piece) -> Node | None:
    """The node of a piece without what stands below it; None if its header says several things."""
    known = dialect.top.find(piece.header)
    if known is None:
        return Node(piece.header, piece.header, piece.number, None, {}, {})
    if not known.is_one:
        return None
    statement, (key, parts), _ = known
    return Node(key, piece.header, piece.number, statement, parts, {})

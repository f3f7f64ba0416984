"""A few sections of a configuration read, and put back among the others, which stay in their own words."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping

from fabric.configuration.dialect import Dialect
from fabric.configuration.syntaxes.syntax import Piece, Sectioned
from fabric.configuration.tree import Node


def opened(
    dialect: Dialect, pieces: Mapping[str, Piece], is_wanted: Callable[[Piece], bool]
) -> dict[str, dict[str, Node]] | None:
    """What each piece says that is wanted, defaults too, by the keys of the pieces.

    None if the syntax has no sections, or two of them say something of one key: then all of them are to be read.
    """
    if not isinstance(dialect.syntax, Sectioned):
        return None
    several = {
        key: dialect.tree((piece,), defaults=True) for key, piece in pieces.items() if is_wanted(piece)
    }
    keys = [key for nodes in several.values() for key in nodes]
    return several if len(keys) == len(set(keys)) else None


def setting(dialect: Dialect, pieces: Mapping[str, Piece], keys: Container[str]) -> dict[str, Node]:
    """What the sections say that set one of these keys, or several things that nobody knows before they are read."""
    return dialect.tree((piece for piece in pieces.values() if _may_set(dialect, piece, keys)), defaults=True)


def _may_set(dialect: Dialect, piece: Piece, keys: Container[str]) -> bool:
    known = dialect.top.find(piece.header)
    return piece.header in keys if known is None else not known.is_one or known.line.key in keys


def written(dialect: Dialect, pieces: Mapping[str, Piece], nodes: Mapping[str, Iterable[Node]]) -> str:
    """The text of pieces, of which some are the nodes by their keys."""
    assert isinstance(dialect.syntax, Sectioned)  # noqa: S101  # or nothing would have been opened
    parts = (
        part
        for key, piece in pieces.items()
        for part in ((node.line() for node in nodes[key]) if key in nodes else (piece,))
    )
    return dialect.syntax.joined(parts)

"""What a syntax does: it divides a text into pieces, reads a piece as a tree, and prints a tree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from fabric.configuration.tree import Line


class Piece(NamedTuple):
    """A line of the first level with what stands below it, not yet read."""

    header: str
    body: str
    number: int
    """Of the header in its text, from 1."""


class Syntax(Protocol):
    """How trees are written. `lines(pieces(text))` and `written` are each other's inverse, but for comments."""

    def plain(self, text: str) -> str:
        """The text without comments and blank lines."""

    def pieces(self, text: str) -> list[Piece]:
        """The lines of the first level, each with what stands below it, in the order of the text."""

    def lines(self, piece: Piece) -> Line:
        """The tree of one piece."""

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as the product would print it."""

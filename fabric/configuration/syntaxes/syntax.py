"""What a syntax does: it divides a text into pieces, reads a piece as a tree, and prints a tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from fabric.configuration.tree import MASK, Line

LATEST_TEXTS = 96
"""Of so many texts it is remembered what they say: some of each device that is talked to at the same moment."""


class Piece(NamedTuple):
    """A line with what stands below it, not yet read."""

    header: str
    body: Any
    """Of the syntax that made it. Pieces of one place with equal bodies say the same."""
    number: int
    """Of the header in its text, from 1."""
    above: tuple[str, ...] = ()
    """The lines that it stands below, as its syntax has them; empty: it is of the first level."""


class Unreadable(ValueError):
    """A text that is not of its syntax. The message names line and cause."""

    def __init__(self, number: int, cause: str) -> None:
        super().__init__(f"line {number}: {cause}")
        self.number = number


def under(above: Sequence[Line], lines: list[Line]) -> list[Line]:
    """Lines below others, the outermost of which is the first."""
    for line in reversed(above):
        line.below, lines = lines, [line]
    return lines


def unmistakable(key: str, pieces: Mapping[str, Piece]) -> str:
    """A key for one more piece: another one only where a secret is masked that would tell it from the first."""
    if MASK not in key or key not in pieces:
        return key
    return next(name for number in count(2) if (name := f"{key}\n{number}") not in pieces)


class Syntax(Protocol):
    """How trees are written. Reading what `written` printed gives the same tree."""

    @property
    def is_by_path(self) -> bool:
        """Whether a line says something only behind those above it, and one with lines below nothing by itself."""

    def plain(self, text: str) -> str:
        """The text without comments and blank lines. `Unreadable`."""

    def pieces(self, text: str) -> dict[str, Piece]:
        """What stands in a text, in its order, by a key that is the same in every text. `Unreadable`."""

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece, below the lines above it. `Unreadable`."""

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as the product would print it."""

    def shown(self, lines: Iterable[Line], above: Sequence[str]) -> list[str]:
        """Lines of a tree as they stand in the text of the whole, below the lines `above`."""


@runtime_checkable
class Divided(Protocol):
    """A syntax that finds large parts alike before it makes pieces of them."""

    def unlike(self, old: str, new: str) -> tuple[dict[str, Piece], dict[str, Piece]]:
        """The pieces of two texts. Those that both have in the same words may be left out. `Unreadable`."""


def unlike(syntax: Syntax, old: str, new: str) -> tuple[dict[str, Piece], dict[str, Piece]]:
    """The pieces of two texts; without those that both have in the same words, where that is found out at once."""
    if isinstance(syntax, Divided):
        return syntax.unlike(old, new)
    return syntax.pieces(old), syntax.pieces(new)


@runtime_checkable
class Worded(Protocol):
    """A syntax in which parts of a text keep their words, whatever else is written anew."""

    def worded(self, text: str, ours: str) -> str:
        """A text that was written from a tree, parts of it that say what those of `ours` say in the words of these."""


@runtime_checkable
class Forgiving(Protocol):
    """A syntax that reads every text: none is `Unreadable`."""

    is_forgiving: ClassVar[bool]


@runtime_checkable
class Sectioned(Protocol):
    """A syntax whose pieces are one line of the first level each, with all that stands below it.

    So a piece that is neither compared nor changed need not be read: its header says what it sets.
    """

    def joined(self, parts: Iterable[Line | Piece]) -> str:
        """The text of lines, as `written` prints them, and of pieces in their own words."""

    def has_own_text(self, text: str) -> bool:
        """Whether a text has lines that are text of their own, as a banner is, and not of the syntax."""


@runtime_checkable
class Whole(Protocol):
    """A syntax that reads a text without dividing it first."""

    def whole(self, text: str, number: int = 0) -> list[Line]:
        """The tree of a text whose first line is the one behind `number`. `Unreadable`."""


def whole(syntax: Syntax, text: str, number: int = 0) -> list[Line]:
    """The tree of a text whose first line is the one behind `number`; of a line that comes again, each part."""
    if isinstance(syntax, Whole):
        return syntax.whole(text, number)
    pieces = syntax.pieces(text).values()
    return [line for piece in pieces for line in syntax.lines(piece._replace(number=piece.number + number))]

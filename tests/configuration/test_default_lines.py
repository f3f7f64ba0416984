"""Sections that differ in lines of defaults alone are found alike without being read, and no others are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fabric.configuration import Piece, Section, Statement
from fabric.configuration.default_lines import are_alike
from fabric.configuration.syntaxes.syntax import Sectioned
from fabric.configuration.tree import Node
from tests.configuration.dialects import EXAMPLES, PRODUCTS, dialect, printed

INNER = Section(Statement("[no] shutdown", default=("no shutdown",)))
SECTION = Section(
    Statement("[no] shutdown", default=("no shutdown",)),
    Statement("mtu {bytes}", default=("mtu 1500",)),
    Statement("switched", implies="trust all"),
    Statement("trust {what}"),
    Statement("peer <name>", below=INNER),
    Statement("description {text*}"),
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("   description x\n   no shutdown\n   mtu 9000", "   description x\n   mtu 9000"),
        ("   no shutdown\n   description x", "   description x"),
        ("   description x\n   mtu 1500\n   no shutdown", "   no shutdown\n   description x"),
    ],
)
def test_lines_of_defaults_make_no_difference(one: str, other: str) -> None:
    assert are_alike(one, other, SECTION)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("   shutdown\n   no shutdown", "   shutdown"),  # the second one holds
        ("   peer a\n      no shutdown", "   peer a"),  # of another place, where nobody has looked
        ("   switched\n   trust all", "   switched"),  # said by the line beside it alone
        ("   no shutdown\n      mtu 9000", "   mtu 9000"),  # it has a line below it
        ("   mtu 9000", "   mtu 1500"),
        ("   description x", "   description y"),
    ],
)
def test_nothing_else_is_passed_over(one: str, other: str) -> None:
    assert not are_alike(one, other, SECTION)


def _said(node: Node) -> tuple[str, ...]:
    return (node.said, *(line for below in node.below.values() for line in _said(below)))


def test_pieces_that_are_left_out_say_the_same() -> None:
    """Every section of every product against itself without one of its lines."""
    left_out = [
        line for name in PRODUCTS if isinstance(dialect(name).syntax, Sectioned) for line in _left_out(name)
    ]

    assert left_out  # the templates of some products write some
    assert [] == [line for line, is_same in left_out if not is_same]


def _left_out(name: str) -> Iterator[tuple[str, bool]]:
    """The lines without which a section counts as alike, and whether reading both says so."""
    known = dialect(name)
    texts = [text for feature in EXAMPLES for text in printed(name, feature)[:1]]
    pieces = {piece.body: piece for text in texts for piece in known.pieces(text).values()}
    for piece in pieces.values():
        lines = str(piece.body).split("\n")
        for at in range(len(lines) if len(lines) < 30 else 0):
            less: Piece = piece._replace(body="\n".join(lines[:at] + lines[at + 1 :]))
            if less.body != piece.body and not known.saying_else({"": piece}, {"": less}):
                one, other = ([*map(_said, known.tree([side]).values())] for side in (piece, less))
                yield lines[at], one == other

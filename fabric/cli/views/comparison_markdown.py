"""What differs between two states of a site as Markdown, for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabric.cli.views.comparison import VALUES, addition_counts, sign, written
from fabric.cli.views.moves import move_counts
from fabric.cli.views.plan_markdown import LIMIT, plain, plan_markdown
from fabric.documents.places import Sources
from fabric.operations.compare_sites import Comparison
from fabric.topology.resize import Move
from fabric.units import counted

MOST = 50
"""Rows of each list."""


def comparison_markdown(
    comparison: Comparison, text_of_digest: Callable[[str], str], sources: Sources
) -> str:
    """The comparison in at most `LIMIT` bytes: lists folded, then the plan that follows from it."""
    lists = "\n".join(_lists(comparison))
    head = f"{lists}\n\n" if lists else ""
    return head + plan_markdown(comparison.plan, text_of_digest, sources, limit=LIMIT - len(head.encode()))


def _lists(comparison: Comparison) -> Iterator[str]:
    intent = [f"- `{sign(change)}` {plain(written(change)[:300])}" for change in comparison.intent]
    yield from _folded(f"Intent: {counted(len(intent), VALUES)}", intent)
    built = [f"- {move.kind} {plain(_what(move))}" for move in comparison.additions]
    yield from _folded(f"To be built: {addition_counts(comparison.additions)}", built)
    moves = [f"- {move.kind} of {plain(_moved(move))}" for move in comparison.moves]
    yield from _folded(f"Moves: {move_counts(comparison.moves)}", moves)


def _what(move: Move) -> str:
    return move.old if move.kind == "cable" else move.device


def _moved(move: Move) -> str:
    return f"{move.device}: {move.old} -> {move.new or 'gone'}"


def _folded(title: str, rows: list[str]) -> Iterator[str]:
    if not rows:
        return
    yield f"<details><summary>{title}</summary>\n"
    yield from rows[:MOST]
    if len(rows) > MOST:
        yield f"- and {len(rows) - MOST:,} more"
    yield "\n</details>"

"""What differs between two states of a site: what is written, what is to be built, what devices would change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from fabric.cli.printing.styled_lines import BOLD, DIM, PLAIN, Line, line
from fabric.cli.views.moves import move_counts
from fabric.cli.views.plan import SIGN_STYLES, counts, plan_lines
from fabric.operations.compare_sites import Comparison, IntentChange
from fabric.topology.resize import Move
from fabric.units import counted

MOST = 20
"""Lines of a list; all with `-v`."""
VALUES = ("value", "values")
NOTHING = "Nothing changes on the devices."


def comparison_lines(
    comparison: Comparison, text_of: Callable[[str], str], verbose: int = 0
) -> Iterator[Line]:
    """The whole comparison; `text_of` gives the text of a digest."""
    most = None if verbose else MOST
    if comparison.intent:
        yield line(f"Intent: {counted(len(comparison.intent), VALUES)}", BOLD)
        yield from _limited([_intent_line(change) for change in comparison.intent], most)
        yield line()
    if comparison.additions:
        yield line(f"To be built: {addition_counts(comparison.additions)}", BOLD)
        yield from _limited([_addition_line(move) for move in comparison.additions], most)
        yield line()
    if comparison.moves:
        yield line(f"Moves: {move_counts(comparison.moves)}", BOLD)
        yield from _limited([_move_line(move) for move in comparison.moves], most)
        yield line()
    first = plan_lines(comparison.plan, text_of, verbose, if_nothing=NOTHING)
    yield from chain([line(f"Devices: {counts(comparison.plan)}", BOLD)], _without_heading(first))


def comparison_summary(comparison: Comparison) -> str:
    """The last line: `3 values, nothing moves, 18 devices: 2 changed, 16 unchanged`."""
    values = counted(len(comparison.intent), VALUES)
    return f"{values}, {move_counts(comparison.moves)}; {counts(comparison.plan)}"


def addition_counts(additions: Sequence[Move]) -> str:
    """`2 devices, 16 cables`."""
    number = {kind: sum(move.kind == kind for move in additions) for kind in ("device", "cable")}
    return ", ".join(counted(n, (kind, f"{kind}s")) for kind, n in number.items() if n)


def sign(change: IntentChange) -> str:
    """`+`, `-` or `~`: whether a value is written anew, no longer, or otherwise."""
    return "+" if change.old is None else "-" if change.new is None else "~"


def written(change: IntentChange) -> str:
    """A changed value for people: `networks.compute.mtu: 9216 -> 9000`."""
    values = [_word(value) for value in (change.old, change.new) if value is not None]
    return f"{change.key}: {' -> '.join(values)}"


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _intent_line(change: IntentChange) -> Line:
    mark = sign(change)
    place = f"{change.place}: " if change.place else ""
    return (("  ", PLAIN), (f"{mark} ", SIGN_STYLES[mark]), (place, DIM), (written(change), PLAIN))


def _addition_line(move: Move) -> Line:
    what = move.old if move.kind == "cable" else move.device
    return (("  ", PLAIN), ("+ ", SIGN_STYLES["+"]), (f"{move.kind} ", DIM), (what, PLAIN))


def _move_line(move: Move) -> Line:
    where = f"{move.kind} of {move.device}: "
    change = f"{move.old} -> {move.new}" if move.new else f"{move.old} is gone"
    return (("  ", PLAIN), ("~ ", SIGN_STYLES["~"]), (where, DIM), (change, PLAIN))


def _limited(lines: Sequence[Line], most: int | None) -> Iterator[Line]:
    yield from lines[:most]
    if most is not None and len(lines) > most:
        yield line(f"  and {len(lines) - most:,} more: -v shows all", DIM)


def _without_heading(lines: Iterator[Line]) -> Iterator[Line]:
    """A plan without its first two lines where something changes: site, time, and the counts."""
    next(lines)
    for number, one in enumerate(lines):
        if number == 0 and any(style is BOLD for _text, style in one):
            continue
        yield one

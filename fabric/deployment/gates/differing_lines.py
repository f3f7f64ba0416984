"""In which lines a device runs something else than was pushed, in few words: somebody may have typed them there."""

from __future__ import annotations

from fabric.configuration import Change, differences
from fabric.configuration.foreign_secrets import LOOKS, masked_words
from fabric.configuration.tree import Node
from fabric.planning.texts import MASK
from fabric.units import counted

MOST_LINES = 3
LONGEST_LETTERS = 80
"""Of a line. It may come from a product that prints a table as one."""


def differing_lines(change: Change, *, keeps: bool) -> str:
    """What a device runs of a section (old) and was not pushed (new), and what it lacks; empty if nothing counts.

    With `keeps` lines that it lacks do not count: those that one of ours overrides are gone. Both sides have their
    secrets masked.
    """
    lines = [line for line in differences(change) if not keeps or line.old is not None]
    if not lines:
        return ""
    added = [line.old for line in lines if line.old is not None and not _is_moved(line.old, line.new)]
    missing = [line.new for line in lines if line.new is not None and not _is_moved(line.new, line.old)]
    moved = [line.new for line in lines if line.new is not None and _is_moved(line.new, line.old)]
    words = []
    if added:
        words.append(f"{_quoted(added)} was not pushed, and may be lost when the change is taken back")
    if missing:
        words.append(f"{_quoted(missing)} is missing")
    if moved:
        words.append(f"{_quoted(moved)} is in another place")
    return f": {'; '.join(words)}"


def _is_moved(node: Node, other: Node | None) -> bool:
    return other is not None and node.text == other.text


def _quoted(nodes: list[Node]) -> str:
    shown = ", ".join(f"`{printable_line(node.text)}`" for node in nodes[:MOST_LINES])
    more = len(nodes) - MOST_LINES
    return f"{shown} (and {counted(more, ('more line', 'more lines'))})" if more > 0 else shown


def printable_line(text: str) -> str:
    """Without what may be a secret, what a terminal would obey, and the quotes that messages have around commands."""
    text = LOOKS.sub(MASK, text) if MASK in text else masked_words(text)
    text = "".join("?" if not letter.isprintable() or letter == "`" else letter for letter in text.strip())
    return text if len(text) <= LONGEST_LETTERS else f"{text[: LONGEST_LETTERS - 1]}…"

"""Where a cursor is in a YAML text: on which key or value, or what may be written there. Columns count from 0."""

from __future__ import annotations

from typing import NamedTuple

from fabric.diagnostics import Path
from fabric.editor.scan_yaml import Scan, Slot, Token


class Gap(NamedTuple):
    """A place at which something is being written."""

    path: Path
    """Of the mapping that wants a key, or of the value."""
    slot: Slot
    start: int
    """Column at which what is being written starts, and where it ends."""
    end: int
    siblings: frozenset[str]
    """Keys that the mapping has, that one left out."""


class Text:
    """One text, scanned once."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.tokens = tuple(Scan(text).tokens)
        self.places = {(token.line, token.start): token for token in self.tokens}
        self.keys = {token.path: token for token in reversed(self.tokens) if token.is_key}
        self.values = {token.path: token.text for token in self.tokens if not token.is_key}

    def token_at(self, line: int, column: int) -> Token | None:
        """The key or value under the cursor, or the one that ends at it."""
        inside = [t for t in self.tokens if t.line == line and t.start <= column <= t.end]
        return inside[-1] if inside else None

    def gap_at(self, line: int, column: int) -> Gap:
        """What may be written at the cursor."""
        start = "\n".join((*self.lines[:line], self.lines[line][:column]))
        scan = Scan(start)
        last = scan.tokens[-1] if scan.tokens else None
        word = last if last and last.line == line and last.end == column and last.text else None
        path, slot = _wanted(scan, word, line, start)
        whole = self.token_at(line, column)
        first = word.start if word else column
        end = whole.end if whole and whole.start == first else column
        siblings = {str(t.path[-1]) for t in self.keys.values() if t.path[:-1] == path and t is not whole}
        return Gap(path, slot, first, end, frozenset(siblings))


def _wanted(scan: Scan, word: Token | None, line: int, text: str) -> tuple[Path, Slot]:
    """The path, and what is wanted there, at the end of a text."""
    here = text.rpartition("\n")[2]
    if scan.flow or scan.block is not None or scan.quote is not None:
        slot = scan.slot if scan.block is None else "nothing"
        is_key = slot == "key" and scan.flow and scan.flow[-1].step is not None
        return (scan.path[:-1] if is_key else scan.path), slot
    if not here.strip():
        return _on_empty_line(scan, len(here))
    if word is not None and word.is_key:
        return word.path[:-1], "key" if here.endswith(word.text) else "nothing"
    is_done = any(token.line == line and not token.is_key for token in scan.tokens) and word is None
    return scan.path, "nothing" if is_done else scan.slot


def _on_empty_line(scan: Scan, column: int) -> tuple[Path, Slot]:
    """An empty line belongs to the mapping whose keys start at its column, or is below the key above it."""
    scan.leave(column)
    top = scan.levels[-1] if scan.levels else None
    if top is None:
        return (), "key"
    if top.indent == column:
        return (scan.path, "nothing") if top.is_list else (scan.path[:-1], "key")
    return scan.path, "either"

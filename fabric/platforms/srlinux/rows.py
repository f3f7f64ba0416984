"""Rows of lines that are noted as they stand: each a path, from a line at its place to one with nothing below it.

server <server> / prefer {on}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fabric.configuration import Parts, Section, Statement
from fabric.platforms.srlinux.documents import SECRETS
from fabric.platforms.srlinux.names import bare
from fabric.platforms.srlinux.state import Inside, Instance, SrlState

LEVEL = " / "


def noted(*rows: str, **row: Any) -> tuple[Statement, ...]:
    """Statements of paths, below a line that is itself inside of a section. `row` is said of the first ones."""
    below: dict[str, list[str]] = {}
    for path in rows:
        first, _, rest = path.partition(LEVEL)
        below.setdefault(first, []).extend([rest] if rest else [])
    return tuple(_statement(pattern, inner, **row) for pattern, inner in below.items())


def settings(*rows: str, **row: Any) -> tuple[Statement, ...]:
    """The same where each line of the first level is a section of its own."""
    return tuple(Statement(line.pattern, below=line.below, reads=_begun, **row) for line in noted(*rows))


def _statement(pattern: str, inner: Iterable[str], **row: Any) -> Statement:
    is_entry = " " in pattern
    reads = (listed if is_entry else entered) if inner else kept
    return Statement(pattern, reads=reads, below=Section(*noted(*inner)) if inner else None, **row)


def _words(parts: Parts) -> str:
    """A line without the names of modules, and without its secret."""
    words = parts["line"].split(" ")
    return words[0] if words[0] in SECRETS else " ".join(map(bare, words))


def _begun(state: SrlState | Instance, parts: Parts) -> Inside:
    word, _, rest = _words(parts).partition(" ")
    return state.inside(word, f"{rest} " if rest else "")


def kept(above: Inside, parts: Parts) -> None:
    """Note a line."""
    above.keep(_words(parts))


def entered(above: Inside, parts: Parts) -> Inside:
    """Go on below a line that says nothing by itself."""
    return above._replace(words=f"{above.words}{_words(parts)} ")


def listed(above: Inside, parts: Parts) -> Inside:
    """Note a line, and go on below it."""
    kept(above, parts)
    return entered(above, parts)

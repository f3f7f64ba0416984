"""What others have written and a product's configuration cannot carry along yet: a plan that would have to is refused.

Merging works on blocks and on lines told apart by indentation. Where a text is something else (a JSON document, several
files, braces), joining its blocks would make a configuration that no product reads, or lose lines in silence.
"""

from __future__ import annotations

import json

import msgspec

from fabric.planning.diff import Side
from fabric.planning.texts import masked
from fabric.platforms.base import Block, Platform

FREE_TEXT = ("description", "name", "alias")
"""Settings whose value is the rest of the line, on every product we know."""


class Stuck(msgspec.Struct, frozen=True):
    """Foreign rows that cannot be carried along."""

    rows: tuple[str, ...] = ()
    """Where they stand: the key of each block."""
    lines: int = 0
    touches_ours: bool = False
    """Whether anything of ours is to be changed: only then is a text pushed, and the rows would be lost."""


def stuck(platform: Platform, theirs: Side, ours: Side, before: Side) -> Stuck:
    """The foreign rows of `theirs` that the platform's text cannot carry along beside `ours`."""
    if platform.carries == "lines":
        return Stuck()
    rows: dict[str, list[str]] = {}
    for key, block in theirs.items():
        foreign = _foreign(platform, block, ours.get(key), before.get(key))
        if foreign:
            rows[key] = foreign
    if not rows:
        return Stuck()
    touched = any(_changes(theirs.get(key), block, rows.get(key, ())) for key, block in ours.items())
    gone = any(key in before and key not in ours for key in theirs)
    return Stuck(tuple(rows), sum(map(len, rows.values())), touched or gone)


def _foreign(platform: Platform, theirs: Block, ours: Block | None, before: Block | None) -> list[str]:
    """The lines of one block of the device that neither are ours, nor were, nor set what ours set."""
    if ours is None:
        whole = before is None and platform.carries == "nothing"
        return _lines(theirs) if whole else []
    own = _lines(ours)
    known = {*own, *(_lines(before) if before else ())}
    settings = [words(line) for line in own]
    return [line for line in _lines(theirs) if line not in known and not is_overridden(line, settings)]


def _changes(theirs: Block | None, ours: Block, foreign: list[str] | tuple[str, ...]) -> bool:
    """Whether a block of ours is to be changed, but for the foreign lines in it."""
    return theirs is None or set(_lines(theirs)) - set(foreign) != set(_lines(ours))


def _lines(block: Block) -> list[str]:
    """The lines of a block, one setting each: a row that is one line of JSON is taken apart."""
    text = masked(block.text)
    if text.startswith(("{", "[")) and "\n" not in text.strip():
        try:
            text = json.dumps(json.loads(text), indent=1)
        except ValueError:
            return [text]
    return [line.strip().rstrip(",") for line in text.splitlines() if line.strip(" {}[],\n")]


def words(line: str) -> tuple[str, ...]:
    """The words of a line without what only turns it round (`no`, `default`)."""
    found = line.split()
    while len(found) > 1 and found[0] in {"no", "default"}:
        found = found[1:]
    return tuple(found)


def is_overridden(line: str, settings: list[tuple[str, ...]]) -> bool:
    """Whether one of our lines sets what a line sets."""
    theirs = words(line)
    return any(_same_setting(theirs, own) for own in settings)


def _same_setting(theirs: tuple[str, ...], ours: tuple[str, ...]) -> bool:
    """Whether two lines of a block set the same thing: all words but the values are equal."""
    if not theirs or not ours or theirs[0] != ours[0]:
        return False
    if theirs == ours or theirs[0] in FREE_TEXT or theirs[0].endswith(":"):
        return True  # a key with a colon stands once in its section
    last = len(ours) - 1
    differing = [at for at, word in enumerate(ours) if len(theirs) > at and theirs[at] != word]
    # The word after the first names what is set (`neighbor ADDRESS`, `seq 10`); numbers further on are values.
    return len(theirs) == len(ours) and all(
        at == last or (at > 1 and theirs[at].isdecimal() and ours[at].isdecimal()) for at in differing
    )

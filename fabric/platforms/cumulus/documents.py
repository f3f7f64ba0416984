"""NVUE files as documents, and back: a YAML list of `- set:` blocks, whose keys and values are all texts.

What several blocks say is one document. Text in the form in which `dump` prints it is read row by row, and an object of
which the text was met before (`interface swp1`, before and after a change) is not read again; any other text is read as
YAML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from fabric.configuration.syntaxes.json_documents import Document
from fabric.configuration.syntaxes.quoting import said
from fabric.platforms.cumulus.names import quoted
from fabric.platforms.cumulus.settings import grown, settings

PLAIN = re.compile(
    r"(?!(?:on|off|yes|no|true|false|null|y|n)\Z)[A-Za-z][A-Za-z0-9_-]*|0|[1-9][0-9]*", re.IGNORECASE
)
"""What every YAML reader takes for the text or number that it looks like."""
BARE = r"[A-Za-z0-9_./][A-Za-z0-9_./+@-]*+(?::++[A-Za-z0-9_./+@-]++)*"
SINGLE = r"'[ -&(-~]*+(?:''[ -&(-~]*+)*'(?!')"
DOUBLE = r'"[ !#-\[\]-~]*+(?:\\["\\nrt][ !#-\[\]-~]*+)*"'
KEY = rf"{BARE}|{SINGLE}"
VALUE = rf"{BARE}|{SINGLE}|{DOUBLE}|\{{\}}"
ROW = re.compile(rf"(?m)^((?:  )*)({KEY}):(?: ({VALUE}))?$")
"""A key with its value, or above what stands below it."""
BLOCK = "- set:\n"
STEP = 2
FIRST, SECOND = 4, 6
"""Spaces before keys of the first and of the second level."""
OBJECTS = re.compile(rf"\n(?= {{{FIRST}}}(?: {{{SECOND - FIRST}}})?[^ ])")
"""Before a key of the first or of the second level."""
MAX_REMEMBERED = 2048
"""Objects whose text was met lately."""


class Row(NamedTuple):
    """A key of the first or of the second level, with all that stands below it."""

    margin: int
    key: str
    value: Any


def load(text: str) -> Document:
    """What the `set` blocks of a file say together; of a value that is given twice, the last. `Unreadable`."""
    shown = _load_shown(text)
    return grown(settings(text)) if shown is None else shown


def _load_shown(text: str) -> Document | None:
    """The document of a single block in the form that we print; None if it is written otherwise."""
    if not text.startswith(BLOCK) or not text.endswith("\n"):
        return None
    before, *parts = OBJECTS.split(text[len(BLOCK) - 1 : -1])
    document: Document = {}
    section: Document | None = None
    for part in parts:
        row = _object(part)
        here = document if row is not None and row.margin == FIRST else section
        if row is None or here is None or row.key in here:
            return None
        here[row.key] = row.value
        if row.margin == FIRST:
            section = None
            if part.endswith(":"):  # a new object: that of the row is shared
                section = here[row.key] = {}
    return None if before else document


@lru_cache(maxsize=MAX_REMEMBERED)
def _object(part: str) -> Row | None:
    """The rows of an object; None if they are not as we print them. Equal texts share one value."""
    rows = ROW.findall(part)
    if len(rows) <= part.count("\n"):
        return None
    top = len(rows[0][0]) // STEP
    levels: list[Document] = [{}]
    for space, name, value in rows:
        depth, key = len(space) // STEP - top, _meant(name)
        if not 0 <= depth < len(levels) or key in levels[depth]:
            return None
        below: Document = {}
        levels[depth][key] = _meant(value) or below
        levels[depth + 1 :] = () if value else (below,)
    (key, whole), *more = levels[0].items()
    return None if more else Row(top * STEP, key, whole)


@lru_cache(maxsize=MAX_REMEMBERED)
def _meant(word: str) -> str:
    """The text of a scalar; empty for `{}`."""
    if word.startswith("'"):
        return word[1:-1].replace("''", "'")
    if word.startswith('"'):
        return str(json.loads(word))
    return "" if word == "{}" else word


def dump(document: Document, _step: int) -> str:
    """A document as one block, a value a line; of nothing, nothing."""
    rows = "".join(f"{row}\n" for row in _rows(document, " " * FIRST))
    return f"{BLOCK}{rows}" if rows else ""


def _rows(value: Any, margin: str) -> Iterator[str]:
    """The lines of an object, or of a list, which NVUE has none of."""
    is_list = isinstance(value, list)
    for key in value:
        inner = key if is_list else value[key]
        start = f"{margin}-" if is_list else f"{margin}{scalar(key)}:"
        if isinstance(inner, str):
            yield f"{start} {scalar(inner)}"
        elif inner:
            yield start
            yield from _rows(inner, f"{margin}{' ' * STEP}")
        else:
            yield f"{start} {{}}"


@lru_cache(maxsize=16384)
def scalar(text: str) -> str:
    """A key or value, quoted unless it is plain to every reader."""
    if PLAIN.fullmatch(text):
        return text
    if text.isprintable() and text.isascii():
        return "'" + text.replace("'", "''") + "'"
    return quoted(text)


@lru_cache(maxsize=16384)
def word(key: str) -> str:
    """A key as one word of a line."""
    return key if said(key) == key and " " not in key else json.dumps(key)

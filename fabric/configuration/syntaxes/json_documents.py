"""Documents of keys and values as texts: read, printed, and how many lines their values take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from fabric.configuration.syntaxes.syntax import Unreadable
from fabric.decoding import from_json

Document = dict[str, Any]
CONTAINERS = (dict, list)
NOTHING: Mapping[str, Any] = {}
MAX_DEPTH = 100
"""Levels of a document. No product has as many, and a deeper one would end in the interpreter's own limit."""
TOO_DEEP = f"more than {MAX_DEPTH} levels"
BRACES = (1, 1)
"""Lines that open and close an object or a list of JSON, beside that of its key."""
BYTE = re.compile(r"\(byte (\d+)\)")


def load_json(text: str) -> Document:
    """A JSON object. `Unreadable` if the text is none; an empty text is an empty object."""
    if not text.strip():
        return {}
    try:
        return from_json(text, Document)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise unreadable_json(text, error) from None


def unreadable_json(text: str, error: Exception) -> Unreadable:
    """Where and why a text is not a JSON object, from what its decoder says."""
    at = BYTE.search(str(error))
    if at is not None:
        number = text.encode(errors="surrogatepass")[: int(at[1])].count(b"\n") + 1
    else:
        number = text.rstrip().count("\n") + 1 if "truncated" in str(error) else 1
    return Unreadable(number, f"not a JSON object: {BYTE.sub('', str(error)).strip()}")


def dump_json(document: Document, indent: int) -> str:
    """An object, a line each value."""
    return f"{msgspec.json.format(msgspec.json.encode(document), indent=indent).decode()}\n"


@contextmanager
def not_too_deep() -> Iterator[None]:
    """A document that even the interpreter finds too deep is `Unreadable`."""
    try:
        yield
    except RecursionError:
        raise Unreadable(1, TOO_DEEP) from None


def is_list(value: Any) -> bool:
    """Whether a value is a list of objects."""
    return value.__class__ is list and set(map(type, value)) == {dict}


def height(value: Any, frame: tuple[int, int] = BRACES) -> int:
    """Lines that a value takes, printed with its key."""
    if value.__class__ not in CONTAINERS or not value:
        return 1
    if frame[0] == 1:  # counted in C: it is asked of every piece of a text
        shown = msgspec.json.format(msgspec.json.encode(value), indent=1)
        closing = 0 if frame[1] else shown.count(b"{\n") + shown.count(b"[\n")
        return shown.count(b"\n") + 1 - closing
    if value.__class__ is dict:
        return 1 + sum(height(entry, frame) for entry in value.values()) + frame[1]
    of_entry = frame[0] - 1
    return (
        1
        + sum(
            height(entry, frame) + (of_entry if entry.__class__ in CONTAINERS and entry else 0)
            for entry in value
        )
        + frame[1]
    )

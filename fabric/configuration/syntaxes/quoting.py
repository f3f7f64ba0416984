"""Values of a document as words of a line, and back."""

from __future__ import annotations

import json
from typing import Any


def said(value: Any) -> str:
    """A value as words of a line. What would not be read as the same words stands as in JSON."""
    if value.__class__ is str:
        return value if _is_plain(value) else _json(value)
    if value.__class__ is int:
        return str(value)
    if value.__class__ is list and value:
        words = [said(part) for part in value if part.__class__ not in (dict, list)]
        if len(words) == len(value) and not any(" " in word for word in words):
            return " ".join(words)
    return _json(value)


def _is_plain(text: str) -> bool:
    """Whether a text is words of one line."""
    return (
        bool(text) and text.isprintable() and text[0] not in ' "[{' and text[-1] != " " and "  " not in text
    )


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def meant(words: str) -> str:
    """The text that `said` made these words of; words that it made of anything else stay as they are."""
    if not words.startswith('"'):
        return words
    try:
        return str(json.loads(words))
    except ValueError:
        return words

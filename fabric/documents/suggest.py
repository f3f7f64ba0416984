"""Suggestions for misspelt words."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MAX_CANDIDATES = 2000
"""Comparing takes time in proportion; among more names a guess is of little use."""


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, if one is like it."""
    candidates = [name for name, _ in zip(known, range(MAX_CANDIDATES), strict=False)]
    folded = {name.lower().replace("_", "-"): name for name in candidates}
    matches = get_close_matches(word[:80].lower().replace("_", "-"), folded, n=1, cutoff=0.6)
    return folded[matches[0]] if matches else None


def nearest_first(word: str, known: Iterable[str], most: int = 8) -> str:
    """The known words, at most so many, those first that are most like `word`: `leaf-0-0, leaf-0-1, ...`."""
    names = list(dict.fromkeys(known))
    close = get_close_matches(word[:80], names[:MAX_CANDIDATES], n=most, cutoff=0.5)
    order = list(dict.fromkeys((*close, *names)))
    return ", ".join(order[:most]) + (", ..." if len(order) > most else "")


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The hint for a misspelt word."""
    suggestion = closest(word, known)
    return f"did you mean {suggestion!r}?" if suggestion else None

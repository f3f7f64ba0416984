"""Folding text at the width of a terminal."""

from __future__ import annotations

import textwrap


def folded(text: str, width: int | None, indent: int = 4) -> list[str]:
    """Text in lines of at most `width`; words that are longer stay whole."""
    if width is None:
        return [text]
    head = len(text) - len(text.lstrip())
    return textwrap.wrap(
        text.lstrip(),
        max(width, 40),
        initial_indent=" " * head,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )

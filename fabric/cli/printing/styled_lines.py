"""Lines of differently styled pieces, as pure data: views return them, `Output` prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

Style = Mapping[str, Any]
Span = tuple[str, Style]
Line = tuple[Span, ...]

PLAIN: Style = {}
BOLD: Style = {"bold": True}
DIM: Style = {"dim": True}
HEADING: Style = {"fg": "cyan"}


def line(text: str = "", style: Style = PLAIN) -> Line:
    """A line of one style."""
    return ((text, style),)


def text_of(spans: Line) -> str:
    """A line without its styles."""
    return "".join(text for text, _style in spans)


def fold(spans: Line, width: int | None) -> list[Line]:
    """A line as several of at most `width`, broken between words; later ones stand four further in."""
    text = text_of(spans)
    if width is None or len(text) <= width:
        return [spans]
    indent = min(len(text) - len(text.lstrip()) + 4, width // 2)
    lines: list[list[Span]] = [[]]
    used = 0
    for word, style in _words(spans):
        if used + len(word.rstrip()) > width and used > indent:
            lines.append([(" " * indent, PLAIN)])
            used = indent
            word = word.lstrip()  # noqa: PLW2901  # the blank before it became the line's end
        lines[-1].append((word, style))
        used += len(word)
    return [tuple(row) for row in lines]


def _words(spans: Line) -> Iterator[Span]:
    """Words with the blanks before them; a word that changes its style is several."""
    for text, style in spans:
        for word in re.findall(r"\s*\S+|\s+$", text):
            yield word, style

"""Lines of differently styled pieces, as pure data: views return them, `Output` prints them."""

from __future__ import annotations

from collections.abc import Mapping
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

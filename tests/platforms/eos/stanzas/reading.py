"""The stored stanzas, and their lines with the modes around them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.cfg"))


class Line(NamedTuple):
    """A configuration line and the lines that open the modes around it."""

    path: tuple[str, ...]
    text: str


def texts() -> dict[str, str]:
    """Every stanza file by name."""
    return {file.stem: file.read_text() for file in FILES}


def lines(text: str) -> Iterator[Line]:
    """The lines of a configuration; banners and comments are left out."""
    path: list[tuple[int, str]] = []
    rows = iter(text.splitlines())
    for row in rows:
        line = row.strip()
        if line.startswith("banner "):
            for skipped in rows:
                if skipped == "EOF":
                    break
            continue
        if not line or line.startswith("!") or line == "end":
            continue
        depth = len(row) - len(row.lstrip())
        while path and path[-1][0] >= depth:
            path.pop()
        yield Line(tuple(opener for _, opener in path), line)
        path.append((depth, line))

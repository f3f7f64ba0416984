"""The pages of the documentation, in the order of the site's navigation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import yaml

from fabric.resources import resource

SETTINGS = "mkdocs.yml"
"""Of the site: titles and order of its pages. It lies beside the folder of pages."""
HEADING = re.compile(r"^#{1,4} +(.+?) *#*$")
FENCE = re.compile(r"^ *(```|~~~)")


class Page(NamedTuple):
    """One page."""

    name: str
    """As it is asked for: `how-to/growth`."""
    section: str
    title: str
    path: Path


class Hit(NamedTuple):
    """A passage that has the words that were searched for."""

    page: Page
    heading: str
    line: str
    rank: int
    """0: in the title of its page, 1: in a heading, 2: in the text."""


def pages() -> tuple[Page, ...]:
    """Every page of the navigation."""
    folder = resource("docs")
    settings = yaml.safe_load((folder.parent / SETTINGS).read_text(encoding="utf-8"))
    return tuple(_pages(settings["nav"], "", folder))


def _pages(entries: list[Any], section: str, folder: Path) -> Iterator[Page]:
    for entry in entries:
        title, below = next(iter(entry.items()))
        if isinstance(below, list):
            yield from _pages(below, title, folder)
        else:
            name = str(PurePosixPath(below).with_suffix(""))
            yield Page(name, section, title, folder / below)


def search(words: str) -> tuple[Hit, ...]:
    """Passages that hold every word, those with the words in a title or heading first."""
    wanted = [word.casefold() for word in words.split()]
    hits = [hit for page in pages() for hit in _hits(page, wanted)] if wanted else []
    return tuple(sorted(hits, key=lambda hit: hit.rank))


def _hits(page: Page, wanted: list[str]) -> Iterator[Hit]:
    """One hit for each heading of a page below which the words stand; its title counts for every heading."""
    for heading, lines in _sections(page.path.read_text(encoding="utf-8")):
        if _holds(heading, wanted):
            first = next((line for line in lines if line.strip()), "")
            yield Hit(page, heading, first.strip(), 0 if _holds(page.title, wanted) else 1)
        elif line := next((line for line in lines if _holds(line, wanted)), ""):
            yield Hit(page, heading, line.strip(), 2)


def _holds(text: str, wanted: list[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in wanted)


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Headings, each with the lines below it; a `#` in a block of code is none."""
    heading, lines, is_code = "", list[str](), False
    for line in text.splitlines():
        if FENCE.match(line):
            is_code = not is_code
        match = None if is_code else HEADING.match(line)
        if match is None:
            lines.append(line)
            continue
        yield heading, lines
        heading, lines = match[1], []
    yield heading, lines

"""What a text defines by name, and what it refers to: one set of (kind, name) each."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping

Names = set[tuple[str, str]]
Rules = tuple[tuple[str, str], ...]
"""Kind of object, and a regular expression for a line; its last group is the name."""


def named(platform: str, text: str) -> tuple[Names, Names]:
    """What the text of a product defines, and what it refers to."""
    found: tuple[Names, Names] = importlib.import_module(f"tests.platforms.{platform}.named").named(text)
    return found


def by_lines(text: str, defined: Rules, referred: Rules) -> tuple[Names, Names]:
    """For products whose lines say all, indented or not."""
    lines = [line.strip() for line in text.splitlines()]
    return set(_matches(lines, defined)), set(_matches(lines, referred))


def _matches(lines: list[str], rules: Rules) -> Iterator[tuple[str, str]]:
    for kind, pattern in rules:
        for line in lines:
            if match := re.fullmatch(pattern, line):
                yield kind, match[match.re.groups]


def leaves(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every scalar of a tree with the keys above it; list items have no key of their own."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from leaves(below, (*path, str(key)))
    elif isinstance(value, list):
        for below in value:
            yield from leaves(below, path)
    else:
        yield path, str(value)

"""Queueing profiles that a text prints: kind and name of each, and its body without the name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

Profiles = dict[tuple[str, str], str]


def equal_ones(profiles: Profiles) -> list[tuple[str, ...]]:
    """Names of profiles of one kind that say the same."""
    by_body: dict[tuple[str, str], list[str]] = {}
    for (kind, name), body in profiles.items():
        by_body.setdefault((kind, body), []).append(name)
    return [tuple(names) for names in by_body.values() if len(names) > 1]


Found = Iterator[tuple[tuple[str, str], str]]


def rows(tables: Any, kinds: tuple[str, ...]) -> Found:
    """Profiles of products that have a table of each kind."""
    for kind in kinds:
        for name, row in tables.get(kind, {}).items():
            yield (kind, name), json.dumps(row, sort_keys=True)


def indented(*heads: str) -> Callable[[str], Found]:
    """Blocks of products that indent what belongs to a line."""

    def read(text: str) -> Found:
        for head in heads:
            for match in re.finditer(rf"^{head} (\S+)\n((?: +.*\n)+)", text, re.MULTILINE):
                yield (head, match[1]), match[2]

    return read

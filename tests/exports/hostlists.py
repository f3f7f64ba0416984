"""Hostlists read again, by the rules of Slurm's `hostlist.c`: ranges in one bracket, leading zeros kept."""

from __future__ import annotations

import re

ITEM = re.compile(r"([^,\[\]]+)(?:\[([0-9,-]+)\])?(?:,|$)")


def expanded(text: str) -> list[str]:
    """Every name of a hostlist."""
    found: list[str] = []
    at = 0
    while at < len(text):
        match = ITEM.match(text, at)
        assert match, text[at:]
        at = match.end()
        if match[2] is None:
            found.append(match[1])
            continue
        for part in match[2].split(","):
            first, _, last = part.partition("-")
            assert len(first) == len(last or first)
            numbers = range(int(first), int(last or first) + 1)
            found += [f"{match[1]}{number:0{len(first)}d}" for number in numbers]
    return found

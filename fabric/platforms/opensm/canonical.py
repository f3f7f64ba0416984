"""The form in which OpenSM's files are compared: a block for each option, partition and file, keys masked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.platforms.base import PART, Block
from fabric.platforms.texts import HIDDEN

MASKED = re.compile(rf"^((?:m|sm|sa)_key)[ \t]+(?!{HIDDEN}$)\S+", re.MULTILINE)
PKEY = re.compile(r"^[^=:,\s]+\s*=\s*(0x[0-9a-fA-F]{1,4})\b")


def canonical(text: str) -> str:
    """Without comments and blank lines, keys masked. The names behind the ports of a partition stay."""
    said = (line.strip() for line in text.splitlines())
    kept = [line for line in said if line and (line.startswith(PART) or not line.startswith("#"))]
    return MASKED.sub(r"\1 <masked>", "".join(f"{line}\n" for line in kept))


def blocks(text: str) -> tuple[Block, ...]:
    """A block for each option, each partition by its P_Key, and each other file. Equal keys are numbered."""
    seen: dict[str, int] = {}
    found = []
    for key, body in _blocks(text):
        seen[key] = seen.get(key, 0) + 1
        found.append(Block(key if seen[key] == 1 else f"{key} ({seen[key]})", body))
    return tuple(found)


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    name = ""
    lines: list[str] = []
    for line in (*text.splitlines(), PART):
        if line.startswith(PART):
            if lines:
                yield _key(name, lines), "".join(lines)
            name, lines = line.removeprefix(PART).strip(), []
            continue
        lines.append(f"{line}\n")
        ends = line.partition("#")[0].rstrip().endswith(";")
        if name == "opensm.conf" or (name == "partitions.conf" and ends):
            yield _key(name, lines), "".join(lines)
            lines = []


def _key(name: str, lines: list[str]) -> str:
    if name == "opensm.conf":
        return f"option {lines[0].split()[0]}"
    pkey = PKEY.match(lines[0]) if name == "partitions.conf" else None
    return f"partition {pkey[1].lower()}" if pkey else name

"""The form in which OpenSM's files are compared: a section for each file and partition, secrets masked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.platforms.base import PART, Block

MASKED = re.compile(r"^((?:m|sm|sa)_key)\s+(?!<secret:)\S+", re.MULTILINE)


def canonical(text: str) -> str:
    """Without comments and blank lines, keys masked."""
    said = (line.strip() for line in text.splitlines())
    kept = [line for line in said if line and (line.startswith(PART) or not line.startswith("#"))]
    return MASKED.sub(r"\1 <masked>", "".join(f"{line}\n" for line in kept))


def blocks(text: str) -> tuple[Block, ...]:
    """A block for each file, and of partitions.conf one for each partition."""
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    name = ""
    lines: list[str] = []
    for line in (*text.splitlines(), PART):
        if line.startswith(PART):
            if lines:
                yield Block(name, "".join(lines))
            name, lines = line.removeprefix(PART).strip(), []
        else:
            lines.append(f"{line}\n")
            if name == "partitions.conf" and line.endswith(";"):
                yield Block(f"partition {lines[0].partition('=')[0]}", "".join(lines))
                lines = []

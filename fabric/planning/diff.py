"""Two canonical texts to the blocks that differ, and to a unified diff of those."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from functools import lru_cache
from typing import Literal

import msgspec

from fabric.planning.model import Observation
from fabric.planning.texts import MASK
from fabric.platforms.base import Block, Platform

CONTEXT = 3
"""Unchanged lines around a change."""

Side = dict[str, Block]


class BlockChange(msgspec.Struct, frozen=True):
    """One block that differs; `old` is None where it comes, `new` where it goes."""

    key: str
    old: Block | None
    new: Block | None

    @property
    def action(self) -> Literal["+", "-", "~"]:
        """The printed sign."""
        if self.old is None:
            return "+"
        return "-" if self.new is None else "~"


class Comparison(msgspec.Struct, frozen=True):
    """What differs between two canonical texts, and the unified diff of it."""

    changes: tuple[BlockChange, ...] = ()
    diff: str = ""


def compare(
    platform: Platform, name: str, old: str, new: str, *, labels: tuple[str, str] = ("running", "intended")
) -> Comparison:
    """Compare two canonical, masked texts block by block; equal ones are not even split."""
    if old == new:
        return Comparison()
    before, after = side(platform, old), side(platform, new)
    order = merged_order(before, after)
    changes = tuple(
        BlockChange(key, before.get(key), after.get(key))
        for key in order
        if _text(before.get(key)) != _text(after.get(key))
    )
    headers = [f"--- {name} {labels[0]}\n", f"+++ {name} {labels[1]}\n"]
    return Comparison(changes, _unified(headers, order, before, after))


def by_device(platform: Platform, seen: Observation, intended: str) -> Comparison:
    """What only the device's own diff shows: the blocks that hold its lines, and that diff.

    The old text of a block has its secrets masked and the new one has our references, so that the platform
    sees which lines may differ. A diff whose lines stand nowhere is one change of the whole device.
    """
    lines = {line[1:].strip() for line in (seen.device_diff or "").splitlines() if line[:1] in {"+", "-"}}
    before, after = side(platform, seen.text), side(platform, intended)
    changes = tuple(
        BlockChange(key, block, after[key])
        for key, block in before.items()
        if key in after and lines & {line.strip() for line in block.text.splitlines()} and MASK in block.text
    )
    whole = BlockChange("the device's own diff", Block("", ""), Block("", ""))
    return Comparison(changes or (whole,), seen.device_diff or "")


def is_only_secrets(device_diff: str) -> bool:
    """Whether a device's masked diff removes and adds the same lines: what differs is behind the masks."""
    lines = device_diff.splitlines()
    gone, come = (Counter(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+")
    return gone == come


@lru_cache(maxsize=4)
def _blocks(platform: Platform, text: str) -> tuple[Block, ...]:
    """The blocks of a text. A device's texts are each split several times in a row: the last few are kept."""
    return platform.blocks(text) if text else ()


def side(platform: Platform, text: str) -> Side:
    """The blocks of a canonical text by key. Blocks that share a key are one."""
    found: Side = {}
    for block in _blocks(platform, text):
        known = found.get(block.key)
        found[block.key] = block if known is None else Block(block.key, f"{_ended(known.text)}{block.text}")
    return found


def merged_order(first: Iterable[str], second: Iterable[str]) -> list[str]:
    """The keys of `second` in their order, each key of `first` alone after the one it followed there."""
    wanted = dict.fromkeys(second)
    after: dict[str | None, list[str]] = {}
    previous: str | None = None
    for key in first:
        if key in wanted:
            previous = key
        else:
            after.setdefault(previous, []).append(key)
    order = after.get(None, [])
    for key in wanted:
        order.append(key)
        order.extend(after.get(key, ()))
    return order


def _unified(headers: list[str], order: Sequence[str], before: Side, after: Side) -> str:
    lines = list(headers)
    old_at = new_at = 0
    for key in order:
        old, new = _lines(before.get(key)), _lines(after.get(key))
        if old != new:
            lines += _hunks(key, old, new, old_at, new_at)
        old_at += len(old)
        new_at += len(new)
    return "".join(lines) if len(lines) > len(headers) else ""


def _hunks(key: str, old: list[str], new: list[str], old_at: int, new_at: int) -> Iterable[str]:
    """The hunks of one block at their place in the whole text, its key behind the numbers as in git."""
    for line in unified_diff(old, new, n=CONTEXT):
        if line.startswith(("--- ", "+++ ")) and line.strip() in {"---", "+++"}:
            continue
        yield _moved(line, key, old_at, new_at) if line.startswith("@@ ") else line


def _moved(header: str, key: str, old_at: int, new_at: int) -> str:
    _, old, new, _ = header.split()
    return f"@@ -{_shift(old[1:], old_at)} +{_shift(new[1:], new_at)} @@ {key}\n"


def _shift(numbers: str, by: int) -> str:
    start, comma, count = numbers.partition(",")
    return f"{int(start) + by}{comma}{count}"


def _text(block: Block | None) -> str | None:
    return None if block is None else block.text


def _lines(block: Block | None) -> list[str]:
    return [] if block is None else [f"{line}\n" for line in block.text.splitlines()]


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"

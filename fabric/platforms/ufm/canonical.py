"""The form in which UFM is compared: its partitions, one block each.

The files of its disk are left out: REST cannot read them, so that nobody could tell whether they differ. Names of
partitions are left out too: releases before 6.22 give their own.
"""

from __future__ import annotations

from fabric.platforms.base import Block
from fabric.platforms.ufm.pkeys import lines_of, printed, read_pkeys


def canonical(text: str) -> str:
    """Partitions by number and members by GUID; lines that nobody can read stay as they are, at the end."""
    unread: list[tuple[int, str]] = []
    pkeys = sorted(read_pkeys(lines_of(text), unread), key=lambda one: int(one.pkey, 16))
    lines = (*printed(tuple(pkeys), named=False), *(line for _, line in unread))
    return "".join(f"{line}\n" for line in lines)


def blocks(text: str) -> tuple[Block, ...]:
    """A block for each partition, and one for each line that nobody can read."""
    unread: list[tuple[int, str]] = []
    pkeys = read_pkeys(lines_of(text), unread)
    found = [
        Block(f"partition {one.pkey}", "".join(f"{body}\n" for body in printed((one,)))) for one in pkeys
    ]
    return (*found, *(Block(f"line {line}", f"{line}\n") for _, line in unread))

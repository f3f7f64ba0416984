"""Partitions for tests, short to write."""

from __future__ import annotations

import re

from fabric.platforms.ufm.model import Member, Pkey
from fabric.platforms.ufm.pkeys import printed
from fabric.platforms.ufm.session import UfmDriver

KINDS = {"f": "full", "l": "limited"}


def port(number: int) -> str:
    return f"{0x0002C90300000000 + number:016x}"


def pkey(number: int, members: str = "", *, name: str = "", ipoib: bool = True, rate: float = 200) -> Pkey:
    """`1f 2l`: port 1 is a full member, port 2 a limited one; a `0` at the end: the key stands first."""
    made = [_member(word) for word in members.split()]
    return Pkey(f"{number:#x}", name, ipoib, 4, 0, rate, tuple(sorted(made, key=lambda one: one.guid)))


def _member(word: str) -> Member:
    number, kind, first = re.fullmatch(r"(\d+)([fl])(0?)", word).groups()
    return Member(port(int(number)), KINDS[kind], bool(first))


def text(*pkeys: Pkey) -> str:
    return "".join(f"{line}\n" for line in printed(pkeys))


def ports(*numbers: int) -> frozenset[str]:
    return frozenset(map(port, numbers))


def put(driver: UfmDriver, *pkeys: Pkey) -> None:
    """Make these all the partitions that there are."""
    driver.load_replace_candidate(config=text(*pkeys))
    driver.commit_config()

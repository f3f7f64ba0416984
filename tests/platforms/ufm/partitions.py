"""Partitions for tests, as the bodies of requests that the driver is given, short to write."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from fabric.platforms.ufm.session import UfmDriver

KINDS = {"f": "full", "l": "limited"}

Membership = tuple[int, str, bool]
"""Number of a port, `full` or `limited`, and whether the key stands first in its table."""


def port(number: int) -> str:
    return f"{0x0002C90300000000 + number:016x}"


def pkey(number: int, members: str = "", *, name: str = "", ipoib: bool = True, rate: float = 200) -> str:
    """`1f 2l`: port 1 is a full member, port 2 a limited one; a `0` at the end: the key stands first."""
    return partition(number, [_member(word) for word in members.split()], name=name, ipoib=ipoib, rate=rate)


def partition(
    number: int,
    members: Sequence[Membership] = (),
    *,
    name: str = "",
    ipoib: bool = True,
    level: int = 0,
    rate: float = 200,
) -> str:
    """The lines of one partition: the body that makes it, and one for each port."""
    flags = {"ip_over_ib": ipoib, "pkey": f"{number:#x}"}
    first = bool(members) and all(index0 for _, _, index0 in members)
    limits = {"mtu_limit": 4, "rate_limit": rate, "service_level": level}
    opening = {**flags, **limits, "index0": first, **({"partition_name": name} if name else {})}
    joining = (
        {**flags, "guids": [port(one)], "index0": index0, "membership": membership}
        for one, membership, index0 in sorted(members)
    )
    return "".join(f"{json.dumps(body, sort_keys=True)}\n" for body in (opening, *joining))


def _member(word: str) -> Membership:
    found = re.fullmatch(r"(\d+)([fl])(0?)", word)
    assert found
    number, kind, first = found.groups()
    return int(number), KINDS[kind], bool(first)


def text(*partitions: str) -> str:
    return "".join(partitions)


def ports(*numbers: int) -> frozenset[str]:
    return frozenset(map(port, numbers))


def put(driver: UfmDriver, *partitions: str) -> None:
    """Make these all the partitions that there are."""
    driver.load_replace_candidate(config=text(*partitions))
    driver.commit_config()

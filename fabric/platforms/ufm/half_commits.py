"""What a commit that stopped half way may have left on a UFM."""

from __future__ import annotations

from collections.abc import Sequence

from fabric.platforms.driver import is_half
from fabric.platforms.ufm.model import Member, Pkey
from fabric.platforms.ufm.read import parse


def is_half_commit(before: str, pushed: str, now: str) -> bool:
    """Whether what a UFM has now may be half of a commit, by what single requests set: members, and limits.

    The name of a partition says nothing, and whether it is `index0` follows from its members. A partition whose last
    member has left is dropped with its limits, and comes back with the next one.
    """
    reading = parse(now)
    if reading.unread:
        return False
    old, new, shown = (parse(before).config.pkeys, parse(pushed).config.pkeys, reading.config.pkeys)
    if not is_half(_members(old), _members(new), _members(shown)):
        return False
    return _limits(old, empty=True) & _limits(new) <= _limits(shown) <= _limits(old) | _limits(new)


def _members(pkeys: Sequence[Pkey]) -> frozenset[tuple[str, bool, Member]]:
    """A partition with IPoIB is another one: its members leave, and join anew."""
    return frozenset((pkey.pkey, pkey.ip_over_ib, member) for pkey in pkeys for member in pkey.members)


def _limits(pkeys: Sequence[Pkey], *, empty: bool = False) -> frozenset[tuple[str, bool, int, int, float]]:
    """Of all partitions, or of those without members, which nothing of ours drops."""
    return frozenset(
        (pkey.pkey, pkey.ip_over_ib, pkey.mtu_limit, pkey.service_level, pkey.rate_limit)
        for pkey in pkeys
        if not (empty and pkey.members)
    )

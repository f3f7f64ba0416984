"""What a commit may have left that is a series of requests, of products that take nothing back by themselves.

It ends half way, on the way there or back, or a failover loses a part of it: then what a device runs is neither of two
texts, and ours all the same. Parts that neither text has are somebody else's, and so is the loss of a part of both.
"""

from __future__ import annotations

from collections.abc import Hashable


def is_half(before: frozenset[Hashable], pushed: frozenset[Hashable], now: frozenset[Hashable]) -> bool:
    """Whether the parts that a device has now may be half of a commit; a part is what one request sets."""
    return before & pushed <= now <= before | pushed


def is_half_by_lines(before: str, pushed: str, now: str) -> bool:
    """The same of three texts in plain form, each line of which is a part."""
    return is_half(*(frozenset(text.splitlines()) for text in (before, pushed, now)))

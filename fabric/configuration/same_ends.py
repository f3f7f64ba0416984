"""How much two texts have in common at their start and at their end: found by halves, each compared in one step."""

from __future__ import annotations

from collections.abc import Callable


def same_start(old: str, new: str) -> int:
    """How many characters two texts begin with alike."""
    return _longest(min(len(old), len(new)), lambda low, high: old[low:high] == new[low:high])


def same_end(old: str, new: str) -> int:
    """How many characters two texts end with alike."""
    a, b = len(old), len(new)
    return _longest(min(a, b), lambda low, high: old[a - high : a - low] == new[b - high : b - low])


def lines_between(old: str, new: str) -> int:
    """At most so many lines of `old` are not among those that both texts begin and end with."""
    start = same_start(old, new)
    between = old[start : len(old) - same_end(old[start:], new[start:])]
    return len(between.splitlines()) + 2  # where it begins and ends may be inside a line


def _longest(length: int, is_same: Callable[[int, int], bool]) -> int:
    low = 0
    while low < length:
        middle = (low + length + 1) // 2
        if is_same(low, middle):
            low = middle
        else:
            length = middle - 1
    return low

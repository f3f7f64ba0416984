"""Work counted instead of timed: a machine may be slow or busy, and the count stays the same.

    assert growth(lambda size: read(lines(size)), 1_000) <= LINEAR

What is counted: lines of Python that ran and calls into C, in this thread. What a single call into C costs is not seen
(a sort, a search in a list): those are the business of `bench/`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from types import FrameType
from typing import Any

LINEAR = Fraction(5, 2)
"""Twice the input may cost at most so many times the work."""


class TooMuchWork(AssertionError):
    """More work than was allowed: ended there, however long the rest would have taken."""


def work(call: Callable[[], object], at_most: int | None = None) -> int:
    """Lines of Python and calls into C that a call takes. `TooMuchWork` as soon as it is more than `at_most`."""
    counted = 0

    def line(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal counted
        counted += 1
        if at_most is not None and counted > at_most:
            message = f"more than {at_most:,} lines and calls"
            raise TooMuchWork(message)
        return line

    def profile(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal counted
        if event == "c_call":
            counted += 1

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(line)
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    return counted


def growth(run: Callable[[int], object], size: int) -> Fraction:
    """How many times the work of an input is that of twice the input. What is made once was made before."""
    run(2 * size)
    return Fraction(work(lambda: run(2 * size)), work(lambda: run(size)))

"""Numbers as command lines join them: `1-3,5`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SPANS = r"\d{1,4}(?:-\d{1,4})?(?:,\d{1,4}(?:-\d{1,4})?)*"
"""A list, as a regular expression."""


def joined(numbers: Iterable[int]) -> str:
    """`0-23,25,27-47`."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in found)


def one_by_one(spans: str) -> Iterator[int]:
    """The numbers of a list."""
    for span in spans.split(","):
        low, _, high = span.partition("-")
        yield from range(int(low), int(high or low) + 1)

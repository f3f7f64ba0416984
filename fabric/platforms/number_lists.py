"""Numbers as command lines join them: `1-3,5`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SPANS = r"\d{1,4}(?:-\d{1,4})?(?:,\d{1,4}(?:-\d{1,4})?)*"
"""A list, as a regular expression."""


def joined(numbers: Iterable[int]) -> str:
    """`0-23,25,27-47`."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in spans)


def one_by_one(spans: str) -> Iterator[int]:
    """The numbers of a list."""
    for span in spans.split(","):
        low, _, high = span.partition("-")
        yield from range(int(low), int(high or low) + 1)

"""`qos map` lines: each code point maps to one class, and points of one class share a line."""

from __future__ import annotations

from collections.abc import Iterable


def merged(lines: Iterable[str]) -> list[str]:
    """The lines as EOS shows them, given in the order they were typed: the last word on a point counts."""
    points: dict[tuple[str, str], dict[int, str]] = {}
    for line in lines:
        head, _, target = line.partition(" to ")
        kind, *numbers = head.removeprefix("qos map ").split()
        what = target.split()[0]
        for number in numbers:
            points.setdefault((kind, what), {})[int(number)] = target
    return [line for (kind, _), targets in points.items() for line in _shared(kind, targets)]


def _shared(kind: str, targets: dict[int, str]) -> list[str]:
    """One line for each target."""
    by_target: dict[str, list[int]] = {}
    for number in sorted(targets):
        by_target.setdefault(targets[number], []).append(number)
    return [
        f"qos map {kind} {' '.join(str(number) for number in numbers)} to {target}"
        for target, numbers in by_target.items()
    ]

"""Rings in the dependencies between channels: where every buffer waits for the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def rings(edges: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """One ring out of each knot of channels that depend on each other; empty: no deadlock is possible.

    Dally and Seitz 1987: routes are free of deadlock if their channel dependencies have no cycle.
    """
    after: dict[int, list[int]] = {}
    for channel, other in edges:
        after.setdefault(channel, []).append(other)
    left = _knotted(after)
    cycles: list[tuple[int, ...]] = []
    while left:
        ring = _ring(left)
        cycles.append(ring)
        left = _without(left, ring)
    return tuple(cycles)


def _knotted(after: Mapping[int, list[int]]) -> dict[int, list[int]]:
    """What is left after taking away, again and again, channels that nothing waits behind or in front of."""
    left = {channel: list(others) for channel, others in after.items()}
    while True:
        before = len(left)
        left = {
            channel: kept for channel, others in left.items() if (kept := [o for o in others if o in left])
        }
        targets = {other for others in left.values() for other in others}
        left = {channel: others for channel, others in left.items() if channel in targets}
        if len(left) == before:
            return left


def _ring(left: Mapping[int, list[int]]) -> tuple[int, ...]:
    """Walk from the lowest channel until one comes again; the ring starts at its lowest."""
    walked: dict[int, int] = {}
    at = min(left)
    while at not in walked:
        walked[at] = len(walked)
        at = min(left[at])
    ring = list(walked)[walked[at] :]
    lowest = ring.index(min(ring))
    return tuple(ring[lowest:] + ring[:lowest])


def _without(left: Mapping[int, list[int]], ring: tuple[int, ...]) -> dict[int, list[int]]:
    """The rest without everything that reaches this ring or is reached by it."""
    knot = _reached(ring, left) | _reached(ring, _reversed(left))
    rest = {
        channel: [o for o in others if o not in knot]
        for channel, others in left.items()
        if channel not in knot
    }
    return _knotted(rest)


def _reached(start: Iterable[int], after: Mapping[int, list[int]]) -> set[int]:
    seen, todo = set(start), list(start)
    while todo:
        for other in after.get(todo.pop(), ()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def _reversed(after: Mapping[int, list[int]]) -> dict[int, list[int]]:
    reversed_edges: dict[int, list[int]] = {}
    for channel, others in after.items():
        for other in others:
            reversed_edges.setdefault(other, []).append(channel)
    return reversed_edges

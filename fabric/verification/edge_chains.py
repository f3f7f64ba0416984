"""Missing cables and cables too many, joined where they share an end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

import msgspec

E = TypeVar("E", bound=tuple[Any, Any])
"""An end of a cable: a node and a port of it. InfiniBand knows them by GUID and number, LLDP by their names."""


class Chain(msgspec.Struct, Generic[E], frozen=True):
    """Edges that hang together: one fault."""

    missing: tuple[tuple[E, E], ...]
    """Planned, and not found."""
    extra: tuple[tuple[E, E], ...]
    """Found, and not in the intent."""

    @property
    def is_swap(self) -> bool:
        """Whether two cables have changed places."""
        return len(self.missing) == len(self.extra) == 2 and len(self.ends) == 4  # a ring of four

    @property
    def ends(self) -> frozenset[E]:
        """Everything that it touches."""
        return frozenset(end for edge in (*self.missing, *self.extra) for end in edge)


def chains(want: Mapping[E, E], got: Mapping[E, E]) -> Iterator[Chain[E]]:
    """All chains and rings, in the order of their lowest ends."""
    missing = {end: peer for end, peer in want.items() if got.get(end) != peer}
    extra = {end: peer for end, peer in got.items() if want.get(end) != peer}
    seen: set[E] = set()
    for start in sorted({*missing, *extra}):
        if start in seen:
            continue
        ends, todo = {start}, [start]
        while todo:
            end = todo.pop()
            for peer in (missing.get(end), extra.get(end)):
                if peer is not None and peer not in ends:
                    ends.add(peer)
                    todo.append(peer)
        seen |= ends
        yield Chain(_edges(ends, missing), _edges(ends, extra))


def _edges(ends: set[E], peers: Mapping[E, E]) -> tuple[tuple[E, E], ...]:
    return tuple(sorted((end, peers[end]) for end in ends if end in peers and end < peers[end]))

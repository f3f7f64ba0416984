"""Missing cables and cables too many, joined where they share an end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from fabric.verification.infiniband.reading.discovery import End

Edge = tuple[End, End]


class Chain(msgspec.Struct, frozen=True):
    """Edges that hang together: one fault."""

    missing: tuple[Edge, ...]
    """Planned, and not found."""
    extra: tuple[Edge, ...]
    """Found, and not in the intent."""

    @property
    def is_swap(self) -> bool:
        """Whether two cables have changed places."""
        return len(self.missing) == len(self.extra) == 2 and len(self.ends) == 4  # a ring of four

    @property
    def ends(self) -> frozenset[End]:
        """Everything that it touches."""
        return frozenset(end for edge in (*self.missing, *self.extra) for end in edge)


def chains(want: Mapping[End, End], got: Mapping[End, End]) -> Iterator[Chain]:
    """All chains and rings, in the order of their lowest ends."""
    missing = {end: peer for end, peer in want.items() if got.get(end) != peer}
    extra = {end: peer for end, peer in got.items() if want.get(end) != peer}
    seen: set[End] = set()
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


def _edges(ends: set[End], peers: Mapping[End, End]) -> tuple[Edge, ...]:
    return tuple(sorted((end, peers[end]) for end in ends if end in peers and end < peers[end]))

"""The BGP of one network as integer columns: switches by node id, sessions by neighbour, policies as flags."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import msgspec

from fabric.devices.model import Prefix

Passing = tuple[bool, bool]
"""How routes pass a session: whether the sender also advertises what it has received from above, and whether the
receiver marks what it accepts as received from above."""

UPWARD: Passing = (False, False)
"""To the tier above: only what came from below; the switch above has it from below too."""
ACROSS: Passing = (False, True)
"""To another zone: only what came from below; there it may only go down."""
DOWNWARD: Passing = (True, True)
"""To the tier below: everything; there it may only go down."""

Links = dict[Passing, dict[int, int]]
"""Links that carry a session, by how routes pass from here to there, and by neighbour."""


class Origination(msgspec.Struct, frozen=True):
    """A prefix that several switches bring in, or that comes from outside the network."""

    prefix: Prefix
    nodes: tuple[int, ...]
    """The switches where it enters."""
    outside: str = ""
    """The attachment that advertises it; empty: a prefix of hosts."""
    asn: int = 0
    """AS number of that attachment, where a switch has it too."""


Incoming = tuple[int, Passing, int]
"""Of the sessions over which a switch receives routes: the sender, how routes pass, and links."""


class Sessions(msgspec.Struct, dict=True):
    """The sessions of one address family, by switch."""

    out: list[Links]
    internal: list[Links]
    """Those between switches with one AS number: each passes on only what the neighbour itself originates."""

    def into(self, node: int, *, internal: bool = False) -> list[Incoming]:
        """The sessions of a switch as it receives over them."""
        return (self._into_internal if internal else self._into)[node]

    @cached_property
    def _into(self) -> list[list[Incoming]]:
        return _by_receiver(self.out)

    @cached_property
    def _into_internal(self) -> list[list[Incoming]]:
        return _by_receiver(self.internal)


def _by_receiver(out: list[Links]) -> list[list[Incoming]]:
    received: list[list[Incoming]] = [[] for _ in out]
    for sender, links in enumerate(out):
        for passing, targets in links.items():
            for target, count in targets.items():
                received[target].append((sender, passing, count))
    return received


class Speakers(msgspec.Struct, kw_only=True):
    """Every BGP speaker of one network."""

    network: str
    names: list[str]
    role: list[str]
    asn: list[int]
    shared: list[int]
    """The AS number, where another switch or a router outside has it too; 0 elsewhere. A number of one switch alone
    needs no loop check: a path that comes back to that switch is longer than the route that it has."""
    allow_own: list[int]
    max_paths: list[int]
    sessions: dict[int, Sessions]
    """By address family."""
    common: dict[int, tuple[Origination, ...]]
    """By address family; origin number `count + i` is entry i."""

    @property
    def count(self) -> int:
        """Number of switches. Switch n is origin n of what it alone originates."""
        return len(self.names)


class Route(msgspec.Struct, frozen=True):
    """The best route of a switch to an origin."""

    length: int
    """AS numbers in its path."""
    from_above: bool
    next_hops: Mapping[int, int]
    """Links by neighbour; empty at the origin."""

    @property
    def width(self) -> int:
        """Equal paths."""
        return sum(self.next_hops.values())

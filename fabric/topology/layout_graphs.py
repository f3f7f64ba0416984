"""The links of a torus, a dragonfly, a dragonfly+: pure arithmetic over switches and their ports.

Switches are counted by capacity from 0, of one plane; ports from 0 among those that face other switches. All
that is said here is symmetric: `far(*far(s, p)) == (s, p)`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Protocol

TWO = 2
"""A ring of two has one neighbour."""


class Layout(Protocol):
    """Switches joined to each other, all of one tier."""

    @property
    def switches(self) -> int:
        """By capacity, of one plane."""

    @property
    def ports(self) -> int:
        """Ports of a switch that face others of its tier."""

    def far(self, switch: int, port: int) -> tuple[int, int] | None:
        """Switch and port at the other end; None if the port stays free."""


class Axis(NamedTuple):
    """One axis of a torus, as a switch sees it."""

    length: int
    stride: int
    """Switches from one place on the axis to the next."""
    ports: int
    """Of a switch along the axis, both directions."""


class Grid(NamedTuple):
    """A torus. Ports by axis: all links forward, then all links back; the last axis is filled first.

    The two ends of an axis of two are one neighbour: they have its links once, unless it is doubled.
    """

    dimensions: tuple[int, ...]
    links: int = 1
    doubled: bool = False

    @property
    def switches(self) -> int:
        """The product of the dimensions."""
        product = 1
        for length in self.dimensions:
            product *= length
        return product

    @property
    def ports(self) -> int:
        """Of all axes."""
        return sum(axis.ports for axis in self.axes())

    def axes(self) -> tuple[Axis, ...]:
        """Every axis in order."""
        return _axes(self)

    def place(self, switch: int) -> tuple[int, ...]:
        """Coordinates of a switch."""
        return tuple(switch // axis.stride % axis.length for axis in self.axes())

    def step(self, switch: int, axis: Axis, steps: int) -> int:
        """The switch so many places further along an axis."""
        here = switch // axis.stride % axis.length
        return switch + ((here + steps) % axis.length - here) * axis.stride

    def far(self, switch: int, port: int) -> tuple[int, int] | None:
        """Forward port k meets backward port k of the next switch."""
        first = 0
        for axis in self.axes():
            if port < first + axis.ports:
                forward = port - first < self.links
                there = self.step(switch, axis, 1 if forward else -1)
                other = port + self.links if forward else port - self.links
                return there, other if axis.ports > self.links else port
            first += axis.ports
        return None


@lru_cache(maxsize=64)
def _axes(grid: Grid) -> tuple[Axis, ...]:
    stride, axes = grid.switches, []
    for length in grid.dimensions:
        stride //= length
        sides = 1 if length == TWO and not grid.doubled else 2
        axes.append(Axis(length, stride, sides * grid.links))
    return tuple(axes)


class Deal(NamedTuple):
    """The links between equal groups, dealt over the members of each group: every group is dealt alike.

    End e of group i leads to group i + `turns[e]`, where it is end `mates[e]`. So rotating the groups maps the
    links onto themselves. Ends are counted along the members: the first member has the first ones. With one link
    a pair this is the palm tree of Camarero, Vallejo and Beivide (doi 10.1145/2677038).
    """

    members: int
    turns: tuple[int, ...]
    mates: tuple[int, ...]

    def first(self, member: int) -> int:
        """First end of a member. Members differ by at most one end."""
        return -(-member * len(self.turns) // self.members)

    def far(self, group: int, member: int, end: int, groups: int) -> tuple[int, int, int] | None:
        """Group, member and end of that member at the other side of a member's end; None if it has no such end."""
        number = self.first(member) + end
        if number >= self.first(member + 1):
            return None
        mate = self.mates[number]
        other = mate * self.members // len(self.turns)
        return (group + self.turns[number]) % groups, other, mate - self.first(other)


@lru_cache(maxsize=64)
def dealt(groups: int, members: int, ends: int) -> Deal:
    """Deal at most `ends` ends of a group to all others as evenly as can be: pairs differ by at most one link.

    Ends that do not go round go to the nearest groups on both sides. One end of a group stays free where it has no
    partner: an odd rest among an odd number of groups.
    """
    others = groups - 1
    each, rest = divmod(ends, others) if others else (0, 0)
    near = [turn for i in range(rest // 2) for turn in (i + 1, groups - 1 - i)]
    if rest % 2 and groups % 2 == 0:
        near.append(groups // 2)
    turns = [turn for _ in range(each) for turn in range(1, groups)] + sorted(near)
    seen: dict[int, int] = {}
    nth: list[tuple[int, int]] = []
    for turn in turns:
        seen[turn] = seen.get(turn, -1) + 1
        nth.append((turn, seen[turn]))
    at = {key: end for end, key in enumerate(nth)}
    mates = tuple(at[(groups - turn, count)] for turn, count in nth)
    return Deal(members, tuple(turns), mates)


class Groups(NamedTuple):
    """A dragonfly: all switches of a group joined to each other, and every two groups.

    Ports: the links to the other switches of the group in order, then the global ones.
    """

    groups: int
    members: int
    global_links: int
    local_links: int = 1

    @property
    def switches(self) -> int:
        """Of all groups."""
        return self.groups * self.members

    @property
    def local_ports(self) -> int:
        """Ports to the own group."""
        return (self.members - 1) * self.local_links

    @property
    def ports(self) -> int:
        """Local ones, then global ones."""
        return self.local_ports + self.global_links

    def far(self, switch: int, port: int) -> tuple[int, int] | None:
        """The other end of a local or global link."""
        group, member = divmod(switch, self.members)
        if port < self.local_ports:
            nth, link = divmod(port, self.local_links)
            other = nth + (nth >= member)
            return group * self.members + other, (member - (member > other)) * self.local_links + link
        deal = dealt(self.groups, self.members, self.members * self.global_links)
        peer = deal.far(group, member, port - self.local_ports, self.groups)
        if peer is None:
            return None
        return peer[0] * self.members + peer[1], self.local_ports + peer[2]


class SpineGroups(NamedTuple):
    """The spines of a dragonfly+: every two groups have the same number of links."""

    groups: int
    members: int
    """Spines of one group."""
    links_per_pair: int

    @property
    def switches(self) -> int:
        """Spines of all groups."""
        return self.groups * self.members

    @property
    def ports(self) -> int:
        """Of the spine that has most: counted before anything is dealt, for it may be far too many."""
        return -(-(self.groups - 1) * self.links_per_pair // self.members)

    def _deal(self) -> Deal:
        return dealt(self.groups, self.members, (self.groups - 1) * self.links_per_pair)

    def far(self, switch: int, port: int) -> tuple[int, int] | None:
        """The other end of a global link."""
        group, member = divmod(switch, self.members)
        peer = self._deal().far(group, member, port, self.groups)
        return None if peer is None else (peer[0] * self.members + peer[1], peer[2])

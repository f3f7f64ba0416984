"""The links of one network as numpy arrays. Node, port and cable numbers are those of the topology."""

from __future__ import annotations

import enum
from array import array
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]


class Tier(enum.IntEnum):
    """What a link joins."""

    HOST = 0
    """A host to a switch."""
    LEAF = 1
    """A leaf to a spine."""
    SPINE = 2
    """A spine to a superspine."""
    ACROSS = 3
    """Two switches of one tier: zones, a torus, a dragonfly."""
    OUT = 4
    """An attachment to a switch."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Every cabled link once, in port order of its lower end; arrays of one length, an entry a link."""

    net: NetworkTopology
    lower: Ints
    """Node id of the end nearer to the hosts; of two switches of one tier the one with the lower port."""
    upper: Ints
    """Node id of the other end, which is always a switch."""
    lower_port: Ints
    upper_port: Ints
    mbps: NDArray[np.int64]
    """One direction."""
    cable: Ints
    """Links of one cable fail together."""
    tier: NDArray[np.int8]
    """A `Tier`."""
    carries: Bools
    """Not shut, excluded or drained by the intent and what operators have written."""

    @property
    def count(self) -> int:
        """Links."""
        return len(self.lower)

    def links(self, tier: Tier) -> Ints:
        """The links of a tier, as indices of the arrays, ascending."""
        return np.flatnonzero(self.tier == tier).astype(np.int32)

    @cached_property
    def role(self) -> Ints:
        """`Role` of each node."""
        return column(self.net.role)

    @cached_property
    def plane(self) -> Ints:
        """Of each node; NONE where it belongs to all planes."""
        return column(self.net.plane)

    @cached_property
    def unit(self) -> Ints:
        """Of each node, or NONE."""
        return column(self.net.unit)

    @cached_property
    def pod(self) -> Ints:
        """Of each node, or NONE."""
        return column(self.net.pod)

    @cached_property
    def group(self) -> Ints:
        """Of each node: those of one role and number stand in for each other."""
        return column(self.net.group)

    @cached_property
    def port_base(self) -> Ints:
        """First port of each node, and one more entry."""
        return column(self.net.port_base)

    @cached_property
    def rail(self) -> Ints:
        """Of each link of `Tier.HOST` the rail of its NIC, or NONE; of every other link NONE."""
        rails = np.full(self.count, -1, np.int32)
        if self.net.sizes.rails:
            at = self.links(Tier.HOST)
            hosts = self.lower[at]
            nic = (self.lower_port[at] - self.port_base[hosts]) // self.net.sizes.planes
            first = column(self.net.rail)[hosts]
            rails[at] = np.where(first < 0, -1, (first + nic) % self.net.sizes.rails)
        return rails

    def nodes(self, role: Role) -> range:
        """Node ids of a role."""
        return self.net.role_start[role]

    def label(self, link: int) -> str:
        """What people call a link: the names of both its ends."""
        return f"{self.net.names[self.lower[link]]} - {self.net.names[self.upper[link]]}"


def column(values: array[int]) -> Ints:
    """A column of the topology as an array over the same memory, which nobody writes. Addresses are of 64 bits."""
    made: Ints = np.frombuffer(values, values.typecode)
    made.flags.writeable = False
    return made

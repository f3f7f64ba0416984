"""What a node is, which way a port faces, and the ports that all switches of one kind have."""

from __future__ import annotations

import enum

import msgspec

from fabric.hardware import PortSlot

NONE = -1
"""No peer, no address, no rail."""


class Role(enum.IntEnum):
    """What a node is. Switch roles come first and in tier order."""

    LEAF = 0
    SPINE = 1
    SUPERSPINE = 2
    HOST = 3
    ATTACHMENT = 4

    @property
    def is_switch(self) -> bool:
        """Whether nodes of this role are configured by us as switches."""
        return self <= Role.SUPERSPINE


class Facing(enum.IntEnum):
    """Which way a port looks."""

    DOWN = 0
    """To the tier below, or to hosts."""
    UP = 1
    ACROSS = 2
    """To the spines of another zone."""
    OUT = 3
    """To an attachment."""
    SPARE = 4
    """Reserved."""


class PortMap(msgspec.Struct, frozen=True):
    """The ports of all switches of one kind, in index order. Shared: a tier has one map, overrides add more."""

    model: str
    slots: tuple[PortSlot, ...]
    facing: tuple[Facing, ...]

    def range_of(self, facing: Facing) -> range:
        """Indices that face one way; each way is one contiguous block, DOWN first."""
        first = next((i for i, f in enumerate(self.facing) if f is facing), 0)
        return range(first, first + sum(f is facing for f in self.facing))

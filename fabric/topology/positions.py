"""Where every switch stands: a network's switches in node order, from its sizes alone.

A position says the same of a switch however far the fabric grows, so that `fabric.lock` and `resize` know it by
that and not by its name or number.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fabric.topology.model import NONE, Role
from fabric.topology.sizing.shape import Sizes


class Position(msgspec.Struct, frozen=True):
    """One switch. What does not apply to it is NONE."""

    role: Role
    ordinal: int
    """Among the role's switches by capacity."""
    unit: int
    rail: int
    """Its first rail."""
    plane: int
    pod: int
    group: int
    """Switches with the same number are alternatives of each other."""
    index: int


def positions(sizes: Sizes, role: Role) -> Iterator[Position]:
    """The installed switches of a tier in node order."""
    found = {Role.LEAF: _leaves, Role.SPINE: _spines, Role.SUPERSPINE: _superspines}
    return found[role](sizes)


def _leaves(sizes: Sizes) -> Iterator[Position]:
    for node, unit, position, plane in sizes.leaves():
        pod = unit // sizes.units_per_pod if sizes.has_pods else NONE
        # The leaves of one rail on all planes stand in for each other: a host has a port on each.
        group = unit * sizes.rails.leaves + position
        rail = sizes.rails.first_rail(position)
        yield Position(Role.LEAF, node, unit, rail, plane, pod, group, position)


def _spines(sizes: Sizes) -> Iterator[Position]:
    by_rail, all_planes = sizes.spine_rails > 1, sizes.spine_planes < sizes.planes
    for group, pod, rail, plane in sizes.installed_spine_groups():
        for index in range(sizes.leaf.installed):
            yield Position(
                Role.SPINE,
                group * sizes.leaf.count + index,
                NONE,
                sizes.rails.first_rail(rail) if by_rail else NONE,
                NONE if all_planes else plane,
                pod if sizes.by_pod else NONE,
                group,
                index,
            )


def _superspines(sizes: Sizes) -> Iterator[Position]:
    all_planes = sizes.superspine_planes < sizes.planes
    for group in range(sizes.superspine_groups * sizes.superspine_planes):
        plane = NONE if all_planes else group % sizes.superspine_planes
        for index in range(sizes.spine.installed):
            ordinal = group * sizes.spine.count + index
            yield Position(Role.SUPERSPINE, ordinal, NONE, NONE, plane, NONE, group, index)

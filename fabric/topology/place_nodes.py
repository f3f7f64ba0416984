"""The position of every node: role, unit, rail, plane, pod, group, index, ordinal.

A position says the same of a switch however far the fabric grows, so that `fabric.lock` and `resize` know it by
that and not by its name or number.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import msgspec

from fabric.topology.network_draft import Draft
from fabric.topology.roles import NONE, Role
from fabric.topology.sizing.sizes import Sizes


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
    placers = {Role.LEAF: _leaves, Role.SPINE: _spines, Role.SUPERSPINE: _superspines}
    return placers[role](sizes)


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


def place(draft: Draft) -> None:
    """Make the nodes: leaves, spines, superspines, hosts, attachments."""
    nodes, net = _Nodes(), draft.net
    net.role_start = {}
    for role in (Role.LEAF, Role.SPINE, Role.SUPERSPINE):
        first = len(nodes.role)
        for position in positions(draft.sizes, role):
            nodes.add(*msgspec.structs.astuple(position))
        net.role_start[role] = range(first, len(nodes.role))
    first = len(nodes.role)
    _place_hosts(draft, nodes)
    hosts = len(nodes.role)
    for i, _name in enumerate(_attachments(draft)):
        nodes.add(Role.ATTACHMENT, i, NONE, NONE, NONE, NONE, NONE, i)
    net.role_start |= {Role.HOST: range(first, hosts), Role.ATTACHMENT: range(hosts, len(nodes.role))}
    net.role, net.ordinal, net.unit, net.rail = nodes.role, nodes.ordinal, nodes.unit, nodes.rail
    net.plane, net.pod, net.group, net.index = nodes.plane, nodes.pod, nodes.group, nodes.index


def _attachments(draft: Draft) -> list[str]:
    attachments = draft.intent.site.attachments
    return sorted(name for name in attachments if attachments[name].network == draft.name)


class _Nodes:
    """The node columns under construction."""

    def __init__(self) -> None:
        self.role, self.ordinal, self.unit, self.rail = array("i"), array("i"), array("i"), array("i")
        self.plane, self.pod, self.group, self.index = array("i"), array("i"), array("i"), array("i")

    def add(
        self, role: Role, ordinal: int, unit: int, rail: int, plane: int, pod: int, group: int, index: int
    ) -> None:
        """Append one node."""
        self.role.append(role)
        self.ordinal.append(ordinal)
        self.unit.append(unit)
        self.rail.append(rail)
        self.plane.append(plane)
        self.pod.append(pod)
        self.group.append(group)
        self.index.append(index)


def _place_hosts(draft: Draft, nodes: _Nodes) -> None:
    sizes, names = draft.sizes, draft.net.host_group
    for unit in range(sizes.units):
        draft.first_host.append(len(nodes.role))
        pod = unit // sizes.units_per_pod if sizes.has_pods else NONE
        seated: dict[int, int] = {}
        for number, group in enumerate(sizes.groups):
            for position in group.installed(unit, sizes.units):
                slot = group.first_slot + position
                seated[slot] = len(nodes.role)
                names[len(nodes.role)] = group.name
                rail = group.rail_offset(position, sizes.rails.rails) if sizes.rails.apply else NONE
                nodes.add(Role.HOST, unit * sizes.host_slots + slot, unit, rail, NONE, pod, number, position)
        draft.seat_hosts.append(seated)
    draft.first_host.append(len(nodes.role))

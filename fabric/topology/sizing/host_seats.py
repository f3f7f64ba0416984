"""Hosts of a unit and the leaf ports that they take: who sits where, by capacity.

A *slot* is a position of a host in its unit; every unit has the same slots, filled or not. A *seat* is one
downlink of a leaf (the same on every plane): a NIC of the host in some slot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.hardware import Catalogue
from fabric.intent.model import HostGroup, HostNics, Network, Rails, Site
from fabric.intent.model.lock import NetworkLock
from fabric.topology import codes
from fabric.topology.roles import NONE
from fabric.units import counted


class GroupSize(msgspec.Struct, frozen=True):
    """How many hosts of a group there are, `auto` resolved."""

    per_unit: int
    spares: int
    last_unit: int
    """Hosts in the last unit, spares apart."""

    @property
    def slots(self) -> int:
        """Host positions of a unit that the group needs."""
        return self.per_unit + self.spares


class SiteSize(msgspec.Struct, frozen=True):
    """Units and hosts of the site: what all its networks share."""

    units: int
    unit_capacity: int
    hosts_per_unit: int | None
    """Declared host positions of a unit."""
    groups: Mapping[str, GroupSize]


class Group(msgspec.Struct, frozen=True):
    """A host group in one network."""

    name: str
    size: GroupSize
    nics: HostNics
    first_slot: int
    span: int
    """Slots up to the next group's: the group can grow this far and move nothing."""

    def installed(self, unit: int, units: int) -> list[int]:
        """Positions within the group that hold a host in `unit`, spares last."""
        hosts = self.size.last_unit if unit == units - 1 else self.size.per_unit
        return [*range(hosts), *range(self.size.per_unit, self.size.slots)]

    def rail_offset(self, position: int, rails: int) -> int:
        """Rail of NIC 0 of the host at a position."""
        return position * self.nics.count % rails if self.nics.first_rail == "alternate" else 0


class Seat(NamedTuple):
    """One downlink of a leaf."""

    slot: int
    nic: int
    speed_mbps: int
    spare: bool
    """Whether a spare host sits there. It counts like any other: it may become one."""


class RailPlan(msgspec.Struct, frozen=True):
    """Rails and the leaves that they land on."""

    rails: int
    """1 where rails do not apply."""
    leaves: int
    """Of one unit and plane."""
    interleaved: bool
    apply: bool
    """False: rack ToR, all NICs of a host on the same leaf."""

    def leaf_of(self, rail: int) -> int:
        """Leaf of the unit on which a rail lands."""
        return rail % self.leaves if self.interleaved else rail * self.leaves // self.rails

    def first_rail(self, leaf: int) -> int:
        """First rail of a leaf, NONE where rails do not apply."""
        if not self.apply:
            return NONE
        return leaf if self.interleaved else leaf * self.rails // self.leaves


def nics_of(group: HostGroup, network: str, hardware: Catalogue) -> HostNics | None:
    """NICs of a host group in a network: as written, or the model's compute or storage NICs."""
    if group.nics or group.model is None or group.model not in hardware.hosts:
        return group.nics.get(network)
    kind = next((k for k in ("compute", "storage") if k == network), None)
    nics = hardware.hosts[group.model].nics.get(kind) if kind else None
    if nics is None:
        return None
    return HostNics(count=nics.count, ports=nics.ports, speed_mbps=nics.speed_mbps)


def groups_of(
    site: Site, size: SiteSize, network: str, hardware: Catalogue, lock: NetworkLock | None
) -> tuple[tuple[Group, ...], int]:
    """The host groups of a network in slot order, and the host slots of a unit.

    Groups that the lock knows keep their first slot, new ones follow by name.
    """
    locked: Mapping[str, int] = lock.group_slots if lock else {}
    nics = {
        name: group_nics
        for name in site.hosts
        if (group_nics := nics_of(site.hosts[name], network, hardware))
    }
    order = sorted(nics, key=lambda name: (name not in locked, locked.get(name, 0), name))
    firsts: list[int] = []
    end = 0
    for name in order:
        # Two groups in one position, by a slip or by growth: the later one gives way, and its move is refused.
        firsts.append(max(end, locked.get(name, end)))
        end = firsts[-1] + size.groups[name].slots
    declared = size.hosts_per_unit or (lock.host_slots if lock else 0)
    slots = max(end, declared)
    ends = [*firsts[1:], slots] if order else []
    groups = tuple(
        Group(name, size.groups[name], nics[name], first, last - first)
        for name, first, last in zip(order, firsts, ends, strict=True)
    )
    return groups, slots


def rails_of(network: Network, groups: tuple[Group, ...], at: Origin, report: Report) -> RailPlan:
    """Rails and leaves of a unit; with findings where groups do not fit them."""
    if network.rails == "none":
        return RailPlan(1, 1, interleaved=False, apply=False)
    written = Rails() if network.rails == "auto" else network.rails
    widest = max(group.nics.count for group in groups)
    rails = widest if written.count == "auto" else written.count
    leaves = rails if written.leaves == "auto" else written.leaves
    if leaves > rails or rails % leaves:
        rule = f"{counted(rails, ('rail does', 'rails do'))} not fold evenly on {counted(leaves, 'leaf')}"
        hint = f"{leaves} must divide {rails}"
        report.add(codes.RAILS_UNEVEN.at(at.child("rails", "leaves"), rule, value=leaves, hint=hint))
        leaves = rails
    for group in groups:
        _check_group(group, rails, report)
    alternate = any(group.nics.first_rail == "alternate" for group in groups)
    if widest < rails and not alternate:
        rule = (
            f"no NIC lands on rail {widest}: hosts have {counted(widest, 'NIC')}, the network "
            f"{counted(rails, 'rail')}"
        )
        hint = f"set `count: {widest}`, or `first_rail: alternate` on the hosts' NICs"
        report.add(codes.RAILS_UNEVEN.at(at.child("rails", "count"), rule, value=rails, hint=hint))
    return RailPlan(rails, leaves, interleaved=written.fold == "interleaved", apply=True)


def _check_group(group: Group, rails: int, report: Report) -> None:
    at = Origin(("hosts", group.name))
    nics = group.nics.count
    if nics > rails:
        rule = f"for {counted(nics, 'NIC')} a host needs {counted(nics, 'rail')}, the network has {rails}"
        hint = f"set `rails.count: {nics}`, or `rails: none` for a rack ToR"
        report.add(codes.RAILS_UNEVEN.at(at, rule, value=nics, hint=hint))
    elif group.nics.first_rail == "alternate" and (rails % nics or group.size.per_unit % (rails // nics)):
        turn = (
            f"{counted(rails // nics, 'host')}" if rails % nics == 0 else f"hosts of {counted(nics, 'NIC')}"
        )
        rule = (
            f"{counted(group.size.per_unit, 'host')} of {counted(nics, 'NIC')} cannot fill "
            f"{counted(rails, 'rail')} evenly in turns of {turn}"
        )
        hint = "choose `per_unit` as a multiple of rails divided by NICs, or `first_rail: zero`"
        report.add(codes.RAILS_UNEVEN.at(at.child("per_unit"), rule, value=group.size.per_unit, hint=hint))


def seats_of(groups: tuple[Group, ...], plan: RailPlan) -> tuple[tuple[Seat, ...], ...]:
    """Seats of each leaf of a unit, in port order (host slot, then NIC)."""
    seats: list[list[Seat]] = [[] for _ in range(plan.leaves)]
    for group in groups:
        speed = int(group.nics.speed_mbps)
        for position in range(group.span):
            first = group.rail_offset(position, plan.rails)
            spare = group.size.per_unit <= position < group.size.slots
            for nic in range(group.nics.count):
                leaf = plan.leaf_of((first + nic) % plan.rails)
                seats[leaf].append(Seat(group.first_slot + position, nic, speed, spare))
    return tuple(tuple(sorted(leaf)) for leaf in seats)

"""The sizes of a network: every number that the later passes multiply.

All numbers are capacities; `Sizes.units` and `Upward.installed` say what is there today.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from fabric.intent.model import PortGroup
from fabric.topology.layout_graphs import Grid, Groups, SpineGroups
from fabric.topology.port_maps import Demand
from fabric.topology.roles import Facing, Role
from fabric.topology.sizing.host_seats import Group, RailPlan, Seat


class Upward(msgspec.Struct, frozen=True):
    """How the switches of a tier reach the tier above."""

    count: int
    """Switches above, of one group; 0: none."""
    installed: int
    uplinks: int
    """Upward ports of one switch, cabled or not."""
    links_per_pair: int
    by_link: bool
    """Uplinks in order: the first link to each switch, then the second."""

    def target(self, uplink: int) -> tuple[int, int]:
        """Switch above and parallel link of an uplink."""
        if self.by_link:
            return uplink % self.count, uplink // self.count
        return divmod(uplink, self.links_per_pair)


NOWHERE = Upward(0, 0, 0, 0, by_link=False)


class Sizes(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a network that is a number."""

    units: int
    """Installed."""
    unit_capacity: int
    units_per_pod: int
    pods: int
    """By capacity; 1 where there are neither pods nor zones."""
    has_pods: bool
    zone_links: int
    """Links between equal spines of two zones; 0: no zones."""
    across: Grid | Groups | SpineGroups | None = None
    """How the leaves, or the spines of a dragonfly+, are joined to each other. None in a tree."""
    rails: RailPlan
    planes: int
    spine_planes: int
    superspine_planes: int
    by_pod: bool
    """Whether each pod or zone has its own spines."""
    spine_pods: int
    """Spine groups along the pods: 1, or `pods`."""
    spine_rails: int
    """Spine groups along the rails: 1, or the leaves of a unit."""
    host_slots: int
    groups: tuple[Group, ...]
    seats: tuple[tuple[Seat, ...], ...]
    """Of each leaf of a unit."""
    leaf: Upward
    spine: Upward
    superspine_groups: int
    leaf_up_mbps: int = 0
    """Speed of a leaf's uplinks."""
    demands: tuple[tuple[tuple[Demand, ...], ...], ...]
    """Ports by tier, and for leaves by position in the unit."""

    @property
    def leaf_capacity(self) -> int:
        """Leaves at full capacity."""
        return self.unit_capacity * self.rails.leaves * self.planes

    @property
    def spine_groups(self) -> int:
        """Spine groups at full capacity, all planes."""
        return self.spine_pods * self.spine_rails * self.spine_planes

    @property
    def spine_capacity(self) -> int:
        """Spines at full capacity."""
        return self.spine_groups * self.leaf.count

    @property
    def superspine_capacity(self) -> int:
        """Superspines at full capacity."""
        return self.superspine_groups * self.superspine_planes * self.spine.count

    @property
    def across_role(self) -> Role:
        """The tier whose switches are joined to each other."""
        return Role.LEAF if isinstance(self.across, Grid | Groups) else Role.SPINE

    @property
    def across_ports(self) -> int:
        """Ports of a switch of that tier to others of it."""
        return self.across.ports if self.across else (self.pods - 1) * self.zone_links

    @property
    def leaf_down(self) -> int:
        """Downlinks of a leaf."""
        return sum(d.count for d in self.demands[0][0] if d.facing is Facing.DOWN)

    def seat_mbps(self, *, spares: bool = True) -> int:
        """Most bandwidth of the host positions of one leaf, by capacity."""
        return max(sum(seat.speed_mbps for seat in seats if spares or not seat.spare) for seats in self.seats)

    @property
    def spare_mbps(self) -> int:
        """What spare hosts have of it."""
        return self.seat_mbps() - self.seat_mbps(spares=False)

    @property
    def leaves_per_group(self) -> int:
        """Leaves that share a group of spines."""
        leaves = 1 if self.spine_rails > 1 else self.rails.leaves
        units = self.units_per_pod if self.spine_pods > 1 else self.unit_capacity
        return units * leaves * self.planes // self.spine_planes

    @property
    def spines_per_superspine_group(self) -> int:
        """Spines that share a group of superspines."""
        spines = self.spine_pods * self.spine_rails * self.leaf.count // self.superspine_groups
        return spines * self.spine_planes // self.superspine_planes

    @property
    def pods_installed(self) -> int:
        """Pods or zones with at least one unit."""
        return -(-self.units // self.units_per_pod)

    def leaves(self) -> Iterator[tuple[int, int, int, int]]:
        """Node id, unit, position in the unit and plane of every installed leaf, in id order."""
        node = 0
        for unit in range(self.units):
            for position in range(self.rails.leaves):
                for plane in range(self.planes):
                    yield node, unit, position, plane
                    node += 1

    def spine_group(self, pod: int, rail: int, plane: int) -> int:
        """Number of a spine group by capacity."""
        return (pod * self.spine_rails + rail) * self.spine_planes + plane

    def installed_spine_groups(self) -> Iterator[tuple[int, int, int, int]]:
        """Number, pod, rail group and plane of every spine group that is installed."""
        pods = min(self.spine_pods, self.pods_installed)
        for pod in range(pods if self.leaf.count else 0):
            for rail in range(self.spine_rails):
                for plane in range(self.spine_planes):
                    yield self.spine_group(pod, rail, plane), pod, rail, plane

    @property
    def switches(self) -> int:
        """Switches at full capacity: what the search for the smallest fabric compares."""
        return self.leaf_capacity + self.spine_capacity + self.superspine_capacity


def demand_of(facing: Facing, group: PortGroup, count: int, speed_mbps: int) -> Demand:
    """Ports as a port group of the intent wants them."""
    breakout = None if group.breakout == "auto" else group.breakout
    return Demand(facing, count, speed_mbps, breakout, group.cages, group.fill == "sub_port")


def spare_of(count: int, speed_mbps: int) -> Demand:
    """Reserved ports."""
    return Demand(Facing.SPARE, count, speed_mbps)


def seat_demands(group: PortGroup, speeds: Sequence[int], count: int, fastest: int) -> tuple[Demand, ...]:
    """Downward ports of a leaf in seat order as runs of equal speed, the last one filled up to `count`.

    A leaf without a seat gets ports of the `fastest` NICs.
    """
    last = speeds[-1] if speeds else fastest
    padded = [*speeds, *([last] * max(0, count - len(speeds)))]
    return tuple(
        demand_of(Facing.DOWN, group, sum(1 for _ in same), speed) for speed, same in groupby(padded)
    )

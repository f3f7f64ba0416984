"""How many switches, ports and links a network has: bottom up, tier by tier."""

from __future__ import annotations

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.intent.model import DragonflyPlus, Intent, Network, PortGroup, Spine, Superspine, Tier
from fabric.topology import codes
from fabric.topology.attachments.landing_switches import land, storage_mbps
from fabric.topology.model import Sizing
from fabric.topology.port_maps import Cage, Demand, Panel, allocate, fits, named_cages, room
from fabric.topology.roles import Facing, Role
from fabric.topology.sizing import layout_sizes
from fabric.topology.sizing.check_preconditions import check_models, check_planes, check_tiers
from fabric.topology.sizing.host_seats import Group, RailPlan, SiteSize, groups_of, rails_of, seats_of
from fabric.topology.sizing.search_smallest import ceil_div, largest
from fabric.topology.sizing.size_uplinks import REDUNDANT, UplinkRequest, size_uplinks
from fabric.topology.sizing.sizes import NOWHERE, Sizes, Upward, demand_of, seat_demands, spare_of
from fabric.topology.sizing.sizing_findings import below_ceiling, complain
from fabric.units import Speed, counted, parse_ratio


class Sizer:
    """Works out the sizes of one network, step by step; findings go to `report`."""

    def __init__(
        self, intent: Intent, name: str, site: SiteSize, report: Report, panels: dict[str, Panel]
    ) -> None:
        self.intent, self.name, self.site, self.report = intent, name, site, report
        self.network: Network = intent.site.networks[name]
        self.at = Origin(("networks", name))
        self.panels = panels
        self.choices: list[Sizing] = []
        self.lock = intent.lock.networks.get(name) if intent.lock else None
        self.spares_left_out = self.lock is not None and not self.lock.spares_have_uplinks
        """By an older lock."""

    def sizes(self) -> Sizes | None:
        """All sizes, or None with the reasons in the report."""
        groups, slots = groups_of(self.intent.site, self.site, self.name, self.intent.hardware, self.lock)
        if not groups:
            hint = f"give a host group `nics: {{{self.name}: ...}}`, or remove the network"
            self.report.add(codes.NO_HOSTS.at(self.at, f"no host group has NICs in `{self.name}`", hint=hint))
            return None
        rails = rails_of(self.network, groups, self.at, self.report)
        check_planes(self.network, self.name, groups, self.report)
        check_tiers(self.network, self.at, self.report)
        check_models(self.network, self.at, self.intent.hardware, self.report)
        if self.report.has_errors:
            return None
        shape = self._leaf(self._shape(groups, slots, rails))
        if shape is None or self.network.tiers.spine is None:
            return shape
        return self._spine(shape, self.network.tiers.spine)

    # --- what all tiers ask

    def _panel(self, tier: Tier) -> Panel:
        if tier.model not in self.panels:
            self.panels[tier.model] = Panel(self.intent.hardware.switches[tier.model])
        return self.panels[tier.model]

    def _place(self, role: str) -> Origin:
        return self.at.child("tiers", role)

    def _taken(self, role: str) -> tuple[Cage, ...]:
        """Cages of a tier that attachments name: nothing else may use them on any switch of the tier."""
        cages: list[Cage] = []
        for attachment in self.intent.site.attachments.values():
            to = attachment.to
            if attachment.network == self.name and to.tier == role and to.cages:
                cages += named_cages(to.cages)
        return tuple(cages)

    def _fits(self, role: str, tier: Tier, demands: tuple[Demand, ...]) -> bool:
        """Whether a switch of the tier has all these ports; with a finding if not."""
        panel = self._panel(tier)
        allocated = allocate(panel, demands, self._taken(role))
        if isinstance(allocated, list):
            return True
        complain(self.report, self._place(role), panel, demands, allocated, role)
        return False

    def _room(self, role: str, tier: Tier, demands: tuple[Demand, ...], demand: Demand) -> int:
        return room(self._panel(tier), demands, demand, self._taken(role))

    def _storage_mbps(self, shape: Sizes, role: Role, tier: Tier) -> int:
        """Most bandwidth that storage brings to one switch of a tier: it needs uplinks as hosts do."""
        attachments = self.intent.site.attachments
        lock, reserved = self.intent.lock, tier.reserved_ports
        return storage_mbps(attachments, land(attachments, self.name, role, shape, reserved, lock))

    def _check_ceiling(
        self, role: str, tier: Tier, down_mbps: int, up_mbps: int, spare_mbps: int = 0
    ) -> None:
        at, locked = self._place(role), self.lock is not None
        below_ceiling(self.report, at, tier, down_mbps, up_mbps, role, spare_mbps, locked=locked)

    def _size_uplinks(self, step: UplinkRequest) -> Upward | None:
        upward, sizing = size_uplinks(step, self.report)
        if sizing is not None:
            self.choices.append(sizing)
        return upward

    def _speed_below(self, role: str, group: PortGroup, below: int) -> bool:
        """Whether the downward ports of a tier have the speed of the uplinks below."""
        if group.speed_mbps is None or int(group.speed_mbps) == below:
            return True
        rule = f"{role} ports of {group.speed_mbps} cannot join uplinks of {Speed(below)}"
        at = self._place(role).child("down", "speed")
        hint = "leave out `speed`: it follows the tier below"
        self.report.add(codes.SPEEDS_DIFFER.at(at, rule, value=str(group.speed_mbps), hint=hint))
        return False

    # --- shape

    def _shape(self, groups: tuple[Group, ...], slots: int, rails: RailPlan) -> Sizes:
        network, site = self.network, self.site
        part = layout_sizes.units_of_part(network)
        per_pod = min(part, site.unit_capacity) if part else site.unit_capacity
        pods = -(-site.unit_capacity // per_pod)
        by = layout_sizes.grouping(network)
        planes, meet = network.planes.count, network.planes.meet_at
        spine_pods = pods if "pod" in by else 1
        tiers = network.tiers
        if network.pods and spine_pods > 1 and tiers.spine and not tiers.superspine:
            rule = f"{pods} pods, and no superspine joins them"
            hint = codes.PODS_APART.fix
            self.report.add(codes.PODS_APART.at(self.at.child("pods"), rule, value=pods, hint=hint))
        return Sizes(
            units=site.units,
            unit_capacity=site.unit_capacity,
            units_per_pod=per_pod,
            pods=pods,
            has_pods=part is not None,
            zone_links=network.zones.links if network.zones and pods > 1 else 0,
            across=layout_sizes.leaf_layout(network, site.unit_capacity, rails.leaves, self.at, self.report),
            rails=rails,
            planes=planes,
            spine_planes=1 if meet == "spine" else planes,
            superspine_planes=planes if meet == "none" else 1,
            by_pod="pod" in by,
            spine_pods=spine_pods,
            spine_rails=rails.leaves if "rail" in by else 1,
            host_slots=slots,
            groups=groups,
            seats=seats_of(groups, rails),
            leaf=NOWHERE,
            spine=NOWHERE,
            superspine_groups=0,
            demands=(),
        )

    # --- leaves

    def _leaf(self, shape: Sizes) -> Sizes | None:
        tier, spine = self.network.tiers.leaf, self.network.tiers.spine
        fastest = max(int(group.nics.speed_mbps) for group in shape.groups)
        speed = int(tier.up.speed_mbps or fastest)
        down = self._leaf_down(shape)
        if shape.across is not None:
            to_others = demand_of(Facing.ACROSS, tier.up, shape.across.ports, speed)
            down = [(*each, to_others) for each in down]
        spare = spare_of(tier.reserved_ports, fastest)
        if not self._fits("leaf", tier, (*down[0], spare)):
            return None
        counted = shape.seat_mbps() + self._storage_mbps(shape, Role.LEAF, tier)
        upward: Upward | None = NOWHERE
        if spine is not None:
            uplinks = demand_of(Facing.UP, tier.up, 0, speed)
            most = self._room("leaf", tier, (*down[0], spare), uplinks)
            upward = self._leaf_up(shape, spine, speed, counted, most)
        elif tier.up.ports != "auto":
            upward = Upward(0, 0, tier.up.ports, 0, by_link=False)
        if upward is None:
            return None
        up = demand_of(Facing.UP, tier.up, upward.uplinks, speed)
        demands = tuple((*each, up, spare) for each in down)
        if not all(self._fits("leaf", tier, each) for each in dict.fromkeys(demands)):
            return None
        if upward.uplinks:
            spares = shape.spare_mbps if self.spares_left_out else 0
            self._check_ceiling("leaf", tier, counted, upward.uplinks * speed, spares)
        return msgspec.structs.replace(shape, leaf=upward, leaf_up_mbps=speed, demands=(demands,))

    def _leaf_down(self, shape: Sizes) -> list[tuple[Demand, ...]]:
        """Downward ports of each leaf position: seats in order, filled up to the same number on all."""
        group = self.network.tiers.leaf.down
        needed = max(len(seats) for seats in shape.seats)
        count = needed if group.ports == "auto" else group.ports
        at = self._place("leaf").child("down")
        if count < needed:
            rule = (
                f"{counted(shape.host_slots, ('host position needs', 'host positions need'))} "
                f"{counted(needed, 'downlink')} of each leaf, {count} are given"
            )
            hint = f"set `ports: {needed}`, or leave it `auto`"
            self.report.add(codes.PORTS_SHORT.at(at.child("ports"), rule, value=count, hint=hint))
        speeds = sorted({int(g.nics.speed_mbps) for g in shape.groups})
        if group.speed_mbps is not None and speeds != [int(group.speed_mbps)]:
            nic_speeds = " and ".join(str(Speed(speed)) for speed in speeds)
            rule = f"leaf ports of {group.speed_mbps} cannot join NICs of {nic_speeds}"
            hint = "leave out `speed`: it follows the NICs"
            value = str(group.speed_mbps)
            self.report.add(codes.SPEEDS_DIFFER.at(at.child("speed"), rule, value=value, hint=hint))
        return [
            seat_demands(group, [seat.speed_mbps for seat in seats], count, speeds[-1])
            for seats in shape.seats
        ]

    def _leaf_up(self, shape: Sizes, spine: Spine, speed: int, counted: int, most: int) -> Upward | None:
        tier = self.network.tiers.leaf
        others = self._spine_others(shape, spine, speed, 0 if spine.count == "auto" else spine.count)
        least = (demand_of(Facing.DOWN, spine.down, 1, speed), *others)
        if not self._speed_below("spine", spine.down, speed) or not self._fits("spine", spine, least):
            return None
        if spine.count == "auto" and isinstance(self.network.layout, DragonflyPlus):
            return self._fewest_spines(shape, spine, speed, counted, most)
        down, why = self._spine_room(shape, spine, speed)
        step = UplinkRequest(
            role="leaf",
            tier=tier,
            above=spine,
            at=self._place("spine"),
            needed=ceil_div(counted, parse_ratio(tier.max_oversubscription) * speed),
            most=most,
            below=shape.leaves_per_group,
            down=down,
            why=why,
        )
        return self._size_uplinks(step)

    def _fewest_spines(
        self, shape: Sizes, spine: Spine, speed: int, counted: int, most: int
    ) -> Upward | None:
        """The fewest spines of a group that hold its leaves and its share of the links to other groups."""
        last = self.report
        for count in range(max(1, min(REDUNDANT, most)), max(1, most) + 1):
            self.report = Report()
            sized = self._leaf_up(shape, msgspec.structs.replace(spine, count=count), speed, counted, most)
            tried, self.report = self.report, last
            if sized is not None:
                return sized
        self.report.extend(tried)
        return None

    # --- spines

    def _spine_others(self, shape: Sizes, tier: Spine, leaf_up: int, spines: int) -> tuple[Demand, ...]:
        """Ports of a spine to other zones or groups, and reserved ones."""
        speed = int(tier.up.speed_mbps or leaf_up)
        layout = layout_sizes.spine_layout(self.network, shape.pods, spines)
        count = layout.ports if layout else (shape.pods - 1) * shape.zone_links
        across = (
            demand_of(Facing.ACROSS, tier.up, count, speed) if layout else Demand(Facing.ACROSS, count, speed)
        )
        return across, spare_of(tier.reserved_ports, leaf_up)

    def _spine_room(self, shape: Sizes, tier: Spine, leaf_up: int) -> tuple[int, str]:
        """Downward ports that a spine can have beside its uplinks, and what decides that."""
        if tier.down.ports != "auto":
            return tier.down.ports, "`down.ports`"
        panel, speed = self._panel(tier), int(tier.up.speed_mbps or leaf_up)
        others = self._spine_others(shape, tier, leaf_up, 0 if tier.count == "auto" else tier.count)
        up = 0 if tier.up.ports == "auto" else tier.up.ports
        fixed = (demand_of(Facing.UP, tier.up, up, speed), *others)
        most = self._room("spine", tier, fixed, demand_of(Facing.DOWN, tier.down, 0, leaf_up))
        if self.network.tiers.superspine is None or tier.up.ports != "auto":
            return most, panel.model.model
        ceiling, taken = parse_ratio(tier.max_oversubscription), self._taken("spine")

        def holds(down: int) -> bool:
            uplinks = demand_of(Facing.UP, tier.up, ceil_div(down * leaf_up, ceiling * speed), speed)
            return fits(panel, (demand_of(Facing.DOWN, tier.down, down, leaf_up), uplinks, *others), taken)

        return largest(most, holds), f"{panel.model.model} beside its uplinks"

    def _spine(self, shape: Sizes, tier: Spine) -> Sizes | None:
        leaf_up, superspine = shape.leaf_up_mbps, self.network.tiers.superspine
        speed = int(tier.up.speed_mbps or leaf_up)
        count = shape.leaves_per_group * shape.leaf.links_per_pair
        counted = count * leaf_up + self._storage_mbps(shape, Role.SPINE, tier)
        written = 0 if tier.down.ports == "auto" else tier.down.ports
        down = demand_of(Facing.DOWN, tier.down, max(count, written), leaf_up)
        others = self._spine_others(shape, tier, leaf_up, shape.leaf.count)
        upward: Upward | None = NOWHERE
        if superspine is not None:
            groups = layout_sizes.superspine_groups(shape, superspine, self._place("superspine"), self.report)
            shape = msgspec.structs.replace(shape, superspine_groups=groups)
            fixed = (down, *others)
            upward = self._spine_up(shape, tier, superspine, fixed, counted, speed) if groups else None
        elif tier.up.ports != "auto":
            upward = Upward(0, 0, tier.up.ports, 0, by_link=False)
        if upward is None:
            return None
        demands = (down, demand_of(Facing.UP, tier.up, upward.uplinks, speed), *others)
        if not self._fits("spine", tier, demands):
            return None
        if upward.uplinks:
            self._check_ceiling("spine", tier, counted, upward.uplinks * speed)
        across = shape.across or layout_sizes.spine_layout(self.network, shape.pods, shape.leaf.count)
        shape = msgspec.structs.replace(
            shape, spine=upward, across=across, demands=(*shape.demands, (demands,))
        )
        return self._superspine(shape, superspine, speed) if superspine else shape

    def _spine_up(
        self,
        shape: Sizes,
        tier: Spine,
        superspine: Superspine,
        fixed: tuple[Demand, ...],
        counted: int,
        speed: int,
    ) -> Upward | None:
        demand = demand_of(Facing.DOWN, superspine.down, 1, speed)
        if not self._speed_below("superspine", superspine.down, speed):
            return None
        if not self._fits("superspine", superspine, (demand,)):
            return None
        spare = spare_of(superspine.reserved_ports, speed)
        down = self._room("superspine", superspine, (spare,), demand)
        step = UplinkRequest(
            role="spine",
            tier=tier,
            above=superspine,
            at=self._place("superspine"),
            needed=ceil_div(counted, parse_ratio(tier.max_oversubscription) * speed),
            most=self._room("spine", tier, fixed, demand_of(Facing.UP, tier.up, 0, speed)),
            below=shape.spines_per_superspine_group,
            down=down if superspine.down.ports == "auto" else superspine.down.ports,
            why=self._panel(superspine).model.model,
        )
        return self._size_uplinks(step)

    # --- superspines

    def _superspine(self, shape: Sizes, tier: Superspine, speed: int) -> Sizes | None:
        count = shape.spines_per_superspine_group * shape.spine.links_per_pair
        down = count if tier.down.ports == "auto" else max(count, tier.down.ports)
        demands = (demand_of(Facing.DOWN, tier.down, down, speed), spare_of(tier.reserved_ports, speed))
        if not self._fits("superspine", tier, demands):
            return None
        return msgspec.structs.replace(shape, demands=(*shape.demands, (demands,)))

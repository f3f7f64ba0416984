"""How many switches, ports and links a network has: every number that the later passes multiply.

All numbers are capacities; `Sizes.spines_installed` and its like say what is there today.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.intent.model import Intent, Network, PortGroup, Spine, Superspine, Tier
from fabric.topology import codes
from fabric.topology.complaints import below_ceiling, complain, ports_short
from fabric.topology.model import Facing, Sizing
from fabric.topology.port_maps import Cage, Demand, Panel, Run, allocate, fits, room
from fabric.topology.search import Uplinks, largest, uplink_choices
from fabric.topology.seats import Group, RailPlan, Seat, SiteSize, groups_of, rails_of, seats_of
from fabric.units import parse_ratio


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


NOWHERE = Upward(0, 0, 0, 0, False)
PLURALS = {"leaf": "leaves", "spine": "spines"}


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
    rails: RailPlan
    planes: int
    spine_planes: int
    superspine_planes: int
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
    def leaf_down(self) -> int:
        """Downlinks of a leaf."""
        return sum(d.count for d in self.demands[0][0] if d.facing is Facing.DOWN)

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

    @property
    def switches(self) -> int:
        """Switches at full capacity: what the search for the smallest fabric compares."""
        return self.leaf_capacity + self.spine_capacity + self.superspine_capacity


class Sizer:
    """Works out the sizes of one network, step by step; findings go to `report`."""

    def __init__(
        self,
        intent: Intent,
        name: str,
        network: Network,
        site: SiteSize,
        report: Report,
        panels: dict[str, Panel],
    ) -> None:
        self.intent, self.name, self.network, self.site, self.report = intent, name, network, site, report
        self.at = Origin(("networks", name))
        self.tiers = self.at.child("tiers")
        self.choices: list[Sizing] = []
        self.panels = panels

    def sizes(self) -> Sizes | None:
        """All sizes, or None with the reasons in the report."""
        lock = self.intent.lock.networks.get(self.name) if self.intent.lock else None
        groups, slots = groups_of(
            self.intent.site, self.site, self.name, self.intent.hardware, lock.group_slots if lock else {}
        )
        if not groups:
            self.report.add(codes.NO_HOSTS.at(self.at, f"no host group has NICs in `{self.name}`"))
            return None
        rails = rails_of(self.network, groups, self.at, self.report)
        self._check_planes(groups)
        self._check_shape()
        if self.report.has_errors or not self._models_known():
            return None
        return self._tiers(groups, slots, rails)

    # --- shape

    def _check_planes(self, groups: tuple[Group, ...]) -> None:
        planes = self.network.planes.count
        for group in groups:
            if group.nics.ports != planes:
                rule = (
                    f"NICs of {group.nics.ports} ports do not match {planes} planes: port p lands on plane p"
                )
                at = Origin(("hosts", group.name, "nics", self.name, "ports"))
                hint = f"set `ports: {planes}`, or `planes.count: {group.nics.ports}`"
                self.report.add(codes.PLANES_UNEVEN.at(at, rule, value=group.nics.ports, hint=hint))

    def _check_shape(self) -> None:
        network, tiers = self.network, self.network.tiers
        wrong = (
            (tiers.superspine and not tiers.spine, "tiers.superspine", "superspines need spines", "add `spine`"),
            (network.pods and network.zones, "zones", "zones and pods exclude each other", "keep one of them"),
            (network.zones and tiers.superspine, "zones", "zones are joined spine to spine", "use `pods`"),
            (
                network.zones and not tiers.spine, "zones", "zones are joined by spines, there are none",
                "add `spine`",
            ),
            (
                tiers.spine and "pod" in tiers.spine.group_by and not (network.pods or network.zones),
                "tiers.spine.group_by", "there are no pods to group spines by", "add `pods`",
            ),
            (
                tiers.spine and "rail" in tiers.spine.group_by and network.rails == "none",
                "tiers.spine.group_by", "there are no rails to group spines by", "set `rails`",
            ),
        )  # fmt: skip
        for condition, place, rule, hint in wrong:
            if condition:
                self.report.add(codes.TIERS_CONFLICT.at(self.at.child(*place.split(".")), rule, hint=hint))

    def _models_known(self) -> bool:
        known = True
        for role, tier in self._tier_items():
            at = self.tiers.child(role, "model")
            model = self.intent.hardware.switches.get(tier.model)
            if model is None:
                self.report.add(codes.UNKNOWN_MODEL.at(at, f"no switch `{tier.model}`", value=tier.model))
                known = False
            elif model.technology != self.network.technology:
                rule = f"{model.model} is {model.technology}, the network {self.network.technology}"
                hint = f"set `technology: {model.technology}`, or choose another model"
                self.report.add(codes.WRONG_TECHNOLOGY.at(at, rule, value=tier.model, hint=hint))
        return known and not self.report.has_errors

    def _tier_items(self) -> list[tuple[str, Tier]]:
        tiers = self.network.tiers
        found = (("leaf", tiers.leaf), ("spine", tiers.spine), ("superspine", tiers.superspine))
        return [(role, tier) for role, tier in found if tier is not None]

    def panel(self, tier: Tier) -> Panel:
        """The front panel of a tier's model."""
        if tier.model not in self.panels:
            self.panels[tier.model] = Panel(self.intent.hardware.switches[tier.model])
        return self.panels[tier.model]

    def taken(self, role: str) -> tuple[Cage, ...]:
        """Cages of a tier that attachments name: nothing else may use them on any switch of the tier."""
        from fabric.hardware.cages import cage_numbers  # noqa: PLC0415

        found: list[Cage] = []
        for attachment in self.intent.site.attachments.values():
            to = attachment.to
            if attachment.network == self.name and to.tier == role and to.cages:
                found += cage_numbers(to.cages)
        return tuple(found)

    # --- tiers

    def _tiers(self, groups: tuple[Group, ...], slots: int, rails: RailPlan) -> Sizes | None:
        shape = self._shape(groups, slots, rails)
        down = self._leaf_down(shape)
        leaf, leaf_demands = self._leaf(shape, down)
        if leaf is None:
            return None
        shape = msgspec.structs.replace(shape, leaf=leaf, demands=(leaf_demands,))
        spine = self.network.tiers.spine
        if spine is None:
            return shape
        return self._spine(shape, spine)

    def _shape(self, groups: tuple[Group, ...], slots: int, rails: RailPlan) -> Sizes:
        network, site, tiers = self.network, self.site, self.network.tiers
        part = network.pods or network.zones
        per_pod = min(part.units, site.unit_capacity) if part else site.unit_capacity
        pods = -(-site.unit_capacity // per_pod)
        spine = tiers.spine or Spine(model="none")
        by = spine.group_by if spine.group_by != "auto" else ("pod" if part else "none")
        if part and by in ("none", "rail") and network.zones:
            by = "pod" if by == "none" else "pod+rail"  # a zone has its own spines by definition
        planes, meet = network.planes.count, network.planes.meet_at
        spine_pods = pods if "pod" in by else 1
        if network.pods and spine_pods > 1 and tiers.spine and not tiers.superspine:
            rule = f"{pods} pods, and no superspine joins them"
            self.report.add(codes.PODS_APART.at(self.at.child("pods"), rule, value=pods))
        return Sizes(
            units=site.units,
            unit_capacity=site.unit_capacity,
            units_per_pod=per_pod,
            pods=pods,
            has_pods=part is not None,
            zone_links=network.zones.links if network.zones and pods > 1 else 0,
            rails=rails,
            planes=planes,
            spine_planes=1 if meet == "spine" else planes,
            superspine_planes=planes if meet == "none" else 1,
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

    def _leaf_down(self, shape: Sizes) -> list[tuple[Demand, ...]]:
        """Downward ports of each leaf position: seats in order, filled up to the same number on all."""
        group = self.network.tiers.leaf.down
        needed = max(len(seats) for seats in shape.seats)
        count = needed if group.ports == "auto" else group.ports
        at = self.tiers.child("leaf", "down")
        if count < needed:
            rule = (
                f"{shape.host_slots} host positions need {needed} downlinks of each leaf, {count} are given"
            )
            hint = f"set `ports: {needed}`, or leave it `auto`"
            self.report.add(codes.PORTS_SHORT.at(at.child("ports"), rule, value=count, hint=hint))
        speeds = {int(g.nics.speed_mbps) for g in shape.groups}
        if group.speed_mbps is not None and speeds != {int(group.speed_mbps)}:
            rule = f"leaf ports of {group.speed_mbps} cannot join NICs of {' and '.join(_speeds(speeds))}"
            hint = "leave out `speed`: it follows the NICs"
            self.report.add(
                codes.SPEEDS_DIFFER.at(at.child("speed"), rule, value=str(group.speed_mbps), hint=hint)
            )
        return [tuple(_runs(group, [s.speed_mbps for s in seats], count)) for seats in shape.seats]

    def _leaf(
        self, shape: Sizes, down: list[tuple[Demand, ...]]
    ) -> tuple[Upward | None, tuple[tuple[Demand, ...], ...]]:
        tier = self.network.tiers.leaf
        fastest = max(int(g.nics.speed_mbps) for g in shape.groups)
        spare = [_demand(Facing.SPARE, PortGroup(), tier.reserved_ports, fastest)]
        panel, taken = self.panel(tier), self.taken("leaf")
        speed = int(tier.up.speed_mbps or fastest)
        upward: Upward | None = NOWHERE
        if self.network.tiers.spine is None and tier.up.ports != "auto":
            upward = Upward(0, 0, tier.up.ports, 0, False)
        elif self.network.tiers.spine is not None:
            upward = self._leaf_up(shape, [*down[0], *spare], speed, self.network.tiers.spine)
        if upward is None:
            return None, ()
        up = [_demand(Facing.UP, tier.up, upward.uplinks, speed)]
        demands = tuple((*d, *up, *spare) for d in down)
        for each in dict.fromkeys(demands):
            made = allocate(panel, each, taken)
            if not isinstance(made, list):
                complain(self.report, self.tiers.child("leaf"), panel, each, made, "leaf")
                return None, ()
        if upward.uplinks:
            counted = max(sum(s.speed_mbps for s in seats if s.counts) for seats in shape.seats)
            below_ceiling(
                self.report, self.tiers.child("leaf"), tier, counted, upward.uplinks * speed, "leaf"
            )
        return upward, demands

    def _leaf_up(self, shape: Sizes, fixed: list[Demand], speed: int, spine: Spine) -> Upward | None:
        tier = self.network.tiers.leaf
        counted = max(sum(s.speed_mbps for s in seats if s.counts) for seats in shape.seats)
        needed = ceil_div(counted, parse_ratio(tier.max_oversubscription) * speed)
        most = room(self.panel(tier), fixed, _demand(Facing.UP, tier.up, 0, speed), self.taken("leaf"))
        down, why = self._most_down(shape, spine, speed)
        return self._choose("leaf", tier, spine, needed, most, shape.leaves_per_group, down, why)

    def _spine(self, shape: Sizes, tier: Spine) -> Sizes | None:
        leaf_up = self._up_speed(shape)
        if tier.down.speed_mbps is not None and int(tier.down.speed_mbps) != leaf_up:
            self._unequal("spine", tier.down, leaf_up)
            return None
        count = shape.leaves_per_group * shape.leaf.links_per_pair
        down = count if tier.down.ports == "auto" else max(count, tier.down.ports)
        speed = int(tier.up.speed_mbps or leaf_up)
        fixed = [
            _demand(Facing.DOWN, tier.down, down, leaf_up),
            *self._spine_fixed(shape, tier, leaf_up, speed),
        ]
        upward: Upward | None = NOWHERE
        groups = 0
        superspine = self.network.tiers.superspine
        if superspine is not None:
            groups = self._superspine_groups(shape, superspine)
            shape = msgspec.structs.replace(shape, superspine_groups=groups)
            upward = self._spine_up(shape, fixed, count * leaf_up, speed, superspine) if groups else None
        elif tier.up.ports != "auto":
            upward = Upward(0, 0, tier.up.ports, 0, False)
        if upward is None:
            return None
        up = _demand(Facing.UP, tier.up, upward.uplinks, speed)
        demands = (fixed[0], up, *fixed[1:])
        panel = self.panel(tier)
        made = allocate(panel, demands, self.taken("spine"))
        if not isinstance(made, list):
            complain(self.report, self.tiers.child("spine"), panel, demands, made, "spine")
            return None
        if upward.uplinks:
            below_ceiling(
                self.report, self.tiers.child("spine"), tier, count * leaf_up, upward.uplinks * speed, "spine"
            )
        shape = msgspec.structs.replace(shape, spine=upward, demands=(*shape.demands, (demands,)))
        return self._superspine(shape, superspine, speed) if superspine else shape

    def _spine_fixed(self, shape: Sizes, tier: Spine, leaf_up: int, speed: int) -> list[Demand]:
        across = (shape.pods - 1) * shape.zone_links
        return [
            Demand(Facing.ACROSS, across, speed),
            _demand(Facing.SPARE, PortGroup(), tier.reserved_ports, leaf_up),
        ]

    def _most_down(self, shape: Sizes, tier: Spine, leaf_up: int) -> tuple[int, str]:
        """Downward ports that a spine can have beside its uplinks, and what they leave room for."""
        panel, taken = self.panel(tier), self.taken("spine")
        speed = int(tier.up.speed_mbps or leaf_up)
        others = self._spine_fixed(shape, tier, leaf_up, speed)
        if tier.down.ports != "auto":
            return tier.down.ports, "`down.ports`"
        auto = self.network.tiers.superspine is not None and tier.up.ports == "auto"
        up = 0 if tier.up.ports == "auto" else tier.up.ports
        fixed = [_demand(Facing.UP, tier.up, up, speed), *others]
        most = room(panel, fixed, _demand(Facing.DOWN, tier.down, 0, leaf_up), taken)
        if not auto:
            return most, panel.model.model
        ceiling = parse_ratio(tier.max_oversubscription)

        def holds(down: int) -> bool:
            uplinks = _demand(Facing.UP, tier.up, ceil_div(down * leaf_up, ceiling * speed), speed)
            return fits(panel, [_demand(Facing.DOWN, tier.down, down, leaf_up), uplinks, *others], taken)

        return largest(most, holds), f"{panel.model.model} beside its uplinks"

    def _up_speed(self, shape: Sizes) -> int:
        return next(d.speed_mbps for d in shape.demands[0][0] if d.facing is Facing.UP)

    def _superspine_groups(self, shape: Sizes, tier: Superspine) -> int:
        """Superspine groups of one plane; 0 with a finding if the spines do not divide into them."""
        spines = shape.spine_rails * shape.leaf.count
        groups = shape.leaf.count if tier.groups == "auto" else tier.groups
        if spines % groups == 0:
            return groups
        rule = f"{spines} spines of a pod do not divide into {groups} groups of superspines"
        at = self.tiers.child("superspine", "groups")
        self.report.add(codes.UPLINKS_UNEVEN.at(at, rule, value=groups, hint=f"choose a divisor of {spines}"))
        return 0

    def _spine_up(
        self, shape: Sizes, fixed: list[Demand], counted: int, speed: int, superspine: Superspine
    ) -> Upward | None:
        tier = self.network.tiers.spine
        assert tier is not None  # noqa: S101  # the caller has it
        needed = ceil_div(counted, parse_ratio(tier.max_oversubscription) * speed)
        most = room(self.panel(tier), fixed, _demand(Facing.UP, tier.up, 0, speed), self.taken("spine"))
        panel = self.panel(superspine)
        spare = [_demand(Facing.SPARE, PortGroup(), superspine.reserved_ports, speed)]
        wanted = _demand(Facing.DOWN, superspine.down, 0, speed)
        down = room(panel, spare, wanted, self.taken("superspine"))
        if superspine.down.ports != "auto":
            down = superspine.down.ports
        below = shape.spines_per_superspine_group
        return self._choose("spine", tier, superspine, needed, most, below, down, panel.model.model)

    def _superspine(self, shape: Sizes, tier: Superspine, speed: int) -> Sizes | None:
        if tier.down.speed_mbps is not None and int(tier.down.speed_mbps) != speed:
            self._unequal("superspine", tier.down, speed)
            return None
        count = shape.spines_per_superspine_group * shape.spine.links_per_pair
        down = count if tier.down.ports == "auto" else max(count, tier.down.ports)
        demands = (
            _demand(Facing.DOWN, tier.down, down, speed),
            _demand(Facing.SPARE, PortGroup(), tier.reserved_ports, speed),
        )
        panel = self.panel(tier)
        made = allocate(panel, demands, self.taken("superspine"))
        if not isinstance(made, list):
            complain(self.report, self.tiers.child("superspine"), panel, demands, made, "superspine")
            return None
        return msgspec.structs.replace(shape, demands=(*shape.demands, (demands,)))

    def _unequal(self, role: str, group: PortGroup, below: int) -> None:
        rule = f"{role} ports of {group.speed_mbps} cannot join uplinks of {_speeds([below])[0]}"
        at = self.tiers.child(role, "down", "speed")
        hint = "leave out `speed`: it follows the tier below"
        self.report.add(codes.SPEEDS_DIFFER.at(at, rule, value=str(group.speed_mbps), hint=hint))

    # --- uplinks

    def _choose(
        self,
        role: str,
        tier: Tier,
        above: Spine | Superspine,
        needed: int,
        most: int,
        below: int,
        down: int,
        why: str,
    ) -> Upward | None:
        """The uplinks of a tier: as written, or the fewest switches above that the ports allow."""
        links = None if above.links_per_pair == "auto" else above.links_per_pair
        counts = self._uplink_counts(tier, above, max(needed, 1), most, links)
        choices = uplink_choices(counts, below, down, links)
        if above.count != "auto":
            choices = [c for c in choices if c.above == above.count]
        if not choices:
            self._no_choice(role, tier, above, counts, most, below, down, why)
            return None
        best = choices[0]
        self._tell(role, tier, above, choices, below)
        installed = best.above if above.installed is None else above.installed
        if installed > best.above:
            at = self._above(role).child("installed")
            rule = f"{installed} are installed, the capacity is {best.above}"
            hint = f"set `count: {installed}`, and run `fabric resize` to see what moves"
            self.report.add(codes.BEYOND_CAPACITY.at(at, rule, value=installed, hint=hint))
            return None
        return Upward(best.above, installed, best.uplinks, best.links_per_pair, above.order == "link")

    def _uplink_counts(
        self, tier: Tier, above: Spine | Superspine, needed: int, most: int, links: int | None
    ) -> list[int]:
        if tier.up.ports != "auto":
            return [tier.up.ports]
        step = (1 if above.count == "auto" else above.count) * (links or 1)
        first = -(-needed // step) * step
        counts = list(range(first, most + 1, step))
        if above.count != "auto" and counts:
            return counts[:1]
        # With a written count fewer uplinks than needed may be all that fits: the ceiling is checked later.
        return counts or [most // step * step or step]

    def _no_choice(
        self, role: str, tier: Tier, above: Spine | Superspine, counts: Sequence[int], most: int,
        below: int, down: int, why: str,
    ) -> None:  # fmt: skip
        name = "spine" if role == "leaf" else "superspine"
        at = self._above(role)
        wanted = counts[0]
        count = None if above.count == "auto" else above.count
        links = None if above.links_per_pair == "auto" else above.links_per_pair
        each = links or (wanted // count if count and wanted % count == 0 else 1)
        if count and wanted % count:
            rule = f"{wanted} uplinks of a {role} do not spread evenly over {count} {name}s"
            hint = f"make the uplinks a multiple of {count}, or set `count` to a divisor of {wanted}"
            self.report.add(codes.UPLINKS_UNEVEN.at(at.child("count"), rule, value=count, hint=hint))
        elif (links and wanted % links) or (count and links and count * links != wanted):
            rule = f"{wanted} uplinks of a {role} are not {links} links to each of {count or 'the'} {name}s"
            hint = f"set `links_per_pair` and `count` so that their product is {wanted}"
            self.report.add(codes.UPLINKS_UNEVEN.at(at.child("links_per_pair"), rule, value=links, hint=hint))
        else:
            fit = down // each
            rule = f"{below} {PLURALS[role]} with {each} links each need {below * each} ports of a {name}, {why} gives {down}"
            missing = below * each - down
            hint = f"{missing} are missing, {fit} {PLURALS[role]} would fit: use more {name}s, a larger model, or a tier above"
            ports_short(self.report, at, rule, hint)

    def _above(self, role: str) -> Origin:
        return self.tiers.child("spine" if role == "leaf" else "superspine")

    def _tell(
        self, role: str, tier: Tier, above: Spine | Superspine, choices: Sequence[Uplinks], below: int
    ) -> None:
        if above.count != "auto" and tier.up.ports != "auto":
            return
        name = "spines" if role == "leaf" else "superspines"
        lower = PLURALS[role]
        text = [
            f"{c.above} {name}, {c.uplinks} uplinks a {role}, {c.links_per_pair} a pair"
            for c in choices[:2]
        ]
        reason = f"the fewest {name} that give {below} {lower} even links within their ports and the ceiling"
        self.choices.append(
            Sizing(f"tiers.{name[:-1]}.count", text[0], text[1] if len(text) > 1 else None, reason)
        )


def ceil_div(amount: int, by: Fraction) -> int:
    """`amount` divided by a fraction, rounded up."""
    return -int(-Fraction(amount) / by // 1) if by else 0


def _breakout(group: PortGroup) -> int | None:
    return None if group.breakout == "auto" else group.breakout


def _demand(facing: Facing, group: PortGroup, count: int, speed: int) -> Demand:
    return Demand(facing, count, speed, _breakout(group), group.cages, group.fill == "sub_port")


def _runs(group: PortGroup, speeds: Sequence[int], count: int) -> list[Demand]:
    """Downward ports in seat order as runs of equal speed, the last one filled up to `count`."""
    padded = [*speeds, *([speeds[-1]] * max(0, count - len(speeds)))]
    return [_demand(Facing.DOWN, group, sum(1 for _ in same), speed) for speed, same in groupby(padded)]


def _speeds(speeds: Sequence[int] | set[int]) -> list[str]:
    return [f"{speed // 1000}G" for speed in sorted(speeds)]


__all__ = ["NOWHERE", "Run", "Sizer", "Sizes", "Upward", "ceil_div"]

"""The numbers of a layout: whether the leaves fill it, and whether its groups can meet or divide evenly."""

from __future__ import annotations

from math import prod

from fabric.diagnostics import Origin, Report
from fabric.intent.model import Dragonfly, DragonflyPlus, Network, Superspine, Torus
from fabric.topology import codes
from fabric.topology.layout_graphs import Grid, Groups, SpineGroups
from fabric.topology.sizing.sizes import Sizes
from fabric.units import counted


def leaf_layout(
    network: Network, units: int, leaves: int, at: Origin, report: Report
) -> Grid | Groups | None:
    """How the leaves of one plane are joined to each other, with findings; None in a tree or dragonfly+.

    `units` by capacity, of `leaves` each.
    """
    match network.layout:
        case Torus():
            return _torus(network.layout, units, leaves, at.child("layout", "dimensions"), report)
        case Dragonfly():
            return _dragonfly(network.layout, units, leaves, at.child("layout"), report)
        case _:
            return None


def _torus(layout: Torus, units: int, leaves: int, at: Origin, report: Report) -> Grid:
    places, there = prod(layout.dimensions), units * leaves
    if places != there:
        dimensions = " x ".join(map(str, layout.dimensions))
        each = f" of {leaves} leaves" if leaves > 1 else ""
        rule = (
            f"{dimensions} is {counted(places, 'place')}, the capacity of "
            f"{counted(units, 'unit')}{each} is {counted(there, 'leaf')}"
        )
        fits, over = divmod(places, leaves)
        hint = f"choose dimensions whose product is {there}"
        hint += "" if over or fits < units else f", or set `capacity.units: {fits}`"
        report.add(codes.LAYOUT_SIZE.at(at, rule, value=list(layout.dimensions), hint=hint))
    return Grid(layout.dimensions, layout.links, layout.doubled)


def _dragonfly(layout: Dragonfly, units: int, leaves: int, at: Origin, report: Report) -> Groups:
    members = layout.units * leaves
    groups, over = divmod(units, layout.units)
    if over:
        rule = (
            f"{counted(units, 'unit')} by capacity cannot fill groups of {layout.units}: all groups are alike"
        )
        hint = f"set `capacity.units: {(groups + 1) * layout.units}`"
        report.add(codes.LAYOUT_SIZE.at(at.child("units"), rule, value=layout.units, hint=hint))
    reach = members * layout.global_links
    if groups > reach + 1:
        least = -(-(groups - 1) // members)
        rule = (
            f"{groups} groups, but {counted(members, 'switch')} with "
            f"{counted(layout.global_links, 'global link')} each "
            f"reach {reach} others: at most {reach + 1} groups (a * h + 1)"
        )
        hint = f"set `global_links: {least}`, or make fewer and larger groups"
        value = layout.global_links
        report.add(codes.LAYOUT_SIZE.at(at.child("global_links"), rule, value=value, hint=hint))
    return Groups(max(groups, 1), members, layout.global_links, layout.local_links)


def spine_layout(network: Network, groups: int, spines: int) -> SpineGroups | None:
    """How the spines of one plane and rail group are joined across groups; None in every other layout."""
    if not isinstance(network.layout, DragonflyPlus) or not spines:
        return None
    return SpineGroups(groups, spines, network.layout.links_per_pair)


def units_of_part(network: Network) -> int | None:
    """Units of one pod, zone or group; None where there is none."""
    part = network.pods or network.zones
    if part is None and isinstance(network.layout, Dragonfly | DragonflyPlus):
        return network.layout.units
    return part.units if part else None


def grouping(network: Network) -> str:
    """Which leaves share a group of spines. A zone, or group of a dragonfly+, has its own by definition."""
    by = network.tiers.spine.group_by if network.tiers.spine else "none"
    apart = network.zones is not None or network.layout is not None
    if by == "auto":
        return "pod" if network.pods or apart else "none"
    if apart and "pod" not in by:
        return "pod" if by == "none" else "pod+rail"
    return by


def superspine_groups(shape: Sizes, tier: Superspine, at: Origin, report: Report) -> int:
    """Superspine groups of one plane; 0 with a finding if the spines do not divide into them."""
    spines = shape.spine_rails * shape.leaf.count
    groups = shape.leaf.count if tier.groups == "auto" else tier.groups
    if spines % groups == 0:
        return groups
    rule = f"{spines} spines of a pod do not divide into {groups} groups of superspines"
    hint = f"choose a divisor of {spines}"
    report.add(codes.UPLINKS_UNEVEN.at(at.child("groups"), rule, value=groups, hint=hint))
    return 0

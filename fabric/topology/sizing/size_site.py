"""Units and hosts of the site, with `auto` searched: the cut of all hosts into units that takes fewest switches."""

from __future__ import annotations

from fabric.diagnostics import Origin, Report
from fabric.intent.model import Capacity, HostGroup, Intent
from fabric.topology import codes
from fabric.topology.model import Sizing
from fabric.topology.port_maps import Demand, Panel, room
from fabric.topology.roles import Facing
from fabric.topology.sizing.check_bounds import check_hosts
from fabric.topology.sizing.host_seats import GroupSize, SiteSize, nics_of
from fabric.topology.sizing.search_smallest import UnitChoice, unit_choices
from fabric.topology.sizing.size_network import Sizer
from fabric.units import counted

UNITS = Origin(("units",))


def site_size(
    intent: Intent, panels: dict[str, Panel], report: Report
) -> tuple[SiteSize | None, tuple[Sizing, ...]]:
    """Units and hosts per unit of every group, and how `auto` was chosen. None if that is impossible."""
    site = intent.site
    autos = sorted(name for name, group in site.hosts.items() if group.per_unit == "auto")
    missing = [name for name in autos if site.hosts[name].total is None]
    for name in missing:
        at = Origin(("hosts", name, "per_unit"))
        rule = "`per_unit: auto` needs the `total` of hosts"
        report.add(codes.AUTO_UNITS.at(at, rule, value="auto", hint="add `total`"))
    if missing:
        return None, ()
    if len(autos) > 1:
        at = Origin(("hosts", autos[1], "per_unit"))
        rule = f"only one group can be `auto`: {autos[0]} is too"
        report.add(codes.AUTO_UNITS.at(at, rule, value="auto", hint="write the hosts per unit of the others"))
        return None, ()
    if autos and site.units == "auto":
        locked = _locked_per_unit(intent, autos[0])
        if locked:
            units = -(-(site.hosts[autos[0]].total or 1) // locked)
            return _checked(intent, _size(intent, units, locked), report), ()
        return _searched(intent, autos[0], panels, report)
    if site.units == "auto":
        rule = "`units: auto` needs a host group with `per_unit: auto` and a `total`"
        report.add(codes.AUTO_UNITS.at(UNITS, rule, value="auto", hint="write the number of units"))
        return None, ()
    chosen = -(-(site.hosts[autos[0]].total or 1) // site.units) if autos else 0
    return _checked(intent, _size(intent, site.units, chosen), report), ()


def _locked_per_unit(intent: Intent, name: str) -> int:
    """Hosts per unit of a group as `fabric.lock` holds them; 0 if it does not know the group."""
    locks = intent.lock.networks.values() if intent.lock else ()
    return next((lock.auto_per_unit[name] for lock in locks if name in lock.auto_per_unit), 0)


def _size(intent: Intent, units: int, chosen: int, *, as_installed: bool = False) -> SiteSize:
    """Sizes at the declared capacity; `as_installed`: as if nothing more were to come."""
    capacity = Capacity() if as_installed else intent.site.capacity
    groups = {
        name: _group_size(group, units, chosen if group.per_unit == "auto" else group.per_unit)
        for name, group in sorted(intent.site.hosts.items())
    }
    return SiteSize(units, capacity.units or units, capacity.hosts_per_unit, groups)


def _group_size(group: HostGroup, units: int, per_unit: int) -> GroupSize:
    last = group.last_unit
    if last is None and group.total is not None:
        last = group.total - (units - 1) * per_unit
    return GroupSize(per_unit, group.spare_per_unit, per_unit if last is None else last)


def _checked(intent: Intent, size: SiteSize, report: Report) -> SiteSize | None:
    """The size, or None with findings: more than the capacity, or hosts that do not fill the units."""
    good = True
    if size.units > size.unit_capacity:
        rule = (
            f"{counted(size.units, ('unit is', 'units are'))} installed, the capacity is {size.unit_capacity}"
        )
        where = " (fabric.lock)" if intent.lock else ""
        hint = f"set `capacity.units: {size.units}`{where}, and run `fabric resize` to see what moves"
        report.add(codes.BEYOND_CAPACITY.at(UNITS, rule, value=size.units, hint=hint))
        good = False
    for name, group in size.groups.items():
        if not 0 <= group.last_unit <= group.per_unit:
            at = Origin(
                ("hosts", name, "last_unit" if intent.site.hosts[name].last_unit is not None else "total")
            )
            rule = f"the last of {size.units} units would hold {group.last_unit} of {counted(group.per_unit, 'host')}"
            hint = f"{(size.units - 1) * group.per_unit} to {size.units * group.per_unit} hosts fill {size.units} units"
            report.add(codes.AUTO_UNITS.at(at, rule, value=group.last_unit, hint=hint))
            good = False
    filled = sum(group.slots for group in size.groups.values())
    if size.hosts_per_unit is not None and filled > size.hosts_per_unit:
        rule = f"the groups fill {filled} host positions of a unit, the capacity is {size.hosts_per_unit}"
        hint = f"set `capacity.hosts_per_unit: {filled}`, and run `fabric resize` to see what moves"
        at = Origin(("capacity", "hosts_per_unit"))
        report.add(codes.BEYOND_CAPACITY.at(at, rule, value=size.hosts_per_unit, hint=hint))
        good = False
    return size if good and check_hosts(intent, size, report) else None


def _searched(
    intent: Intent, name: str, panels: dict[str, Panel], report: Report
) -> tuple[SiteSize | None, tuple[Sizing, ...]]:
    """Try every number of hosts per unit; the fewest switches of all networks together win."""
    total = intent.site.hosts[name].total or 1

    def switches(per_unit: int, units: int) -> int | None:
        # What is bought now decides: a declared capacity would favour small units.
        size = _size(intent, units, per_unit, as_installed=True)
        if _checked(intent, size, Report()) is None:
            return None
        return _count_switches(intent, size, panels)

    most = _most_hosts(intent, name, panels)
    choices = unit_choices(total, switches, most)
    if not choices:
        rule = f"no number of hosts per unit lets {counted(total, 'host')} be joined by these tiers"
        hint = "take larger models, a higher ceiling on oversubscription, or a third tier"
        report.add(codes.AUTO_UNITS.at(Origin(("hosts", name, "per_unit")), rule, value="auto", hint=hint))
        _explain(intent, total, most, panels, report)
        return None, ()
    described = [_describe(choice, name) for choice in choices[:2]]
    reason = (
        f"fewest switches for {counted(total, 'host')}, then the fullest leaves; "
        f"{counted(len(choices), 'cut')} tried"
    )
    sizing = Sizing(
        f"hosts.{name}.per_unit", described[0], described[1] if len(described) > 1 else None, reason
    )
    size = _size(intent, choices[0].units, choices[0].per_unit)
    return _checked(intent, size, report), (sizing,)


def _describe(choice: UnitChoice, name: str) -> str:
    return (
        f"{counted(choice.units, 'unit')} of {choice.per_unit} {name}, {counted(choice.switches, 'switch')}"
    )


def _count_switches(intent: Intent, size: SiteSize, panels: dict[str, Panel]) -> int | None:
    count = 0
    for name in intent.site.networks:
        own = Report()
        sizes = Sizer(intent, name, size, own, panels).sizes()
        if sizes is None or own.has_errors:
            return None
        count += sizes.switches
    return count


def _most_hosts(intent: Intent, name: str, panels: dict[str, Panel]) -> int:
    """The most hosts that a leaf of any network could hold."""
    most = 1
    for key, network in intent.site.networks.items():
        nics = nics_of(intent.site.hosts[name], key, intent.hardware)
        model = intent.hardware.switches.get(network.tiers.leaf.model)
        if nics is None or model is None:
            continue
        panel = panels.setdefault(model.id, Panel(model))
        most = max(most, room(panel, (), Demand(Facing.DOWN, 0, int(nics.speed_mbps))))
    return most


def _explain(intent: Intent, total: int, most: int, panels: dict[str, Panel], report: Report) -> None:
    """Add what prevents the largest unit that could be built alone."""
    per_unit = min(total, most)
    while (
        per_unit > 1 and _findings(intent, _size(intent, 1, per_unit, as_installed=True), panels).has_errors
    ):
        per_unit -= 1
    units = -(-total // per_unit)
    report.extend(_findings(intent, _size(intent, units, per_unit, as_installed=True), panels))


def _findings(intent: Intent, size: SiteSize, panels: dict[str, Panel]) -> Report:
    """The findings of sizing for all networks."""
    report = Report()
    for name in sorted(intent.site.networks):
        own = Report()
        Sizer(intent, name, size, own, panels).sizes()
        report.extend(own)
    return report


__all__ = ["site_size"]

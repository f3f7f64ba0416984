"""How large a site may be: refused by its numbers alone, before a port or a host of it is made.

Every port of a switch or host takes some 100 bytes while a site is compiled: the largest ones take about 2 GB.
"""

from __future__ import annotations

from fabric.diagnostics import Origin, Report
from fabric.intent.model import Intent
from fabric.topology import codes
from fabric.topology.sizing.host_seats import SiteSize, nics_of
from fabric.topology.sizing.sizes import Sizes
from fabric.units import counted

MOST_PORTS = 10_000_000
"""Of all hosts of a site, and of all its switches: three times 131,072 GPUs with four planes of three tiers."""
MOST_DEVICES = 1_000_000
"""Hosts of a site, and its switches."""


def check_hosts(intent: Intent, size: SiteSize, report: Report) -> bool:
    """Whether the positions of all hosts and their ports are within the bounds; a finding if not."""
    slots = sum(group.slots for group in size.groups.values())
    ports = sum(group.slots * _ports_of(intent, name) for name, group in size.groups.items())
    most = min(MOST_DEVICES // max(1, slots), MOST_PORTS // max(1, ports))
    if size.units <= most:
        return True
    largest = max(size.groups, key=lambda name: size.groups[name].slots)
    at, value = (
        (Origin(("units",)), size.units)
        if most
        else (Origin(("hosts", largest, "per_unit")), size.groups[largest].per_unit)
    )
    rule = (
        f"{counted(size.units, 'unit')} of {counted(slots, 'host')} with {counted(ports, 'port')} are "
        f"{counted(size.units * slots, 'host')} with {counted(size.units * ports, 'port')}; "
        f"a site has at most {MOST_DEVICES:,} with {MOST_PORTS:,}"
    )
    hint = f"write {most:,} or fewer" if most else "write a smaller number"
    report.add(codes.TOO_LARGE.at(at, rule, value=value, hint=f"{hint}, or cut the site in several"))
    return False


def _ports_of(intent: Intent, name: str) -> int:
    """Ports of a host in all networks."""
    group, hardware = intent.site.hosts[name], intent.hardware
    nics = (nics_of(group, network, hardware) for network in intent.site.networks)
    return sum(each.count * each.ports for each in nics if each is not None)


def check_switches(sizes: Sizes, others: tuple[Sizes, ...], at: Origin, report: Report) -> bool:
    """Whether the switches of a network, with those of others before it, are within the bounds; a finding if not."""
    switches, ports = map(sum, zip(*(_installed(each) for each in (sizes, *others)), strict=True))
    if switches <= MOST_DEVICES and ports <= MOST_PORTS:
        return True
    rule = (
        f"{counted(sizes.units, 'unit')} need {counted(switches, 'switch')} with {counted(ports, 'port')}"
        f"{' in all networks so far' if others else ''}; a site has at most {MOST_DEVICES:,} with {MOST_PORTS:,}"
    )
    hint = "write fewer `units`, or cut the site in several"
    report.add(codes.TOO_LARGE.at(at, rule, value=switches, hint=hint))
    return False


def _installed(sizes: Sizes) -> tuple[int, int]:
    """Switches of a network and their ports: leaves that are installed, and the tiers above by capacity."""
    tiers = [[sum(demand.count for demand in each) for each in tier] for tier in sizes.demands]
    leaves = sizes.units * sizes.planes
    above = list(zip((sizes.spine_capacity, sizes.superspine_capacity), tiers[1:], strict=False))
    switches = leaves * sizes.rails.leaves + sum(count for count, _ in above)
    return switches, leaves * sum(tiers[0]) + sum(count * max(tier) for count, tier in above)

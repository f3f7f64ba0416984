"""Whom a plan cuts off: judged on the network as it will be afterwards, with what the plan leaves as it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from fabric.devices.model import Device, SubnetManager, Switch
from fabric.planning.both_ends.coupled import Site
from fabric.planning.cut_off.lids import renumbering
from fabric.planning.cut_off.parted_attachments import PartedAttachments
from fabric.planning.cut_off.parted_hosts import PartedHosts
from fabric.planning.cut_off.partitions import cutting_off
from fabric.planning.cut_off.readdressed import readdressed
from fabric.planning.cut_off.unplugged import in_service, unplugged_ports, vanishing_ports
from fabric.planning.impact import INTERRUPTING, OUT_OF_SIGHT, Afterwards, Paths, isolating
from fabric.planning.model import Change
from fabric.planning.options import PlanOptions
from fabric.planning.ways import ENDS, FABRIC, Running, Ways, is_out
from fabric.platforms.base import Facts
from fabric.platforms.registry import platform

USED = (*FABRIC, *ENDS)
Changes = Mapping[str, tuple[Change, ...]]
"""Of each device."""


class Judged(NamedTuple):
    """A device whose changes interrupt anything."""

    changes: tuple[Change, ...]
    """Those that interrupt a sole path as `isolating`."""
    returns: bool = False
    """It carries nothing now, or not over all links, and will."""


def isolated(
    changes: Changes, site: Site, ways: Callable[[], Ways], *, waiting: Changes = MappingProxyType({})
) -> Mapping[str, Judged]:
    """The devices that interrupt anything, judged by whom they cut off.

    Walks all switches, so only if anything interrupts. `waiting`: all that devices shall change, some of it in a later
    phase: hosts are told once for all of them.
    """
    interrupting = [name for name in changes if any(c.impact in INTERRUPTING for c in changes[name])]
    if not interrupting:
        return {}
    gone = in_service(site.options, site.switches)
    ours = {name for name in (*interrupting, *waiting) if _is_ours(name, site.options)}
    after = afterwards(site, ways)
    moved = readdressed({**changes, **waiting}, ours, site, after.paths)

    def judged(name: str) -> Judged:
        device = site.switches[name]
        read = platform(device.platform).read
        running = read(site.seen[name].text).facts
        if isinstance(device, SubnetManager):
            wanted = read(site.artifacts[name].text).facts
            lost = cutting_off(device, running, wanted) + renumbering(device, running, wanted)
            return Judged(changes[name] + lost)
        vanishing = vanishing_ports(device, running, changes[name])
        unplugged = unplugged_ports(device, running, gone, vanishing, is_ours=name in ours)
        own = isolating(
            changes[name],
            device,
            running,
            after,
            site.options.separating.get(name, ""),
            is_drained=_was_drained(device, site.options),
            unplugged=moved.get(name, {}) | unplugged,
            vanishing=vanishing,
        )
        return Judged(own, _returns(device, running, site.options))

    return {name: judged(name) for name in interrupting}


def afterwards(site: Site, ways: Callable[[], Ways]) -> Afterwards:
    """The network as it will be. Walks all switches."""
    paths = Paths.of(site.switches, left_as_it_is(site))
    hosts = PartedHosts(paths, ways, _left_out(site))
    attachments = PartedAttachments(site.switches, hosts, paths, ways)

    def apart(device: Device, ports: Collection[str]) -> str:
        return hosts.parted_by(device, ports) or attachments.parted_by(device, ports)

    return Afterwards(paths, ways, apart, attachments.lost_but_for)


def _left_out(site: Site) -> Callable[[str], bool]:
    """Whether a device that the plan leaves as it is carries nothing, by what is saved of it or the journal."""
    options, left = site.options, left_as_it_is(site)

    def carries_nothing(name: str) -> bool:
        if name in site.seen:
            return False
        if name in options.beside:
            running = left(name)
            return running is not None and is_out(running)
        known = (options.last_applied or {}).get(name)
        return name in options.unreachable or (known is not None and known.drained)

    return carries_nothing


def left_as_it_is(site: Site) -> Running:
    """What runs on devices that the plan leaves as they are, as far as it is saved or the journal knows.

    Where neither knows they count as intended; one that does not answer carries nothing.
    """
    switches, seen, options = site.switches, site.seen, site.options

    @cache
    def facts(name: str) -> Facts | None:
        if name in seen:
            return None
        if name in options.unreachable:
            return OUT_OF_SIGHT
        known = (options.last_applied or {}).get(name)
        text = options.beside.get(name, known and known.text)
        return platform(switches[name].platform).read(text).facts if text else None

    return facts


def as_it_runs(site: Site) -> Running:
    """What runs on devices that the plan changes; nothing of one that runs just what it shall."""

    @cache
    def facts(name: str) -> Facts | None:
        seen = site.seen.get(name) if name in site.seen else None
        return None if seen is None else platform(site.switches[name].platform).read(seen.text).facts

    return facts


def _is_ours(name: str, options: PlanOptions) -> bool:
    """Whether what a device runs was applied by us, as far as anybody knows."""
    return options.last_applied is None or name in options.last_applied


def _was_drained(device: Device, options: PlanOptions) -> bool:
    """Whether a switch that is drained without shutting its sessions was so before."""
    is_graceful = isinstance(device, Switch) and device.drained and not device.shuts_sessions
    return is_graceful and _drained_last(device, options)


def _returns(device: Device, running: Facts, options: PlanOptions) -> bool:
    """Whether a switch that is drained now, in whichever way, will not be, or opens links that are shut now."""
    if device.drained:
        return False
    shut = {name for name, facts in running.interfaces.items() if not facts.enabled}
    opens = any(port.enabled and port.name in shut for port in device.ports if port.role in USED)
    return opens or is_out(running) or _drained_last(device, options)


def _drained_last(device: Device, options: PlanOptions) -> bool:
    known = (options.last_applied or {}).get(device.name)
    return known is not None and known.drained

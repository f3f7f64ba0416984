"""Whom a plan cuts off since his addresses change on all of his paths: he has the old ones until he is changed too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain

from fabric.devices.model import Switch, SwitchPort
from fabric.planning.both_ends.coupled import Site
from fabric.planning.impact import INTERRUPTING, HostRail, Path, Paths, listed
from fabric.planning.model import Change
from fabric.planning.ways import ENDS
from fabric.platforms.base import Facts
from fabric.platforms.registry import platform

NUMBER = re.compile(r"\d+$")
Gateway = tuple[str, tuple[str, ...]]
"""The first word of its interface's name, and its addresses."""


def readdressed(
    changes: Mapping[str, tuple[Change, ...]], names: Iterable[str], site: Site, paths: Paths
) -> dict[str, dict[str, str]]:
    """By device the ports of hosts that get other addresses, each with who has no path with his old ones any more.

    Waves do not help him: none of them touches two planes, and yet the last one takes the last path. `names`: the
    devices to look at.
    """
    moved = {path for name in names for path in _moved(name, changes[name], site)}
    found: dict[str, dict[str, HostRail]] = {}
    for rail, over in paths.only_over(moved) if moved else ():
        for device, port in over:
            found.setdefault(device, {})[port] = rail
    return {device: dict.fromkeys(rails, _why(rails.values())) for device, rails in found.items()}


def _why(rails: Iterable[HostRail]) -> str:
    who = listed(tuple(sorted(set(rails))))
    return f"the addresses of {who} change on all their paths: cut off until they have the new ones there too"


def _moved(name: str, changes: Iterable[Change], site: Site) -> set[Path]:
    switch = site.switches[name]
    if not isinstance(switch, Switch):
        return set()
    interrupting = [change for change in changes if change.impact in INTERRUPTING]
    hosts = {port.name: port for port in switch.ports if port.role in ENDS}
    named = {port for change in interrupting for port in change.scope.ports} & hosts.keys()
    if not named and not any(change.scope.whole_device for change in interrupting):
        return set()
    running = platform(switch.platform).read(site.seen[name].text).facts
    gateways = _gateways(running, switch)
    changed = [change.what for change in interrupting if change.scope.whole_device]
    of_vlans = {vlan for vlan, (word, _) in gateways.items() if any(word in what for what in changed)}
    ports = named | {name for name in hosts if _vlan(name, running) in of_vlans}
    return {(name, port) for port in ports if _is_other(hosts[port], running, gateways, switch)}


def _is_other(
    port: SwitchPort, running: Facts, gateways: Mapping[int | None, Gateway], switch: Switch
) -> bool:
    """Whether none of the addresses stays, of a version of IP, that the host at a port has as its gateway."""
    now = running.interfaces.get(port.name)
    if now is None or not now.enabled or not port.enabled:
        return False
    _, of_vlan = gateways.get(_vlan(port.name, running), ("", ()))
    were = {*now.addresses, *of_vlan}
    shared = (gateway.addresses for gateway in switch.gateways if gateway.vlan == port.vlan)
    wanted = {str(address) for address in (*port.addresses, *chain.from_iterable(shared))}
    of_version = ({one for one in were if (":" in one) is is_six} for is_six in (False, True))
    return bool(wanted) and any(some and not some & wanted for some in of_version)


def _gateways(running: Facts, switch: Switch) -> dict[int | None, Gateway]:
    """By VLAN: every product calls the interface of one by its number, the last of its name."""
    ports = {port.name for port in switch.ports}
    found: dict[int | None, Gateway] = {}
    for name, facts in running.interfaces.items():
        number = NUMBER.search(name)
        if number and facts.addresses and name not in ports:
            found[int(number[0])] = name.split()[0], facts.addresses
    return found


def _vlan(port: str, running: Facts) -> int | None:
    """The VLAN of a port, or of the bond that it is part of: every product calls that by its number."""
    facts = running.interfaces.get(port)
    if facts is None or facts.bond is None:
        return None if facts is None else facts.vlan
    bonds = (
        bond.vlan
        for name, bond in running.interfaces.items()
        if bond.vlan is not None and (number := NUMBER.search(name)) and int(number[0]) == facts.bond
    )
    return facts.vlan or next(bonds, None)

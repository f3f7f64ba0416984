"""Whom a plan cuts off since his addresses change on all of his paths: he has the old ones until he is changed too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabric.devices.model import LinkRole, Switch
from fabric.planning.both_ends.coupled import Site
from fabric.planning.impact import INTERRUPTING, HostRail, Path, Paths, listed
from fabric.planning.model import Change
from fabric.platforms.base import Facts
from fabric.platforms.registry import platform


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
    return f"the addresses of {who} change on all their paths: cut off until the hosts have the new ones"


def _moved(name: str, changes: Iterable[Change], site: Site) -> set[Path]:
    switch = site.switches[name]
    if not isinstance(switch, Switch) or switch.role != "leaf":
        return set()
    named = {port for change in changes if change.impact in INTERRUPTING for port in change.scope.ports}
    ports = named & {port.name for port in switch.ports if port.role is LinkRole.HOST}
    if not ports:
        return set()
    read = platform(switch.platform).read
    running, wanted = read(site.seen[name].text).facts, read(site.artifacts[name].text).facts
    return {(name, port) for port in ports if _is_other(port, running, wanted)}


def _is_other(port: str, running: Facts, wanted: Facts) -> bool:
    """Whether none of a port's addresses stays."""
    now, then = (facts.interfaces.get(port) for facts in (running, wanted))
    if now is None or then is None or not now.enabled or not then.enabled:
        return False
    return bool(now.addresses and then.addresses) and not set(now.addresses) & set(then.addresses)

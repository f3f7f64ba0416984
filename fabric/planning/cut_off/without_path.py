"""Which hosts reach anybody on each of their rails, as the network runs."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fabric.devices.model import Device, LinkRole
from fabric.planning.ways import FABRIC, Running, Ways, is_open, is_out
from fabric.platforms.base import Facts


def rails_without_path(switches: Mapping[str, Device], running: Running) -> dict[str, frozenset[str]]:
    """The rails that no leaf carries, as `network/rail`, of every host that is cabled.

    What nobody knows (`running` is None) runs as intended.
    """
    undrained = {name: msgspec.structs.replace(switch, drained=False) for name, switch in switches.items()}
    known = {name: switches[name] if running(name) is None else undrained[name] for name in switches}
    ways, whole = Ways.of(known, running), Ways.of(undrained)
    rails: dict[tuple[str, str, int], bool] = {}
    for leaf in known.values():
        ports = [port for port in leaf.ports if port.role is LinkRole.HOST and port.peer]
        own = ways.bits((leaf.name,))
        is_alone = ways.reached_from((leaf.name,)) == own != whole.reached_from((leaf.name,))
        carries = bool(ports) and not is_alone and _carries(leaf, running(leaf.name))
        for port in ports:
            place = leaf.network, port.peer, port.rail
            has_path = carries and is_open(port, running(leaf.name))
            rails[place] = rails.get(place, False) or has_path
    found: dict[str, set[str]] = {host: set() for _, host, _ in rails}
    for (network, host, rail), has_path in rails.items():
        if not has_path:
            found[host].add(f"{network}/{rail}")
    return {host: frozenset(without) for host, without in found.items()}


def _carries(leaf: Device, facts: Facts | None) -> bool:
    """Whether a leaf is in service, and one of its links to other switches is open, if it has any."""
    if leaf.drained or (facts is not None and is_out(facts)):
        return False
    links = [port for port in leaf.ports if port.role in FABRIC]
    return not links or any(is_open(port, facts) for port in links)

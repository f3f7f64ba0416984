"""What a change does to traffic: the platform's judgement, then paths and our own management access."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from fabric.devices.model import Device, LinkRole
from fabric.planning.model import Change, Impact
from fabric.planning.ways import ENDS, FABRIC, Running, Ways, is_out
from fabric.platforms.base import Facts, InterfaceFacts, NeighborFacts

Path = tuple[str, str]
"""Device and port over which a host's rail is reached."""
HostRail = tuple[str, str, int]
"""Network, host and rail."""

INTERRUPTING = (Impact.FLAP, Impact.RELOAD)
OF_TRAFFIC = (Impact.BUFFER, Impact.FLAP)
"""What a change of a port does to the traffic over it, and to nothing else."""
SHUT = "the port is shut now: nothing goes over it"
OUT_OF_SIGHT = Facts(neighbors={"": NeighborFacts(shut=True)})
"""A device that does not answer: nobody knows whether it carries anything."""


def worst(changes: Iterable[Change]) -> Impact:
    """The worst impact of several changes; `none` without any."""
    return max((change.impact for change in changes), key=lambda impact: impact.rank, default=Impact.NONE)


class Paths(msgspec.Struct):
    """Over which leaf ports each host's rail is reached."""

    rails: dict[HostRail, list[Path]]
    uplinks: dict[str, dict[str, bool]]
    """By leaf: its ports upward, and whether their links are open at both ends."""
    left: Running

    @classmethod
    def of(cls, switches: Mapping[str, Device], left: Running = lambda _: None) -> Paths:
        """Walk all switches once. Shut ports, drained switches, and leaves all of whose uplinks are shut are not paths.

        `left`: what runs on those that the plan leaves as they are; only asked for who might stand in.
        """
        paths = cls({}, {}, left)
        ends: dict[Path, Path] = {}
        shut: set[Path] = set()
        for switch in switches.values():
            for port in switch.ports:
                if port.role in FABRIC and not port.enabled:
                    shut.add((switch.name, port.name))
                if port.role is LinkRole.UP and switch.role == "leaf":
                    ends[switch.name, port.name] = port.peer, port.peer_port
            if switch.drained:
                continue
            for port in switch.ports:
                if port.role in ENDS and port.enabled:
                    paths.rails.setdefault((switch.network, port.peer, port.rail), []).append(
                        (switch.name, port.name)
                    )
        for end, far in ends.items():
            paths.uplinks.setdefault(end[0], {})[end[1]] = shut.isdisjoint((end, far))
        return paths

    def cut(self, switch: Device, ports: frozenset[str]) -> tuple[HostRail, ...]:
        """The host rails all of whose paths go over these ports of this switch."""
        rails = {(switch.network, p.peer, p.rail) for p in switch.ports if p.name in ports and p.role in ENDS}
        gone = {(switch.name, name) for name in ports}
        return tuple(
            sorted(
                rail
                for rail in rails
                if not any(path not in gone and self.carries(*path) for path in self.rails.get(rail, ()))
            )
        )

    def only_over(self, ports: Collection[Path]) -> Iterator[tuple[HostRail, list[Path]]]:
        """The host rails all of whose paths that carry traffic go over these ports, with those paths."""
        for rail, paths in self.rails.items():
            over = [path for path in paths if path in ports]
            if over and not any(path not in ports and self.carries(*path) for path in paths):
                yield rail, over

    def carries(self, device: str, port: str) -> bool:
        """Whether traffic will go over a port of a device."""
        facts, uplinks = self.left(device), self.uplinks.get(device, {})
        if facts is None:
            return not uplinks or any(uplinks.values())
        if is_out(facts):
            return False
        up = [name for name in uplinks if facts.interfaces.get(name, InterfaceFacts()).enabled]
        is_open = facts.interfaces.get(port, InterfaceFacts()).enabled
        return is_open and (bool(up) or not uplinks)


class Afterwards(NamedTuple):
    """The network as it will be."""

    paths: Paths
    ways: Callable[[], Ways]
    """Between its leaves."""
    apart: Callable[[Device, Collection[str]], str]
    """Two hosts, or one and an attachment, that no longer reach each other without ports of a switch, for people;
    empty if all still do."""
    lost: Callable[[Device, Collection[str]], str] = lambda _switch, _keeping: ""
    """A host that reached an attachment by way of a switch and does not by way of those that are left to it."""


def isolating(
    changes: tuple[Change, ...],
    switch: Device,
    running: Facts,
    after: Afterwards,
    separated: str = "",
    *,
    is_drained: bool = False,
    unplugged: Mapping[str, str] = MappingProxyType({}),
    vanishing: Mapping[str, bool] = MappingProxyType({}),
) -> tuple[Change, ...]:
    """The changes of one device, those that interrupt the sole path of a host's rail as `isolating`.

    All of them count together, since they happen at once; only ports that carry traffic now count. A switch that
    is out of service carries none, nor does one that `is_drained` already: whom it cuts off is cut off. A drain that
    only begins is not an excuse. `unplugged`: ports whose users the site has no longer, and who is cut off.
    `vanishing`: ports that the switch will not have any more, and whether they lead to other switches.
    """
    changes = _spared(changes, running)
    used = used_ports(switch, running) | vanishing.keys()
    down = frozenset(port for change in changes for port in _interrupted(change, used))
    if not down or is_out(running) or (is_drained and not separated):
        return changes
    if separated:
        guilty, why = down, separated
    elif switch.role == "leaf":
        guilty, why = _cut(switch, used, down, after, vanishing)
    else:
        guilty, why = _parting(switch, down, after)
    if not guilty and (lost := down & unplugged.keys()):
        why = "; ".join(sorted({unplugged[port] for port in lost}))
        changes = tuple(_because(c, why) if _interrupted(c, used) & lost else c for c in changes)
    return tuple(_worse(change, why) if _interrupted(change, used) & guilty else change for change in changes)


def _spared(changes: tuple[Change, ...], running: Facts) -> tuple[Change, ...]:
    """Changes that disturb nothing but ports that are shut now as `hitless`: new cables on unused ports."""
    shut = {name for name, facts in running.interfaces.items() if not facts.enabled}

    def spared(change: Change) -> bool:
        scope = change.scope
        is_local = bool(scope.ports) and not scope.whole_device and shut.issuperset(scope.ports)
        return change.impact in OF_TRAFFIC and is_local

    return tuple(
        msgspec.structs.replace(change, impact=Impact.HITLESS, reason=SHUT) if spared(change) else change
        for change in changes
    )


def _parting(switch: Device, down: frozenset[str], after: Afterwards) -> tuple[frozenset[str], str]:
    """The ports of a switch above the leaves without which somebody is cut off, and who."""
    if parted := after.ways().parted([(switch.name, port) for port in down]):
        return down, f"the only path between {parted}"
    return _or_apart(switch, *_ends_cut(switch, down, after.paths), down, after)


def _ends_cut(switch: Device, down: frozenset[str], paths: Paths) -> tuple[frozenset[str], str]:
    """Those of them that are the only path of whoever is at their other end, and who is."""
    cut = paths.cut(switch, down)
    alone = {rail[1] for rail in cut}
    guilty = frozenset(p.name for p in switch.ports if p.name in down and p.peer in alone)
    return guilty, f"the only path of {listed(cut)}"


def _cut(
    switch: Device,
    used: frozenset[str],
    down: frozenset[str],
    after: Afterwards,
    vanishing: Mapping[str, bool],
) -> tuple[frozenset[str], str]:
    """The ports of a leaf without which a host's rail is cut off, and what is cut off."""
    hosts = used & {port.name for port in switch.ports if port.role in ENDS}
    uplinks = used & {port.name for port in switch.ports if port.role is LinkRole.UP}
    uplinks |= {port for port, leads_to_switches in vanishing.items() if leads_to_switches}
    loses_all = bool(uplinks) and uplinks <= down
    if loses_all and (cut := after.paths.cut(switch, hosts)):
        return down, f"all uplinks at once, the only path of {listed(cut)}"
    guilty, why = _ends_cut(switch, down, after.paths)
    return _or_apart(switch, guilty, why, down | hosts if loses_all else down, after)


def _or_apart(
    switch: Device, guilty: frozenset[str], why: str, down: frozenset[str], after: Afterwards
) -> tuple[frozenset[str], str]:
    """Ports that cut somebody off from everybody; else those that do so from somebody."""
    if not guilty and (pair := after.apart(switch, down)):
        return down, f"the only path between {pair}"
    return guilty, why


def _interrupted(change: Change, used: frozenset[str]) -> frozenset[str]:
    if change.impact not in INTERRUPTING:
        return frozenset()
    return used if change.scope.whole_device else used & set(change.scope.ports)


def used_ports(switch: Device, running: Facts) -> frozenset[str]:
    """Ports that carry traffic as the device is configured now."""
    return frozenset(port.name for port in switch.ports if carries(port.name, running))


def carries(port: str, running: Facts) -> bool:
    """Whether a port carries traffic as its device is configured now."""
    facts = running.interfaces.get(port)
    return bool(facts and facts.enabled and (facts.addresses or facts.link_local or facts.vlan or facts.bond))


def _worse(change: Change, why: str) -> Change:
    return _because(change, f"{change.reason}: {why}" if change.reason else why)


def _because(change: Change, reason: str) -> Change:
    return Change(change.what, change.action, Impact.ISOLATING, change.scope, reason)


def listed(rails: tuple[HostRail, ...]) -> str:
    """The first of some rails of hosts, the rest counted."""
    if not rails:
        return "no host"
    network, host, rail = rails[0]
    name = f"{host} in {network}" if rail < 0 else f"{host} rail {rail} in {network}"
    return name if len(rails) == 1 else f"{name} and {len(rails) - 1} more"

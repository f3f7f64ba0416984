"""Storage, routers and the like that hosts of a rail no longer reach, though each side has a path to somebody.

Where every rail or plane has switches of its own, a link of storage to one of them may be the only one that its hosts
have to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, reduce
from operator import or_

from fabric.devices.model import Device, LinkRole
from fabric.planning.cut_off.parted_hosts import PartedHosts
from fabric.planning.impact import Path, Paths
from fabric.planning.ways import FABRIC, Reach, Ways


class PartedAttachments:
    """The attachments of a network as it will be."""

    def __init__(
        self, switches: Mapping[str, Device], hosts: PartedHosts, paths: Paths, ways: Callable[[], Ways]
    ) -> None:
        self._switches, self._hosts, self._paths, self._make_ways = switches, hosts, paths, ways

    def parted_by(self, switch: Device, ports: Collection[str]) -> str:
        """An attachment and a host that no longer reach each other without these ports of a switch; empty if all do.

        Whoever has no path left is not asked about: he is cut off from everybody.
        """
        attached = self._attached.get(switch.network, {})
        own = [port for port in switch.ports if port.name in ports] if attached else []
        here = {port.peer for port in own if port.role is LinkRole.ATTACHMENT}
        out = frozenset((switch.name, port.name) for port in own if port.role in FABRIC)
        if not (out or here):
            return ""
        before, after = self._ways.walks(out)
        down = frozenset((switch.name, port.name) for port in own)
        for who, ends in attached.items():
            left = {path[0] for path in ends - down if self._paths.carries(*path)}
            at = left | {switch.name} if who in here else left
            if left and (host := self._lost(switch, _any(before, at), _any(after, left))):
                return f"{who} and {host}"
        return ""

    def lost_but_for(self, switch: Device, keeping: Collection[str]) -> str:
        """A host that reaches an attachment by way of a switch, and does not by way of others; empty if all do."""
        reach, _ = self._ways.walks(())
        return self._lost(switch, _any(reach, {*keeping, switch.name}), _any(reach, keeping))

    def _lost(self, switch: Device, before: int, after: int) -> str:
        """A host all of whose leaves are reached no more, of those that one was."""
        if not before & ~after:
            return ""
        for host, rail, leaves in self._hosts_of(switch):
            own = self._ways.bits(leaves)
            if own & before and not own & after:
                return f"{host} on rail {rail}" if rail >= 0 else host
        return ""

    def _hosts_of(self, switch: Device) -> Iterator[tuple[str, int, Collection[str]]]:
        """One host for each set of leaves; and those of a switch that they leave no other one, though it is drained."""
        for (network, rail), groups in self._hosts.groups.items():
            if network == switch.network:
                yield from ((host, rail, leaves) for leaves, host in groups.items())
        for port in switch.ports if switch.drained else ():
            if port.role is LinkRole.HOST and (switch.network, port.peer, port.rail) not in self._paths.rails:
                yield port.peer, port.rail, (switch.name,)

    @cached_property
    def _ways(self) -> Ways:
        return self._make_ways()

    @cached_property
    def _attached(self) -> dict[str, dict[str, frozenset[Path]]]:
        """By network what is attached to it, and its ports."""
        found: dict[str, dict[str, frozenset[Path]]] = {}
        for switch in self._switches.values():
            for port in switch.ports:
                if port.role is LinkRole.ATTACHMENT and port.enabled and not switch.drained:
                    ends = found.setdefault(switch.network, {})
                    ends[port.peer] = ends.get(port.peer, frozenset()) | {(switch.name, port.name)}
        return found


def _any(reach: Reach, switches: Iterable[str]) -> int:
    """The leaves that any of some switches reaches."""
    return reduce(or_, map(reach, switches), 0)

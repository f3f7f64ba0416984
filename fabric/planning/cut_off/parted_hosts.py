"""Hosts with leaves of several planes: two that have no plane in common any more, though each of them has a path."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from fabric.devices.model import Device, LinkRole
from fabric.planning.impact import Paths
from fabric.planning.ways import Ways

Rail = tuple[str, int]
"""Network and rail: hosts talk to each other on the same one."""


class PartedHosts:
    """The hosts of a network as it will be."""

    def __init__(self, paths: Paths, ways: Callable[[], Ways], is_out: Callable[[str], bool]) -> None:
        """`is_out`: whether a leaf that the plan leaves as it is carries nothing, as far as that is known at once."""
        self._paths, self._make_ways, self._is_out = paths, ways, is_out

    def parted_by(self, leaf: Device, ports: Collection[str]) -> str:
        """Two hosts that no longer reach each other on a rail without these ports of a leaf; empty if all still do.

        Whoever has no path left is not asked about: he is cut off from everybody.
        """
        ways = self._ways
        own = ways.reached_from((leaf.name,))
        for host, rail, others in self._hosts_at(leaf, ports):
            left = ways.reached_from(others)
            if left == ways.every_leaf:  # as where the planes meet
                continue
            for leaves, other in self.groups.get((leaf.network, rail), {}).items():
                rest = ways.bits(name for name in leaves if name != leaf.name)
                whole = rest | (ways.bits((leaf.name,)) if leaf.name in leaves else 0)
                if rest and not left & rest and (left | own) & whole:
                    return f"{host} and {other} on rail {rail}" if rail >= 0 else f"{host} and {other}"
        return ""

    def _hosts_at(self, leaf: Device, ports: Collection[str]) -> Iterator[tuple[str, int, tuple[str, ...]]]:
        """Hosts at these ports with another path: one for each set of leaves."""
        seen = set()
        for port in leaf.ports:
            if port.role is not LinkRole.HOST or port.name not in ports:
                continue
            others = self._live((leaf.network, port.peer, port.rail), but=leaf.name)
            if others and (port.rail, others) not in seen:
                seen.add((port.rail, others))
                yield port.peer, port.rail, others

    def _live(self, rail: tuple[str, str, int], but: str) -> tuple[str, ...]:
        """The other leaves over which a host reaches a rail."""
        paths = self._paths.rails.get(rail, ())
        return tuple(sorted({path[0] for path in paths if path[0] != but and self._paths.carries(*path)}))

    @cached_property
    def _ways(self) -> Ways:
        return self._make_ways()

    @cached_property
    def groups(self) -> dict[Rail, dict[tuple[str, ...], str]]:
        """By rail the sets of leaves that hosts have there, each with one of these hosts."""
        found: dict[Rail, dict[tuple[str, ...], str]] = {}
        out: dict[str, bool] = {}
        for (network, host, rail), paths in self._paths.rails.items():
            leaves = {leaf for leaf, _ in paths}
            for leaf in leaves - out.keys():
                out[leaf] = self._is_out(leaf)
            live = tuple(sorted(leaf for leaf in leaves if not out[leaf]))
            found.setdefault((network, rail), {}).setdefault(live, host)
        return found

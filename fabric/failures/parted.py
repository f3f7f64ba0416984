"""Which hosts no longer reach each other though both still have ports that carry.

With two planes that meet nowhere, a host that has lost one and a host that has lost the other share nothing. So each
rail of a host is held against the same rail of every other, by the leaves of its ports that are left. In a network
without rails all NICs of a host are one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fabric.failures.places import Longs
from fabric.failures.reach import Bytes, Reach
from fabric.graph import Graph, Tier
from fabric.graph.model import Bools

MOST_PORTS = 20
"""Ports of a host on one rail of which each may be lost by itself."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Host rails that land on the same leaves, a row a group."""

    leaves: Longs
    """Numbers of the leaves among the leaves, a column a port; -1: no port."""
    rail: Longs
    count: Longs
    """Host rails in the group."""

    def select(self, rows: Longs) -> Groups:
        """Some of them."""
        return Groups(self.leaves[rows], self.rail[rows], self.count[rows])


@dataclass(frozen=True, eq=False)
class Parted:
    """What a failure does."""

    pairs: int
    """Pairs of hosts on a rail, both with a port there that carries, that reached each other and no longer do."""
    rails: int
    """Rails on which there is such a pair."""


@dataclass(frozen=True, eq=False)
class HostReach:
    """The host rails of a network, as it is without a failure. `rail_of_link`: see `Network`."""

    graph: Graph
    reach: Reach
    rail_of_link: Longs

    @cached_property
    def _links(self) -> Longs:
        """Host links, those of one host rail together."""
        links = self.graph.links(Tier.HOST).astype(np.int64)
        return links[np.argsort(self.rail_of_link[links], kind="stable")]

    @cached_property
    def _ports(self) -> tuple[Longs, Longs]:
        """Of each link its host rail and which port of it that is, counted; -1 for others."""
        links = self._links
        _, first, at = np.unique(self.rail_of_link[links], return_index=True, return_inverse=True)
        of, port = np.full(self.graph.count, -1), np.full(self.graph.count, -1)
        of[links] = at
        port[links] = np.arange(len(links)) - first[at]
        return of, port

    @cached_property
    def has_several_ports(self) -> bool:
        """Whether a host can lose a part of a rail. Else, or if any leaf reaches any, only lost leaves part hosts."""
        return bool(self._ports[1].max(initial=0) > 0)

    @cached_property
    def _groups(self) -> tuple[Groups, Longs]:
        """The groups, and that of each host rail."""
        of, port = self._ports
        links = self._links
        leaves = np.full((int(of.max(initial=-1)) + 1, int(port.max(initial=0)) + 1), -1)
        leaves[of[links], port[links]] = self.graph.upper[links] - self.reach.leaves.start
        rail = np.zeros(len(leaves), np.int64)
        rail[of[links]] = self.rail_of_link[links] % (self.graph.net.sizes.rails + 1)
        rows = np.concatenate((leaves, rail[:, None]), axis=1)
        found, group, count = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
        return Groups(found[:, :-1], found[:, -1], count), group.ravel()

    @cached_property
    def _joined(self) -> Bools:
        """Which groups reach each other."""
        groups = self._groups[0]
        return _joined(self.reach.healthy, groups, groups, len(self.reach.leaves))

    def parted(self, links: Longs, *, leaves_lost: bool) -> Parted:
        """By the loss of links, and of the host links of leaves that have no uplink left, which are among them.

        `leaves_lost`: some leaves no longer reach each other. Else only groups that lost a port can be parted.
        """
        groups, origin, is_hit = self._after(links)
        reached = self.reach.healthy
        if leaves_lost:
            carries = np.ones(self.graph.count, np.bool_)
            carries[links] = False
            reached, is_hit = self.reach.reached(carries), np.ones(len(origin), np.bool_)
        hit = np.flatnonzero(is_hit)
        if not len(hit):
            return Parted(0, 0)
        after = _joined(reached, groups.select(hit), groups, len(self.reach.leaves))
        lost = self._joined[np.ix_(origin[hit], origin)] & ~after
        lost &= groups.rail[hit][:, None] == groups.rail
        lost &= ~is_hit | (hit[:, None] < np.arange(len(origin)))  # each pair once
        one, two = np.nonzero(lost)
        rails = np.unique(groups.rail[two])
        return Parted(int((groups.count[hit[one]] * groups.count[two]).sum()), len(rails))

    def _after(self, links: Longs) -> tuple[Groups, Longs, Bools]:
        """The groups that are left, the group that each was, and which of them have lost a port."""
        groups, group = self._groups
        of, port = self._ports
        own = links[of[links] >= 0]
        hit, at = np.unique(of[own], return_inverse=True)
        lost = np.zeros(len(hit), np.int64)
        np.bitwise_or.at(lost, at, 1 << port[own])
        keys, count = np.unique((group[hit] << MOST_PORTS) | lost, return_counts=True)
        origin, mask = keys >> MOST_PORTS, keys & ((1 << MOST_PORTS) - 1)
        new = groups.select(origin)
        is_lost = (mask[:, None] >> np.arange(groups.leaves.shape[1])) & 1
        rest = groups.count - np.bincount(group[hit], minlength=len(groups.count))
        origins = np.concatenate((np.arange(len(groups.count)), origin))
        whole = Groups(
            np.concatenate((groups.leaves, np.where(is_lost, -1, new.leaves))),
            np.concatenate((groups.rail, new.rail)),
            np.concatenate((rest, count)),
        )
        alive = np.flatnonzero((whole.count > 0) & (whole.leaves >= 0).any(axis=1))
        return whole.select(alive), origins[alive], alive >= len(groups.count)


def _joined(reached: Bytes, ones: Groups, twos: Groups, leaves: int) -> Bools:
    """Which groups (rows) have a port whose leaf reaches the leaf of a port of which others (columns)."""
    by_leaf = np.unpackbits(reached, axis=1, count=leaves).astype(np.bool_)
    by_group: Bools = np.zeros((len(ones.count), leaves), np.bool_)
    for leaf in _distinct(ones.leaves).T:
        by_group |= by_leaf[leaf] & (leaf >= 0)[:, None]
    joined: Bools = np.zeros((len(ones.count), len(twos.count)), np.bool_)
    for leaf in _distinct(twos.leaves).T:
        joined |= by_group[:, leaf] & (leaf >= 0)
    return joined


def _distinct(leaves: Longs) -> Longs:
    """The leaves of each row once, and no column without any."""
    leaves = np.sort(leaves, axis=1)
    leaves[:, 1:][leaves[:, 1:] == leaves[:, :-1]] = -1
    return leaves[:, (leaves >= 0).any(axis=0)]

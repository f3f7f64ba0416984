"""What effects of failures are told from: the links that carry, and what hosts and switches have of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fabric.failures.parted import HostReach
from fabric.failures.places import Longs
from fabric.failures.reach import Reach
from fabric.graph import Graph, Tier
from fabric.topology.roles import Role

Floats = NDArray[np.float64]
UPWARD = (Tier.LEAF, Tier.SPINE)


def sums(at: NDArray[np.signedinteger], values: Longs, count: int) -> Longs:
    """The sum of the values at each of `count` numbers."""
    return np.bincount(at, weights=values, minlength=count).astype(np.int64)


def by_pair(failure: Longs, item: Longs, values: Longs, items: int) -> tuple[Longs, Longs, Longs]:
    """Each pair of failure and item once, and the sum of its values."""
    keys, at = np.unique(failure * items + item, return_inverse=True)
    return keys // items, keys % items, sums(at, values, len(keys))


@dataclass(frozen=True, eq=False)
class Network:
    """What effects of failures are told from: the links that carry, and what each host and switch has of them."""

    graph: Graph
    alike: Callable[[], Longs] | None = None
    """Of each switch one that it stands for, if symmetries say so."""

    @cached_property
    def reach(self) -> Reach:
        """Which leaves reach each other."""
        return Reach(self.graph, self.alike)

    @cached_property
    def host_reach(self) -> HostReach:
        """Which rails of hosts reach each other."""
        return HostReach(self.graph, self.reach, self.rail_of_link)

    @cached_property
    def rail_of_link(self) -> Longs:
        """Of each host link: its host and rail, as one number; else -1."""
        graph = self.graph
        rails = graph.net.sizes.rails + 1
        number = graph.lower.astype(np.int64) * rails + np.where(graph.rail < 0, rails - 1, graph.rail)
        return np.where(graph.tier == Tier.HOST, number, -1)

    @cached_property
    def host_rails(self) -> tuple[Longs, Longs]:
        """Pairs of host and rail that have links, and the Mb/s of each."""
        links = self.graph.links(Tier.HOST)
        found, at = np.unique(self.rail_of_link[links], return_inverse=True)
        return found, sums(at, self.graph.mbps[links], len(found))

    @cached_property
    def host_mbps(self) -> Longs:
        """Of each node that is a host, of all of its links."""
        links = self.graph.links(Tier.HOST)
        return sums(self.graph.lower[links], self.graph.mbps[links], len(self.graph.role))

    @cached_property
    def hosts(self) -> int:
        """Hosts with links."""
        return int((self.host_mbps > 0).sum())

    @cached_property
    def down_mbps(self) -> Longs:
        """Of each switch, towards hosts and lower switches."""
        links = np.flatnonzero(np.isin(self.graph.tier, (Tier.HOST, *UPWARD)))
        return sums(self.graph.upper[links], self.graph.mbps[links], len(self.graph.role))

    @cached_property
    def up_mbps(self) -> Longs:
        """Of each switch, towards higher switches."""
        links = np.flatnonzero(np.isin(self.graph.tier, UPWARD))
        return sums(self.graph.lower[links], self.graph.mbps[links], len(self.graph.role))

    @cached_property
    def uplinks(self) -> Longs:
        """Links of each switch to others, below it left out."""
        graph = self.graph
        up = np.isin(graph.tier, (*UPWARD, Tier.ACROSS))
        across = graph.upper[graph.tier == Tier.ACROSS]
        count = len(graph.role)
        return np.bincount(graph.lower[up], minlength=count) + np.bincount(across, minlength=count)

    @cached_property
    def has_pods(self) -> bool:
        """Whether flows may leave a pod: there are several, and superspines between them."""
        pods = self.graph.pod[self.graph.nodes(Role.LEAF)]
        return bool((self.graph.tier == Tier.SPINE).any()) and len(np.unique(pods)) > 1

    @cached_property
    def tier_mbps(self) -> Longs:
        """Of each tier."""
        return sums(self.graph.tier, self.graph.mbps, len(Tier))

"""Equal paths of a network, as its links make them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabric.graph import Graph, Tier


class Width(NamedTuple):
    """The widest choice among uplinks of one tier, and the least number of host ports below a leaf."""

    uplinks: int
    host_ports: int


def stages(graph: Graph) -> tuple[int, ...]:
    """The most uplinks that a switch of each tier has, from the leaves up; tiers without uplinks are left out."""
    widths = []
    for tier in (Tier.LEAF, Tier.SPINE):
        at = graph.links(tier)
        if len(at):
            widths.append(int(np.bincount(graph.lower[at]).max()))
    return tuple(widths)


def leaf_width(graph: Graph) -> Width | None:
    """Uplinks and host ports of the leaf with the fewest host ports for its uplinks; None without uplinks."""
    up, down = graph.links(Tier.LEAF), graph.links(Tier.HOST)
    if not len(up) or not len(down):
        return None
    count = len(graph.role)
    uplinks = np.bincount(graph.lower[up], minlength=count)
    hosts = np.bincount(graph.upper[down], minlength=count)
    leaves = np.flatnonzero((uplinks > 0) & (hosts > 0))
    if not len(leaves):
        return None
    worst = leaves[np.argmax(uplinks[leaves] / hosts[leaves])]
    return Width(int(uplinks[worst]), int(hosts[worst]))

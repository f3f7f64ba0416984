"""Ranks that prove a valley-free fabric free of deadlock, with all links and after every set of failures.

A buffer is that of a directed link. It waits for another one where a packet that came by the one may leave by the
other. If every wait leads to a higher rank there is no circle; and a failure only takes waits away, as long as what
came from above or from the side goes down only. Source: Dally and Seitz 1987; Hu et al., HotNets 2016.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabric.graph import Graph
from fabric.graph.model import Ints
from fabric.topology.roles import Role

HIGHEST = np.iinfo(np.int32).max


def ranks(graph: Graph) -> tuple[Ints, Ints]:
    """The rank of each link from its lower to its upper end, and the other way.

    Up they rise with the tier, then come the links between switches of one tier, then down they rise towards hosts.
    """
    tiers = int(Role.SUPERSPINE) + 1
    role = graph.role
    depth = np.where(role[graph.lower] >= Role.HOST, 0, role[graph.lower] + 1).astype(np.int32)
    across = role[graph.lower] == role[graph.upper]
    up = np.where(across, tiers + 1, depth).astype(np.int32)
    down = np.where(across, tiers + 1, 2 * (tiers + 1) - depth).astype(np.int32)
    return up, down


def is_valley_free_safe(graph: Graph, rank: tuple[Ints, Ints] | None = None) -> bool:
    """Whether every wait leads to a higher rank: from below to everywhere, from above and the side down only.

    At each switch every buffer of one kind may wait for every one of another, so the highest rank of the first
    kind against the lowest of the second is the check of each pair of them.
    """
    up, down = ranks(graph) if rank is None else rank
    nodes = len(graph.role)
    across = graph.role[graph.lower] == graph.role[graph.upper]
    tree = ~across
    from_below = _highest(nodes, graph.upper[tree], up[tree])
    from_above = _highest(nodes, graph.lower[tree], down[tree])
    from_side = np.maximum(
        _highest(nodes, graph.upper[across], up[across]), _highest(nodes, graph.lower[across], down[across])
    )
    to_below = _lowest(nodes, graph.upper[tree], down[tree])
    to_above = _lowest(nodes, graph.lower[tree], up[tree])
    to_side = np.minimum(
        _lowest(nodes, graph.lower[across], up[across]), _lowest(nodes, graph.upper[across], down[across])
    )
    anywhere = np.minimum(np.minimum(to_below, to_above), to_side)
    above = np.maximum(from_above, from_side)
    switches = slice(0, len(graph.net.switches))
    return bool(
        np.all(from_below[switches] < anywhere[switches]) and np.all(above[switches] < to_below[switches])
    )


def _highest(nodes: int, at: Ints, rank: Ints) -> NDArray[np.int32]:
    found = np.full(nodes, -1, np.int32)
    order = np.argsort(rank, kind="stable")
    found[at[order]] = rank[order]  # of several for one node the last stays
    return found


def _lowest(nodes: int, at: Ints, rank: Ints) -> NDArray[np.int32]:
    found = np.full(nodes, HIGHEST, np.int32)
    order = np.argsort(-rank, kind="stable")
    found[at[order]] = rank[order]
    return found

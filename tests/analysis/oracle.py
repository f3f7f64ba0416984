"""What routes must come to, from the cables alone: the shortest ways that never go up after they went down.

Nothing of the program's routing is used: nodes, links and tiers of the topology, and a breadth-first search.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from typing import NamedTuple

from fabric.topology.model import NetworkTopology

TIERS = 3
"""Roles below this number are switches, in the order of the tiers."""


class Way(NamedTuple):
    """The shortest ways from a switch to an origin."""

    hops: int
    next_hops: dict[str, int]
    """Links by neighbour."""


Graph = dict[int, dict[int, int]]


def graph(
    network: NetworkTopology, dead: Collection[str] = (), cut: Collection[tuple[str, str]] = ()
) -> Graph:
    """Links between switches by neighbour, without those of drained switches and those that are cut."""
    found: Graph = {node: {} for node in network.switches}
    for link in network.links():
        one, two = (port.node for port in link.ends)
        names = {one.name, two.name}
        if one.role < TIERS and two.role < TIERS and not names & set(dead):
            for here, there in ((one, two), (two, one)):
                found[here.id][there.id] = found[here.id].get(there.id, 0) + 1
    for here, there in cut:
        one, two = network.node(here).id, network.node(there).id
        for near, far in ((one, two), (two, one)):
            found[near][far] -= 1
            if not found[near][far]:
                del found[near][far]
    return found


def ways(network: NetworkTopology, links: Graph, origins: Iterable[int]) -> dict[str, Way]:
    """How every switch reaches the nearest of some origins.

    A state is a switch and whether the way there has gone across or down. Seen from the origin a route first climbs,
    then crosses to another zone at most once, then descends.
    """
    hops: dict[tuple[int, bool], int] = {(origin, False): 0 for origin in origins}
    queue = deque(hops)
    before: dict[tuple[int, bool], set[int]] = {}
    while queue:
        node, fell = state = queue.popleft()
        for peer in links[node]:
            rise = network.role[peer] - network.role[node]
            if fell and rise >= 0:
                continue
            after = (peer, fell or rise <= 0)
            if hops.setdefault(after, hops[state] + 1) == hops[state] + 1:
                if after not in before:
                    queue.append(after)
                before.setdefault(after, set()).add(node)
    found: dict[str, Way] = {}
    for node in {node for node, _ in hops}:
        states = [state for state in ((node, False), (node, True)) if state in hops]
        least = min(hops[state] for state in states)
        peers = {peer for s in states if hops[s] == least for peer in before.get(s, ())}
        found[network.names[node]] = Way(least, {network.names[p]: links[node][p] for p in peers})
    return found

"""Where switches of different make meet: what the products of both ends must agree in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.devices.context import NetworkContext
from fabric.devices.model import Meeting
from fabric.topology.model import NONE


def meetings(contexts: Sequence[NetworkContext]) -> Iterator[Meeting]:
    """One link for every two kinds of switches that differ in product or model and are cabled to each other."""
    for context in contexts:
        if len({(kind.platform, kind.model.id) for kind in context.kinds}) > 1:
            yield from _meetings(context)


def _meetings(context: NetworkContext) -> Iterator[Meeting]:
    topology = context.topology
    seen: set[tuple[int, int]] = set()
    for node in topology.switches:
        mine = topology.port_map[node]
        for port in range(topology.port_base[node], topology.port_base[node + 1]):
            peer = topology.peer[port]
            if peer <= port:  # each link once; NONE is negative
                continue
            other = context.node_of(peer)
            theirs = topology.port_map[other]
            if theirs == NONE or (mine, theirs) in seen:
                continue
            seen.add((mine, theirs))
            one, two = context.kinds[mine], context.kinds[theirs]
            if (one.platform, one.model.id) != (two.platform, two.model.id):
                yield Meeting(
                    topology.names[node],
                    context.port_label(port, node),
                    topology.names[other],
                    context.port_label(peer, other),
                )

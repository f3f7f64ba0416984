"""Who reaches whom over the cables alone: up the tiers, across to another zone at most once, then down.

An attachment is a party below its switches: it reaches what they reach, and carries nothing for others.

Nothing of BGP is used: this holds what is taken out of service against a network in which everything works.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

import msgspec

from fabric.analysis.routes.switch_classes import fabric_ports
from fabric.devices.context import NetworkContext
from fabric.topology.roles import NONE, Role

BELOW = -1
"""Tier of an attachment."""


class Out(msgspec.Struct, frozen=True):
    """What carries nothing."""

    ports: Collection[int] = frozenset()
    nodes: Collection[int] = frozenset()


class Cables(msgspec.Struct):
    """The links of every switch, then of every attachment: its port, the other end's port, the other party."""

    names: list[str]
    """Switches by node id, then attachments: the numbers of the parties."""
    tier: list[int]
    """Of each party; higher is further from the hosts."""
    above: list[list[tuple[int, int, int]]]
    across: list[list[tuple[int, int, int]]]
    below: list[list[tuple[int, int, int]]]

    def reached(self, out: Out = Out()) -> list[int]:  # noqa: B008  # frozen
        """Of each party: those that it reaches and that reach it, itself included, as bits."""
        nodes = sorted(range(len(self.tier)), key=self.tier.__getitem__)
        down = [0] * len(nodes)
        for node in nodes:
            down[node] = 1 << node
            for peer in _used(self.below[node], node, out):
                down[node] |= down[peer]
        reachable = list(down)
        for node in reversed(nodes):
            for peer in _used(self.across[node], node, out):
                reachable[node] |= down[peer]
            for peer in _used(self.above[node], node, out):
                reachable[node] |= reachable[peer]
        return reachable

    def joined(self, first: int, second: int, out: Out = Out()) -> bool:  # noqa: B008  # frozen
        """Whether a way joins two parties. Faster than `reached` for one pair."""
        here, there = self.upward(first, out), self.upward(second, out)
        return not here.isdisjoint(there) or any(
            not there.isdisjoint(_used(self.across[node], node, out)) for node in here
        )

    def upward(self, node: int, out: Out = Out()) -> set[int]:  # noqa: B008  # frozen
        """A party and all above it that it reaches without going down."""
        above, todo = {node}, [node]
        while todo:
            new = _used(self.above[todo[-1]], todo.pop(), out) - above
            above |= new
            todo += new
        return above


def cables(context: NetworkContext) -> Cables:
    """The links of switches with each other and with attachments, as if nothing were out of service."""
    net = context.topology
    owner: list[int] = []
    for node, (start, stop) in zip(
        net.switches, pairwise(net.port_base[: len(net.switches) + 1]), strict=True
    ):
        owner += [node] * (stop - start)
    attached = net.role_start[Role.ATTACHMENT]
    names = [*net.names[: len(net.switches)], *(net.names[node] for node in attached)]
    tier = [*(int(net.role[node]) for node in net.switches), *(BELOW for _ in attached)]
    result = Cables(names, tier, [[] for _ in tier], [[] for _ in tier], [[] for _ in tier])
    for node in net.switches:
        for ports in fabric_ports(context, node):
            for port in ports:
                peer = net.peer[port]
                if peer != NONE:
                    rise = result.tier[owner[peer]] - result.tier[node]
                    lists = result.above if rise > 0 else result.below if rise else result.across
                    lists[node].append((port, peer, owner[peer]))
    for party, node in enumerate(attached, start=len(net.switches)):
        for port in range(net.port_base[node], net.port_base[node + 1]):
            peer = net.peer[port]
            if peer != NONE:
                result.above[party].append((port, peer, owner[peer]))
                result.below[owner[peer]].append((peer, port, party))
    return result


def _used(links: list[tuple[int, int, int]], node: int, out: Out) -> set[int]:
    if node in out.nodes:
        return set()
    if not out.ports and not out.nodes:
        return {peer for _, _, peer in links}
    return {
        peer
        for port, other, peer in links
        if port not in out.ports and other not in out.ports and peer not in out.nodes
    }

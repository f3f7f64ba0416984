"""Which switches are derived alike, and the links between switches: from the columns of the topology.

What a switch is derived from, beside numbers, is its kind: role, port map, overrides, drains, shut ports, what is
attached. Sessions and policies of one switch of a kind, and of one link between two kinds, stand for all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping

from fabric.devices.context import NetworkContext
from fabric.topology.roles import NONE, Facing, Role


def shared_numbers(context: NetworkContext) -> list[int]:
    """Of each switch its AS number, where another one or a router outside has it too; else 0."""
    numbers = [context.asn_of(node) for node in context.topology.switches]
    often = Counter([*numbers, *outside_numbers(context)])
    return [asn if often[asn] > 1 else 0 for asn in numbers]


def outside_numbers(context: NetworkContext) -> set[int]:
    """AS numbers of the routers that are attached to a network."""
    attached = context.intent.site.attachments.values()
    return {
        attachment.bgp.asn
        for attachment in attached
        if attachment.bgp is not None and attachment.network == context.name
    }


def kinds(context: NetworkContext) -> list[Hashable]:
    """The kind of each switch."""
    net = context.topology
    attached = _attached(context)
    shut = {context.node_of(port) for port in context.shut}
    shared = shared_numbers(context)
    return [
        (
            net.role[node],
            net.port_map[node],
            tuple(number for number, _ in context.overrides.get(net.names[node], ())),
            node if node in shut else NONE,
            tuple(attached.get(node, ())),
            net.names[node] in context.drained,
            shared[node] > 0,
            net.block[node] == NONE,
            _has_hosts(context, node),
        )
        for node in net.switches
    ]


def neighbors(context: NetworkContext) -> list[dict[int, int]]:
    """Of each switch: links to other switches that are not shut, by neighbour. A drained switch has none."""
    net = context.topology
    owner: list[int] = []
    for node in net.switches:
        owner += [node] * (net.port_base[node + 1] - net.port_base[node])
    down = {node for node in net.switches if net.names[node] in context.drained}
    by_node: list[dict[int, int]] = []
    for node in net.switches:
        links: Counter[int] = Counter()
        for ports in fabric_ports(context, node):
            peers = list(net.peer[ports.start : ports.stop])
            if context.shut:
                peers = [NONE if p in context.shut else q for p, q in zip(ports, peers, strict=True)]
                peers = [NONE if q in context.shut else q for q in peers]
            links.update(owner[peer] for peer in peers if peer != NONE)
        by_node.append({} if node in down else {peer: n for peer, n in links.items() if peer not in down})
    return by_node


def fabric_ports(context: NetworkContext, node: int) -> list[range]:
    """The ports of a switch that lead to other switches."""
    net = context.topology
    port_map, base = net.port_maps[net.port_map[node]], net.port_base[node]
    facings = (Facing.UP, Facing.ACROSS) if net.role[node] == Role.LEAF else (
        Facing.DOWN, Facing.UP, Facing.ACROSS
    )  # fmt: skip
    blocks = (port_map.range_of(facing) for facing in facings)
    return [range(base + block.start, base + block.stop) for block in blocks if block]


def _has_hosts(context: NetworkContext, node: int) -> bool:
    net = context.topology
    if net.role[node] != Role.LEAF:
        return False
    block, base = net.port_maps[net.port_map[node]].range_of(Facing.DOWN), net.port_base[node]
    return any(peer != NONE for peer in net.peer[base + block.start : base + block.stop])


def _attached(context: NetworkContext) -> Mapping[int, list[int]]:
    """Of each switch with attachments: the attachment at each of its links, in order of attachments."""
    net = context.topology
    attached: dict[int, list[int]] = {}
    for node in net.role_start[Role.ATTACHMENT]:
        for port in range(net.port_base[node], net.port_base[node + 1]):
            if net.peer[port] != NONE:
                attached.setdefault(context.node_of(net.peer[port]), []).append(node)
    return attached

"""From the columns of a topology, and what operators have taken out, to the arrays of `Graph`."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from fabric.devices import drains
from fabric.devices.site_devices import Devices
from fabric.graph.model import Bools, Graph, Ints, Tier, column
from fabric.intent.model import Intent
from fabric.topology.model import NetworkTopology, Topology
from fabric.topology.roles import NONE, Role

DEPTH = np.array([1, 2, 3, 0, 0], np.int8)
"""How far from the hosts a node of each `Role` stands."""


def graphs(topology: Topology, devices: Devices | None, intent: Intent) -> dict[str, Graph]:
    """Every network of a site, without the links that its intent and its operators have taken out.

    `devices`: None where none is derived. Shut ports have the names of a product, so they are left in then; a
    drained switch carries nothing in either case, unless it has no session to move its traffic by.
    """
    shut = {context.name: context.shut for context in devices.contexts} if devices is not None else {}
    return {
        name: graph_of(net, shut.get(name, ()), drains.drained(intent, net))
        for name, net in topology.networks.items()
    }


def graph_of(net: NetworkTopology, shut: Collection[int] = (), drained: Iterable[str] = ()) -> Graph:
    """One network; `shut` are port ids, `drained` names of switches."""
    peer, owner = column(net.peer), _owners(net)
    role = column(net.role)
    ports = np.flatnonzero(peer > np.arange(len(peer))).astype(np.int32)
    others = peer[ports]
    one, two = owner[ports], owner[others]
    turned = DEPTH[role[one]] > DEPTH[role[two]]
    lower_port, upper_port = np.where(turned, others, ports), np.where(turned, ports, others)
    order = np.argsort(lower_port, kind="stable")
    lower_port, upper_port = lower_port[order], upper_port[order]
    lower, upper = owner[lower_port], owner[upper_port]
    carries = np.ones(len(ports), np.bool_)
    if shut:
        out = np.fromiter(shut, np.int32, len(shut))
        carries &= ~(np.isin(lower_port, out) | np.isin(upper_port, out))
    names = set(drained)
    if names:
        gone = np.array([node for node in net.switches if net.names[node] in names], np.int32)
        carries &= ~(np.isin(lower, gone) | np.isin(upper, gone))
    return Graph(
        net=net,
        lower=lower,
        upper=upper,
        lower_port=lower_port,
        upper_port=upper_port,
        mbps=_speeds(net)[upper_port],
        cable=column(net.cable)[lower_port],
        tier=_tiers(role[lower], role[upper]),
        carries=_read_only(carries),
    )


def _owners(net: NetworkTopology) -> Ints:
    """The node of each port."""
    counts = np.diff(column(net.port_base))
    return np.repeat(np.arange(len(counts), dtype=np.int32), counts)


def _speeds(net: NetworkTopology) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Mb/s of each port of a switch; 0 of ports of hosts and attachments, which run at those of their switches."""
    of_map = [np.array([slot.speed_mbps for slot in port_map.slots], np.int64) for port_map in net.port_maps]
    speeds = np.zeros(len(net.peer), np.int64)
    for node in net.switches:
        chosen = net.port_map[node]
        if chosen != NONE:
            speeds[net.port_base[node] : net.port_base[node + 1]] = of_map[chosen]
    return speeds


def _tiers(lower: Ints, upper: Ints) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    """`Tier` of links between nodes of such roles."""
    tiers = np.where(lower == upper, Tier.ACROSS, lower + 1)
    tiers = np.where(lower == Role.HOST, Tier.HOST, tiers)
    return np.where(lower == Role.ATTACHMENT, Tier.OUT, tiers).astype(np.int8)


def _read_only(values: Bools) -> Bools:
    values.flags.writeable = False
    return values

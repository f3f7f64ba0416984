"""The path of every flow, hop by hop over all flows at once: each switch hashes and takes one of its next hops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric.graph import Tier
from fabric.graph.model import Bools, Ints
from fabric.simulation.flows import Flows, addresses, queue_pairs
from fabric.simulation.forwarding import Forwarding
from fabric.simulation.hashing import (
    INGRESS_BYTES,
    QP_BYTES,
    HashModel,
    Words,
    crc32,
    crc32_on,
    of_stage,
    seed_differences,
    switch_seeds,
)
from fabric.simulation.routes import FAR, UP, Routes
from fabric.topology.roles import NONE, Role


@dataclass(frozen=True, eq=False)
class Paths:
    """Directed links of every flow, in the order in which it crosses them."""

    links: Ints
    """Flow by hop; NONE after the last."""
    arrived: Bools
    """Whether the flow's target can be reached."""

    def loads(self, weights: NDArray[np.float64], links: int) -> NDArray[np.float64]:
        """The sum of weights over each of so many directed links."""
        load = np.zeros(links)
        for hop in self.links.T:
            there = hop != NONE
            load += np.bincount(hop[there], weights=weights[there], minlength=links)
        return load


FEW = 8
"""Where a table of all pairs of a switch and a leaf has more than so many entries a flow, keys are sorted instead."""
MOST_HOPS = 64
"""After so many a packet goes round in a circle."""


def place(routes: Routes, flows: Flows, model: HashModel) -> Paths:
    """Paths by the hash of each stage, or for `DESTINATION` by where the flow goes. Not for `SPRAY`.

    Where a subnet manager's tables are known, `DESTINATION` is what they say.
    """
    if model is HashModel.DESTINATION and routes.forwarding is not None:
        return _by_tables(routes, routes.forwarding, flows)
    graph, count = routes.graph, routes.graph.count
    node = graph.upper[flows.source].copy()
    last = graph.upper[flows.target]
    leaf = (last - routes.leaves.start).astype(np.int32)
    arrived = routes.hops[node, leaf] < FAR
    stages = int(routes.hops[node, leaf][arrived].max(initial=0))
    words = hashed_words(routes, flows, model)
    seeds = switch_seeds(graph.net, model)
    seeded = None if seeds is None else seed_differences(seeds, routes.fields)
    path = np.full((stages + 2, flows.count), NONE, np.int32)
    path[0] = flows.source
    for stage in range(stages):
        going = np.flatnonzero(arrived & (node != last))
        if model is HashModel.DESTINATION:
            own = _in_turn(routes, words[going], node[going], leaf[going])
        else:
            own = words[going]
            if "ingress_port" in routes.fields:
                own = crc32_on(own, _ingress(routes, path[stage, going], node[going]), INGRESS_BYTES)
            own = of_stage(own, model, stage)
            if seeded is not None:
                own ^= seeded[node[going]]
        links = _chosen(routes, node[going], leaf[going], own)
        path[stage + 1, going] = links
        node[going] = routes.head[links]
    path[-1, arrived] = flows.target[arrived] + count
    path[0, ~arrived] = NONE
    return Paths(path.T, arrived)


def _by_tables(routes: Routes, tables: Forwarding, flows: Flows) -> Paths:
    """Paths from table to table. A flow that ends elsewhere or goes round in a circle does not arrive."""
    graph, count = routes.graph, routes.graph.count
    column, last = tables.column[flows.target], flows.target + count
    node, path = graph.upper[flows.source].copy(), [flows.source.copy()]
    going = np.arange(flows.count)
    arrived = np.zeros(flows.count, np.bool_)
    while len(going) and len(path) <= MOST_HOPS:
        links = tables.hops[node[going], column[going]]
        step = np.full(flows.count, NONE, np.int32)
        arrived[going] = links == last[going]
        onward = (links != NONE) & (routes.head[links] < len(graph.net.switches))
        step[going[onward]] = links[onward]
        node[going[onward]] = routes.head[links[onward]]
        going = going[onward]
        path.append(step)
    path.append(np.where(arrived, last, NONE).astype(np.int32))
    found = np.stack(path, axis=1)
    found[~arrived] = NONE
    return Paths(found, arrived)


def hashed_words(routes: Routes, flows: Flows, model: HashModel) -> Words:
    """What next hops are chosen by, apart from the seeds of switches and the ports that flows come in by."""
    graph = routes.graph
    if model is HashModel.DESTINATION:
        links = graph.links(Tier.HOST)
        number = np.zeros(graph.count, np.uint32)
        number[links[np.argsort(graph.upper_port[links])]] = np.arange(len(links))
        return number[flows.target]
    source, target = addresses(graph, flows.source), addresses(graph, flows.target)
    words = crc32(source, target, flows.source_port, fields=routes.fields)
    return crc32_on(words, queue_pairs(flows), QP_BYTES) if "roce_qp" in routes.fields else words


def _ingress(routes: Routes, links: Ints, nodes: Ints) -> Words:
    """The port by which each flow comes in, counted from the first of its switch."""
    graph = routes.graph
    ports = np.concatenate((graph.upper_port, graph.lower_port))[links]
    return (ports - graph.port_base[nodes]).astype(np.uint32)


def _in_turn(routes: Routes, words: Words, node: Ints, leaf: Ints) -> Words:
    """What a switch takes its links in turn by, as a fat-tree engine does: destinations in the order of leaf and port.

    They take the links between a leaf and its spines in turn; those that share one take the links between a spine and
    its superspines in turn. Down they go by the link that they would climb by.
    """
    role, way = routes.graph.role[node], routes.way[node, leaf]
    above_spines = np.where(way == UP, role == Role.SPINE, role == Role.SUPERSPINE)
    climbing = routes.order[: routes.starts[len(routes.leaves) * 3]]
    at_leaf = np.bincount(routes.tail[climbing], minlength=1).max(initial=1)
    return np.where(above_spines, words // np.uint32(at_leaf), words).astype(np.uint32)


def _chosen(routes: Routes, node: Ints, leaf: Ints, words: Words) -> Ints:
    """The next hop of each flow."""
    leaves = routes.hops.shape[1]
    keys = node.astype(np.int64) * leaves + leaf
    if len(keys) * FEW < routes.hops.size:
        pairs, pair = np.unique(keys, return_inverse=True)
    else:
        number = np.zeros(routes.hops.size, np.int32)
        number[keys] = 1
        pairs = np.flatnonzero(number)
        number[pairs] = np.arange(len(pairs))
        pair = number[keys]
    hops = routes.next_hops((pairs // leaves).astype(np.int32), (pairs % leaves).astype(np.int32))
    width = hops.width[pair].astype(np.uint32)
    return np.asarray(hops.links[hops.first[pair] + (words % width)], np.int32)


def spread(routes: Routes, flows: Flows) -> tuple[NDArray[np.float64], Bools]:
    """Bytes on each directed link if every switch spreads packets evenly, and which flows can arrive."""
    graph, count, leaves = routes.graph, routes.graph.count, routes.hops.shape[1]
    node, last = graph.upper[flows.source], graph.upper[flows.target]
    leaf = last - routes.leaves.start
    arrived = routes.hops[node, leaf] < FAR
    load = np.zeros(2 * count)
    load += np.bincount(flows.source[arrived], flows.bytes[arrived], 2 * count)
    load += np.bincount(flows.target[arrived] + count, flows.bytes[arrived], 2 * count)
    keys = (node.astype(np.int64) * leaves + leaf)[arrived & (node != last)]
    waiting = np.bincount(keys, flows.bytes[arrived & (node != last)], routes.hops.size)
    while len(pairs := np.flatnonzero(waiting)):
        hops = routes.next_hops((pairs // leaves).astype(np.int32), (pairs % leaves).astype(np.int32))
        each = np.repeat(waiting[pairs] / hops.width, hops.width)
        load += np.bincount(hops.links, each, 2 * count)
        to, towards = routes.head[hops.links], np.repeat(pairs % leaves, hops.width)
        onward = to != towards + routes.leaves.start
        waiting = np.bincount(
            (to.astype(np.int64) * leaves + towards)[onward], each[onward], routes.hops.size
        )
    return load, arrived

"""NICs whose two ports are one bond with one address: switches that reach both leaves choose among them too.

Where planes meet (dual-ToR on one plane) the switch above both leaves has them in one group of equal paths: a second
choice after that of the first leaf. Where planes do not meet (dual plane) the port that a flow leaves by decides.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fabric.graph import Graph
from fabric.graph.model import Ints
from fabric.simulation.flows import Flows
from fabric.simulation.hashing import HashModel, of_stage, seed_differences, switch_seeds
from fabric.simulation.jobs import Job
from fabric.simulation.place_flows import hashed_words
from fabric.simulation.routes import FAR, Routes
from fabric.topology.roles import NONE


def to_either_port(routes: Routes, flows: Flows, job: Job, model: HashModel) -> Flows:
    """The flows with the port of the target NIC that the network takes: the nearer, or else the one of the hash.

    Packets that are sprayed come by both.
    """
    graph = routes.graph
    if not job.is_bonded or not flows.count:
        return flows
    other = _other_ports(graph, job)[flows.target]
    here = graph.upper[flows.source]
    hops, others_hops = (_hops(routes, here, ends) for ends in (flows.target, other))
    nearer = others_hops < hops
    alike = (others_hops == hops) & (hops < FAR) & (hops > 0)
    if not (nearer | alike).any():
        return flows
    target = np.where(nearer, other, flows.target)
    if model is HashModel.SPRAY:
        return _by_both(flows, np.asarray(target, np.int32), np.asarray(other, np.int32), alike)
    first = np.where(graph.upper[target] < graph.upper[other], target, other)
    second = np.where(first == target, other, target)
    is_second = alike & _takes_second(routes, flows, first, second, hops, model)
    target = np.where(alike, np.where(is_second, second, first), target)
    return replace(flows, target=np.asarray(target, np.int32), even_target=flows.target)


def _other_ports(graph: Graph, job: Job) -> Ints:
    """Of each link of a NIC port that of the other port; NONE where it has none that carries."""
    other = np.full(graph.count, NONE, np.int32)
    pairs = job.nic_links.reshape(-1, job.nic_links.shape[2])
    one, two = pairs[:, 0], pairs[:, 1]
    both = (one != NONE) & (two != NONE)
    other[one[both]], other[two[both]] = two[both], one[both]
    return other


def _hops(routes: Routes, switch: Ints, ends: Ints) -> Ints:
    leaf = np.where(ends == NONE, 0, routes.graph.upper[ends] - routes.leaves.start)
    hops = routes.hops[switch, leaf].astype(np.int32)
    return np.asarray(np.where(ends == NONE, FAR, hops), np.int32)


def _by_both(
    flows: Flows, target: Ints, other: Ints, alike: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> Flows:
    """Half of the bytes by each port."""
    size = np.where(alike, flows.bytes / 2, flows.bytes)
    return Flows(
        np.concatenate((flows.source, flows.source[alike])),
        np.concatenate((target, other[alike])),
        np.concatenate((size, size[alike])),
        np.concatenate((flows.source_port, flows.source_port[alike])),
        np.concatenate((flows.target, flows.target[alike])),
    )


def _takes_second(
    routes: Routes, flows: Flows, first: Ints, second: Ints, hops: Ints, model: HashModel
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether the switch that reaches both leaves sends by the second.

    Its group of equal paths has the links to the first leaf before those to the second, as many of each.
    """
    graph = routes.graph
    words = hashed_words(routes, replace(flows, target=first), model)
    parents, links = _parents(routes)
    leaves = graph.upper[first] - routes.leaves.start, graph.upper[second] - routes.leaves.start
    at_parent = parents[leaves[0]] == parents[leaves[1]]
    seeds = switch_seeds(graph.net, model)
    if (
        seeds is not None
    ):  # of the first switch above the leaf: seeds are those of tiers, or else any is as good
        words = words ^ seed_differences(seeds, routes.fields)[parents[leaves[0]]]
    stage = hops - np.where(at_parent, 1, 2)
    found = np.zeros(flows.count, np.bool_)
    for each in np.unique(stage):
        those = stage == each
        width = links[leaves[0][those]].astype(np.uint32)
        found[those] = of_stage(words[those], model, int(each)) % (2 * width) >= width
    return found


def _parents(routes: Routes) -> tuple[Ints, Ints]:
    """Of each leaf the first switch above it, and how many links join the two."""
    graph, leaves = routes.graph, routes.leaves
    up = routes.order[np.isin(routes.tail[routes.order], np.arange(leaves.start, leaves.stop))]
    up = up[up < graph.count]
    tail, head = routes.tail[up] - leaves.start, routes.head[up]
    parents = np.full(len(leaves), NONE, np.int32)
    order = np.lexsort((-head, tail))
    parents[tail[order]] = head[order]
    joined = np.bincount(tail[head == parents[tail]], minlength=len(leaves))
    return parents, np.maximum(joined, 1).astype(np.int32)

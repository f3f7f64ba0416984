"""Where flows of many NIC ports meet in one port of a switch: the worst incast of every tier.

At the last hop the worst moment is looked at: all NIC ports that send to one send to it at once, each at its line
rate. Between switches each NIC port shares its line rate among all its flows, as that many cannot choose the same link
at one moment. No port that they come in by passes more than its speed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric.graph import Graph, Tier
from fabric.graph.model import Ints
from fabric.simulation.flows import Flows
from fabric.simulation.place_flows import Paths
from fabric.simulation.routes import Routes
from fabric.topology.roles import NONE

Keys = NDArray[np.int64]
Rates = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Incast:
    """The port of a tier whose queue grows fastest."""

    tier: str
    """That its link belongs to: `host` is the last hop, `leaf` joins leaves and spines, ..."""
    direction: str
    """`down` to the hosts, `up`, or `both` between switches of one tier."""
    node: int
    port: int
    senders: int
    """NIC ports whose flows leave by it."""
    ports: int
    """Ports of the switch that they come in by."""
    arriving_mbps: float
    leaving_mbps: float
    """The speed of the port."""
    most_of_a_port: float
    """Largest part of what arrives that one port brings: it is paused first."""
    from_port: int
    """That port, of the switch itself."""

    @property
    def growth_mbps(self) -> float:
        """How fast the queue grows; 0 if the port keeps up."""
        return max(0.0, self.arriving_mbps - self.leaving_mbps)


@dataclass(frozen=True, eq=False)
class _Met:
    """Arrays of one length, an entry a directed link by which flows come into a switch and one by which they leave."""

    leaves_by: Keys
    comes_by: Keys
    arriving_mbps: Rates


def worst_of(phases: Iterable[tuple[Incast, ...]]) -> tuple[Incast, ...]:
    """Of several phases the worst of each tier and direction, from the hosts upwards."""
    worst: dict[tuple[str, str], Incast] = {}
    for each in (incast for phase in phases for incast in phase):
        key = (each.tier, each.direction)
        if key not in worst or _badness(each) > _badness(worst[key]):
            worst[key] = each
    return tuple(worst.values())


def _badness(incast: Incast) -> tuple[float, int]:
    return incast.arriving_mbps - incast.leaving_mbps, incast.senders


def incasts(graph: Graph, flows: Flows, paths: Paths, stand_for: float = 1.0) -> tuple[Incast, ...]:
    """The worst port of each tier and direction that flows leave a switch by.

    `stand_for`: so many flows alike each of a sample stands for.
    """
    directed = 2 * graph.count
    speeds = np.tile(graph.mbps, 2).astype(np.float64)
    sent = np.bincount(flows.source, flows.bytes, directed)
    rates = speeds[flows.source] * flows.bytes / sent[flows.source]
    came, inner = paths.links[:, 0].astype(np.int64), []
    for after in paths.links.T[1:-1]:
        there = after != NONE
        inner.append(
            (after[there].astype(np.int64) * directed + came[there], flows.source[there], rates[there])
        )
        came[there] = after[there]
    last = paths.links[:, -1].astype(np.int64)
    at_hosts = np.unique((last * directed + came)[paths.arrived] * graph.count + flows.source[paths.arrived])
    met, source = np.divmod(at_hosts, graph.count)
    found = _met(graph, met, source, speeds[source] * stand_for, stand_for)
    if inner:
        pairs, sources, shares = (np.concatenate(each) for each in zip(*inner, strict=True))
        found += _met(graph, pairs, sources, shares, stand_for)
    return found


def _met(graph: Graph, pairs: Keys, sources: Keys, rates: Rates, stand_for: float) -> tuple[Incast, ...]:
    """From entries of a link out and a link in as one number, the NIC port that sends, and how fast."""
    directed, speeds = 2 * graph.count, np.tile(graph.mbps, 2).astype(np.float64)
    ways, number = np.unique(pairs, return_inverse=True)
    leaves_by, comes_by = np.divmod(ways, directed)
    arriving = np.minimum(np.bincount(number, rates, len(ways)), speeds[comes_by])
    leaving, source = np.divmod(np.unique(pairs // directed * graph.count + sources), graph.count)
    line_mbps = (np.bincount(leaving, speeds[source], directed) * stand_for).astype(np.float64)
    return _worst(graph, _Met(leaves_by, comes_by, arriving), leaving, line_mbps, stand_for)


def incasts_of_sprayed(routes: Routes, flows: Flows, stand_for: float = 1.0) -> tuple[Incast, ...]:
    """The worst last hop where packets are sprayed: from other leaves they come in by all links of the leaf."""
    graph = routes.graph
    pairs = np.unique(flows.source.astype(np.int64) * graph.count + flows.target)
    source, target = np.divmod(pairs, graph.count)
    speeds = np.tile(graph.mbps, 2).astype(np.float64)
    local = graph.upper[source] == graph.upper[target]
    remote, sent = np.unique(target[~local]), np.bincount(target[~local], speeds[source[~local]], graph.count)
    links_in, counts = _links_into(routes, graph.upper[remote])
    share = np.repeat(sent[remote] * stand_for / np.maximum(counts, 1), counts)
    found = _Met(
        np.concatenate((target[local], np.repeat(remote, counts))) + graph.count,
        np.concatenate((source[local], links_in)),
        np.concatenate((speeds[source[local]], np.minimum(share, speeds[links_in]))),
    )
    line_mbps = (np.bincount(target + graph.count, speeds[source], 2 * graph.count) * stand_for).astype(
        np.float64
    )
    return _worst(graph, found, target + graph.count, line_mbps, stand_for)


def _links_into(routes: Routes, leaves: Ints) -> tuple[Keys, Keys]:
    """The links from other switches into each of these leaves, one leaf after the other, and how many each has."""
    inner = routes.order[np.argsort(routes.head[routes.order], kind="stable")]
    starts = np.searchsorted(routes.head[inner], np.arange(len(routes.graph.role) + 1))
    counts = (starts[1:] - starts[:-1])[leaves]
    offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return inner[np.repeat(starts[leaves], counts) + offset].astype(np.int64), counts


def _worst(graph: Graph, met: _Met, leaving: Keys, line_mbps: Rates, stand_for: float) -> tuple[Incast, ...]:
    """`leaving`: an entry for each NIC port that sends through a directed link; `line_mbps`: what those can send."""
    directed, speeds = 2 * graph.count, np.tile(graph.mbps, 2).astype(np.float64)
    senders = np.bincount(leaving, minlength=directed)
    arriving = np.minimum(np.bincount(met.leaves_by, met.arriving_mbps, directed), line_mbps)
    tiers, down = np.tile(graph.tier, 2), np.arange(directed) >= graph.count
    found = []
    for tier, way, those in (
        (Tier.HOST, "down", down),
        (Tier.LEAF, "up", ~down),
        (Tier.LEAF, "down", down),
        (Tier.SPINE, "up", ~down),
        (Tier.SPINE, "down", down),
        (Tier.ACROSS, "both", down | ~down),
    ):
        links = np.flatnonzero((tiers == tier) & those & (senders > 0))
        if len(links):
            order = np.lexsort((-links, senders[links], (arriving - speeds)[links]))
            link = int(links[order[-1]])
            own = _Met(
                *(each[met.leaves_by == link] for each in (met.leaves_by, met.comes_by, met.arriving_mbps))
            )
            many = round(float(senders[link]) * stand_for)
            found.append(_incast(graph, own, (tier.name.lower(), way), many, float(arriving[link])))
    return tuple(found)


def _incast(graph: Graph, own: _Met, place: tuple[str, str], senders: int, arriving_mbps: float) -> Incast:
    """The incast at one port, of which `own` are the ways in."""
    largest = int(np.argmax(own.arriving_mbps))
    link, came = int(own.leaves_by[0]), int(own.comes_by[largest])
    is_down, number = link >= graph.count, link % graph.count
    in_ports = graph.upper_port if came < graph.count else graph.lower_port
    return Incast(
        tier=place[0],
        direction=place[1],
        node=int((graph.upper if is_down else graph.lower)[number]),
        port=int((graph.upper_port if is_down else graph.lower_port)[number]),
        senders=senders,
        ports=len(own.comes_by),
        arriving_mbps=arriving_mbps,
        leaving_mbps=float(graph.mbps[number]),
        most_of_a_port=float(own.arriving_mbps[largest] / own.arriving_mbps.sum()),
        from_port=int(in_ports[came % graph.count]),
    )

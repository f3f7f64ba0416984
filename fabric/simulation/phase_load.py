"""One phase of a collective: the paths of its flows, the bytes on every link, and its slowest flow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric.graph import Graph
from fabric.simulation.answer import SlowFlow
from fabric.simulation.fair_rates import fair_rates
from fabric.simulation.flows import Flows
from fabric.simulation.hashing import HashModel
from fabric.simulation.place_flows import Paths, place, spread
from fabric.simulation.routes import Routes
from fabric.topology.roles import NONE

FAIR_AT_MOST = 1 << 19
"""Flows of which fair rates are computed; of more the lower bound alone is told."""


@dataclass(frozen=True, eq=False)
class PhaseLoad:
    """What one phase puts on the links."""

    load_bytes: NDArray[np.float64]
    flows_on: NDArray[np.float64]
    flows: int
    lost: int
    fair_us: float | None
    slowest: SlowFlow | None
    incast: int
    paths: Paths | None = None
    """None: packets are sprayed."""


def phase_load(
    routes: Routes, flows: Flows, model: HashModel, unsent_flows: int, *, with_rates: bool
) -> PhaseLoad:
    """What the flows of a phase put on the links. `with_rates`: max-min fair rates too, unless packets are sprayed."""
    graph = routes.graph
    senders = _incast(graph, flows)
    if model is HashModel.SPRAY:
        load, arrived = spread(routes, flows)
        lost = unsent_flows + int(np.count_nonzero(~arrived))
        return PhaseLoad(load, np.zeros(2 * graph.count), flows.count, lost, None, None, senders)
    paths = place(routes, flows, model)
    load = paths.loads(flows.bytes, 2 * graph.count)
    flows_on = paths.loads(np.ones(flows.count), 2 * graph.count)
    lost = unsent_flows + int(np.count_nonzero(~paths.arrived))
    fair_us, slowest = _slowest(graph, flows, paths) if with_rates else (None, None)
    return PhaseLoad(load, flows_on, flows.count, lost, fair_us, slowest, senders, paths)


def _slowest(graph: Graph, flows: Flows, paths: Paths) -> tuple[float | None, SlowFlow | None]:
    """The time of the phase with fair rates, and its slowest flow."""
    if not paths.arrived.any():
        return None, None
    capacity = np.tile(graph.mbps, 2).astype(np.float64)
    rates = fair_rates(paths.links, capacity)
    ends = np.where(
        paths.arrived[:, None], np.stack((flows.source, flows.target + graph.count), axis=1), NONE
    )
    alone = fair_rates(ends.astype(np.int32), capacity)
    times = np.where(paths.arrived, flows.bytes * 8 / rates, 0)
    worst = int(np.argmin(np.where(paths.arrived, rates, np.inf)))
    source, target = int(flows.source[worst]), int(flows.target[worst])
    slow = SlowFlow(
        from_port=int(graph.lower_port[source]),
        to_port=int(graph.lower_port[target]),
        from_node=int(graph.lower[source]),
        to_node=int(graph.lower[target]),
        rate_mbps=float(rates[worst]),
        share_percent=float(100 * rates[worst] / alone[paths.arrived].min()),
    )
    return float(times.max()), slow


def _incast(graph: Graph, flows: Flows) -> int:
    """Most source ports that one target port hears at once."""
    if not flows.count:
        return 0
    pairs = np.unique(flows.source.astype(np.int64) * graph.count + flows.target)
    return int(np.bincount(pairs % graph.count).max())

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
from fabric.simulation.incast import Incast, incasts, incasts_of_sprayed
from fabric.simulation.place_flows import Paths, place, spread
from fabric.simulation.routes import Routes
from fabric.topology.roles import NONE

FAIR_AT_MOST = 1 << 19
"""Flows of which fair rates are computed; of more the lower bound alone is told."""


@dataclass(frozen=True, eq=False)
class PhaseLoad:
    """What one phase puts on the links."""

    load_bytes: NDArray[np.float64]
    nic_bytes: NDArray[np.float64]
    """What the NIC ports at both ends have to carry if their ports are chosen evenly."""
    flows_on: NDArray[np.float64]
    flows: int
    lost: int
    fair_us: float | None
    slowest: SlowFlow | None
    incasts: tuple[Incast, ...]
    """The worst of each tier and direction; empty if not looked for."""
    paths: Paths | None = None
    """None: packets are sprayed."""


def phase_load(
    routes: Routes,
    flows: Flows,
    model: HashModel,
    unsent_flows: int = 0,
    *,
    with_rates: bool,
    stand_for: float = 1.0,
) -> PhaseLoad:
    """What the flows of a phase put on the links.

    `with_rates`: max-min fair rates and incasts too; packets that are sprayed have no rates. `stand_for`: so many flows
    alike each of a sample stands for; its bytes are those of all.
    """
    graph = routes.graph
    if model is HashModel.SPRAY:
        load, arrived = spread(routes, flows)
        lost = unsent_flows + int(np.count_nonzero(~arrived))
        met = incasts_of_sprayed(routes, flows.only(arrived), stand_for) if with_rates else ()
        nic_bytes = flows.nic_bytes(arrived, graph.count)
        return PhaseLoad(load, nic_bytes, np.zeros(2 * graph.count), flows.count, lost, None, None, met)
    paths = place(routes, flows, model)
    load = paths.loads(flows.bytes, 2 * graph.count)
    flows_on = paths.loads(np.full(flows.count, stand_for), 2 * graph.count)
    lost = unsent_flows + int(np.count_nonzero(~paths.arrived))
    met = incasts(graph, flows, paths, stand_for) if with_rates else ()
    is_fair = with_rates and flows.count <= FAIR_AT_MOST
    fair_us, slowest = _slowest(graph, flows, paths, stand_for) if is_fair else (None, None)
    nic_bytes = flows.nic_bytes(paths.arrived, graph.count)
    return PhaseLoad(load, nic_bytes, flows_on, flows.count, lost, fair_us, slowest, met, paths)


def _slowest(
    graph: Graph, flows: Flows, paths: Paths, stand_for: float
) -> tuple[float | None, SlowFlow | None]:
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
        rate_mbps=float(rates[worst]) / stand_for,
        share_percent=float(100 * rates[worst] / alone[paths.arrived].min()),
    )
    return float(times.max()), slow

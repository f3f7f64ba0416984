"""From a question to its answer: flows of each phase, their paths, the bytes on every link."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric.diagnostics import Invalid, Origin
from fabric.graph import Graph
from fabric.simulation import codes
from fabric.simulation.answer import Answer, SlowFlow, bus_factor, busy_us, hottest, tier_loads
from fabric.simulation.collectives import Collective, collective
from fabric.simulation.fair_rates import fair_rates
from fabric.simulation.flows import Flows, flows_of, unsent
from fabric.simulation.hashing import HashModel
from fabric.simulation.jobs import Job
from fabric.simulation.place_flows import Paths, place, spread
from fabric.simulation.routes import Routes, routes_of
from fabric.topology.roles import NONE

FAIR_AT_MOST = 1 << 19
"""Flows of which fair rates are computed; of more the lower bound alone is told."""
ALIKE = (HashModel.SPRAY, HashModel.DESTINATION)
"""Where queue pairs between two ports take the same paths: one flow stands for them."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is sent, and how flows are told apart."""

    operation: str = "allreduce"
    algorithm: str | None = None
    """None: the operation's default."""
    size_bytes: int = 1 << 30
    """As nccl-tests prints it: what one rank has, of AllGather and ReduceScatter what all have together."""
    qps: int = 4
    """Queue pairs between two NIC ports, each with a UDP source port of its own."""
    hash_model: HashModel | None = None
    """None: of a site as its intent says, else CRC-32."""
    seed: int = 0
    """Of source ports, and of NICs that are not aligned."""
    aligned: bool = True
    """NIC i sends to NIC i."""


@dataclass(frozen=True, eq=False)
class _PhaseLoad:
    """What one phase puts on the links."""

    load_bytes: NDArray[np.float64]
    flows_on: NDArray[np.float64]
    flows: int
    lost: int
    fair_us: float | None
    slowest: SlowFlow | None
    incast: int


def simulate(
    graph: Graph,
    job: Job,
    question: Question,
    routes: Routes | None = None,
    *,
    with_rates: bool = True,
) -> Answer:
    """What a collective of a job does to a network. `Invalid` if none of its hosts reach each other.

    `with_rates`: max-min fair rates too, for the slowest flow.
    """
    chosen = collective(question.operation, question.algorithm)
    routes = routes_of(graph) if routes is None else routes
    model = question.hash_model or HashModel.CRC32
    phases = chosen.phases(job.shape.hosts)
    unit_bytes = float(chosen.nic_share(job.shape)) * question.size_bytes
    parts = []
    for phase in phases:
        flows = flows_of(
            job,
            phase,
            unit_bytes,
            qps=1 if model in ALIKE else question.qps,
            seed=question.seed,
            aligned=question.aligned,
        )
        with_rates = with_rates and flows.count <= FAIR_AT_MOST
        parts.append(_phase(routes, flows, model, unsent(job, phase), with_rates=with_rates))
    if not any(part.load_bytes.any() for part in parts):
        rule = f"no NIC port of the job's hosts has a route to that of the next host in {graph.net.name}"
        origin = Origin(("networks", graph.net.name))
        raise Invalid((codes.CUT_OFF.at(origin, rule, hint=codes.CUT_OFF.fix),))
    return _answer(graph, job, question, chosen, parts, sampled=any(phase.sampled for phase in phases))


def _phase(
    routes: Routes, flows: Flows, model: HashModel, unsent_flows: int, *, with_rates: bool
) -> _PhaseLoad:
    graph = routes.graph
    senders = _incast(graph, flows)
    if model is HashModel.SPRAY:
        load, arrived = spread(routes, flows)
        lost = unsent_flows + int(np.count_nonzero(~arrived))
        return _PhaseLoad(load, np.zeros(2 * graph.count), flows.count, lost, None, None, senders)
    paths = place(routes, flows, model)
    load = paths.loads(flows.bytes, 2 * graph.count)
    flows_on = paths.loads(np.ones(flows.count), 2 * graph.count)
    lost = unsent_flows + int(np.count_nonzero(~paths.arrived))
    fair_us, slowest = _slowest(graph, flows, paths) if with_rates else (None, None)
    return _PhaseLoad(load, flows_on, flows.count, lost, fair_us, slowest, senders)


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


def _answer(
    graph: Graph,
    job: Job,
    question: Question,
    chosen: Collective,
    parts: list[_PhaseLoad],
    *,
    sampled: bool,
) -> Answer:
    busy = [busy_us(graph, part.load_bytes) for part in parts]
    hosts = np.tile(graph.tier == 0, 2)
    nic_us = sum(float(each[hosts].max(initial=0)) for each in busy)
    fair = [part.fair_us for part in parts]
    slow = [part.slowest for part in parts if part.slowest is not None]
    load = np.sum(busy, axis=0) / nic_us
    return Answer(
        network=graph.net.name,
        operation=chosen.operation,
        algorithm=chosen.algorithm,
        size_bytes=question.size_bytes,
        shape=job.shape,
        hash_model=(question.hash_model or HashModel.CRC32).value,
        qps=question.qps,
        flows=sum(part.flows for part in parts),
        unsent_flows=sum(part.lost for part in parts),
        sampled=sampled,
        nic_time_us=nic_us,
        time_us=sum(float(each.max()) for each in busy),
        fair_time_us=None if None in fair else float(sum(each for each in fair if each is not None)),
        bus_factor=bus_factor(chosen, job.shape),
        tiers=tier_loads(graph, load),
        hottest=hottest(graph, load, np.sum([part.flows_on for part in parts], axis=0)),
        slowest=min(slow, key=lambda each: each.rate_mbps, default=None),
        incast=max(part.incast for part in parts),
    )

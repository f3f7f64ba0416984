"""Jobs at the same time: what each gets alone, what it gets beside the others, and where they meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric.diagnostics import Invalid, Origin
from fabric.graph import Graph
from fabric.simulation import codes
from fabric.simulation.answer import HotLink, hottest
from fabric.simulation.collectives import collective
from fabric.simulation.dual_ports import to_either_port
from fabric.simulation.fair_rates import fair_rates
from fabric.simulation.flows import Flows, flows_of
from fabric.simulation.hashing import HashModel
from fabric.simulation.jobs import Job
from fabric.simulation.place_flows import place
from fabric.simulation.routes import Routes, routes_of
from fabric.simulation.simulate import Question

SHARED_AT_MOST = 5


@dataclass(frozen=True, kw_only=True)
class Beside:
    """One of several jobs, by the max-min fair rate of its slowest flow in its first phase."""

    hosts: int
    alone_mbps: float
    together_mbps: float
    loss_percent: float
    """Of its speed, because of the others."""
    hosts_of_both: tuple[int, ...]
    """Node ids of its hosts that another job is on too: their NICs carry the flows of both."""
    shared: tuple[HotLink, ...]
    """Links between switches that it uses together with another job, the fullest first."""


def together(
    graph: Graph, jobs: Sequence[tuple[Job, Question]], routes: Routes | None = None
) -> tuple[Beside, ...]:
    """Each job alone and beside the others, in their order. `Invalid` if packets are sprayed: they have no path."""
    if any(question.hash_model is HashModel.SPRAY for _job, question in jobs):
        origin = Origin(("networks", graph.net.name, "routing", "load_balancing"))
        rule = "packets that are sprayed have no path of their own, so rates of two jobs do not follow from paths"
        raise Invalid((codes.NO_PATHS.at(origin, rule, hint="name a hash: `--hash mixer`"),))
    routes = routes_of(graph) if routes is None else routes
    capacity = np.tile(graph.mbps, 2).astype(np.float64)
    placed = [_placed(routes, job, question) for job, question in jobs]
    width = max(links.shape[1] for links in placed)
    paths = [np.pad(links, ((0, 0), (0, width - links.shape[1])), constant_values=-1) for links in placed]
    rates = np.split(
        fair_rates(np.concatenate(paths), capacity), np.cumsum([len(each) for each in paths])[:-1]
    )
    uses = [_on_links(each, np.ones(len(each)), len(capacity)) for each in paths]
    full = np.sum(
        [_on_links(each, rate, len(capacity)) for each, rate in zip(paths, rates, strict=True)], axis=0
    )
    return tuple(
        _beside(graph, own, rate, capacity, full / capacity, uses, number, [job for job, _ in jobs])
        for number, (own, rate) in enumerate(zip(paths, rates, strict=True))
    )


def _placed(routes: Routes, job: Job, question: Question) -> NDArray[np.int32]:
    """The paths of a job's first phase, of flows that arrive."""
    model = question.model
    chosen = collective(question.operation, question.algorithm)
    flows: Flows = flows_of(
        job,
        chosen.phases(job.shape.hosts)[0],
        1.0,
        qps=question.flows_of_an_edge,
        seed=question.seed,
        aligned=question.aligned,
    )
    flows = to_either_port(routes, flows, job, model)
    paths = place(routes, flows, model)
    return paths.links[paths.arrived]


def _on_links(paths: NDArray[np.int32], weights: NDArray[np.float64], links: int) -> NDArray[np.float64]:
    there = paths >= 0
    spread = np.broadcast_to(weights[:, None], paths.shape)
    return np.bincount(paths[there], spread[there], links).astype(np.float64)


def _beside(
    graph: Graph,
    paths: NDArray[np.int32],
    rates: NDArray[np.float64],
    capacity: NDArray[np.float64],
    load: NDArray[np.float64],
    uses: Sequence[NDArray[np.float64]],
    number: int,
    jobs: Sequence[Job],
) -> Beside:
    alone = float(fair_rates(paths, capacity).min(initial=np.inf))
    beside = float(rates.min(initial=np.inf))
    others = np.sum([each for i, each in enumerate(uses) if i != number], axis=0)
    met = (uses[number] > 0) & (others > 0)
    hosts = jobs[number].hosts
    taken = np.concatenate([job.hosts for at, job in enumerate(jobs) if at != number])
    return Beside(
        hosts=len(hosts),
        hosts_of_both=tuple(hosts[np.isin(hosts, taken)].tolist()),
        alone_mbps=alone,
        together_mbps=beside,
        loss_percent=100 * (1 - beside / alone),
        shared=hottest(graph, np.where(met, load, 0), uses[number] + others, SHARED_AT_MOST),
    )

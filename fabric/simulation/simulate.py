"""From a question to its answer: flows of each phase, their paths, the bytes on every link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fabric.diagnostics import Invalid, Origin
from fabric.graph import Graph
from fabric.simulation import codes
from fabric.simulation.answer import Answer, bus_factor, busy_us, hottest, link_loads, tier_loads
from fabric.simulation.collectives import Collective, Shape, collective
from fabric.simulation.dual_ports import to_either_port
from fabric.simulation.flows import flows_of, unsent
from fabric.simulation.hashing import FLOWLETS, HashModel
from fabric.simulation.incast import worst_of
from fabric.simulation.jobs import Job
from fabric.simulation.phase_load import PhaseLoad, phase_load
from fabric.simulation.routes import Routes, routes_of

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

    @property
    def model(self) -> HashModel:
        """The hash that switches use."""
        return self.hash_model or HashModel.CRC32

    @property
    def flows_of_an_edge(self) -> int:
        """Flows between two NIC ports that may take paths of their own."""
        if self.model in ALIKE:
            return 1
        return self.qps * (FLOWLETS if self.model is HashModel.FLOWLET else 1)


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
    phases = chosen.phases(job.shape.hosts)
    unit_bytes = float(chosen.nic_share(job.shape)) * question.size_bytes
    parts = []
    for phase in phases:
        flows = flows_of(
            job,
            phase,
            unit_bytes,
            qps=question.flows_of_an_edge,
            seed=question.seed,
            aligned=question.aligned,
        )
        load = phase_load(
            routes,
            to_either_port(routes, flows, job, question.model),
            question.model,
            unsent(job, phase),
            with_rates=with_rates,
            stand_for=phase.stand_for,
        )
        parts.append(load)
    sampled = any(phase.sampled for phase in phases)
    return answer_of(graph, job.shape, question, chosen, parts, sampled=sampled)


def answer_of(
    graph: Graph,
    shape: Shape,
    question: Question,
    chosen: Collective,
    parts: Sequence[PhaseLoad],
    *,
    sampled: bool,
) -> Answer:
    """The answer from what each phase puts on the links. `Invalid` if no phase puts anything on them."""
    if not any(part.load_bytes.any() for part in parts):
        rule = f"no NIC port of the job's hosts has a route to that of the next host in {graph.net.name}"
        origin = Origin(("networks", graph.net.name))
        raise Invalid((codes.CUT_OFF.at(origin, rule, hint=codes.CUT_OFF.fix),))
    busy = [busy_us(graph, part.load_bytes) for part in parts]
    nic_us = sum(float(busy_us(graph, part.nic_bytes).max(initial=0)) for part in parts)
    fair = [part.fair_us for part in parts]
    slow = [part.slowest for part in parts if part.slowest is not None]
    load = np.sum(busy, axis=0) / nic_us
    return Answer(
        network=graph.net.name,
        operation=chosen.operation,
        algorithm=chosen.algorithm,
        size_bytes=question.size_bytes,
        shape=shape,
        hash_model=question.model.value,
        qps=question.qps,
        flows=sum(part.flows for part in parts),
        unsent_flows=sum(part.lost for part in parts),
        sampled=sampled,
        nic_time_us=nic_us,
        time_us=sum(float(each.max()) for each in busy),
        fair_time_us=None if None in fair else float(sum(each for each in fair if each is not None)),
        bus_factor=bus_factor(chosen, shape),
        tiers=tier_loads(graph, load),
        hottest=hottest(graph, load, np.sum([part.flows_on for part in parts], axis=0)),
        slowest=min(slow, key=lambda each: each.rate_mbps, default=None),
        incasts=worst_of(part.incasts for part in parts),
        loads=link_loads(graph, load),
    )

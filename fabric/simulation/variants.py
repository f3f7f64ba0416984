"""The same job with one thing changed, best first: what would help, and what would not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from fabric.graph import Graph
from fabric.simulation.answer import Answer
from fabric.simulation.hashing import FLOWLETS, HashModel
from fabric.simulation.jobs import Job
from fabric.simulation.routes import Routes, routes_of
from fabric.simulation.simulate import ALIKE, Question, simulate
from fabric.units import counted

QPS = (1, 2, 4, 8, 16, 32)
OTHER_SEEDS = 4
MOST_FLOWS = 1 << 20
"""Variants with more flows are left out."""
AS_ASKED = "as asked"


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One change, and what comes of it."""

    change: str
    answer: Answer
    gain_percent: float
    """Of bus bandwidth, against what was asked."""


@dataclass(frozen=True, kw_only=True)
class OtherNetwork:
    """The same job on a network that differs in one thing."""

    change: str
    job: Job
    routes: Routes


def variants(
    graph: Graph,
    job: Job,
    question: Question,
    routes: Routes | None = None,
    others: Iterable[OtherNetwork] = (),
) -> tuple[Variant, ...]:
    """What was asked and every change of it, the highest bus bandwidth first."""
    routes = routes_of(graph) if routes is None else routes
    asked = simulate(graph, job, question, routes, with_rates=False)
    found = [Variant(change=AS_ASKED, answer=asked, gain_percent=0.0)]
    changes = [
        (change, other_job, other, routes) for change, other_job, other in _changes(job, question, asked)
    ]
    for change, fields in _more_fields(question, routes.fields):
        changes.append((change, job, question, replace(routes, fields=fields)))
    changes += [(each.change, each.job, question, each.routes) for each in others]
    for change, other_job, other, other_routes in changes:
        answer = simulate(other_routes.graph, other_job, other, other_routes, with_rates=False)
        gain = 100 * (asked.time_us / answer.time_us - 1)
        found.append(Variant(change=change, answer=answer, gain_percent=gain))
    return tuple(sorted(found, key=lambda each: round(each.answer.time_us, 6)))


def _more_fields(question: Question, fields: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Fields that switches could hash too, in words."""
    if question.model not in ALIKE:
        if not {"src_port", "roce_qp"} & set(fields):
            yield "queue pairs hashed too", (*fields, "roce_qp")
        if "ingress_port" not in fields:
            yield "ingress ports hashed too", (*fields, "ingress_port")


def _changes(job: Job, question: Question, asked: Answer) -> Iterator[tuple[str, Job, Question]]:
    """Each change in words, with the job and the question that it makes."""
    for change, other in (*_balancing(question, asked), *_hashing(question, asked)):
        yield change, job, other
    if job.shape.nics > 1 and question.aligned:
        yield "NICs not aligned to rails", job, replace(question, aligned=False)
    if (np.diff(job.hosts) < 0).any():
        yield "ranks in the order of hosts", job.in_order(), question


def _balancing(question: Question, asked: Answer) -> Iterator[tuple[str, Question]]:
    """What switches could do in place of what they do."""
    if question.model is not HashModel.SPRAY:
        what = "adaptive routing" if question.model is HashModel.DESTINATION else "packets sprayed"
        yield what, replace(question, hash_model=HashModel.SPRAY)
    if question.model not in (*ALIKE, HashModel.FLOWLET) and asked.flows * FLOWLETS <= MOST_FLOWS:
        yield "flowlets", replace(question, hash_model=HashModel.FLOWLET)


def _hashing(question: Question, asked: Answer) -> Iterator[tuple[str, Question]]:
    """More or fewer flows, and other hashes of them."""
    if question.model in ALIKE:
        return
    flows_of_a_qp = asked.flows // question.qps
    for qps in QPS:
        if qps != question.qps and flows_of_a_qp * qps <= MOST_FLOWS:
            yield counted(qps, ("QP", "QPs")), replace(question, qps=qps)
    if question.model not in (HashModel.MIXER, HashModel.FLOWLET):
        yield "independent hash on each tier", replace(question, hash_model=HashModel.MIXER)
    if question.model is HashModel.CRC32:
        yield "a hash seed for each tier", replace(question, hash_model=HashModel.CRC32_SEEDED)
    for seed in range(question.seed + 1, question.seed + 1 + OTHER_SEEDS):
        yield f"source ports of seed {seed}", replace(question, seed=seed)

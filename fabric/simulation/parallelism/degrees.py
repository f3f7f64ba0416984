"""Degrees of parallelism: as given, or by default from where the hosts of a job are; what does not divide is refused.

Ranks are counted as Megatron-LM counts them: those of one tensor-parallel group follow each other, then those of one
expert-parallel group, then of one data-parallel group; a pipeline stage is a block of ranks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd

import numpy as np

from fabric.diagnostics import Diagnostic, Invalid, Origin
from fabric.graph import Graph
from fabric.simulation import codes
from fabric.simulation.jobs import Job
from fabric.simulation.parallelism.message_sizes import Messages
from fabric.topology.roles import NONE

DIMENSIONS = ("tp", "ep", "dp", "pp")
"""Tensor, expert, data and pipeline, in the order of ranks."""
EXPERTS = 8
"""The default of expert parallelism is the largest part of `dp` that divides this."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Degrees as they are given, None: by default; and what the groups send."""

    tp: int | None = None
    pp: int | None = None
    dp: int | None = None
    ep: int | None = None
    messages: Messages = field(default_factory=Messages)

    @property
    def gpus(self) -> int | None:
        """GPUs of a job whose degrees are all given."""
        if self.tp is None or self.pp is None or self.dp is None:
            return None
        return self.tp * self.pp * self.dp


@dataclass(frozen=True, kw_only=True)
class Degrees:
    """How many GPUs a group of each dimension has."""

    tp: int
    pp: int
    dp: int
    ep: int
    """A part of `dp`: experts are spread over data-parallel GPUs."""

    def of(self, dimension: str) -> int:
        """GPUs of one group."""
        return int(getattr(self, dimension))


def degrees(graph: Graph, job: Job, asked: Asked) -> Degrees:
    """The degrees of a job. `Invalid` with all degrees that do not fit it.

    By default `tp` is the scale-up domain or, if that is larger, one host; `pp` has a stage for each unit, or else for
    each pod; `dp` is what is left; `ep` at most 8.
    """
    ranks = job.shape.ranks
    tp = asked.tp or min(job.gpus, job.domain_gpus)
    pp = asked.pp or (max(1, ranks // (tp * asked.dp)) if asked.dp else _stages(graph, job, tp))
    dp = asked.dp or max(1, ranks // (tp * pp))
    ep = asked.ep or gcd(dp, EXPERTS)
    found = Degrees(tp=tp, pp=pp, dp=dp, ep=ep)
    wrong = _domain(graph, job, found)  # the defaults of the others follow from `tp`
    wrong = wrong or [*_product(graph, job, found), *_whole_hosts(graph, job, found)]
    if wrong:
        raise Invalid(tuple(wrong))
    return found


def _stages(graph: Graph, job: Job, tp: int) -> int:
    """As many as the job has units, or pods, if each has as many of its hosts, two or more; else one."""
    hosts = len(job.hosts)
    for places in (graph.unit[job.hosts], graph.pod[job.hosts]):
        found, counts = np.unique(places, return_counts=True)
        if NONE not in found and len(found) > 1 and counts.min() == counts.max() >= 2:
            stages = len(found)
            if job.shape.ranks % (tp * stages) == 0 and hosts % stages == 0:
                return stages
    return 1


def _refused(graph: Graph, degree: str, value: int, rule: str, hint: str) -> Diagnostic:
    return codes.DEGREES.at(
        Origin(("networks", graph.net.name)), f"--{degree} {value}: {rule}", value=value, hint=hint
    )


def _product(graph: Graph, job: Job, found: Degrees) -> list[Diagnostic]:
    """Groups of all dimensions make up the job."""
    wrong = []
    ranks, product = job.shape.ranks, found.tp * found.pp * found.dp
    if product != ranks:
        rule = (
            f"{found.tp} x {found.pp} x {found.dp} (tp x pp x dp) are {product:,} GPUs, the job has {ranks:,}"
        )
        rest = found.tp * found.pp
        hint = (
            f"write `--dp {ranks // rest}`, or `--gpus {product}`"
            if ranks % rest == 0
            else f"choose degrees whose product is {ranks}, or `--gpus {product}`"
        )
        wrong.append(_refused(graph, "dp", found.dp, rule, hint))
    if found.dp % found.ep:
        rule = f"experts are spread over the {found.dp} data-parallel GPUs, which {found.ep} does not divide"
        hint = f"a divisor of {found.dp}, as {gcd(found.dp, found.ep)}"
        wrong.append(_refused(graph, "ep", found.ep, rule, hint))
    return wrong


def _domain(graph: Graph, job: Job, found: Degrees) -> list[Diagnostic]:
    """Every tensor-parallel group lies in one scale-up domain."""
    domain = job.domain_gpus
    if domain % found.tp:
        rule = f"a tensor-parallel group stays in a scale-up domain (NVLink or its like), which has {domain} GPUs"
        hint = f"a divisor of {domain}, as {gcd(domain, found.tp)}"
        return [_refused(graph, "tp", found.tp, rule, hint)]
    if job.gpus % found.tp and found.tp % job.gpus:
        rule = f"a host has {job.gpus} GPUs: a tensor-parallel group is a part of a host or whole hosts"
        return [_refused(graph, "tp", found.tp, rule, f"a divisor or a multiple of {job.gpus}")]
    width = found.tp // job.gpus
    if width > 1 and len(job.hosts) % width == 0:
        groups = job.domains.reshape(-1, width)
        apart = np.flatnonzero((groups != groups[:, :1]).any(axis=1))
        if len(apart):
            first, last = job.hosts[apart[0] * width], job.hosts[(apart[0] + 1) * width - 1]
            names = graph.net.names
            rule = f"{names[first]} and {names[last]} of one tensor-parallel group are not in one scale-up domain"
            hint = f"`--placement contiguous`, a list with whole domains, or `--tp {job.gpus}`"
            return [_refused(graph, "tp", found.tp, rule, hint)]
    return []


def _whole_hosts(graph: Graph, job: Job, found: Degrees) -> list[Diagnostic]:
    """Pipeline stages and expert-parallel groups begin and end with hosts, or lie in one."""
    wrong = []
    for degree, members, what in (
        ("dp", found.tp * found.dp, "a pipeline stage (tp x dp)"),
        ("ep", found.tp * found.ep, "a block of experts (tp x ep)"),
    ):
        if members % job.gpus and job.gpus % members:
            rule = f"{what} of {members} GPUs is neither whole hosts of {job.gpus} nor an even part of one"
            hint = f"let the product divide {job.gpus} or be a multiple of it"
            wrong.append(_refused(graph, degree, found.of(degree), rule, hint))
    return wrong

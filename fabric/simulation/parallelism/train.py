"""All dimensions of a training job: each alone, and all at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fabric.graph import Graph
from fabric.simulation.answer import Answer, HotLink, TierLoad, busy_us, hottest, tier_loads
from fabric.simulation.collectives import Collective
from fabric.simulation.dual_ports import to_either_port
from fabric.simulation.fair_rates import fair_rates
from fabric.simulation.jobs import Job
from fabric.simulation.parallelism.degrees import DIMENSIONS, Asked, Degrees, degrees
from fabric.simulation.parallelism.message_sizes import Messages
from fabric.simulation.parallelism.process_groups import Groups, group_flows, groups_of
from fabric.simulation.phase_load import FAIR_AT_MOST, PhaseLoad, phase_load
from fabric.simulation.place_flows import Paths
from fabric.simulation.routes import Routes, routes_of
from fabric.simulation.simulate import Question, answer_of
from fabric.topology.roles import NONE


@dataclass(frozen=True, kw_only=True)
class Dimension:
    """One dimension of parallelism."""

    name: str
    """`tp`, `ep`, `dp` or `pp`."""
    degree: int
    """GPUs of a group."""
    groups: int
    """That do the same at the same time."""
    hosts: int
    """That a group is on."""
    operation: str
    size_bytes: int
    answer: Answer | None
    """None: nothing of it crosses the network."""
    alone_mbps: float | None
    """Max-min fair rate of its slowest flow; None: not computed, or no flow has a path of its own."""
    together_mbps: float | None
    """The same while all dimensions send."""


@dataclass(frozen=True, kw_only=True)
class Together:
    """All dimensions at the same time."""

    nic_time_us: float
    """If only NIC ports limited it."""
    time_us: float
    """At least: no link can carry the bytes of all dimensions sooner."""
    tiers: tuple[TierLoad, ...]
    hottest: tuple[HotLink, ...]

    @property
    def share_percent(self) -> float:
        """Of the speed that NIC ports would allow."""
        return 100 * self.nic_time_us / self.time_us


@dataclass(frozen=True, kw_only=True)
class Training:
    """What a training job does to a network."""

    network: str
    degrees: Degrees
    hosts: int
    hash_model: str
    qps: int
    engine: str = ""
    """As in `Answer`."""
    dimensions: tuple[Dimension, ...]
    """From the innermost to the outermost."""
    together: Together | None
    """None: no dimension crosses the network."""


@dataclass(frozen=True, eq=False)
class _Loads:
    """A dimension and what its phases put on links."""

    groups: Groups
    done: Sequence[tuple[Collective, list[PhaseLoad]]]
    sampled: bool

    @property
    def parts(self) -> list[PhaseLoad]:
        """Of all operations, one after the other."""
        return [part for _chosen, parts in self.done for part in parts]


def train(graph: Graph, job: Job, asked: Asked, question: Question, routes: Routes | None = None) -> Training:
    """What each dimension of a training job does to a network. `Invalid` if the degrees do not fit the job.

    Of `question` the hash, queue pairs and seed count.
    """
    found, messages = degrees(graph, job, asked), asked.messages
    routes = routes_of(graph) if routes is None else routes
    loads = {name: _loads(routes, job, found, messages, question, name) for name in DIMENSIONS}
    crossing = {name: each for name, each in loads.items() if any(part.flows for part in each.parts)}
    alone, beside = _rates(graph, crossing)
    dimensions = []
    for name, each in loads.items():
        answer = _answer(graph, each, question, messages.size_bytes(name)) if name in crossing else None
        dimensions.append(
            Dimension(
                name=name,
                degree=found.of(name),
                groups=each.groups.count,
                hosts=each.groups.shape.hosts,
                operation="+".join(chosen.operation for chosen, _parts in each.done),
                size_bytes=messages.size_bytes(name),
                answer=answer,
                alone_mbps=alone.get(name),
                together_mbps=beside.get(name),
            )
        )
    return Training(
        network=graph.net.name,
        degrees=found,
        hosts=len(job.hosts),
        hash_model=question.model.value,
        qps=question.qps,
        dimensions=tuple(dimensions),
        together=_together(graph, [part for each in crossing.values() for part in each.parts]),
    )


def _loads(
    routes: Routes, job: Job, found: Degrees, messages: Messages, question: Question, name: str
) -> _Loads:
    groups = groups_of(job, found, name)
    done, is_sample = [], False
    for chosen in messages.collectives(name):
        unit_bytes = float(chosen.nic_share(groups.shape)) * messages.size_bytes(name)
        parts = []
        for phase in chosen.phases(groups.shape.hosts):
            flows, lost, stand_for = group_flows(
                job, groups, phase, unit_bytes, qps=question.flows_of_an_edge, seed=question.seed
            )
            is_sample = is_sample or stand_for != 1
            flows = to_either_port(routes, flows, job, question.model)
            parts.append(
                phase_load(routes, flows, question.model, lost, with_rates=True, stand_for=stand_for)
            )
        done.append((chosen, parts))
    return _Loads(groups, done, is_sample)


def _answer(graph: Graph, loads: _Loads, question: Question, size_bytes: int) -> Answer:
    """Of all operations of a dimension, one after the other: their times and bus factors add up."""
    question = replace(question, size_bytes=size_bytes)
    chosen, _parts = loads.done[0]
    answer = answer_of(graph, loads.groups.shape, question, chosen, loads.parts, sampled=loads.sampled)
    factor = sum(float(each.bus_factor(loads.groups.shape)) for each, _parts in loads.done)
    return replace(answer, bus_factor=factor)


def _rates(graph: Graph, crossing: dict[str, _Loads]) -> tuple[dict[str, float], dict[str, float]]:
    """The max-min fair rate of each dimension's slowest flow: alone, and while the others send."""
    paths = {name: _paths([part.paths for part in each.parts]) for name, each in crossing.items()}
    known = {name: each for name, each in paths.items() if each is not None and len(each)}
    if len(known) < len(crossing) or any(each.sampled for each in crossing.values()):
        return {}, {}
    if sum(map(len, known.values())) > FAIR_AT_MOST:
        return {}, {}
    capacity = np.tile(graph.mbps, 2).astype(np.float64)
    if not known:
        return {}, {}
    width = max(each.shape[1] for each in known.values())
    wide = [
        np.pad(each, ((0, 0), (0, width - each.shape[1])), constant_values=NONE) for each in known.values()
    ]
    alone = {name: float(fair_rates(each, capacity).min()) for name, each in zip(known, wide, strict=True)}
    ends = np.cumsum([len(each) for each in wide])[:-1]
    rates = np.split(fair_rates(np.concatenate(wide), capacity), ends)
    return alone, {name: float(rate.min()) for name, rate in zip(known, rates, strict=True)}


def _paths(parts: Sequence[Paths | None]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]] | None:
    """Paths of the phase with the most flows; None if packets are sprayed."""
    known = [part for part in parts if part is not None]
    if not known:
        return None
    most = max(known, key=lambda part: len(part.links))
    return most.links[most.arrived]


def _together(graph: Graph, parts: Sequence[PhaseLoad]) -> Together | None:
    """All bytes of all dimensions on every link."""
    if not any(part.load_bytes.any() for part in parts):
        return None
    busy = busy_us(graph, np.sum([part.load_bytes for part in parts], axis=0))
    nic_us = float(busy_us(graph, np.sum([part.nic_bytes for part in parts], axis=0)).max())
    load = busy / nic_us
    return Together(
        nic_time_us=nic_us,
        time_us=float(busy.max()),
        tiers=tier_loads(graph, load),
        hottest=hottest(graph, load, np.sum([part.flows_on for part in parts], axis=0)),
    )

"""The groups of one dimension as arrays: every member's host and NICs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fabric.graph.model import Ints
from fabric.simulation.collectives import Shape
from fabric.simulation.flows import Flows, flows_between
from fabric.simulation.jobs import Job
from fabric.simulation.parallelism.degrees import Degrees
from fabric.simulation.patterns import Phase
from fabric.topology.roles import NONE

MOST_FLOWS = 1 << 19
"""Of one phase of one dimension; of more pairs a sample of whole rounds stands for all."""


@dataclass(frozen=True, eq=False)
class Groups:
    """All groups of one dimension, which are alike."""

    members: Ints
    """Group by member: the rank."""
    positions: Ints
    """Group by host of the group: the position of the host in the job."""
    nics: Ints
    """Group by NIC that the members on one host use: its number on the host."""

    @property
    def count(self) -> int:
        """Groups that exchange at the same time."""
        return len(self.members)

    @property
    def shape(self) -> Shape:
        """One group in numbers: its hosts, its GPUs on each, and their NICs."""
        hosts = self.positions.shape[1]
        return Shape(hosts, self.members.shape[1] // hosts, self.nics.shape[1])


def groups_of(job: Job, degrees: Degrees, dimension: str) -> Groups:
    """The groups of a dimension: ranks count tensor, expert, data and pipeline from the innermost to the outermost."""
    blocks = degrees.dp // degrees.ep
    ranks = np.arange(job.shape.ranks, dtype=np.int32)
    inner = (degrees.dp,) if dimension == "dp" else (blocks, degrees.ep)
    by_place = ranks.reshape(degrees.pp, *inner, degrees.tp)
    axis = {"tp": -1, "ep": 2, "dp": 1, "pp": 0}[dimension]
    members = np.moveaxis(by_place, axis, -1).reshape(-1, degrees.of(dimension))
    hosts = members // job.gpus
    of_a_host = int(np.count_nonzero(hosts[0] == hosts[0, 0]))
    on_first = members[:, :of_a_host] % job.gpus
    return Groups(members, hosts[:, ::of_a_host], _nics(job, on_first))


def _nics(job: Job, gpus: Ints) -> Ints:
    """NICs of GPUs of a host: each GPU has its even share, one at least."""
    nics = job.shape.nics
    each = max(1, nics // job.gpus)
    first = gpus * nics // job.gpus
    return np.asarray((first[:, :, None] + np.arange(each)).reshape(len(gpus), -1), np.int32)


def group_flows(
    job: Job, groups: Groups, phase: Phase, unit_bytes: float, *, qps: int, seed: int
) -> tuple[Flows, int, float]:
    """What all groups send in one phase, how many NICs of edges cannot send, and how many edges each stands for.

    What two hosts of one scale-up domain exchange crosses no network. `unit_bytes` is what an edge of weight 1 sends
    by one NIC.
    """
    channels = groups.count * groups.nics.shape[1] * job.nic_links.shape[2] * qps
    phase = phase.thinned(max(1, MOST_FLOWS // channels))
    sources, targets = groups.positions[:, phase.source], groups.positions[:, phase.target]
    outside = job.domains[sources] != job.domains[targets]
    of_group = np.broadcast_to(np.arange(groups.count)[:, None], sources.shape)[outside]
    nics = groups.nics[of_group]
    source = job.nic_links[sources[outside][:, None], nics]
    target = job.nic_links[targets[outside][:, None], nics]
    edge_bytes = np.broadcast_to(phase.weights() * unit_bytes, sources.shape)[outside]
    generator = np.random.default_rng(seed)
    flows = flows_between(source, target, edge_bytes, qps=qps, generator=generator)
    whole = (source != NONE) & (target != NONE)
    return flows, int(np.count_nonzero(~whole.any(axis=2))), phase.stand_for

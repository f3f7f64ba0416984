"""What each collective operation sends: who to whom, how many bytes, and its bus bandwidth as nccl-tests defines it.

Bytes are those of NCCL's and MPI's algorithms between hosts: what GPUs of one host exchange stays in the host.
Source of the bus bandwidth factors: nccl-tests, doc/PERFORMANCE.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from fabric.simulation.patterns import Phase, all_pairs, both_trees, chain, halving, next_host, ring


@dataclass(frozen=True)
class Shape:
    """A job in numbers."""

    hosts: int
    gpus: int
    """Of one host; ranks are all GPUs."""
    nics: int
    """Of one host: each carries an equal share."""

    @property
    def ranks(self) -> int:
        """GPUs of all hosts."""
        return self.hosts * self.gpus


@dataclass(frozen=True)
class Collective:
    """One operation by one algorithm. Shares are parts of the size S, which nccl-tests prints as `size`."""

    operation: str
    algorithm: str
    phases: Callable[[int], tuple[Phase, ...]]
    """Of so many hosts: what is sent at the same time, phase after phase; weights of edges."""
    nic_share: Callable[[Shape], Fraction]
    """Part of S that an edge of weight 1 carries from one NIC."""
    bus_factor: Callable[[Shape], Fraction]
    """Bus bandwidth is S / time * factor."""


def _both_ways(shape: Shape) -> Fraction:
    return Fraction(2 * (shape.ranks - 1), shape.ranks)


def _one_way(shape: Shape) -> Fraction:
    return Fraction(shape.ranks - 1, shape.ranks)


def _whole(_shape: Shape) -> Fraction:
    return Fraction(1)


def _to_each_host(shape: Shape) -> Fraction:
    """All that the GPUs of one host hold for those of one other host, over its NICs."""
    return Fraction(shape.gpus * shape.gpus, shape.ranks * shape.nics)


def _per_nic(of: Callable[[Shape], Fraction]) -> Callable[[Shape], Fraction]:
    return lambda shape: of(shape) / shape.nics


def _of_each_gpu(shape: Shape) -> Fraction:
    return Fraction(shape.gpus, shape.nics)


COLLECTIVES = (
    Collective("allreduce", "ring", ring, _per_nic(_both_ways), _both_ways),
    Collective("allreduce", "tree", both_trees, _per_nic(_whole), _both_ways),
    Collective(
        "allreduce", "nvls", both_trees, _per_nic(_whole), _both_ways
    ),  # the switches of a host add up
    Collective("reducescatter", "ring", ring, _per_nic(_one_way), _one_way),
    Collective("allgather", "ring", ring, _per_nic(_one_way), _one_way),
    Collective("alltoall", "pairs", all_pairs, _to_each_host, _one_way),
    Collective("broadcast", "ring", chain, _per_nic(_whole), _whole),
    Collective("sendrecv", "pairs", next_host, _of_each_gpu, _whole),
    Collective("mpi-allreduce", "halving", halving, _per_nic(_whole), _both_ways),
    Collective("mpi-allgather", "ring", ring, _per_nic(_one_way), _one_way),
    Collective("mpi-alltoall", "pairs", all_pairs, _to_each_host, _one_way),
    Collective("mpi-bcast", "ring", chain, _per_nic(_whole), _whole),
)
"""The first of an operation is its default."""
OPERATIONS = tuple(dict.fromkeys(each.operation for each in COLLECTIVES))
ALGORITHMS = tuple(dict.fromkeys(each.algorithm for each in COLLECTIVES))


def collective(operation: str, algorithm: str | None = None) -> Collective:
    """The operation by that algorithm, or by its default. `KeyError` if it has no such algorithm."""
    for each in COLLECTIVES:
        if each.operation == operation and algorithm in (None, each.algorithm):
            return each
    raise KeyError(operation, algorithm)


def algorithms_of(operation: str) -> tuple[str, ...]:
    """The algorithms of an operation, the default one first."""
    return tuple(each.algorithm for each in COLLECTIVES if each.operation == operation)


def sent_share(chosen: Collective, shape: Shape) -> float:
    """Part of S that the busiest NIC sends, all phases together."""
    total = sum(
        np.bincount(phase.source, weights=phase.weights(), minlength=shape.hosts)
        for phase in chosen.phases(shape.hosts)
    )
    return float(np.max(total)) * float(chosen.nic_share(shape))

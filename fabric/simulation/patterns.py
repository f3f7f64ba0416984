"""Who sends to whom: edges between the hosts of a job, counted from 0 in the order of its ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int32]
PAIRS_AT_MOST = 1 << 16
"""Edges of one phase between all pairs of hosts that are looked at one by one; of more a sample stands for all."""


@dataclass(frozen=True, eq=False)
class Phase:
    """What is sent at the same time."""

    source: Positions
    target: Positions
    weight: float = 1.0
    """Of every edge, in units of what `Collective.nic_share` says."""
    sampled: bool = False
    """A sample of all edges, whose weights stand for the rest."""
    rounds: int = 1
    """Equal parts one after the other in the arrays, in each of which every host sends once."""

    @property
    def stand_for(self) -> float:
        """So many edges each edge stands for: 1 unless it is a sample."""
        return self.weight if self.sampled else 1.0

    def thinned(self, edges: int) -> Phase:
        """Of many edges a sample of whole rounds, at most so many edges but one round at least."""
        most = max(1, edges * self.rounds // max(1, len(self.source)))
        if most >= self.rounds:
            return self
        kept = np.unique(np.linspace(0, self.rounds - 1, most).astype(np.int32))
        source, target = (each.reshape(self.rounds, -1)[kept].ravel() for each in (self.source, self.target))
        return Phase(source, target, self.weight * self.rounds / len(kept), sampled=True, rounds=len(kept))

    def weights(self) -> NDArray[np.float64]:
        """The weight of each edge."""
        return np.full(len(self.source), self.weight)


def _hosts(count: int) -> Positions:
    return np.arange(count, dtype=np.int32)


def ring(hosts: int) -> tuple[Phase, ...]:
    """Each to the next, the last to the first: the steps of a ring follow each other without a pause."""
    source = _hosts(hosts)
    return (Phase(source, np.roll(source, -1)),)


next_host = ring
"""Each sends to the next, as stages of a pipeline do."""


def chain(hosts: int) -> tuple[Phase, ...]:
    """Each to the next: a broadcast in parts."""
    source = _hosts(hosts)
    return (Phase(source[:-1], source[1:]),)


def all_pairs(hosts: int) -> tuple[Phase, ...]:
    """Each to all others. Of many hosts every n-th distance stands for all: `sampled`."""
    distances = np.arange(1, hosts, dtype=np.int32)
    most = max(1, PAIRS_AT_MOST // hosts)
    sampled = len(distances) > most
    if sampled:
        distances = np.unique(np.linspace(1, hosts - 1, most).astype(np.int32))
    source = np.tile(_hosts(hosts), len(distances))
    target = ((source + np.repeat(distances, hosts)) % hosts).astype(np.int32)
    weight = (hosts - 1) / max(1, len(distances))
    return (Phase(source, target, weight, sampled, max(1, len(distances))),)


def both_trees(hosts: int) -> tuple[Phase, ...]:
    """Two binary trees, each with half the bytes, up to the root and down again; no host is inner in both.

    The second is the first with every host one place on, as NCCL makes them for an odd number of hosts; for an
    even number mirrored.
    """
    child, parent = _tree(hosts)
    second = (_hosts(hosts) + 1) % hosts if hosts % 2 else hosts - 1 - _hosts(hosts)
    source = np.concatenate((child, parent, second[child], second[parent]))
    target = np.concatenate((parent, child, second[parent], second[child]))
    return (Phase(source.astype(np.int32), target.astype(np.int32), 0.5),)


def _tree(hosts: int) -> tuple[Positions, Positions]:
    """Each but the root, and its parent: the parent of i differs in the lowest bit that is set (NCCL's trees.cc).

    Host 0 is the root. With the bit b of i: the parent is i ^ b | b << 1, or i ^ b if that is beyond the last.
    """
    child = np.arange(1, hosts, dtype=np.int32)
    bit = child & -child
    above = (child ^ bit) | (bit << 1)
    return child, np.where(above < hosts, above, child ^ bit)


def halving(hosts: int) -> tuple[Phase, ...]:
    """Recursive halving and doubling (Rabenseifner): partners at distance 1, 2, 4, ..., a half of the bytes each time.

    Of a number of hosts that is not a power of two, those beyond the largest one first give all to a partner, and get
    the result at the end.
    """
    power = 1 << (hosts.bit_length() - 1)
    rest = _hosts(hosts)[power:]
    core = _hosts(power)
    halves = [
        Phase(core, core ^ np.int32(1 << step), 1 / (2 << step)) for step in range(power.bit_length() - 1)
    ]
    phases = (*halves, *reversed(halves))
    if not len(rest):
        return phases
    return (Phase(rest, rest - power), *phases, Phase(rest - power, rest))

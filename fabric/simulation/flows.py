"""The flows of one phase of a collective: from NIC port to NIC port, with bytes and what tells them apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric.graph import Graph
from fabric.graph.model import Ints, column
from fabric.simulation.hashing import FIRST_PORT, PORTS, Words, mixed
from fabric.simulation.jobs import Job
from fabric.simulation.patterns import Phase
from fabric.topology.roles import NONE

NET_10 = 10 << 24
"""Where ports without an IPv4 address have one for the hash: 10.0.0.0 and the number of the port."""


@dataclass(frozen=True, eq=False)
class Flows:
    """Arrays of one length, an entry a flow."""

    source: Ints
    """Link of `Graph` that the flow leaves its host by; likewise `target`."""
    target: Ints
    bytes: NDArray[np.float64]
    source_port: Words
    """UDP source port: what a hash tells queue pairs of two NIC ports apart by."""
    even_target: Ints | None = None
    """Where a NIC has two ports and the network chose one: that of an even choice. None: the target itself."""

    @property
    def count(self) -> int:
        """Flows."""
        return len(self.source)

    def only(self, kept: NDArray[np.bool_]) -> Flows:
        """Those of them that are marked."""
        even = None if self.even_target is None else self.even_target[kept]
        return Flows(self.source[kept], self.target[kept], self.bytes[kept], self.source_port[kept], even)

    def nic_bytes(self, kept: NDArray[np.bool_], links: int) -> NDArray[np.float64]:
        """What those that are marked put on the NIC ports at both ends, by directed link, if all choose evenly."""
        target = self.target if self.even_target is None else self.even_target
        up, down = (np.bincount(ends[kept], self.bytes[kept], links) for ends in (self.source, target))
        return np.concatenate((up, down))


def flows_of(
    job: Job,
    phase: Phase,
    bytes_per_weight: float,
    *,
    qps: int,
    seed: int,
    aligned: bool = True,
) -> Flows:
    """What a phase sends. Each edge uses every NIC, each NIC all its ports that carry at both ends, in `qps` flows.

    `aligned`: NIC i sends to NIC i, as collectives do where NICs are on rails; else to any, chosen by chance.
    """
    generator = np.random.default_rng(seed)
    edges, nics = len(phase.source), job.nic_links.shape[1]
    source = job.nic_links[phase.source]
    target = job.nic_links[phase.target]
    if not aligned:
        other = generator.permuted(np.tile(np.arange(nics), (edges, 1)), axis=1)
        target = np.take_along_axis(target, other[:, :, None], axis=1)
    return flows_between(source, target, phase.weights() * bytes_per_weight, qps=qps, generator=generator)


def flows_between(
    source: Ints,
    target: Ints,
    edge_bytes: NDArray[np.float64],
    *,
    qps: int,
    generator: np.random.Generator,
) -> Flows:
    """Flows of edges, each by all ports that carry at both ends. `source` and `target`: edge by NIC by port.

    `edge_bytes` is what one NIC of an edge sends.
    """
    whole = (source != NONE) & (target != NONE)
    used = np.maximum(whole.sum(axis=2, keepdims=True), 1)
    shares = edge_bytes[:, None, None] / used / qps
    kept = whole.ravel()
    parts = [np.broadcast_to(each, whole.shape).ravel()[kept] for each in (source, target, shares)]
    count = len(parts[0]) * qps
    return Flows(
        source=np.repeat(parts[0], qps),
        target=np.repeat(parts[1], qps),
        bytes=np.repeat(parts[2], qps),
        source_port=generator.integers(FIRST_PORT, FIRST_PORT + PORTS, count, np.uint32),
    )


def unsent(job: Job, phase: Phase) -> int:
    """Edges of NICs without a port that carries at both ends: what they should send goes nowhere."""
    whole = (job.nic_links[phase.source] != NONE) & (job.nic_links[phase.target] != NONE)
    return int(np.count_nonzero(~whole.any(axis=2)))


def addresses(graph: Graph, links: Ints) -> Words:
    """IPv4 address of the host's end of each link."""
    ports = graph.lower_port[links]
    written = column(graph.net.address)[ports]
    return np.where(written == NONE, NET_10 + ports, written).astype(np.uint32)


def queue_pairs(flows: Flows) -> Words:
    """The number of each flow's queue pair at its target: 24 bits by chance, the same for the same flows."""
    chance = flows.source_port ^ np.arange(flows.count, dtype=np.uint32) * np.uint32(0x9E3779B1)
    return mixed(chance, 0) & np.uint32(0xFFFFFF)

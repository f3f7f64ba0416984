"""How switches choose one of several equal next hops: hashes of a flow's five fields, over all flows at once."""

from __future__ import annotations

import enum
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fabric.graph.model import column
from fabric.topology.model import NetworkTopology

Words = NDArray[np.uint32]
UDP = 17
ROCE_PORT = 4791
"""Destination port of RoCEv2."""
FIVE_TUPLE = ("src_ip", "dst_ip", "src_port", "dst_port", "protocol")
"""What is hashed by default, in the words of the intent (`routing.hashing.fields`)."""
TUPLE_BYTES, QP_BYTES, INGRESS_BYTES = 13, 3, 2
"""Of the five fields, of a queue pair (InfiniBand Architecture 1.4, 9.2), of a port as it is counted here."""
FIRST_PORT, PORTS = 49152, 16384
"""Source ports that NICs send from: those of IANA's dynamic range."""


FLOWLETS = 8
"""Parts of a message between gaps, of each queue pair. An assumption: more spread better; a stream without gaps has
one, and stays where it is."""


class HashModel(enum.StrEnum):
    """What a switch computes."""

    CRC32 = "crc32"
    """CRC-32 of the five fields, the same on every switch: a second stage repeats the choice of the first."""
    CRC32_SEEDED = "crc32-seeded"
    """The same with a seed for each tier: two seeds differ by one constant, so stages still depend on each other."""
    CRC32_PER_DEVICE = "crc32-per-device"
    """The same with a seed for each switch."""
    MIXER = "mixer"
    """An independent hash on each tier: no polarisation."""
    FLOWLET = "flowlet"
    """Dynamic load balancing: a queue pair chooses anew at each gap between its packets, independently on each tier."""
    SPRAY = "spray"
    """No hash: packets are spread evenly over all next hops (adaptive routing, per-packet load balancing)."""
    DESTINATION = "destination"
    """InfiniBand: the port follows from the destination's LID; all flows to a port take one path."""


def _table() -> Words:
    table = np.arange(256, dtype=np.uint32)
    for _bit in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(0xEDB88320), table >> 1)
    return table.astype(np.uint32)


TABLE = _table()


def crc32(
    source: Words, target: Words, source_port: Words, seed: int = 0, fields: Sequence[str] = FIVE_TUPLE
) -> Words:
    """CRC-32 of the fields as they stand in the packet: equal to `zlib.crc32(fields, seed)`.

    Both IPv4 addresses, protocol UDP, source port, destination port 4791, 13 bytes; those that are not among `fields`
    are 0.
    """
    none = np.zeros(len(source), np.uint32)
    crc = np.full(len(source), seed, np.uint32)
    for name, value, size_bytes in (
        ("src_ip", source, 4),
        ("dst_ip", target, 4),
        ("protocol", none + np.uint32(UDP), 1),
        ("src_port", source_port, 2),
        ("dst_port", none + np.uint32(ROCE_PORT), 2),
    ):
        crc = crc32_on(crc, value if name in fields else none, size_bytes)
    return crc


def crc32_on(words: Words, numbers: Words, size_bytes: int) -> Words:
    """The CRC-32 of bytes whose CRC is known and then of a number: equal to `zlib.crc32(number, word)`."""
    crc = words ^ np.uint32(0xFFFFFFFF)
    for shift in range(8 * (size_bytes - 1), -8, -8):
        crc = TABLE[(crc ^ (numbers >> np.uint32(shift))) & np.uint32(0xFF)] ^ (crc >> np.uint32(8))
    return np.asarray(crc ^ np.uint32(0xFFFFFFFF), np.uint32)


def mixed(words: Words, seed: int) -> Words:
    """An independent hash of a hash: the finalizer of splitmix64."""
    value = words.astype(np.uint64) + np.uint64((0x9E3779B97F4A7C15 * (seed + 1)) & 0xFFFFFFFFFFFFFFFF)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (value ^ (value >> np.uint64(31))).astype(np.uint32)


def seed_differences(seeds: Words, fields: Sequence[str] = FIVE_TUPLE) -> Words:
    """What CRCs with these seeds differ by from that with seed 0: one constant each, whatever is hashed."""
    size_bytes = TUPLE_BYTES + ("roce_qp" in fields) * QP_BYTES + ("ingress_port" in fields) * INGRESS_BYTES
    zero = np.zeros(len(seeds), np.uint32)
    return crc32_on(seeds, zero, size_bytes) ^ crc32_on(zero, zero, size_bytes)


def switch_seeds(net: NetworkTopology, model: HashModel) -> Words | None:
    """The seed of each switch, as their configuration has it; None: the model has none."""
    tiers = column(net.role)[: len(net.switches)] + 1
    if model is HashModel.CRC32_SEEDED:
        return tiers.astype(np.uint32)
    if model is HashModel.CRC32_PER_DEVICE:
        return ((column(net.ordinal)[: len(tiers)] << 2) + tiers).astype(np.uint32)
    return None


def of_stage(words: Words, model: HashModel, stage: int) -> Words:
    """The hash that switches of a stage use (0: leaves on the way up, 1: spines, ...), apart from their seeds."""
    return mixed(words, stage) if model in (HashModel.MIXER, HashModel.FLOWLET) else words

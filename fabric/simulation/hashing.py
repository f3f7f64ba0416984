"""How switches choose one of several equal next hops: hashes of a flow's five fields, over all flows at once."""

from __future__ import annotations

import enum

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]
UDP = 17
ROCE_PORT = 4791
"""Destination port of RoCEv2."""
FIRST_PORT, PORTS = 49152, 16384
"""Source ports that NICs send from: those of IANA's dynamic range."""


class HashModel(enum.StrEnum):
    """What a switch computes."""

    CRC32 = "crc32"
    """CRC-32 of the five fields, the same on every switch: a second stage repeats the choice of the first."""
    CRC32_SEEDED = "crc32-seeded"
    """The same with a seed for each tier: two seeds differ by one constant, so stages still depend on each other."""
    MIXER = "mixer"
    """An independent hash on each tier: no polarisation."""
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


def crc32(source: Words, target: Words, source_port: Words, seed: int = 0) -> Words:
    """CRC-32 of the fields as they stand in the packet: equal to `zlib.crc32(fields, seed)`.

    Fields: both IPv4 addresses, protocol UDP, source port, destination port 4791, 13 bytes.
    """
    crc = np.full(len(source), seed ^ 0xFFFFFFFF, np.uint32)
    for word in (source, target):
        for shift in (24, 16, 8, 0):
            crc = TABLE[(crc ^ (word >> np.uint32(shift))) & np.uint32(0xFF)] ^ (crc >> np.uint32(8))
    crc = TABLE[(crc ^ np.uint32(UDP)) & np.uint32(0xFF)] ^ (crc >> np.uint32(8))
    for byte in (source_port >> np.uint32(8), source_port, ROCE_PORT >> 8, ROCE_PORT & 0xFF):
        crc = TABLE[(crc ^ np.uint32(byte)) & np.uint32(0xFF)] ^ (crc >> np.uint32(8))
    return np.asarray(crc ^ np.uint32(0xFFFFFFFF), np.uint32)


def mixed(words: Words, seed: int) -> Words:
    """An independent hash of a hash: the finalizer of splitmix64."""
    value = words.astype(np.uint64) + np.uint64((0x9E3779B97F4A7C15 * (seed + 1)) & 0xFFFFFFFFFFFFFFFF)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (value ^ (value >> np.uint64(31))).astype(np.uint32)


def seed_difference(seed: int) -> int:
    """What the CRC of 13 bytes with a seed differs by from that with seed 0: one constant, whatever the bytes are."""
    zero = np.zeros(1, np.uint32)
    return int(crc32(zero, zero, zero, seed)[0] ^ crc32(zero, zero, zero)[0])


def of_stage(words: Words, model: HashModel, stage: int) -> Words:
    """The hash that switches of a stage use (0: leaves on the way up, 1: spines, ...), from the CRC of stage 0."""
    if model is HashModel.MIXER:
        return mixed(words, stage)
    if model is HashModel.CRC32_SEEDED and stage:
        return words ^ np.uint32(seed_difference(0x9E3779B9 * stage & 0xFFFFFFFF))
    return words

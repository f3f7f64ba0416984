"""OpenSM's files, shaped as its documentation shapes them."""

from __future__ import annotations

import msgspec


class Option(msgspec.Struct, frozen=True):
    """One line of opensm.conf."""

    name: str
    value: str


class Named(msgspec.Struct, frozen=True):
    """One line of the node name map."""

    guid: str
    name: str


class PartitionLine(msgspec.Struct, frozen=True):
    """One partition: what stands before the colon, and the members after it."""

    comment: str
    head: str
    """`red=0x1001, ipoib, rate=21, mtu=5, sl=1`."""
    members: tuple[str, ...]
    """`0x0002c903000a1b2c=full`."""


class QosLevel(msgspec.Struct, frozen=True):
    """One `qos-level`."""

    name: str
    service_level: int


class QosRule(msgspec.Struct, frozen=True):
    """One `qos-match-rule`, by P_Key."""

    use: str
    pkey: str
    level: str


class LidRange(msgspec.Struct, frozen=True):
    """One record of guid2lid."""

    guid: str
    first: str
    last: str


class OpensmConfig(msgspec.Struct, frozen=True, kw_only=True):
    """All files of one manager."""

    options: tuple[Option, ...]
    roots: tuple[str, ...]
    names: tuple[Named, ...]
    partitions: tuple[PartitionLine, ...]
    levels: tuple[QosLevel, ...]
    rules: tuple[QosRule, ...]
    lids: tuple[LidRange, ...]

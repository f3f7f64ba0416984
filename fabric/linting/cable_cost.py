"""What cables hold of a switch's buffer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from fabric.devices.model import Switch
from fabric.qos.headroom import cable_bytes


class CableCost(NamedTuple):
    """Lossless ports of one speed and cable length on one switch."""

    speed_mbps: int
    cable_m: int
    ports: int
    on_cables_bytes: int
    """On all their cables, both ways, for each lossless class."""
    percent: int
    """Of the buffer, rounded down."""


def cable_costs(switch: Switch) -> Iterator[CableCost]:
    """By kind of port; nothing where the buffer is not published or nothing is lossless."""
    if switch.queueing is None or switch.queueing.budget is None:
        return
    buffer = switch.queueing.budget.buffer_bytes
    counts = Counter(port.queueing.name for port in switch.ports if port.queueing is not None)
    for profile in switch.queueing.profiles:
        ports, classes = counts[profile.name], len(profile.priorities)
        held = ceil(ports * classes * cable_bytes(profile.speed_mbps, profile.cable_m))
        yield CableCost(profile.speed_mbps, profile.cable_m, ports, held, 100 * held // buffer)

"""What Junos computes itself of a lossless queue, and the depth that marking assumes; shown in the plan."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.platforms.junos.buffers import Buffers, divide, memory
from fabric.platforms.junos.lower_qos import FRAME_BYTES, applied_marking, fill_levels
from fabric.qos.model import PortQueueing

Derived = Iterator[tuple[str, str]]


def derived(switch: Switch) -> dict[str, str]:
    """Quantity to a word on how it comes about."""
    if switch.queueing is None or memory(switch.hardware) is None:
        return {}
    buffers = divide(switch)
    return {
        name: text
        for kind in switch.queueing.profiles
        for part in (_headroom(kind), _pause(kind, buffers), _marking(kind, buffers))
        for name, text in part
    }


def _headroom(kind: PortQueueing) -> Derived:
    if kind.headroom is not None:
        yield (
            f"{kind.name} headroom",
            (
                f"set by Junos from cable-length {max(kind.cable_m, 1)} and mru {FRAME_BYTES}; "
                f"{kind.headroom.headroom_bytes} bytes a priority by our arithmetic ({kind.headroom.reason})"
            ),
        )


def _pause(kind: PortQueueing, buffers: Buffers) -> Derived:
    if kind.priorities:
        yield (
            f"{kind.name} pause threshold",
            (
                f"set by Junos from dynamic-threshold {buffers.threshold}: {buffers.pause_bytes} bytes for one port "
                f"alone in half of a lossless partition of {buffers.lossless}% of {buffers.shared_bytes} bytes"
            ),
        )
        yield (
            f"{kind.name} resume threshold",
            "set by Junos; the optional `xon` of a congestion notification profile is left out",
        )


def _marking(kind: PortQueueing, buffers: Buffers) -> Derived:
    for service_class in kind.classes:
        if service_class.ecn is None:
            continue
        depth = buffers.depth_bytes(lossless=service_class.priority is not None)
        word = "a stated" if buffers.stated_depth_bytes else "an assumed"
        low, high = fill_levels(service_class.ecn, depth)
        kmin, kmax, _ = applied_marking(service_class.ecn, depth)
        yield (
            f"{kind.name} {service_class.name} marking",
            (
                f"{low}% to {high}% of {word} queue depth of {depth} bytes: {kmin} to {kmax} bytes, for "
                f"{service_class.ecn.kmin_bytes} to {service_class.ecn.kmax_bytes} bytes, and possibly half of that "
                "if all senders share a traffic manager; no public source states the depth: compare with "
                "`show interfaces queue buffer-occupancy` under load"
            ),
        )

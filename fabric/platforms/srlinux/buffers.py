"""How deep queues are and where pausing starts, on XGS: everything there is a number of bytes, fixed by us.

A queue drops above its `maximum-burst-size`, a PFC queue pauses above its own (documentation.nokia.com 25-10, QoS
guide: PFC, buffer allocation profile). Two rules follow:

1. A port is paused when it holds kmax: two senders have then been marked to the full. But at the even part of the
   shared buffer at the latest, so that all ports together never exhaust it.
2. A lossless queue holds what all ports may send before they stop: their thresholds and their headroom. Otherwise it
   would drop while senders are not yet paused.

Marking is told in bytes too (`min-threshold`, `max-threshold`; QoS guide 24-10, queue management profile), not in
percent of the depth: one percent of a queue that is deep enough would be more than the kmin of a fast link.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

import msgspec

from fabric.devices.model import Switch
from fabric.platforms.srlinux.names import is_used
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing

MOST_DEPTH_BYTES = 268_435_456
"""Most that Nokia's own controller takes for it (EDA, `queueMaximumBurstSizeBytes`)."""
LEAST_PAUSE_BYTES = 51_200
"""srl_nokia-qos: the default `maximum-burst-size` of a PFC queue."""
LOSSY_DEPTH = 5
"""Depth of a lossy marked queue by its kmax: room for senders that do not answer marks at once."""


class Sizes(msgspec.Struct, frozen=True, gc=False):
    """What all ports of a switch share."""

    pause_bytes: int
    """Where a PFC queue starts to pause its sender."""
    lossless_bytes: int
    """Least depth of a lossless queue."""
    reserved_percent: int | None
    """Share of the buffer kept for headroom; None: the buffer is not known."""


def sizes_of(switch: Switch) -> Sizes | None:
    """The sizes of a switch with a lossless class; None without."""
    queueing = switch.queueing
    if queueing is None or not any(kind.priorities for kind in queueing.profiles):
        return None
    kinds = {kind.name: kind for kind in queueing.profiles if kind.priorities}
    used = [port.queueing.name for port in switch.ports if port.queueing and is_used(port)]
    counts = {name: used.count(name) for name in kinds}
    ports = max(1, sum(counts.values()))
    headroom = sum(counts[name] * headroom_bytes(kind) for name, kind in kinds.items())
    curves = [c.ecn for kind in queueing.profiles for c in kind.classes if c.ecn and c.priority is not None]
    if queueing.budget is None:
        pause = LEAST_PAUSE_BYTES
        reserved = None
    else:
        reserved = min(100, max(1, ceil(100 * queueing.budget.share)))
        shared = queueing.budget.buffer_bytes * (100 - reserved) // 100
        queues = sum(counts[name] * len(kind.priorities) for name, kind in kinds.items())
        pause = _pause_bytes(shared, queues, curves)
    return Sizes(pause, ports * pause + headroom, reserved)


def headroom_bytes(kind: PortQueueing) -> int:
    """Headroom of one priority of such a port."""
    return kind.headroom.headroom_bytes if kind.headroom else 0


def by_queue(kind: PortQueueing) -> dict[int, list[ClassQueueing]]:
    """The classes of each queue, ascending."""
    queues: dict[int, list[ClassQueueing]] = {}
    for service_class in kind.classes:
        queues.setdefault(service_class.queue, []).append(service_class)
    return dict(sorted(queues.items()))


def depth_bytes(shared: list[ClassQueueing], sizes: Sizes | None) -> int | None:
    """Depth of the queue of some classes; None leaves it to the product: a quarter of the free buffer (alpha 5)."""
    curve = shared[0].ecn
    if sizes is not None and any(c.priority is not None for c in shared):
        return max(sizes.lossless_bytes, min(curve.kmax_bytes, MOST_DEPTH_BYTES) if curve else 0)
    return min(LOSSY_DEPTH * curve.kmax_bytes, MOST_DEPTH_BYTES) if curve else None


def derived(switch: Switch) -> dict[str, str]:
    """What is assumed, chosen here, or left to SR Linux."""
    return dict(_derived(switch))


def _derived(switch: Switch) -> Iterator[tuple[str, str]]:
    sizes = sizes_of(switch)
    for kind in switch.queueing.profiles if switch.queueing else ():
        for shared in by_queue(kind).values():
            first, depth = shared[0], depth_bytes(shared, sizes)
            if depth is not None:
                yield f"{kind.name} {first.name} queue", f"{depth} bytes deep (maximum-burst-size)"
        if kind.priorities and sizes:
            yield (
                f"{kind.name} pause threshold",
                (
                    f"{sizes.pause_bytes} bytes a PFC queue: all ports can hold as much at once, and a lossless queue "
                    f"of {sizes.lossless_bytes} bytes or more takes it all"
                ),
            )
            yield f"{kind.name} resume threshold", "set by SR Linux on XGS; no leaf shows it"
    if sizes and switch.queueing and switch.queueing.watchdog:
        yield "watchdog polling", "set by SR Linux; the detection timer alone is ours"


def _pause_bytes(shared_bytes: int, queues: int, curves: list[EcnMarking]) -> int:
    even = shared_bytes // max(1, queues)
    return max(LEAST_PAUSE_BYTES, min(even, max((curve.kmax_bytes for curve in curves), default=even)))

"""The queue of an incast against the site's own policy: where ECN marks, where PFC pauses, and which is first.

Arithmetic of `fabric.qos.pause_thresholds` for what really arrives: the queue grows by what arrives too much, marks act
a round trip after kmin is passed, and a port pauses its sender when its part of the queue reaches f (B - H - s) / p.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fabric.devices.context import NetworkContext
from fabric.devices.tier_queueing import cable_length, longest_round_trip_ns
from fabric.qos.model import ClassQueueing, PortQueueing
from fabric.qos.pause_thresholds import DYNAMIC_FACTOR, longest_lossy_queue_bytes
from fabric.simulation.incast import Incast
from fabric.simulation.queues.of_site import free_bytes
from fabric.topology.roles import Role


@dataclass(frozen=True, kw_only=True)
class IncastQueue:
    """What becomes of the queue of one incast in one class. All else of the buffer is empty."""

    incast: Incast
    traffic_class: str
    kmin_bytes: int
    marked_after_us: float | None
    """From the first packets until kmin is passed; None: the queue does not grow."""
    answered_bytes: int
    """Length of the queue when the answer to the first marks arrives, a round trip later."""
    pause_bytes: int | None
    """Length of the queue at which the first port pauses its sender; None: no PFC, or the buffer is not published."""
    loss_bytes: int | None
    """Length of the queue from which packets are dropped; None: PFC pauses before, or the buffer is not published."""
    headroom_bytes: int | None
    """Of the port that is paused first; None: no PFC."""

    @property
    def first(self) -> str:
        """`ECN`, `PFC` or `loss`, whichever is first; `ECN` too where no buffer is known; `none`: there is no queue."""
        if self.marked_after_us is None:
            return "none"
        if self.loss_bytes is not None and self.loss_bytes <= self.answered_bytes:
            return "loss"
        return "PFC" if self.pause_bytes is not None and self.pause_bytes <= self.answered_bytes else "ECN"


def incast_queues(context: NetworkContext, found: Sequence[Incast]) -> Iterator[IncastQueue]:
    """The queue of each incast in each class that is marked. Nothing of switches without a policy."""
    trip_us = longest_round_trip_ns(context.intent, context.network) / 1000
    for incast in found:
        kind = context.kind_of(incast.node)
        tier = kind.queueing
        if tier is None:
            continue
        leaving, coming = (
            tier.profiles.get(_speed_and_cable(context, incast.node, port))
            for port in (incast.port, incast.from_port)
        )
        free = free_bytes(tier.queueing, kind.model)
        for traffic_class in leaving.classes if leaving else ():
            if traffic_class.ecn is not None and leaving is not None:
                yield _queue(incast, traffic_class, len(leaving.priorities), coming, free, trip_us)


def _speed_and_cable(context: NetworkContext, switch: int, port: int) -> tuple[int, int]:
    """What a port of a switch has its profile by."""
    net = context.topology
    ports, index = net.port_maps[net.port_map[switch]], port - net.port_base[switch]
    cable = cable_length(context.network, Role(net.role[switch]), ports.facing[index])
    return ports.slots[index].speed_mbps, int(cable)


def _queue(
    incast: Incast,
    traffic_class: ClassQueueing,
    classes: int,
    coming: PortQueueing | None,
    free: int | None,
    trip_us: float,
) -> IncastQueue:
    assert traffic_class.ecn is not None  # noqa: S101  # the caller has looked
    kmin, growth = traffic_class.ecn.kmin_bytes, incast.growth_mbps
    is_paused = traffic_class.priority is not None
    headroom = coming.headroom if is_paused and coming is not None else None
    return IncastQueue(
        incast=incast,
        traffic_class=traffic_class.name,
        kmin_bytes=kmin,
        marked_after_us=kmin * 8 / growth if growth else None,
        answered_bytes=round(kmin + growth * trip_us / 8) if growth else 0,
        pause_bytes=_pause_bytes(incast, free, classes) if is_paused and free else None,
        loss_bytes=None if is_paused or free is None else longest_lossy_queue_bytes(free),
        headroom_bytes=None if headroom is None else headroom.headroom_bytes,
    )


def _pause_bytes(incast: Incast, free: int, classes: int) -> int:
    """Q w = f (B - H - q) / p, solved for the queue q, of which the port that brings most has the part w."""
    factor = float(DYNAMIC_FACTOR)
    return int(factor * free / (classes * incast.most_of_a_port + factor))

"""`class-of-service` in Junos's words.

Sources: github Juniper/jvd @005ab344, data_center/aidc (all stanzas); Juniper CLI reference,
`congestion-notification-profile`, `mru`, `host-outbound-traffic`. A DSCP classifier also classifies IPv6, and QFX5130
and QFX5220 have no other (Juniper, defining CoS BA classifiers).

A drop profile says percent of the memory allotted to a queue (Juniper, configuring WRED drop profiles). No public
source says how many bytes that is on a QFX: assumed is what one congested queue gets of the whole partition
(`buffers`). It stands in the name of the drop profile, in bytes. A queue that only one of the two traffic managers
fills may be full at half of it, and would then mark earlier.

A strict-high queue has a shaping rate: "we recommend that you always apply a shaping rate to strict-high priority
queues to prevent them from starving other queues" (Juniper, priority (schedulers), QFX). The validated designs write
`transmit-rate percent 5` there, which is a guarantee and counts to the 100 percent of all queues. The switch's own
packets go to `network-control`, with the scheduler of the validated designs: hosts do not reach its queue.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.devices.model import Switch
from fabric.platforms.alike import shared_names
from fabric.platforms.junos.buffers import Buffers, divide, memory
from fabric.platforms.junos.model import (
    Cos,
    DropProfile,
    ForwardingClass,
    Profile,
    Scheduler,
    SchedulerMap,
)
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing, Queueing, WatchdogTimers

FRAME_BYTES = 9216
"""Largest frame: physical MTU and MRU (as the validated designs have it)."""
OWN_QUEUE, OWN_CLASS = 7, "network-control"
"""Junos's own class, which needs no definition (Juniper, default forwarding classes of QFX)."""
OWN_PERCENT = 5
"""What BGP and BFD of the switch itself are guaranteed (the validated designs' scheduler of network-control)."""
ALL_PERCENT = 100


def lower_cos(switch: Switch) -> Cos | None:
    """Everything about queues; None without a policy."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles or memory(switch.hardware) is None:
        return None
    classes, buffers, timers = queueing.profiles[0].classes, divide(switch), _watchdog(queueing)
    maps, schedulers = _maps(queueing, buffers)
    kinds, pauses = {kind.name: kind for kind in queueing.profiles}, pause_names(queueing)
    drops = (scheduler.drop_profile for scheduler in schedulers.values())
    return Cos(
        classes=tuple(_forwarding_class(c) for c in classes),
        own_class=own_class(classes),
        profiles=tuple({name: _profile(kinds[of]) for of, name in pauses.items()}.items()),
        maps=maps,
        schedulers=tuple(schedulers.items()),
        drop_profiles=tuple(dict.fromkeys(drop for drop in drops if drop)),
        watchdog=timers,
        polls=timers.detect_ms // timers.poll_ms if timers else 0,
        buffers=buffers,
    )


def _watchdog(queueing: Queueing) -> WatchdogTimers | None:
    """Of stuck queues, where one is lossless."""
    return queueing.watchdog if any(kind.priorities for kind in queueing.profiles) else None


def fill_levels(marking: EcnMarking, depth_bytes: int) -> tuple[int, int]:
    """Kmin and kmax as whole percent, at least one, and apart."""
    low = min(max(round(marking.kmin_bytes * 100 / depth_bytes), 1), 98)
    return low, min(max(round(marking.kmax_bytes * 100 / depth_bytes), low + 1), 99)


def applied_marking(marking: EcnMarking, depth_bytes: int) -> tuple[int, int, int]:
    """Kmin and kmax in bytes and pmax in percent, after rounding to whole percent of the queue."""
    low, high = fill_levels(marking, depth_bytes)
    return low * depth_bytes // 100, high * depth_bytes // 100, marking.pmax_percent


def class_name(service_class: ClassQueueing) -> str:
    """A name that none of Junos's own classes has."""
    return service_class.name.upper()


def own_class(classes: Sequence[ClassQueueing]) -> str:
    """The class of the switch's own packets: one beside those of the policy, unless one of them has its queue."""
    return next((class_name(c) for c in classes if c.queue == OWN_QUEUE), OWN_CLASS)


def percents(kind: PortQueueing) -> dict[int, int]:
    """The share of each weighted queue: smaller ones where the switch's own packets need a part of the whole."""
    shares = {c.queue: c.share_percent or 0 for c in by_queue(kind)}
    left = ALL_PERCENT - (OWN_PERCENT if own_class(kind.classes) == OWN_CLASS else 0)
    total = sum(shares.values())
    if total <= left:
        return shares
    scaled = {queue: share * left // total for queue, share in shares.items()}
    lost = sorted(shares, key=lambda queue: (-(shares[queue] * left % total), queue))
    return scaled | {queue: scaled[queue] + 1 for queue in lost[: left - sum(scaled.values())]}


def by_queue(kind: PortQueueing) -> list[ClassQueueing]:
    """The classes by the number of their queue. Each has its own (FAB303)."""
    return sorted(kind.classes, key=lambda c: c.queue)


def _forwarding_class(service_class: ClassQueueing) -> ForwardingClass:
    points = " ".join(f"{point:06b}" for point in sorted(service_class.dscp))
    return ForwardingClass(class_name(service_class), service_class, points)


def _profile(kind: PortQueueing) -> Profile:
    lossless = [c for c in kind.classes if c.priority is not None]
    points = sorted({point for c in lossless for point in c.dscp})
    pauses = tuple(sorted({(f"{c.priority:03b}", c.queue) for c in lossless}))
    return Profile(max(kind.cable_m, 1), tuple(f"{point:06b}" for point in points), pauses)


def map_names(queueing: Queueing | None) -> dict[str, str]:
    """The scheduler map of each kind of port: one for all with the same classes."""
    return shared_names({kind.name: kind.classes for kind in queueing.profiles}) if queueing else {}


def pause_names(queueing: Queueing | None) -> dict[str, str]:
    """The congestion notification profile of each kind of port that is paused: one for each length of cable."""
    kinds = queueing.profiles if queueing else ()
    return shared_names({kind.name: _profile(kind) for kind in kinds if kind.priorities})


def _maps(queueing: Queueing, buffers: Buffers) -> tuple[tuple[SchedulerMap, ...], dict[str, Scheduler]]:
    """The maps, and the schedulers by name: equal ones of several maps are one."""
    names, rows = map_names(queueing), dict[str, list[tuple[str, Scheduler]]]()
    for kind in queueing.profiles:
        if names[kind.name] not in rows:
            rows[names[kind.name]] = list(_rows(kind, buffers))
    bodies = {f"{name.lower()}-{of}": scheduler for of, row in rows.items() for name, scheduler in row}
    chosen = shared_names(bodies)
    maps = (
        (of, tuple((name, chosen[f"{name.lower()}-{of}"]) for name, _ in row)) for of, row in rows.items()
    )
    return tuple(maps), {chosen[key]: scheduler for key, scheduler in bodies.items()}


def _rows(kind: PortQueueing, buffers: Buffers) -> Iterator[tuple[str, Scheduler]]:
    for service_class in by_queue(kind):
        yield class_name(service_class), _scheduler(kind, service_class, buffers)
    if own_class(kind.classes) == OWN_CLASS:
        yield OWN_CLASS, Scheduler(OWN_PERCENT, strict=False, max_percent=None)


def _scheduler(kind: PortQueueing, first: ClassQueueing, buffers: Buffers) -> Scheduler:
    share = None if first.strict else percents(kind)[first.queue] or None
    drop_profile = None
    if first.ecn is not None:
        depth, chance = buffers.depth_bytes(lossless=first.priority is not None), first.ecn.pmax_percent
        low, high = fill_levels(first.ecn, depth)
        drop_profile = DropProfile(f"ecn-{low}-{high}-{chance}-of-{depth}", f"{low} {high}", chance)
    return Scheduler(share, first.strict, first.max_rate_percent, drop_profile)

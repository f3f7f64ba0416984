"""`class-of-service` in Junos's words.

Sources: github Juniper/jvd @005ab344, data_center/aidc (all stanzas); Juniper CLI reference,
`congestion-notification-profile`, `mru`, `host-outbound-traffic`. A DSCP classifier also classifies IPv6, and QFX5130
and QFX5220 have no other (Juniper, defining CoS BA classifiers).

A drop profile says percent of a queue. The depth assumed is what one congested queue gets of its partition with the
dynamic threshold 10, which is an alpha of 8: 8/9 of it. It stands in the name of the drop profile, in bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.junos import codes
from fabric.platforms.junos.model import Buffers, Cos, ForwardingClass, Profile, Scheduler, Watchdog
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing, WatchdogTimers

FRAME_BYTES = 9216
"""Largest frame: physical MTU and MRU (as the validated designs have it)."""
LOSSY_PERCENT = 10
"""Of the buffer, for lossy traffic, where there is lossless one (validated design)."""
LEAST_PERCENT = 5
"""Of the buffer, for a partition that nothing of the policy uses."""
OWN_DSCP = 48
"""CS6: BGP and BFD of the switch itself (RFC 4594)."""
ALL_PERCENT = 100
DEFAULT_POLLS = 2


def lower_cos(switch: Switch, report: Report) -> Cos | None:
    """Everything about queues; None without a policy."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return None
    classes = queueing.profiles[0].classes
    origin = Origin((), f"policy:{queueing.policy}")
    _check_classes(classes, origin, report)
    lossless = any(kind.priorities for kind in queueing.profiles)
    buffers = lower_buffers(switch)
    return Cos(
        tuple(_forwarding_class(one) for one in classes),
        next((class_name(one) for one in classes if OWN_DSCP in one.dscp), ""),
        tuple(_profile(switch, kind, report) for kind in queueing.profiles),
        _watchdog(queueing.watchdog, origin, report) if queueing.watchdog and lossless else None,
        buffers,
        FRAME_BYTES,
    )


def lower_buffers(switch: Switch) -> Buffers:
    """The partitions: headroom as our arithmetic has it, the lossy one fixed, the rest lossless."""
    queueing = switch.queueing
    if queueing is None or not any(kind.priorities for kind in queueing.profiles):
        return Buffers(LEAST_PERCENT, LEAST_PERCENT, ALL_PERCENT - 2 * LEAST_PERCENT)
    share = queueing.budget.share if queueing.budget else None
    headroom = 24 if share is None else min(max(-(-share.numerator * 100 // share.denominator), 1), 80)
    return Buffers(ALL_PERCENT - LOSSY_PERCENT - headroom, headroom, LOSSY_PERCENT)


def queue_depth_bytes(switch: Switch, *, lossless: bool) -> int | None:
    """The depth of one congested queue that fill levels are percent of; None if the buffer is not known."""
    buffer = switch.hardware.buffer
    if buffer is None:
        return None
    buffers = lower_buffers(switch)
    percent = buffers.lossless if lossless else buffers.lossy
    return buffer.total_bytes * percent * 8 // (100 * 9)


def fill_levels(marking: EcnMarking, depth_bytes: int) -> tuple[int, int]:
    """Kmin and kmax as whole percent, at least one, and apart."""
    low = min(max(round(marking.kmin_bytes * 100 / depth_bytes), 1), 98)
    return low, min(max(round(marking.kmax_bytes * 100 / depth_bytes), low + 1), 99)


def class_name(one: ClassQueueing) -> str:
    """A name that none of Junos's own classes has."""
    return one.name.upper()


def by_queue(kind: PortQueueing) -> Iterator[tuple[int, list[ClassQueueing]]]:
    """Queues in order, and the classes of each."""
    for number in sorted({one.queue for one in kind.classes}):
        yield number, [one for one in kind.classes if one.queue == number]


def derived(switch: Switch) -> dict[str, str]:
    """What Junos computes itself, and the depth that marking assumes."""
    found = {}
    for kind in switch.queueing.profiles if switch.queueing else ():
        if kind.headroom is not None:
            found[f"{kind.name} headroom"] = (
                f"set by Junos from cable-length {max(kind.cable_m, 1)} and mru {FRAME_BYTES}; "
                f"{kind.headroom.headroom_bytes} bytes a priority by our arithmetic ({kind.headroom.reason})"
            )
            found[f"{kind.name} pause threshold"] = (
                "set by Junos from the lossless partition and its dynamic threshold 10"
            )
            found[f"{kind.name} resume threshold"] = "set by Junos"
        for one in kind.classes:
            depth = queue_depth_bytes(switch, lossless=one.priority is not None)
            if one.ecn is not None and depth is not None:
                low, high = fill_levels(one.ecn, depth)
                found[f"{kind.name} {one.name} marking"] = (
                    f"{low}% to {high}% of an assumed queue depth of {depth} bytes, for {one.ecn.kmin_bytes} to "
                    f"{one.ecn.kmax_bytes} bytes"
                )
    return found


def _forwarding_class(one: ClassQueueing) -> ForwardingClass:
    points = " ".join(f"{point:06b}" for point in sorted(one.dscp))
    return ForwardingClass(class_name(one), one.queue, one.priority, points)


def _profile(switch: Switch, kind: PortQueueing, report: Report) -> Profile:
    lossless = [one for one in kind.classes if one.priority is not None]
    points = sorted({point for one in lossless for point in one.dscp})
    return Profile(
        kind.name,
        max(kind.cable_m, 1),
        tuple(f"{point:06b}" for point in points),
        tuple(sorted({(f"{one.priority:03b}", one.queue) for one in lossless})),
        tuple(_scheduler(switch, kind, sharing, report) for _, sharing in by_queue(kind)),
    )


def _scheduler(
    switch: Switch, kind: PortQueueing, sharing: Sequence[ClassQueueing], report: Report
) -> Scheduler:
    first = sharing[0]
    share = None if first.strict else sum(one.share_percent or 0 for one in sharing) or None
    name = f"{kind.name}-{first.name}"
    classes = tuple(class_name(one) for one in sharing)
    depth = queue_depth_bytes(switch, lossless=first.priority is not None)
    if first.ecn is None or depth is None:
        if first.ecn is not None:
            report.add(
                codes.DEPTH.at(
                    switch.origin.child("hardware"),
                    f"Junos on {switch.hardware.model}: class {first.name} marks at bytes, and the buffer is not known",
                    hint="add `buffer: {total_bytes: ...}` to the model in a catalogue file, or set `ecn` off",
                )
            )
        return Scheduler(name, classes, share, first.strict, "", "", 0)
    low, high = fill_levels(first.ecn, depth)
    drop_profile = f"{name}-of-{depth}"
    return Scheduler(
        name, classes, share, first.strict, drop_profile, f"{low} {high}", first.ecn.pmax_percent
    )


def _watchdog(timers: WatchdogTimers, origin: Origin, report: Report) -> Watchdog:
    place = origin.child("watchdog")
    polls, rest = divmod(timers.detect_ms, timers.poll_ms)
    if timers.action not in ("drop", "forward"):
        report.add(
            codes.WATCHDOG.at(
                place.child("action"),
                f"Junos cannot {timers.action} about a stuck queue alone",
                value=timers.action,
                hint="use `drop` or `forward`",
            )
        )
    if rest or not polls >= 1:
        report.add(
            codes.UNITS.at(
                place.child("detect"),
                f"Junos detects after whole polls of {timers.poll_ms} ms, not after {timers.detect_ms} ms",
                value=timers.detect_ms,
                hint=f"write {max(polls, DEFAULT_POLLS) * timers.poll_ms}ms",
            )
        )
    return Watchdog(timers.poll_ms, polls, timers.restore_ms, timers.action)


def _check_classes(classes: tuple[ClassQueueing, ...], origin: Origin, report: Report) -> None:
    first: dict[int, ClassQueueing] = {}
    for one in classes:
        other = first.setdefault(one.queue, one)
        if (other.strict, other.ecn, other.priority) != (one.strict, one.ecn, one.priority):
            report.add(
                codes.SCHEDULING.at(
                    origin.child("classes", one.name, "queue"),
                    f"Junos has one scheduler for queue {one.queue}; classes {other.name} and {one.name} want two",
                    value=one.queue,
                    hint="give one of them another queue, or both the same settings",
                )
            )
    total = sum(one.share_percent or 0 for one in classes if not one.strict)
    if total > ALL_PERCENT:
        report.add(
            codes.SCHEDULING.at(
                origin.child("classes"),
                f"Junos takes transmit rates of 100 percent together, not {total}",
                value=total,
                hint="lower the shares to 100 together",
            )
        )

"""Queueing in EOS's words: `qos profile`, `qos map`, `priority-flow-control`.

Sources: Arista AVD 6.4 (`qos_profiles`, `qos`, `priority_flow_control`) for the lines; EOS manual, quality of
service, for what they mean. Of `shape rate` AVD says "rate in kbps, pps or percent" and gives `20 percent`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.alike import folded
from fabric.platforms.eos import codes
from fabric.platforms.eos.model import QosMaps, QosProfile, Queue, Watchdog
from fabric.qos.model import ClassQueueing, PortQueueing, WatchdogTimers

CONTROL = 7
"""Traffic class and queue 7 carry the switch's own control traffic and cannot be mapped elsewhere (EOS manual)."""

ACTIONS = {"drop": "drop", "notify": "notify-only"}
"""Our watchdog actions to EOS's; EOS has no `forward`, and we have no use for its `errdisable`."""


def alike(switch: Switch) -> Switch:
    """One `qos profile` for kinds of ports with the same classes: EOS is told neither speed nor cable."""
    return folded(switch, lambda kind: kind.classes)


def lower_profiles(switch: Switch, report: Report) -> tuple[QosProfile, ...]:
    """A `qos profile` for each kind of port."""
    if switch.queueing is None:
        return ()
    watched = switch.queueing.watchdog is not None
    if switch.queueing.profiles:
        _check_classes(switch, switch.queueing.profiles[0].classes, report)
    return tuple(_profile(kind, watched=watched) for kind in switch.queueing.profiles)


def lower_maps(switch: Switch) -> QosMaps | None:
    """`qos map`: every code point to its traffic class, every traffic class to its queue."""
    if switch.queueing is None or not switch.queueing.profiles:
        return None
    classes = switch.queueing.profiles[0].classes
    points = sorted((c.traffic_class, " ".join(map(str, sorted(c.dscp)))) for c in classes if c.dscp)
    return QosMaps(
        tuple((text, number) for number, text in points),
        tuple((c.traffic_class, c.queue) for c in classes if c.traffic_class != CONTROL),
    )


def lower_watchdog(switch: Switch, report: Report) -> Watchdog | None:
    """The global PFC watchdog: times in seconds, as EOS prints them."""
    timers = switch.queueing.watchdog if switch.queueing else None
    if timers is None or not any(p.priorities for p in switch.queueing.profiles):  # type: ignore[union-attr]  # timers come from it
        return None
    _check_watchdog(_policy(switch), timers, report)
    return Watchdog(
        _seconds(timers.detect_ms),
        _seconds(timers.restore_ms),
        _seconds(timers.poll_ms),
        ACTIONS.get(timers.action, timers.action),
    )


def counted_queues(kind: PortQueueing) -> tuple[int, ...]:
    """Queues whose ECN marks are counted on each port: `random-detect ecn count`."""
    return tuple(sorted({c.queue for c in kind.classes if c.ecn}))


def _profile(kind: PortQueueing, *, watched: bool) -> QosProfile:
    lossless = kind.priorities
    return QosProfile(kind.name, lossless, watched and bool(lossless), tuple(_queues(kind.classes)))


def _queues(classes: Iterable[ClassQueueing]) -> Iterator[Queue]:
    """One entry for each queue: each class has its own (FAB303)."""
    for one in sorted(classes, key=lambda one: one.queue):
        if one.strict:
            yield Queue(one.queue, "priority strict", None, one.max_rate_percent, _ecn(one))
        else:
            yield Queue(one.queue, "no priority", one.share_percent or None, None, _ecn(one))


def _ecn(one: ClassQueueing) -> str:
    """Thresholds in bytes: EOS's kbytes are not defined as 1000 or 1024."""
    if one.ecn is None:
        return ""
    return (
        f"minimum-threshold {one.ecn.kmin_bytes} bytes maximum-threshold {one.ecn.kmax_bytes} bytes "
        f"max-mark-probability {one.ecn.pmax_percent} weight 0"
    )


def _seconds(time_ms: int) -> str:
    """`0.20`: two digits where they are exact, three where not."""
    return f"{time_ms / 1000:.2f}" if time_ms % 10 == 0 else f"{time_ms / 1000:.3f}"


def _policy(switch: Switch) -> Origin:
    return Origin((), f"policy:{switch.queueing.policy}") if switch.queueing else switch.origin


def _check_classes(switch: Switch, classes: tuple[ClassQueueing, ...], report: Report) -> None:
    origin = _policy(switch)
    for one in classes:
        place = origin.child("classes", one.name)
        if (one.traffic_class == CONTROL) != (one.queue == CONTROL):
            report.add(
                codes.SCHEDULING.at(
                    place.child("queue"),
                    f"Arista EOS ties traffic class 7 to queue 7; class {one.name} maps {one.traffic_class} to "
                    f"{one.queue}",
                    value=one.queue,
                    hint="use numbers below 7 for both, or 7 for both",
                )
            )


def _check_watchdog(origin: Origin, timers: WatchdogTimers, report: Report) -> None:
    place = origin.child("watchdog")
    shorter = min(timers.detect_ms, timers.restore_ms)
    for key, time_ms, low_ms, high_ms in (
        ("detect", timers.detect_ms, 10, 60_000),
        ("restore", timers.restore_ms, 10, 60_000),
        ("poll", timers.poll_ms, 5, min(30_000, shorter // 2)),
    ):
        if not low_ms <= time_ms <= high_ms:
            report.add(
                codes.WATCHDOG.at(
                    place.child(key),
                    f"Arista EOS takes {low_ms} to {high_ms} ms here, not {time_ms} ms",
                    value=time_ms,
                    hint=f"write {low_ms}ms to {high_ms}ms",
                )
            )
    report.add(
        codes.WATCHDOG_GUARANTEE.at(
            place,
            "EOS watches only queues with guaranteed bandwidth on hardware that has it",
            hint=codes.WATCHDOG_GUARANTEE.fix,
        )
    )

"""What XGS cannot queue as the policy says."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.srlinux import codes
from fabric.platforms.srlinux.buffers import Sizes, by_queue, depth_bytes, headroom_bytes
from fabric.qos.model import ClassQueueing, EcnMarking, Queueing

LEAST_DETECT_MS, LEAST_RESTORE_MS, MOST_MS = 10, 100, 1500
"""srl_nokia-qos, `deadlock`."""
ACTION = "forward"
"""What the deadlock mechanism does: pause frames are ignored for a while, the queue goes on sending."""
MOST_SHARE_BYTES = 104_857_600
"""srl_nokia-qos, `maximum-pfc-reserved-share-bytes`."""


def check_qos(switch: Switch, queueing: Queueing, sizes: Sizes | None, report: Report) -> None:
    """Every number of the policy against what the models take."""
    origin = Origin((), f"policy:{queueing.policy}")
    if sizes is not None and sizes.reserved_percent is None:
        report.add(
            codes.BUFFER.at(
                switch.origin.child("model"),
                f"Nokia SR Linux takes thresholds in bytes of the buffer, and that of {switch.hardware.model} is not "
                "known",
                value=switch.hardware.id,
                hint="add `buffer` to the hardware model",
                subjects=(switch.name,),
            )
        )
    for kind in queueing.profiles:
        for shared in by_queue(kind).values():
            _check_shared(origin, shared, report)
            depth = depth_bytes(shared, sizes)
            if shared[0].ecn is not None and depth is not None:
                _check_curve(origin.child("classes", shared[0].name, "ecn"), shared[0].ecn, depth, report)
        _check_headroom(origin, headroom_bytes(kind), report)
    if sizes is not None and queueing.watchdog is not None:
        _check_watchdog(origin.child("watchdog"), queueing, report)


def _check_curve(place: Origin, curve: EcnMarking, depth: int, report: Report) -> None:
    if curve.kmax_bytes > depth:
        report.add(
            codes.ECN_RANGE.at(
                place,
                f"Nokia SR Linux marks within a queue of {depth} bytes; kmax is {curve.kmax_bytes}",
                value=curve.kmax_bytes,
                hint=f"write `kmax` of at most {depth} bytes",
            )
        )


def _check_headroom(origin: Origin, headroom: int, report: Report) -> None:
    if headroom > MOST_SHARE_BYTES:
        report.add(
            codes.RANGE.at(
                origin.child("headroom"),
                f"Nokia SR Linux reserves at most {MOST_SHARE_BYTES} bytes for a PFC queue, not {headroom}",
                value=headroom,
                hint="shorten the cables of this kind of port",
            )
        )


def _check_shared(origin: Origin, shared: list[ClassQueueing], report: Report) -> None:
    first = shared[0]
    for one in shared[1:]:
        if (first.strict, first.ecn) != (one.strict, one.ecn):
            report.add(
                codes.SCHEDULING.at(
                    origin.child("classes", one.name, "queue"),
                    f"Nokia SR Linux has one scheduler and one slope for queue {one.queue}; classes {first.name} and "
                    f"{one.name} want different ones",
                    value=one.queue,
                    hint="give one of them another queue, or both the same `strict` and `ecn`",
                )
            )


def _check_watchdog(place: Origin, queueing: Queueing, report: Report) -> None:
    timers = queueing.watchdog
    if timers is None:
        return
    for key, time_ms, least in (
        ("detect", timers.detect_ms, LEAST_DETECT_MS),
        ("restore", timers.restore_ms, LEAST_RESTORE_MS),
    ):
        if not least <= time_ms <= MOST_MS:
            report.add(
                codes.RANGE.at(
                    place.child(key),
                    f"Nokia SR Linux takes {least} to {MOST_MS} ms here, not {time_ms} ms",
                    value=time_ms,
                    hint=f"write a time from {least} to {MOST_MS} ms",
                )
            )
    if timers.action != ACTION:
        report.add(
            codes.WATCHDOG_ACTION.at(
                place.child("action"),
                f"Nokia SR Linux ignores pause frames on a deadlock (forward); the policy says {timers.action}",
                value=timers.action,
                hint="write `action: forward`, or accept that this switch forwards instead",
            )
        )

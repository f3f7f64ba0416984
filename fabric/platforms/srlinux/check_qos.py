"""What XGS cannot queue as the policy says."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic, Origin
from fabric.platforms.srlinux import codes
from fabric.platforms.srlinux.buffers import Sizes, by_queue, depth_bytes, headroom_bytes
from fabric.qos.model import ClassQueueing, EcnMarking, WatchdogTimers

LEAST_DETECT_MS, LEAST_RESTORE_MS, MOST_MS = 10, 100, 1500
"""srl_nokia-qos, `deadlock`."""
ACTION = "forward"
"""What the deadlock mechanism does: pause frames are ignored for a while, the queue goes on sending."""
MOST_SHARE_BYTES = 104_857_600
"""srl_nokia-qos, `maximum-pfc-reserved-share-bytes`."""


def check_qos(switch: Switch, sizes: Sizes | None) -> Iterator[Diagnostic]:
    """Every number of the policy against what the models take."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return
    origin = Origin((), f"policy:{queueing.policy}")
    if sizes is not None and sizes.reserved_percent is None:
        yield codes.BUFFER.at(
            switch.origin.child("model"),
            f"Nokia SR Linux takes thresholds in bytes of the buffer, and that of {switch.hardware.model} is not "
            "known",
            value=switch.hardware.id,
            hint="add `buffer` to the hardware model",
            subjects=(switch.name,),
        )
    for kind in queueing.profiles:
        for shared in by_queue(kind).values():
            yield from _shared(origin, shared)
            depth = depth_bytes(shared, sizes)
            if shared[0].ecn is not None and depth is not None:
                yield from _curve(origin.child("classes", shared[0].name, "ecn"), shared[0].ecn, depth)
        yield from _headroom(origin, headroom_bytes(kind))
    if sizes is not None and queueing.watchdog is not None:
        yield from _watchdog(origin.child("watchdog"), queueing.watchdog)


def _curve(place: Origin, curve: EcnMarking, depth: int) -> Iterator[Diagnostic]:
    if curve.kmax_bytes > depth:
        yield codes.ECN_RANGE.at(
            place,
            f"Nokia SR Linux marks within a queue of {depth} bytes; kmax is {curve.kmax_bytes}",
            value=curve.kmax_bytes,
            hint=f"write `kmax` of at most {depth} bytes",
        )


def _headroom(origin: Origin, headroom: int) -> Iterator[Diagnostic]:
    if headroom > MOST_SHARE_BYTES:
        yield codes.RANGE.at(
            origin.child("headroom"),
            f"Nokia SR Linux reserves at most {MOST_SHARE_BYTES} bytes for a PFC queue, not {headroom}",
            value=headroom,
            hint="shorten the cables of this kind of port",
        )


def _shared(origin: Origin, shared: list[ClassQueueing]) -> Iterator[Diagnostic]:
    first = shared[0]
    for other in shared[1:]:
        if (first.strict, first.ecn) != (other.strict, other.ecn):
            yield codes.SCHEDULING.at(
                origin.child("classes", other.name, "queue"),
                f"Nokia SR Linux has one scheduler and one slope for queue {other.queue}; classes {first.name} and "
                f"{other.name} want different ones",
                value=other.queue,
                hint="give one of them another queue, or both the same `strict` and `ecn`",
            )


def _watchdog(place: Origin, timers: WatchdogTimers) -> Iterator[Diagnostic]:
    for key, time_ms, least in (
        ("detect", timers.detect_ms, LEAST_DETECT_MS),
        ("restore", timers.restore_ms, LEAST_RESTORE_MS),
    ):
        if not least <= time_ms <= MOST_MS:
            yield codes.RANGE.at(
                place.child(key),
                f"Nokia SR Linux takes {least} to {MOST_MS} ms here, not {time_ms} ms",
                value=time_ms,
                hint=f"write a time from {least} to {MOST_MS} ms",
            )
    if timers.action != ACTION:
        yield codes.WATCHDOG_ACTION.at(
            place.child("action"),
            f"Nokia SR Linux ignores pause frames on a deadlock (forward); the policy says {timers.action}",
            value=timers.action,
            hint="write `action: forward`, or accept that this switch forwards instead",
        )

"""What Junos refuses of buffers and of the watchdog."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic, Origin, Severity
from fabric.platforms.junos import codes
from fabric.platforms.junos.buffers import LEAST_PERCENT, Buffers, headroom_bytes
from fabric.platforms.junos.lower_qos import applied_marking
from fabric.platforms.junos.model import Cos
from fabric.qos.model import WatchdogTimers

DEFAULT_POLLS = 2
MOST_WATCHDOG_MS = 65_535
"""Range of the junos-qfx YANG."""
WATCHED = ("QFX5230", "QFX5240")
"""Models with a PFC watchdog, from 23.4R2-EVO on (Juniper, AI-ML data center feature guide: PFC watchdog)."""


def check_qos(switch: Switch, cos: Cos) -> Iterator[Diagnostic]:
    """One finding for each number that cannot be had."""
    yield from _size(switch, cos.buffers)
    yield from _thresholds(switch, cos.buffers)
    if cos.watchdog is not None:
        yield from _times(switch, cos.watchdog)
        yield from _watched(switch)


def _size(switch: Switch, buffers: Buffers) -> Iterator[Diagnostic]:
    if buffers.lossless < LEAST_PERCENT:
        yield codes.BUFFER.at(
            switch.origin.child("model"),
            f"Junos on {switch.hardware.model}: a headroom of {headroom_bytes(switch)} bytes leaves "
            f"{buffers.lossless} percent of {buffers.shared_bytes} shared bytes for lossless traffic; it takes "
            f"{LEAST_PERCENT}",
            value=buffers.headroom,
            hint="use shorter cables, fewer lossless classes, or a model with more buffer",
            subjects=(switch.name,),
        )


def _thresholds(switch: Switch, buffers: Buffers) -> Iterator[Diagnostic]:
    kinds = switch.queueing.profiles if switch.queueing else ()
    for service_class in (c for kind in kinds for c in kind.classes if c.priority is not None):
        if service_class.ecn is None or buffers.pause_bytes is None:
            continue
        _, kmax, _ = applied_marking(service_class.ecn, buffers.depth_bytes(lossless=True))
        if kmax >= buffers.pause_bytes:
            yield codes.PAUSE_FIRST.at(
                switch.origin.child("model"),
                f"Junos on {switch.hardware.model}: class {service_class.name} marks fully at {kmax} bytes, and one "
                f"port alone is paused from {buffers.pause_bytes} bytes on",
                value=kmax,
                hint=f"let `ecn` end below {buffers.pause_bytes} bytes",
                subjects=(switch.name,),
            )


def _times(switch: Switch, timers: WatchdogTimers) -> Iterator[Diagnostic]:
    place = Origin(("watchdog",), f"policy:{switch.queueing.policy}" if switch.queueing else "intent")
    polls, rest = divmod(timers.detect_ms, timers.poll_ms)
    if rest or not polls >= 1:
        yield codes.UNITS.at(
            place.child("detect"),
            f"Junos detects after whole polls of {timers.poll_ms} ms, not after {timers.detect_ms} ms",
            value=timers.detect_ms,
            hint=f"write {max(polls, DEFAULT_POLLS) * timers.poll_ms}ms",
        )
    for key, time_ms in (("poll", timers.poll_ms), ("restore", timers.restore_ms)):
        if time_ms > MOST_WATCHDOG_MS:
            yield codes.RANGE.at(
                place.child(key),
                f"Junos supports at most {MOST_WATCHDOG_MS} ms here, not {time_ms} ms",
                value=time_ms,
                hint=f"write {MOST_WATCHDOG_MS}ms or less",
            )


def _watched(switch: Switch) -> Iterator[Diagnostic]:
    if not any(word in switch.hardware.model.upper() for word in WATCHED):
        yield codes.WATCHDOG.at(
            switch.origin.child("model"),
            f"Junos is documented to watch stuck queues on {' and '.join(WATCHED)}, not on {switch.hardware.model}",
            hint="try it on one switch with `commit check`; if it is refused there, set `watchdog: none` in the "
            "policy",
            severity=Severity.WARNING,
            subjects=(switch.name,),
        )

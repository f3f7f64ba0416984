"""What EOS cannot queue or watch as a policy wants, and what depends on the hardware."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Diagnostic, Origin
from fabric.platforms.eos import codes
from fabric.platforms.eos.lower_qos import CONTROL
from fabric.platforms.eos.names import TITLE
from fabric.qos.model import Queueing, WatchdogTimers


def check_qos(queueing: Queueing | None) -> Iterator[Diagnostic]:
    """Everything of the queueing that EOS cannot do."""
    if queueing is None or not queueing.profiles:
        return
    place = Origin((), f"policy:{queueing.policy}")
    for service_class in queueing.profiles[0].classes:
        number, queue = service_class.traffic_class, service_class.queue
        if (number == CONTROL) != (queue == CONTROL):
            rule = f"{TITLE} ties traffic class 7 to queue 7; class {service_class.name} maps {number} to {queue}"
            hint = "use numbers below 7 for both, or 7 for both"
            yield codes.SCHEDULING.at(
                place.child("classes", service_class.name, "queue"), rule, value=queue, hint=hint
            )
    if queueing.watchdog is not None and any(kind.priorities for kind in queueing.profiles):
        yield from _watchdog(place.child("watchdog"), queueing.watchdog)


def _watchdog(place: Origin, timers: WatchdogTimers) -> Iterator[Diagnostic]:
    shorter = min(timers.detect_ms, timers.restore_ms)
    for key, time_ms, low_ms, high_ms in (
        ("detect", timers.detect_ms, 10, 60_000),
        ("restore", timers.restore_ms, 10, 60_000),
        ("poll", timers.poll_ms, 5, min(30_000, shorter // 2)),
    ):
        if not low_ms <= time_ms <= high_ms:
            rule = f"{TITLE} takes {low_ms} to {high_ms} ms here, not {time_ms} ms"
            hint = f"write {low_ms}ms to {high_ms}ms"
            yield codes.WATCHDOG.at(place.child(key), rule, value=time_ms, hint=hint)
    yield codes.WATCHDOG_GUARANTEE.at(
        place,
        "EOS watches only queues with guaranteed bandwidth on hardware that has it",
        hint=codes.WATCHDOG_GUARANTEE.fix,
    )

"""What NX-OS cannot queue as a policy wants, and what it settles itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic, Origin, Severity
from fabric.platforms.nxos import codes
from fabric.platforms.nxos.lower_qos import LONGEST_CABLE_M, group
from fabric.platforms.nxos.names import TITLE
from fabric.qos.model import PortQueueing, WatchdogTimers


def check_qos(switch: Switch) -> Iterator[Diagnostic]:
    """Everything of the queueing that NX-OS cannot do, or does in its own way."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return
    place = Origin((), f"policy:{queueing.policy}")
    for service_class in queueing.profiles[0].classes:
        if service_class.priority == 0:
            yield codes.SAME_NUMBER.at(
                place.child("classes", service_class.name, "priority"),
                f"{TITLE} keeps queue 0 for unpaused traffic; class {service_class.name} would be paused there",
                hint="give the class another priority than 0",
            )
    for kind in queueing.profiles:
        yield from _shared_numbers(place, kind)
        if kind.priorities and kind.cable_m > LONGEST_CABLE_M:
            yield _long_cable(place, kind)
    if queueing.watchdog is not None:
        yield _own_timers(place, queueing.watchdog)


def _long_cable(place: Origin, kind: PortQueueing) -> Diagnostic:
    """An error if somebody stated the length; a length that is only assumed may be shorter in truth."""
    assumed = kind.cable_is_assumed
    return codes.LONG_CABLE.at(
        place,
        f"{TITLE} wants `pause buffer-size` beyond {LONGEST_CABLE_M} m; no size for {kind.cable_m} m at "
        f"{kind.speed_mbps // 1000}G is published{', and nobody has stated a shorter length' if assumed else ''}",
        value=kind.cable_m,
        hint="state the length under `cables` of the network; the buffers of NX-OS hold for up to 100 m"
        if assumed
        else codes.LONG_CABLE.fix,
        severity=Severity.WARNING if assumed else Severity.ERROR,
    )


def _shared_numbers(place: Origin, kind: PortQueueing) -> Iterator[Diagnostic]:
    for number, count in sorted(Counter(map(group, kind.classes)).items()):
        if count > 1:
            names = ", ".join(c.name for c in kind.classes if group(c) == number)
            yield codes.SAME_NUMBER.at(
                place.child("classes"),
                f"{TITLE} has one qos-group for each queue, and {names} would all be in {number}: a paused class "
                "takes the number of its priority, the strict one 7",
                value=number,
                hint="give each class a queue of its own, beside the priorities of paused classes and 7",
            )


def _own_timers(place: Origin, timers: WatchdogTimers) -> Diagnostic:
    return codes.WATCHDOG.at(
        place.child("watchdog"),
        f"{TITLE} watches with its own timers, not {timers.detect_ms} ms and {timers.restore_ms} ms",
        hint=codes.WATCHDOG.fix,
    )

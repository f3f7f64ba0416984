"""Queueing in NX-OS's words: three layers tied by one number.

Sources: `roce_enable.py` v0.30 (Paresh Gupta, Cisco) and the Azure Local reference for Nexus ToR switches (class-map,
policy-map, c-8q-nq*, c-out-8q-q*, system qos); Cisco QoS guide for `service-policy type queuing output` on a port.
Lists of code points separated by commas: from the guide's `match dscp` reference, not seen on a device.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.nxos import codes
from fabric.platforms.nxos.model import Qos, QosClass, QueueClass, QueuingPolicy
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing

QUEUES = range(7, -1, -1)
"""In the order of the templates: highest first."""
KBYTES = 1000
"""NX-OS does not say 1000 or 1024; the difference is below 3 %."""
LONGEST_CABLE_M = 100
WHOLE_PERCENT = 100
MOST_LOSSLESS = 3


def lower_qos(switch: Switch, report: Report) -> Qos | None:
    """Classes, policies and what is paused. None without a policy."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return None
    _check(switch, queueing.profiles, report)
    classes = queueing.profiles[0].classes
    paused = sorted({p for kind in queueing.profiles for p in kind.priorities})
    return Qos(
        queueing.policy,
        tuple(_classes(classes)),
        tuple(QueuingPolicy(kind.name, tuple(_queues(kind.classes))) for kind in queueing.profiles),
        tuple(paused),
        queueing.watchdog is not None and bool(paused),
    )


def kbytes(marking: EcnMarking) -> tuple[int, int]:
    """Both thresholds in whole kbytes, the nearest ones; at least 1, and the second above the first."""
    low = max(1, (marking.kmin_bytes + KBYTES // 2) // KBYTES)
    return low, max(low + 1, (marking.kmax_bytes + KBYTES // 2) // KBYTES)


def queue_name(number: int) -> str:
    """`c-out-8q-q3`; queue 0 is the default one."""
    return f"c-out-8q-q{number or '-default'}"


def ranges(points: Iterable[int]) -> str:
    """`0-23,25,27-47`."""
    found: list[list[int]] = []
    for point in sorted(points):
        if found and found[-1][1] == point - 1:
            found[-1][1] = point
        else:
            found.append([point, point])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in found)


def _classes(classes: Iterable[ClassQueueing]) -> Iterator[QosClass]:
    rest: QosClass | None = None
    for one in sorted(classes, key=lambda one: -one.traffic_class):
        if one.is_rest:
            rest = QosClass("class-default", "", one.traffic_class)
        elif one.dscp:
            yield QosClass(one.name.upper(), ranges(one.dscp), one.traffic_class)
    yield rest or QosClass("class-default", "", 0)


def _queues(classes: Iterable[ClassQueueing]) -> Iterator[QueueClass]:
    """All eight: those that no class uses get nothing of the remaining bandwidth."""
    by_queue = {one.queue: one for one in classes}
    weighted = any(not one.strict for one in by_queue.values())
    for number in QUEUES:
        one = by_queue.get(number)
        spare = WHOLE_PERCENT if number == 0 and not weighted else 0
        first = (
            "priority level 1"
            if one and one.strict
            else f"bandwidth remaining percent {(one.share_percent if one else 0) or spare}"
        )
        yield QueueClass(queue_name(number), (first, *([_ecn(one.ecn)] if one and one.ecn else [])))


def _ecn(marking: EcnMarking) -> str:
    low, high = kbytes(marking)
    return (
        f"random-detect minimum-threshold {low} kbytes maximum-threshold {high} kbytes "
        f"drop-probability {marking.pmax_percent} weight 0 ecn"
    )


def _check(switch: Switch, kinds: tuple[PortQueueing, ...], report: Report) -> None:
    origin = Origin((), f"policy:{switch.queueing.policy}") if switch.queueing else switch.origin
    for one in kinds[0].classes:
        _check_class(origin.child("classes", one.name), one, report)
    for kind in kinds:
        _check_kind(origin, kind, report)
        if kind.priorities != kinds[0].priorities:
            report.add(
                codes.SAME_NUMBER.at(
                    origin,
                    f"Cisco NX-OS pauses the same queues on all ports; {kind.name} and {kinds[0].name} differ",
                    hint="make the class lossless, or lossy, on every kind of port",
                )
            )
    if len(kinds[0].priorities) > MOST_LOSSLESS:
        report.add(
            codes.RANGE.at(
                origin.child("classes"),
                f"Cisco NX-OS pauses at most {MOST_LOSSLESS} priorities, not {len(kinds[0].priorities)}",
                hint="make one class lossy",
            )
        )
    _check_watchdog(switch, origin, report)


def _check_class(place: Origin, one: ClassQueueing, report: Report) -> None:
    numbers = {one.traffic_class, one.queue, *([] if one.priority is None else [one.priority])}
    if len(numbers) > 1:
        report.add(
            codes.SAME_NUMBER.at(
                place,
                f"Cisco NX-OS takes one number for qos-group, queue and PFC priority of class {one.name}, not "
                f"{', '.join(map(str, sorted(numbers)))}",
                hint=f"write {one.queue} for `traffic_class`, `queue` and `priority`",
            )
        )
    if one.priority == 0:
        report.add(
            codes.SAME_NUMBER.at(
                place.child("priority"),
                f"Cisco NX-OS keeps queue 0 for unpaused traffic; class {one.name} would be paused there",
                hint="give the class another number than 0",
            )
        )


def _check_kind(origin: Origin, kind: PortQueueing, report: Report) -> None:
    if sum(one.strict for one in kind.classes) > 1:
        report.add(
            codes.SCHEDULING.at(
                origin.child("classes"),
                "Cisco NX-OS: sources show one strict queue, at `priority level 1`",
                hint="keep `strict` on one class",
            )
        )
    if len({one.queue for one in kind.classes}) != len(kind.classes):
        report.add(
            codes.SCHEDULING.at(
                origin.child("classes"),
                "Cisco NX-OS ties each qos-group to a queue of its own; two classes share one",
                hint="give each class its own number",
            )
        )
    weighted = [one.share_percent or 0 for one in kind.classes if not one.strict]
    if weighted and (sum(weighted) != WHOLE_PERCENT or 0 in weighted):
        report.add(
            codes.SCHEDULING.at(
                origin.child("classes"),
                f"Cisco NX-OS shares what strict classes leave; the shares sum to {sum(weighted)}, and each is above 0",
                value=sum(weighted),
                hint="make the shares of the classes that are not strict sum to 100, each above 0",
            )
        )
    if kind.priorities and kind.cable_m > LONGEST_CABLE_M:
        report.add(
            codes.LONG_CABLE.at(
                origin,
                f"Cisco NX-OS: no published pause buffer for {kind.cable_m} m at {kind.speed_mbps // 1000}G",
                value=kind.cable_m,
                hint=codes.LONG_CABLE.fix,
            )
        )


def _check_watchdog(switch: Switch, origin: Origin, report: Report) -> None:
    timers = switch.queueing.watchdog if switch.queueing else None
    if timers is None:
        return
    if timers.action != "drop":
        report.add(
            codes.UNSUPPORTED.at(
                origin.child("watchdog", "action"),
                f"Cisco NX-OS drops the packets of a stuck queue and cannot {timers.action}",
                value=timers.action,
                hint="use `drop`",
            )
        )
    report.add(
        codes.WATCHDOG.at(
            origin.child("watchdog"),
            "Cisco NX-OS watches with its own timers: no source shows the commands for detect, restore and poll",
            hint=codes.WATCHDOG.fix,
        )
    )

"""Queueing in SR Linux's words, for XGS: forwarding classes, classifier, PFC mapping, slopes, scheduler.

Sources: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-qos`); sizes and the place of each profile: Nokia's public
AI data centre configurations for 7220 IXR-H5 (SR Linux 25.10).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.srlinux import codes
from fabric.platforms.srlinux.lower_interfaces import is_routed
from fabric.platforms.srlinux.model import Tree
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing, Queueing

QUEUE_DEPTH_BYTES = 52_110_640
"""Maximum burst size of a marked or paused queue, and of a PFC queue: Nokia's public AI data centre configurations.
Percentages of a slope are of this."""
CLASSIFIER = "fabric"
LEAST_DETECT_MS, LEAST_RESTORE_MS, MOST_MS = 10, 100, 1500
"""srl_nokia-qos, `deadlock`."""
ACTION = "forward"
"""What the deadlock mechanism does: pause frames are ignored for a while."""
MOST_SHARE_BYTES = 104_857_600
"""srl_nokia-qos, `maximum-pfc-reserved-share-bytes`."""


def percent(size_bytes: int) -> int:
    """A threshold as the slope takes it: whole percent of the depth, at least 1."""
    return max(1, round(Fraction(100 * size_bytes, QUEUE_DEPTH_BYTES)))


def lower_qos(switch: Switch, report: Report) -> Tree | None:
    """The whole `qos` tree; None without a policy."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return None
    classes = queueing.profiles[0].classes
    _check(queueing, report)
    lossless = any(kind.priorities for kind in queueing.profiles)
    tree: Tree = {}
    if any(c.ecn for kind in queueing.profiles for c in kind.classes):
        tree["explicit-congestion-notification"] = {}
    tree["queues"] = _queues(queueing)
    tree["forwarding-classes"] = {"forwarding-class": [_forwarding_class(c) for c in classes]}
    points = sorted((point, c.name) for c in classes for point in c.dscp)
    entries = [
        {"value": point, "forwarding-class": name, "drop-probability": "low"} for point, name in points
    ]
    tree["classifiers"] = {"dscp-policy": [{"name": CLASSIFIER, "dscp": entries}]}
    if lossless:
        tree["pfc-mapping-profile"] = [
            _mapping(kind, queueing) for kind in queueing.profiles if kind.priorities
        ]
    tree["buffer-management"] = _buffers(queueing)
    tree["scheduler-policies"] = {"scheduler-policy": [_scheduler(kind) for kind in queueing.profiles]}
    tree["interfaces"] = {"interface": list(_interfaces(switch))}
    if lossless:
        tree["linecard"] = [_linecard(switch, report)]
    return tree


def queue_name(number: int) -> str:
    """`unicast-3`."""
    return f"unicast-{number}"


def by_queue(kind: PortQueueing) -> dict[int, list[ClassQueueing]]:
    """The classes of each queue, ascending."""
    found: dict[int, list[ClassQueueing]] = {}
    for one in kind.classes:
        found.setdefault(one.queue, []).append(one)
    return dict(sorted(found.items()))


def reservation_percent(switch: Switch) -> int | None:
    """Share of the buffer that is reserved for headroom; None if the buffer is not known."""
    budget = switch.queueing.budget if switch.queueing else None
    return min(100, max(1, ceil(100 * budget.share))) if budget else None


def derived(switch: Switch) -> dict[str, str]:
    """What is assumed or left to SR Linux."""
    queueing = switch.queueing
    if queueing is None:
        return {}
    found: dict[str, str] = {}
    for kind in queueing.profiles:
        for one in kind.classes:
            if one.ecn:
                low, high = percent(one.ecn.kmin_bytes), percent(one.ecn.kmax_bytes)
                found[f"{kind.name} {one.name} ECN"] = (
                    f"{low} to {high} percent of a queue depth of {QUEUE_DEPTH_BYTES} bytes (maximum-burst-size): "
                    f"{low * QUEUE_DEPTH_BYTES // 100} and {high * QUEUE_DEPTH_BYTES // 100} bytes for "
                    f"{one.ecn.kmin_bytes} and {one.ecn.kmax_bytes}"
                )
        if kind.priorities:
            found[f"{kind.name} pause threshold"] = (
                f"{QUEUE_DEPTH_BYTES} bytes of shared buffer for a PFC queue"
            )
            found[f"{kind.name} resume threshold"] = "set by SR Linux on XGS"
    return found


def _queues(queueing: Queueing) -> Tree:
    numbers = sorted({c.queue for kind in queueing.profiles for c in kind.classes})
    priorities = sorted({p for kind in queueing.profiles for p in kind.priorities})
    tree: Tree = {"queue": [{"name": queue_name(n), "queue-index": n} for n in numbers]}
    if priorities:
        tree["pfc-queue"] = [{"pfc-queue-name": f"pfc-{n}", "queue-index": n} for n in priorities]
    return tree


def _forwarding_class(one: ClassQueueing) -> Tree:
    return {
        "name": one.name,
        "forwarding-class-index": one.traffic_class,
        "output": {"unicast-queue": queue_name(one.queue)},
    }


def _mapping(kind: PortQueueing, queueing: Queueing) -> Tree:
    """Which classes are paused with which priority, and which queues listen to pauses."""
    received: Tree = {}
    timers = queueing.watchdog
    if timers is not None:
        received["deadlock"] = {
            "enable": True, "detection-timer": timers.detect_ms, "recovery-timer": timers.restore_ms,
        }  # fmt: skip
    paused = {c.priority: c for c in kind.classes if c.priority is not None}
    received["queue"] = [
        {"queue-name": queue_name(c.queue), "pfc-pause-frame-priority": priority, "enable-pfc": True}
        for priority, c in sorted(paused.items())
    ]
    queues = [
        {
            "pfc-queue-name": f"pfc-{priority}",
            "forwarding-class": [c.name for c in kind.classes if c.priority == priority],
            "pfc-pause-frame-priority": priority,
        }
        for priority in kind.priorities
    ]
    return {
        "name": kind.name,
        "received-traffic": {"unicast-mapping": {"pfc-queue": queues}},
        "received-pfc-pause-frames": received,
    }


def _buffers(queueing: Queueing) -> Tree:
    tree: Tree = {}
    slopes = [
        {"name": f"{kind.name}-{number}", "wred": {"wred-slope": [_slope(shared[0].ecn)]}}
        for kind in queueing.profiles
        for number, shared in by_queue(kind).items()
        if shared[0].ecn is not None
    ]
    if slopes:
        tree["queue-management-profile"] = slopes
    allocations = [made for kind in queueing.profiles for made in _allocations(kind)]
    if allocations:
        tree["buffer-allocation-profile"] = allocations
    return tree


def _slope(curve: EcnMarking) -> Tree:
    return {
        "traffic-type": "all",
        "drop-probability": "all",
        "enable-ecn": True,
        "min-threshold-percent": percent(curve.kmin_bytes),
        "max-threshold-percent": percent(curve.kmax_bytes),
        "slope-enabled": True,
        "max-drop-probability-percent": curve.pmax_percent,
    }


def _allocations(kind: PortQueueing) -> Iterator[Tree]:
    """Depths of the egress queues that are marked or paused, and of the PFC queues with their headroom."""
    deep = [n for n, shared in by_queue(kind).items() if any(c.ecn or c.priority is not None for c in shared)]
    if deep:
        queues = [{"queue-name": queue_name(n), "maximum-burst-size": QUEUE_DEPTH_BYTES} for n in deep]
        yield {"name": f"{kind.name}-egress", "queues": {"queue": queues}}
    if kind.priorities:
        headroom = {"maximum-pfc-reserved-share-bytes": kind.headroom.headroom_bytes} if kind.headroom else {}
        paused = [
            {"pfc-queue-name": f"pfc-{n}", "maximum-burst-size": QUEUE_DEPTH_BYTES, **headroom}
            for n in kind.priorities
        ]
        yield {"name": f"{kind.name}-pfc", "queues": {"pfc-queue": paused}}


def _scheduler(kind: PortQueueing) -> Tree:
    """Strict queues first, then the others by weight: the share in percent."""
    strict: list[Tree] = []
    weighted: list[Tree] = []
    for number, shared in by_queue(kind).items():
        entry: Tree = {"id": queue_name(number), "input-type": "queue", "queue-name": queue_name(number)}
        if shared[0].strict:
            strict.append(entry)
            continue
        share = sum(c.share_percent or 0 for c in shared)
        weighted.append(entry | ({"weight": share} if share else {}))
    terms: list[Tree] = []
    if strict:
        terms.append({"sequence": 0, "priority": "strict", "input": strict})
    if weighted:
        terms.append({"sequence": 1, "input": weighted})
    return {"name": kind.name, "scheduler": terms}


def _interfaces(switch: Switch) -> Iterator[Tree]:
    """PFC and queues on the port, the classifier on its subinterface."""
    outputs: dict[str, Tree] = {}
    for port in switch.ports:
        kind = port.queueing
        if kind is None or not is_routed(port):
            continue
        shared = outputs.get(kind.name)
        if shared is None:
            shared = outputs[kind.name] = _binding(kind)
        yield {"interface-id": port.name, "interface-ref": {"interface": port.name}, **shared}
        yield {
            "interface-id": f"{port.name}.0",
            "interface-ref": {"interface": port.name, "subinterface": 0},
            "input": {"classifiers": {"dscp-policy": CLASSIFIER}},
        }


def _binding(kind: PortQueueing) -> Tree:
    tree: Tree = {}
    if kind.priorities:
        tree["pfc"] = {"pfc-mapping-profile": kind.name, "pfc-enable": True}
        tree["input"] = {"pfc-buffer-allocation-profile": f"{kind.name}-pfc"}
    queues = by_queue(kind)
    output: Tree = {}
    marked = [n for n, shared in queues.items() if shared[0].ecn]
    if marked:
        output["queues"] = {
            "queue": [
                {"queue-name": queue_name(n), "queue-management-profile": f"{kind.name}-{n}"} for n in marked
            ]
        }
    output["scheduler"] = {"scheduler-policy": kind.name}
    if any(c.ecn or c.priority is not None for c in kind.classes):
        output["buffer-allocation-profile"] = f"{kind.name}-egress"
    tree["output"] = output
    return tree


def _linecard(switch: Switch, report: Report) -> Tree:
    reserved = reservation_percent(switch)
    if reserved is None:
        report.add(
            codes.BUFFER.at(
                switch.origin.child("model"),
                f"Nokia SR Linux reserves headroom in percent of the buffer, and that of {switch.hardware.model} is "
                "not known",
                value=switch.hardware.id,
                hint="add `buffer` to the hardware model",
                subjects=(switch.name,),
            )
        )
    return {"slot": 1, "forwarding-complex": [{"name": "0", "input": {"pfc-buffer-reservation": reserved}}]}


def _check(queueing: Queueing, report: Report) -> None:
    origin = Origin((), f"policy:{queueing.policy}")
    for kind in queueing.profiles:
        for one in kind.classes:
            _check_class(origin.child("classes", one.name), one, report)
        for shared in by_queue(kind).values():
            _check_shared(origin, shared, report)
        headroom = kind.headroom.headroom_bytes if kind.headroom else 0
        if headroom > MOST_SHARE_BYTES:
            report.add(
                codes.RANGE.at(
                    origin.child("headroom"),
                    f"Nokia SR Linux reserves at most {MOST_SHARE_BYTES} bytes for a PFC queue, not {headroom}",
                    value=headroom,
                    hint="shorten the cables of this kind of port",
                )
            )
    if queueing.watchdog is not None:
        _check_watchdog(origin.child("watchdog"), queueing, report)


def _check_class(place: Origin, one: ClassQueueing, report: Report) -> None:
    if one.ecn is None:
        return
    low, high = one.ecn.kmin_bytes, one.ecn.kmax_bytes
    if high > QUEUE_DEPTH_BYTES:
        report.add(
            codes.ECN_RANGE.at(
                place.child("ecn"),
                f"Nokia SR Linux marks in percent of a queue depth of {QUEUE_DEPTH_BYTES} bytes; kmax is {high}",
                value=high,
                hint=f"write `kmax` of at most {QUEUE_DEPTH_BYTES} bytes",
            )
        )
    elif any(percent(size) * QUEUE_DEPTH_BYTES != 100 * size for size in (low, high)):
        report.add(
            codes.ECN_ROUNDED.at(
                place.child("ecn"),
                f"Nokia SR Linux marks from {percent(low)} to {percent(high)} percent of {QUEUE_DEPTH_BYTES} bytes: "
                f"{percent(low) * QUEUE_DEPTH_BYTES // 100} and {percent(high) * QUEUE_DEPTH_BYTES // 100} bytes "
                f"for {low} and {high}",
                value=f"{low}/{high}",
                hint=f"one percent is {QUEUE_DEPTH_BYTES // 100} bytes; choose thresholds near multiples of it",
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
    if timers is None or not any(kind.priorities for kind in queueing.profiles):
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

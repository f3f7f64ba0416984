"""From a policy and the ports of a switch to the queueing of that switch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.qos import codes, ecn, pause_thresholds
from fabric.qos.check_claims import check_curve, state_claim
from fabric.qos.check_classes import check_classes, code_points
from fabric.qos.ecn import round_trip_ns
from fabric.qos.headroom import UNKNOWN, choose_headroom, standard_headroom_bytes, table_row
from fabric.qos.model import (
    BufferBudget,
    BufferTiming,
    ClassQueueing,
    EcnMarking,
    Headroom,
    PortKind,
    PortQueueing,
    Queueing,
    TableRow,
    TrimmedPackets,
    WatchdogTimers,
)
from fabric.qos.policy import SMALLEST_FRAME_BYTES, LosslessPolicy, TrafficClass
from fabric.qos.watchdog import check_detection, check_timers, timers
from fabric.units import Bytes, Length, Speed, counted

__all__ = ["check_policy", "plan_queueing", "round_trip_ns"]


def check_policy(policy: LosslessPolicy, document: str, report: Report) -> None:
    """Report what is wrong with a policy by itself. `document` is its name in origins: `policy:NAME`."""
    origin = Origin((), document)
    check_classes(policy, origin, report)
    lossless = [name for name, c in policy.classes.items() if c.priority is not None]
    if policy.watchdog != "none":
        check_timers(policy.watchdog, origin.child("watchdog"), report)
    elif lossless:
        rule = f"class {lossless[0]!r} can be paused for ever"
        fix = codes.WATCHDOG_MISSING.fix
        report.add(codes.WATCHDOG_MISSING.at(origin.child("watchdog"), rule, value="none", hint=fix))


def plan_queueing(  # noqa: PLR0913  # one call a switch, all by name: a record of them would say no more
    policy_name: str,
    policy: LosslessPolicy,
    kinds: Iterable[PortKind],
    *,
    timing: BufferTiming | None,
    table: tuple[TableRow, ...],
    buffer_bytes: int | None,
    max_frame_bytes: int,
    round_trip_ns: int,
    origin: Origin,
    report: Report,
) -> Queueing:
    """The queueing of a switch with these kinds of ports.

    `timing` and `buffer_bytes` are None where nothing is published of the ASIC; the policy's own round trip
    replaces `round_trip_ns`. `origin` is where the network names the policy.
    """
    case = Case(
        name=policy_name,
        policy=policy,
        kinds=tuple(sorted(kinds)),
        timing=timing,
        table=table,
        buffer_bytes=buffer_bytes,
        max_frame_bytes=max_frame_bytes,
        trip_ns=round_trip_ns if policy.round_trip_us == "auto" else policy.round_trip_us * 1000,
        origin=origin,
        report=report,
    )
    headrooms = _headrooms(case)
    shared = _shared(case, headrooms)
    # The fastest first: what is said of a written curve is said of the port that suffers most.
    derived = [_profile(case, kind, headrooms, shared) for kind in reversed(case.kinds)]
    profiles = tuple(sorted(derived, key=_name))
    return Queueing(
        policy=policy_name,
        profiles=profiles,
        watchdog=_watchdog(case),
        budget=None if shared is None else _budget(case, shared, profiles),
        trimming=_trimming(policy),
        marking_depth_bytes=None if policy.marking_depth_bytes is None else int(policy.marking_depth_bytes),
    )


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """What one call of `plan_queueing` is about."""

    name: str
    policy: LosslessPolicy
    kinds: tuple[PortKind, ...]
    timing: BufferTiming | None
    table: tuple[TableRow, ...]
    buffer_bytes: int | None
    max_frame_bytes: int
    trip_ns: int
    origin: Origin
    report: Report

    @property
    def lossless(self) -> tuple[TrafficClass, ...]:
        """The classes that are paused instead of dropped."""
        return tuple(c for c in self.policy.classes.values() if c.priority is not None)

    @property
    def ports(self) -> int:
        """Ports of the switch that carry the classes."""
        return sum(kind.count for kind in self.kinds)


Headrooms = Mapping[tuple[int, int], Headroom]
"""By speed in Mb/s and cable in metres; empty without a lossless class."""


def _headrooms(case: Case) -> Headrooms:
    if not case.lossless:
        return {}
    if case.timing is None:
        rule = (
            f"cell size and latencies of this ASIC are not published: headroom is computed with a cell of "
            f"{UNKNOWN.cell_bytes} B and {UNKNOWN.extra_latency_ns} ns, the largest that are"
        )
        case.report.add(
            codes.ASIC_UNKNOWN.at(case.origin, rule, value=case.name, hint=codes.ASIC_UNKNOWN.fix)
        )
    headrooms = {(kind.speed_mbps, kind.cable_m): _headroom(case, kind) for kind in case.kinds}
    without = [key for key, headroom in headrooms.items() if headroom.table_bytes is None]
    if without and case.policy.headroom_mode == "vendor-table":
        ports = ", ".join(f"{Speed(speed_mbps)} {Length(cable_m)}" for speed_mbps, cable_m in without)
        rule = f"no published row for ports of {ports}, nor for longer cables"
        case.report.add(
            codes.NO_TABLE_ROW.at(case.origin, rule, value=case.name, hint=codes.NO_TABLE_ROW.fix)
        )
    return headrooms


def _headroom(case: Case, kind: PortKind) -> Headroom:
    timing = case.timing or UNKNOWN
    row = table_row(case.table, kind.speed_mbps, kind.cable_m)
    latency, smallest = timing.pipeline_latency_bytes or 0, case.policy.smallest_frame_bytes

    def formula(frame_bytes: int) -> int:
        return standard_headroom_bytes(
            kind.speed_mbps, kind.cable_m, timing, case.max_frame_bytes, frame_bytes
        )

    safe = choose_headroom("safe", formula(SMALLEST_FRAME_BYTES), row, latency)
    headroom = choose_headroom(case.policy.headroom_mode, formula(smallest), row, latency)
    reason = headroom.reason
    if smallest != SMALLEST_FRAME_BYTES:
        reason += f"; frames of at least {smallest} B: `safe` ({SMALLEST_FRAME_BYTES} B) gives {safe.headroom_bytes}"
        if (
            headroom.headroom_bytes == headroom.table_bytes != headroom.formula_bytes
            and case.policy.headroom_mode == "safe"
        ):
            reason += f"; the table row holds all the same: `mode: formula` gives {headroom.formula_bytes}"
    return msgspec.structs.replace(headroom, safe_bytes=safe.headroom_bytes, reason=reason)


def _shared(case: Case, headrooms: Headrooms) -> pause_thresholds.Shared | None:
    """What is left to share; None where no buffer is known or nothing is lossless."""
    if case.buffer_bytes is None or not headrooms or not case.ports:
        return None
    each = {key: h.headroom_bytes + h.resume_bytes for key, h in headrooms.items()}
    total = sum(kind.count * each[kind.speed_mbps, kind.cable_m] for kind in case.kinds)
    shared = pause_thresholds.Shared(
        buffer_bytes=case.buffer_bytes,
        headroom_bytes=total * len(case.lossless),
        ports=case.ports,
        lossless_classes=len(case.lossless),
    )
    _check_fit(case, shared)
    return shared


def _check_fit(case: Case, shared: pause_thresholds.Shared) -> None:
    percent = -(-100 * shared.headroom_bytes // shared.buffer_bytes)
    rule = (
        f"{counted(shared.ports, 'port')} x {counted(shared.lossless_classes, 'lossless class')} "
        f"need {Bytes(shared.headroom_bytes)} of "
        f"headroom, {percent} % of the buffer of {Bytes(shared.buffer_bytes)}"
    )
    if shared.free_bytes <= 0:
        hint = _fit_hint(case, shared)
        case.report.add(codes.HEADROOM_UNFIT.at(case.origin, rule, value=case.name, hint=hint))
    elif 2 * shared.headroom_bytes > shared.buffer_bytes:
        case.report.add(
            codes.HEADROOM_LARGE.at(case.origin, rule, value=case.name, hint=codes.HEADROOM_LARGE.fix)
        )


def _fit_hint(case: Case, shared: pause_thresholds.Shared) -> str:
    longest = max(case.kinds, key=lambda kind: kind.cable_m)
    per_class = shared.headroom_bytes // shared.lossless_classes
    fitting = max((shared.buffer_bytes - 1) // per_class, 0)
    if 0 < fitting < shared.lossless_classes:
        return f"{fitting} lossless {'class fits' if fitting == 1 else 'classes fit'}"
    return f"the longest cable is {Length(longest.cable_m)}: shorten it, or use fewer lossless ports"


def _profile(
    case: Case, kind: PortKind, headrooms: Headrooms, shared: pause_thresholds.Shared | None
) -> PortQueueing:
    word = "lossless" if case.lossless else "lossy"
    points = code_points(case.policy.classes)
    classes = [
        ClassQueueing(
            name=name,
            dscp=points[name],
            is_rest=c.dscp == "rest",
            traffic_class=c.traffic_class,
            priority=c.priority,
            queue=c.queue,
            share_percent=c.share,
            strict=c.strict,
            ecn=_marking(case, name, c, kind, shared),
            is_cnp=name == case.policy.cnp,
            max_rate_percent=c.max_rate_percent,
        )
        for name, c in case.policy.classes.items()
    ]
    return PortQueueing(
        name=f"{word}-{Speed(kind.speed_mbps)}-{Length(kind.cable_m)}".lower(),
        speed_mbps=kind.speed_mbps,
        cable_m=kind.cable_m,
        classes=tuple(sorted(classes, key=lambda c: c.traffic_class)),
        headroom=headrooms.get((kind.speed_mbps, kind.cable_m)),
    )


def _marking(
    case: Case, name: str, traffic_class: TrafficClass, kind: PortKind, shared: pause_thresholds.Shared | None
) -> EcnMarking | None:
    curve = traffic_class.ecn
    if curve == "none":
        return None
    paused = shared if traffic_class.priority is not None and shared and shared.free_bytes > 0 else None
    if curve == "auto":
        return ecn.auto_marking(
            kind.speed_mbps,
            case.trip_ns,
            first_below_bytes=pause_thresholds.ecn_first_below_bytes(paused) if paused else None,
            pause_bytes=pause_thresholds.pause_threshold_bytes(paused) if paused else None,
        )
    marking = EcnMarking(
        kmin_bytes=int(curve.kmin_bytes),
        kmax_bytes=int(curve.kmax_bytes),
        pmax_percent=curve.pmax_percent,
        computed=False,
    )
    place = Origin(("classes", name, "ecn"), f"policy:{case.name}")
    check_curve(marking, kind, case.trip_ns, paused, place, case.report)
    return marking


def _trimming(policy: LosslessPolicy) -> TrimmedPackets | None:
    if policy.trim == "none":
        return None
    into = policy.classes[policy.trim.into]
    return TrimmedPackets(
        size_bytes=int(policy.trim.size_bytes),
        dscp=code_points(policy.classes)[policy.trim.into][0],
        traffic_class=into.traffic_class,
        queue=into.queue,
        queues=tuple(sorted(policy.classes[name].queue for name in policy.trim.classes)),
    )


def _watchdog(case: Case) -> WatchdogTimers | None:
    if case.policy.watchdog == "none" or not case.lossless:
        return None
    detection = timers(case.policy.watchdog)
    if case.kinds:
        slowest = min(kind.speed_mbps for kind in case.kinds)
        check_detection(detection, case.buffer_bytes, slowest, case.origin, case.report)
    return detection


def _budget(case: Case, shared: pause_thresholds.Shared, profiles: tuple[PortQueueing, ...]) -> BufferBudget:
    statement = state_claim(shared, profiles, case.trip_ns, case.policy.incast, case.origin, case.report)
    return BufferBudget(
        buffer_bytes=shared.buffer_bytes,
        headroom_bytes=shared.headroom_bytes,
        share=Fraction(shared.headroom_bytes, shared.buffer_bytes),
        ecn_first_below_bytes=pause_thresholds.ecn_first_below_bytes(shared),
        statement=statement,
    )


def _name(profile: PortQueueing) -> str:
    return profile.name

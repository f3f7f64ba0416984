"""Traffic classes: whether a policy's classes fit together, and what `rest` means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from fabric.diagnostics import Code, Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.qos import codes
from fabric.qos.policy import SMALLEST_FRAME_BYTES, EcnCurve, LosslessPolicy, TrafficClass

CODE_POINTS = 64
"""Values of the differentiated-services field (RFC 2474)."""

FEW_LOSSLESS = 2
"""More lossless classes than this take most of a buffer (`docs/lossless.md`, buffer budget)."""

SMALLEST_TRIMMED, LARGEST_TRIMMED = 256, 1024
"""Bytes left of a trimmed packet (Cumulus Linux 5.14, Packet Trimming)."""

LARGEST_SMALLEST_BYTES = 4158
"""A frame with the largest RDMA payload, 4096 bytes, and 62 bytes around it (docs/lossless.md)."""

MAX_RATE_PERCENT = 5
"""Of a port, for congestion notifications (github Juniper/jvd @005ab344, data_center/aidc: scheduler of CNP)."""

Classes = Mapping[str, TrafficClass]


def code_points(classes: Classes) -> dict[str, tuple[int, ...]]:
    """The code points of each class, ascending; `rest` gets all that no class names."""
    named = {point for c in classes.values() if c.dscp != "rest" for point in c.dscp}
    rest = tuple(point for point in range(CODE_POINTS) if point not in named)
    return {name: rest if c.dscp == "rest" else tuple(sorted(c.dscp)) for name, c in classes.items()}


def check_classes(policy: LosslessPolicy, origin: Origin, report: Report) -> None:
    """Report whatever does not fit together in the classes of a policy. `origin` is the policy's."""
    place = origin.child("classes")
    _check_code_points(policy.classes, place, report)
    _check_rest(policy.classes, place, report)
    for code, key, of in UNIQUE:
        _check_unique(code, key, of, policy.classes, place, report)
    _check_lossless(policy.classes, place, report)
    _check_shares(policy.classes, place, report)
    _check_max_rates(policy.classes, place, report)
    _check_curves(policy.classes, place, report)
    _check_cnp(policy, origin, report)
    _check_trimming(policy, origin.child("trim"), report)
    _check_smallest_frame(policy, origin.child("headroom", "smallest_frame"), report)


UNIQUE: tuple[tuple[Code, str, Callable[[TrafficClass], int | None]], ...] = (
    (codes.QUEUE_TWICE, "queue", lambda c: c.queue),
    (codes.TRAFFIC_CLASS_TWICE, "traffic_class", lambda c: c.traffic_class),
    (codes.PRIORITY_TWICE, "priority", lambda c: c.priority),
)


def _check_unique(
    code: Code,
    key: str,
    of: Callable[[TrafficClass], int | None],
    classes: Classes,
    place: Origin,
    report: Report,
) -> None:
    owner: dict[int, str] = {}
    for name, traffic_class in classes.items():
        value = of(traffic_class)
        if value is None:
            continue
        first = owner.setdefault(value, name)
        if first != name:
            free = sorted(set(range(8)) - {of(c) for c in classes.values() if of(c) is not None})
            rule = f"{key.replace('_', ' ')} {value} belongs to class {first!r} already"
            hint = f"free: {', '.join(map(str, free))}" if free else code.fix
            report.add(code.at(place.child(name, key), rule, value=value, hint=hint))


def _check_code_points(classes: Classes, place: Origin, report: Report) -> None:
    owner: dict[int, str] = {}
    for name, traffic_class in classes.items():
        if traffic_class.dscp == "rest":
            continue
        for index, point in enumerate(traffic_class.dscp):
            first = owner.setdefault(point, name)
            twice_here = point in traffic_class.dscp[:index]
            if first != name or twice_here:
                where = "twice in this class" if twice_here else f"in class {first!r} already"
                spot = place.child(name, "dscp", index)
                hint = f"take {point} out of one of them"
                report.add(codes.DSCP_TWICE.at(spot, f"DSCP {point} is {where}", value=point, hint=hint))
        if not traffic_class.dscp and traffic_class.priority is None:
            rule = "the class names no code point"
            hint = "name its code points, or remove the class"
            report.add(codes.NO_CODE_POINT.at(place.child(name, "dscp"), rule, hint=hint))


def _check_rest(classes: Classes, place: Origin, report: Report) -> None:
    takers = [name for name, c in classes.items() if c.dscp == "rest"]
    left = len(code_points(classes)[takers[0]]) if takers else CODE_POINTS
    if not takers:
        rule = "no class has `dscp: rest`: code points that no class names would have no queue"
        hint = "write `dscp: rest` in the lossy class for everything else"
        report.add(codes.REST.at(place, rule, hint=hint))
    for name in takers[1:]:
        rule = f"class {takers[0]!r} takes the rest already"
        hint = f"name the code points of {name!r}, as in `dscp: [48]`"
        report.add(codes.REST.at(place.child(name, "dscp"), rule, value="rest", hint=hint))
    if takers and not left:
        rule = "the other classes name all 64 code points: nothing is left"
        hint = "take some code points out of the others, or remove this class"
        report.add(codes.NO_CODE_POINT.at(place.child(takers[0], "dscp"), rule, value="rest", hint=hint))


def _check_lossless(classes: Classes, place: Origin, report: Report) -> None:
    lossless = {name: c for name, c in classes.items() if c.priority is not None}
    for name, traffic_class in lossless.items():
        if not traffic_class.dscp or traffic_class.dscp == "rest":
            what = "takes the rest" if traffic_class.dscp else "names no code point"
            rule = f"priority {traffic_class.priority} is paused for a class that {what}"
            spot = place.child(name, "priority")
            hint = "name the code points of the lossless traffic, as in `dscp: [26]`, or remove `priority`"
            report.add(codes.NO_DROP_EMPTY.at(spot, rule, value=traffic_class.priority, hint=hint))
        if traffic_class.ecn == "none":
            rule = f"lossless class {name!r} is not marked: pausing is its only answer to congestion"
            report.add(codes.ECN_MISSING.at(place.child(name), rule, hint="set `ecn: auto`"))
    if len(lossless) > FEW_LOSSLESS:
        rule = f"{len(lossless)} lossless classes ({', '.join(lossless)}) reserve headroom on every port"
        hint = f"keep `priority` in {FEW_LOSSLESS} classes, and let the others be lossy"
        report.add(codes.MANY_LOSSLESS.at(place, rule, hint=hint))


def _check_shares(classes: Classes, place: Origin, report: Report) -> None:
    for name, traffic_class in classes.items():
        if traffic_class.strict and traffic_class.share is not None:
            rule = "a strict class is served first, as much as it has: a share says nothing about it"
            hint = "remove `share`, or `strict`"
            report.add(
                codes.SHARES.at(place.child(name, "share"), rule, value=traffic_class.share, hint=hint)
            )
        if not traffic_class.strict and traffic_class.share is None:
            rule = "the class is neither strict nor has a share of what the strict ones leave"
            hint = "add `share: PERCENT`, or `strict: true`"
            report.add(codes.SHARES.at(place.child(name), rule, hint=hint))
    shares = {name: c.share for name, c in classes.items() if not c.strict and c.share is not None}
    total = sum(shares.values())
    if shares and total != 100:  # percent
        parts = " + ".join(str(share) for share in shares.values())
        rule = f"the shares {parts} make {total}, not 100"
        hint = f"{'lower' if total > 100 else 'raise'} `share` of {', '.join(shares)} by {abs(total - 100)} in all"
        report.add(codes.SHARES.at(place, rule, value=total, hint=hint))


def _check_max_rates(classes: Classes, place: Origin, report: Report) -> None:
    """Hosts choose the code points of their packets: nothing but a limit keeps a strict class small."""
    for name, traffic_class in classes.items():
        if traffic_class.strict and traffic_class.max_rate_percent is None:
            rule = f"class {name!r} may take whole ports: any host that marks its packets for it starves the others"
            hint = f"write `max_rate: {MAX_RATE_PERCENT}` in {name!r}"
            report.add(codes.STRICT_UNLIMITED.at(place.child(name, "strict"), rule, value=True, hint=hint))
        if traffic_class.max_rate_percent is not None and not traffic_class.strict:
            rule = "a class with a share is limited by the shares of the others: a maximum rate says nothing about it"
            report.add(
                codes.MAX_RATE.at(
                    place.child(name, "max_rate"),
                    rule,
                    value=traffic_class.max_rate_percent,
                    hint="remove `max_rate`",
                )
            )


def _check_curves(classes: Classes, place: Origin, report: Report) -> None:
    for name, traffic_class in classes.items():
        curve = traffic_class.ecn
        if isinstance(curve, EcnCurve) and not 0 < curve.kmin_bytes < curve.kmax_bytes:
            rule = f"kmin {curve.kmin_bytes} and kmax {curve.kmax_bytes}: 0 < kmin < kmax must hold"
            spot = place.child(name, "ecn", "kmin")
            hint = (
                "swap the two, or write `ecn: auto`"
                if curve.kmin_bytes > curve.kmax_bytes > 0
                else "write `ecn: auto`"
            )
            report.add(codes.ECN_CURVE.at(spot, rule, value=str(curve.kmin_bytes), hint=hint))


def _check_cnp(policy: LosslessPolicy, origin: Origin, report: Report) -> None:
    marked = [name for name, c in policy.classes.items() if c.ecn != "none"]
    if policy.cnp is None:
        if marked:
            rule = f"{_listed(marked)} marked, but no class is named for the notifications"
            report.add(codes.CNP.at(origin, rule, hint="add `cnp: NAME`"))
        return
    place = origin.child("cnp")
    chosen = policy.classes.get(policy.cnp)
    if chosen is None:
        known = ", ".join(policy.classes)
        rule = f"there is no class {policy.cnp!r}; there are {known}"
        hint = did_you_mean(policy.cnp, policy.classes) or "name one of them"
        report.add(codes.CNP.at(place, rule, value=policy.cnp, hint=hint))
    elif chosen.priority is not None:
        rule = (
            f"class {policy.cnp!r} is lossless (priority {chosen.priority}): pauses would hold back the CNPs"
        )
        hint = "name a lossy class, preferably a separate strict one with `dscp: [48]`"
        report.add(codes.CNP.at(place, rule, value=policy.cnp, hint=hint))
    elif not chosen.strict and not chosen.share:
        rule = f"class {policy.cnp!r} is not strict and has no share: CNPs could starve"
        hint = f"write `strict: true` in {policy.cnp!r}"
        report.add(codes.CNP.at(place, rule, value=policy.cnp, hint=hint))


def _listed(names: Iterable[str]) -> str:
    quoted = [repr(name) for name in names]
    return f"class {quoted[0]} is" if len(quoted) == 1 else f"classes {', '.join(quoted)} are"


def _check_trimming(policy: LosslessPolicy, place: Origin, report: Report) -> None:
    """Only lossy packets are cut, and what is left of them must get through."""
    if policy.trim == "none":
        return
    size = policy.trim.size_bytes
    if size % 4 or not SMALLEST_TRIMMED <= size <= LARGEST_TRIMMED:
        rule = f"{size} is not a multiple of 4 between {SMALLEST_TRIMMED} and {LARGEST_TRIMMED}"
        report.add(codes.TRIM.at(place.child("size"), rule, value=int(size), hint="write `size: 256B`"))
    into = place.child("into")
    _check_trimmed(policy, policy.trim.into, into, report, goes_on=True)
    for i, name in enumerate(policy.trim.classes):
        _check_trimmed(policy, name, place.child("classes", i), report, goes_on=False)
        if name == policy.trim.into:
            rule = f"packets of class {name!r} would be cut into the class that cut packets travel in"
            hint = "take it out of `classes`"
            report.add(codes.TRIM.at(place.child("classes", i), rule, value=name, hint=hint))


def _check_trimmed(policy: LosslessPolicy, name: str, spot: Origin, report: Report, *, goes_on: bool) -> None:
    """One class that trimming names; `goes_on`: what is left of packets travels in it."""
    traffic_class = policy.classes.get(name)
    if traffic_class is None:
        hint = did_you_mean(name, policy.classes) or f"name one of {', '.join(policy.classes)}"
        report.add(codes.TRIM.at(spot, f"there is no class {name!r}", value=name, hint=hint))
    elif traffic_class.priority is not None:
        rule = f"class {name!r} is paused before it drops anything: there is nothing to cut"
        lossy = [
            other
            for other, other_class in policy.classes.items()
            if other_class.priority is None and not other_class.strict
        ]
        hint = f"name a class without `priority`: {', '.join(lossy) or 'there is none, so remove `trim`'}"
        report.add(codes.TRIM.at(spot, rule, value=name, hint=hint))
    elif goes_on and (not traffic_class.strict or traffic_class.dscp == "rest" or not traffic_class.dscp):
        rule = f"class {name!r} is not strict, or names no code point: cut packets would be lost, or not told apart"
        hint = "name a strict class with its own code point"
        report.add(codes.TRIM.at(spot, rule, value=name, hint=hint))


def _check_smallest_frame(policy: LosslessPolicy, place: Origin, report: Report) -> None:
    size = policy.smallest_frame_bytes
    if not SMALLEST_FRAME_BYTES <= size <= LARGEST_SMALLEST_BYTES:
        rule = f"{size} B is not a frame of RDMA data: {SMALLEST_FRAME_BYTES} to {LARGEST_SMALLEST_BYTES} B"
        hint = "write `smallest_frame: 1086B` for RDMA data of 1024 bytes, or `headroom: safe`"
        report.add(codes.SMALLEST_FRAME.at(place, rule, value=size, hint=hint))

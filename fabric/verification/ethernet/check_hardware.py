"""What ports really do to packets, as the devices report it, held against what they are configured for.

A configuration that differs from the intent is told by `check_queues`; what follows from it is not told here again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from fabric.platforms.device_state import PortQueues
from fabric.platforms.facts import ClassFacts, Facts
from fabric.units import counted
from fabric.verification.ethernet.check_cabling import Answers
from fabric.verification.ethernet.planned_network import End, PlannedNetwork
from fabric.verification.finding import Finding, finding, some

Queues = Mapping[int, ClassFacts]
Fault = tuple[str, str]
"""Kind of finding, and its words."""


ITEMS: Mapping[str, tuple[str, ...]] = {
    "PFC": ("has_pfc", "pfc_priorities"),
    "PFC watchdog": ("has_watchdog", "detect_ms"),
    "ECN": ("marks", "ecn"),
    "DSCP": ("trusts_dscp", "dscp_to_traffic_class"),
    "scheduling": ("is_scheduled", "shares"),
}
"""What a port may report, by the fields of `PortQueues` that say it."""


def reported_items(queues: PortQueues) -> tuple[str, ...]:
    """What one port reports of itself."""
    return tuple(
        item for item, fields in ITEMS.items() if any(getattr(queues, field) is not None for field in fields)
    )


def check_hardware(
    plan: PlannedNetwork,
    answers: Answers,
    running: Mapping[str, Facts],
    explained: Collection[tuple[str, End]],
) -> Iterator[Finding]:
    """A finding a device and fault: PFC, its watchdog, ECN, classes by DSCP or shares that are not as configured.

    `explained`: kinds and ports that the finding of the other end names.
    """
    for name, answer in answers.items():
        faults: dict[Fault, list[End]] = {}
        for end, queues in reporting_ports(plan, name, running[name]):
            if end[1] in answer.queues:
                for fault in _faults(queues, running[name], answer.queues[end[1]]):
                    if (fault[0], end) not in explained:
                        faults.setdefault(fault, []).append(end)
        for (kind, text), ends in faults.items():
            yield _finding(plan, kind, text, ends)


def reporting_ports(plan: PlannedNetwork, name: str, facts: Facts) -> Iterator[tuple[End, Queues]]:
    """The cabled ports of a switch that have queues, and what these are configured for."""
    for port, interface in facts.interfaces.items():
        queues = facts.profiles.get(interface.queueing or "")
        if (name, port) in plan.cables and queues is not None:
            yield (name, port), queues


def _finding(plan: PlannedNetwork, kind: str, text: str, ends: list[End]) -> Finding:
    others = f" and {counted(len(ends) - 1, 'more port')} of it" if len(ends) > 1 else ""
    where = f"{plan.end(ends[0])}, towards {plan.end(plan.cables[ends[0]])}{others}"
    return finding(kind, [plan.place(end) for end in ends], f"{where}: {text}", [ends[0][0]])


def _faults(queues: Queues, facts: Facts, reported: PortQueues) -> Iterator[Fault]:
    lossless = tuple(sorted(facts.priority for facts in queues.values() if facts.priority is not None))
    yield from _pauses(lossless, reported)
    if lossless and facts.watchdog is not None:
        yield from _watchdog(facts.watchdog[1], reported)
    yield from _marking(queues, reported)
    yield from _classes(facts, reported)
    yield from _scheduling(queues, reported)


def _pauses(lossless: tuple[int, ...], reported: PortQueues) -> Iterator[Fault]:
    if reported.pfc_priorities not in (None, lossless):
        has, wants = _listed(reported.pfc_priorities or ()), _listed(lossless)
        yield "pfc", f"the device reports PFC {has}, configured is {wants}"
    elif reported.has_pfc is not None and reported.has_pfc != bool(lossless):
        has = "on" if reported.has_pfc else "off"
        yield "pfc", f"the device reports PFC {has}, configured is {_listed(lossless)}"


def _watchdog(detect_ms: int, reported: PortQueues) -> Iterator[Fault]:
    if reported.has_watchdog is False:
        text = f"the device reports no PFC watchdog, configured is one that acts after {detect_ms:,} ms"
        yield "pfc-watchdog", text
    elif reported.detect_ms not in (None, detect_ms):
        text = f"the device reports a PFC watchdog that acts after {reported.detect_ms:,} ms"
        yield "pfc-watchdog", f"{text}, configured is {detect_ms:,} ms"


def _marking(queues: Queues, reported: PortQueues) -> Iterator[Fault]:
    """Thresholds where they are told, else whether a queue marks at all."""
    curves, marks = reported.ecn or {}, reported.marks or {}
    for number, facts in sorted(queues.items()):
        if number in curves and not _is_same(curves[number], facts.ecn, reported.ecn_step_bytes or 1):
            has, wants = _curve(curves[number]), _curve(facts.ecn)
            yield "ecn", f"queue {number}: the device reports {has}, configured is {wants}"
        elif number not in curves and number in marks and marks[number] != (facts.ecn is not None):
            has = "ECN" if marks[number] else "no ECN"
            yield "ecn", f"queue {number}: the device reports {has}, configured is {_curve(facts.ecn)}"


def _is_same(has: tuple[int, int, int] | None, wants: tuple[int, int, int] | None, step_bytes: int) -> bool:
    if has is None or wants is None:
        return has == wants
    near = (abs(mine - theirs) < step_bytes for mine, theirs in zip(has[:2], wants[:2], strict=True))
    return all(near) and has[2] == wants[2]


def _classes(facts: Facts, reported: PortQueues) -> Iterator[Fault]:
    if reported.trusts_dscp is False:
        yield "dscp", "the device reports that it does not class packets by DSCP"
    elif (known := reported.dscp_to_traffic_class) is not None:
        wrong = [
            f"DSCP {point} in traffic class {known.get(point, 'none')}, configured is {wants}"
            for point, wants in sorted(facts.dscp_to_traffic_class.items())
            if known.get(point) != wants
        ]
        if wrong:
            yield "dscp", f"the device reports {some(wrong)}"


def _scheduling(queues: Queues, reported: PortQueues) -> Iterator[Fault]:
    wanted = {
        n: facts for n, facts in sorted(queues.items()) if facts.strict or facts.share_percent is not None
    }
    if reported.is_scheduled is False and wanted:
        yield "scheduling", "the device reports its own scheduler, and not the one that is configured"
    known = reported.shares or {}
    wrong = [
        f"queue {number} {_share(known[number])}, configured is {_share(share)}"
        for number, facts in wanted.items()
        if number in known and known[number] != (share := None if facts.strict else facts.share_percent)
    ]
    if wrong:
        yield "scheduling", f"the device reports {some(wrong)}"


def _share(percent: int | None) -> str:
    return "strict" if percent is None else f"with {percent} %"


def _listed(priorities: tuple[int, ...]) -> str:
    return f"of priority {', '.join(map(str, priorities))}" if priorities else "off"


def _curve(curve: tuple[int, int, int] | None) -> str:
    if curve is None:
        return "no ECN"
    low, high, percent = curve
    return f"ECN from {low:,} to {high:,} bytes, {percent} %"

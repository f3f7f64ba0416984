"""What ports really do to packets, as the devices report it, held against what they are configured for.

A configuration that differs from the intent is told by `check_queues`; what follows from it is not told here again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.platforms.device_state import PortQueues
from fabric.platforms.facts import ClassFacts, Facts
from fabric.verification.ethernet.check_cabling import Answers
from fabric.verification.ethernet.planned_network import End, PlannedNetwork
from fabric.verification.finding import Finding, finding

Queues = Mapping[int, ClassFacts]


def check_hardware(plan: PlannedNetwork, answers: Answers, running: Mapping[str, Facts]) -> Iterator[Finding]:
    """A finding a device and fault: PFC that is off or has other priorities, other ECN thresholds, lost classes."""
    for name, answer in answers.items():
        faults: dict[tuple[str, str], list[End]] = {}
        for end, queues in reporting_ports(plan, name, running[name]):
            if end[1] in answer.queues:
                for fault in _faults(queues, answer.queues[end[1]]):
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
    others = f" and {len(ends) - 1:,} more ports of it" if len(ends) > 1 else ""
    where = f"{plan.end(ends[0])}, towards {plan.end(plan.cables[ends[0]])}{others}"
    return finding(kind, [plan.place(end) for end in ends], f"{where}: {text}", [ends[0][0]])


def _faults(queues: Queues, reported: PortQueues) -> Iterator[tuple[str, str]]:
    """Kind and words of each difference."""
    lossless = tuple(sorted(facts.priority for facts in queues.values() if facts.priority is not None))
    if reported.pfc_priorities not in (None, lossless):
        has, wants = _listed(reported.pfc_priorities or ()), _listed(lossless)
        yield "pfc", f"the device reports PFC {has}, configured is {wants}"
    elif reported.has_pfc is not None and reported.has_pfc != bool(lossless):
        yield (
            "pfc",
            f"the device reports PFC {'on' if reported.has_pfc else 'off'}, configured is {_listed(lossless)}",
        )
    for number, facts in sorted(queues.items()):
        if reported.ecn is not None and number in reported.ecn and reported.ecn[number] != facts.ecn:
            has, wants = _curve(reported.ecn[number]), _curve(facts.ecn)
            yield "ecn", f"queue {number}: the device reports {has}, configured is {wants}"
    if reported.trusts_dscp is False:
        yield "dscp", "the device reports that it does not class packets by DSCP"


def _listed(priorities: tuple[int, ...]) -> str:
    return f"of priority {', '.join(map(str, priorities))}" if priorities else "off"


def _curve(curve: tuple[int, int, int] | None) -> str:
    if curve is None:
        return "no ECN"
    low, high, percent = curve
    return f"ECN from {low:,} to {high:,} bytes, {percent} %"

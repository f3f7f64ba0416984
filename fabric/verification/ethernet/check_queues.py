"""What each device runs of queues, code points, PFC, ECN and watchdog, read back and held against the intent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.platforms.facts import ClassFacts, Facts
from fabric.verification.ethernet.planned_network import PlannedNetwork
from fabric.verification.finding import Finding, finding, some


def check_queues(plan: PlannedNetwork, running: Mapping[str, Facts]) -> Iterator[Finding]:
    """A finding a device and kind: ports with another profile, code points elsewhere, another watchdog."""
    for name, facts in running.items():
        expected = plan.expected(name)
        if not expected.profiles:
            continue
        where = plan.device(name)
        if texts := [*_bound(plan, name, expected, facts), *_profiles(expected, facts)]:
            yield finding("queueing", [name], f"{where}: {some(texts)}", [name])
        if texts := list(_code_points(expected, facts)):
            yield finding("code-points", [name], f"{where}: {some(texts)}", [name])
        if expected.watchdog is not None and facts.watchdog != expected.watchdog:
            text = f"{where}: the PFC watchdog is {_watchdog(facts)}, planned is {_watchdog(expected)}"
            yield finding("watchdog", [name], text, [name])


def _bound(plan: PlannedNetwork, name: str, expected: Facts, facts: Facts) -> Iterator[str]:
    for port, planned in expected.interfaces.items():
        actual = facts.interfaces.get(port)
        if (name, port) in plan.cables and (actual.queueing if actual else None) != planned.queueing:
            has = actual.queueing if actual and actual.queueing else "no queueing profile"
            yield f"{port} has {has}, planned is {planned.queueing or 'none'}"


def _profiles(expected: Facts, facts: Facts) -> Iterator[str]:
    for profile, queues in expected.profiles.items():
        for queue, planned in queues.items():
            actual = facts.profiles.get(profile, {}).get(queue)
            if actual != planned:
                yield f"queue {queue} of {profile}: {_difference(actual, planned)}"


def _difference(actual: ClassFacts | None, planned: ClassFacts) -> str:
    if actual is None:
        return "is not there"
    fields = [name for name in planned.__struct_fields__ if getattr(actual, name) != getattr(planned, name)]
    words = (f"{WORDS[name]} {getattr(actual, name)}, planned {getattr(planned, name)}" for name in fields)
    return "; ".join(words)


WORDS = {
    "priority": "PFC priority",
    "strict": "strict",
    "max_rate_percent": "rate in percent",
    "max_rate_mbps": "rate in Mb/s",
    "share_percent": "share in percent",
    "ecn": "ECN (kmin, kmax in bytes, percent)",
    "headroom_bytes": "headroom in bytes",
    "pause_threshold_bytes": "pause threshold in bytes",
    "resume_threshold_bytes": "resume threshold in bytes",
}


def _code_points(expected: Facts, facts: Facts) -> Iterator[str]:
    for what, planned, actual in (
        ("DSCP", expected.dscp_to_traffic_class, facts.dscp_to_traffic_class),
        ("traffic class", expected.traffic_class_to_queue, facts.traffic_class_to_queue),
    ):
        for point, target in planned.items():
            if actual.get(point) != target:
                yield f"{what} {point} is in {actual.get(point, 'none')}, planned is {target}"


def _watchdog(facts: Facts) -> str:
    if facts.watchdog is None:
        return "off"
    action, detect, restore, poll = facts.watchdog
    return f"{action} after {detect} ms, back after {restore} ms, looking each {poll} ms"

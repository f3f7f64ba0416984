"""What a configuration means for one port, in words that no product owns: what two ends of a cable must agree in.

Queue numbers, class names and profile names are each product's own matter. What counts on the wire is what happens
to a packet of a given DSCP: whether it is paused and by which priority, where it is marked, what it is scheduled by.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import msgspec

from fabric.platforms.base import ClassFacts, Facts
from fabric.units import spans

DSCPS = range(64)


class PortMeaning(msgspec.Struct, frozen=True):
    """What one port does to packets."""

    ip_mtu_bytes: int | None
    classes: tuple[ClassFacts | None, ...]
    """By DSCP; None: the configuration says nothing of it, or the port has no queueing."""
    watchdog: tuple[str, int, int, int] | None
    """action, detect, restore, poll in milliseconds; 0 where the product has its own."""
    speed_mbps: int | None = None
    """None: the configuration does not say."""


class Disagreement(msgspec.Struct, frozen=True):
    """Where two ends differ. `harmful`: packets are lost or links stop; else one end acts sooner than the other."""

    what: str
    near: str
    far: str
    harmful: bool


SAME = 0.1
"""Thresholds are told apart from this share on: products round to cells, kilobytes or percent of a queue."""


def port_meaning(facts: Facts, port: str) -> PortMeaning:
    """What is said of one port, by whatever profiles and maps."""
    interface = facts.interfaces[port]
    profile = facts.profiles.get(interface.queueing or "", {})
    queues = facts.traffic_class_to_queue
    classes = (facts.dscp_to_traffic_class.get(dscp) for dscp in DSCPS)
    by_dscp = tuple(None if c is None else profile.get(queues.get(c, c)) for c in classes)
    watchdog = facts.watchdog if profile else None
    return PortMeaning(interface.ip_mtu_bytes, by_dscp, watchdog, interface.speed_mbps)


def disagreements(near: PortMeaning, far: PortMeaning) -> Iterator[Disagreement]:
    """Everything in which the two ends of a link differ in meaning, the harmful first."""
    if near.ip_mtu_bytes != far.ip_mtu_bytes:
        yield Disagreement("IP MTU", f"{near.ip_mtu_bytes} B", f"{far.ip_mtu_bytes} B", harmful=True)
    if not any(near.classes) or not any(far.classes):
        return  # a port without queueing promises nothing: management, or storage that is kept apart
    yield from _differing("PFC priority", near, far, _priority, operator.eq, harmful=True)
    yield from _differing("scheduling", near, far, _scheduling, _close, harmful=False)
    if (speed_mbps := near.speed_mbps or far.speed_mbps) is not None:
        rate = partial(_max_rate, speed_mbps=speed_mbps)
        yield from _differing("maximum rate", near, far, rate, _close, harmful=False)
    yield from _differing("ECN", near, far, _marking, _close, harmful=False)
    if not _same_watchdog(near.watchdog, far.watchdog):
        yield Disagreement("PFC watchdog", _watchdog(near.watchdog), _watchdog(far.watchdog), harmful=False)


Numbers = tuple[int, ...] | None
Watchdog = tuple[str, int, int, int] | None


def _differing(
    what: str,
    near: PortMeaning,
    far: PortMeaning,
    measure: Callable[[ClassFacts | None], Numbers],
    same: Callable[[Numbers, Numbers], bool],
    *,
    harmful: bool,
) -> Iterator[Disagreement]:
    """One disagreement for all code points that differ alike."""
    differing: dict[tuple[Numbers, Numbers], list[int]] = {}
    for dscp, queues in enumerate(zip(near.classes, far.classes, strict=True)):
        pair = measure(queues[0]), measure(queues[1])
        if not same(*pair):
            differing.setdefault(pair, []).append(dscp)
    for (here, there), dscps in differing.items():
        where = f"{what} of DSCP {spans(dscps)}"
        yield Disagreement(where, WORDS[what](here), WORDS[what](there), harmful=harmful)


def _priority(queue: ClassFacts | None) -> Numbers:
    return None if queue is None or queue.priority is None else (queue.priority,)


def _scheduling(queue: ClassFacts | None) -> Numbers:
    """0 for strict priority, else the share in percent."""
    if queue is None:
        return None
    return (0,) if queue.strict else (queue.share_percent or 0,)


def _max_rate(queue: ClassFacts | None, speed_mbps: int) -> Numbers:
    """In Mb/s, of a strict queue that has one."""
    if queue is None or not queue.is_limited:
        return None
    rate = queue.max_rate_mbps
    return (speed_mbps * (queue.max_rate_percent or 0) // 100 if rate is None else rate,)


def _marking(queue: ClassFacts | None) -> Numbers:
    return None if queue is None else queue.ecn


def _close(near: Numbers, far: Numbers) -> bool:
    if near is None or far is None:
        return near == far
    return all(abs(a - b) <= SAME * max(a, b) for a, b in zip(near, far, strict=True))


def _same_watchdog(near: Watchdog, far: Watchdog) -> bool:
    """Whether both act alike. The polling interval is each product's own, and so is a timer of 0."""
    if near is None or far is None:
        return near == far
    timers = zip(near[1:3], far[1:3], strict=True)
    return near[0] == far[0] and all(a == b or 0 in (a, b) for a, b in timers)


def _watchdog(timers: Watchdog) -> str:
    if timers is None:
        return "none"
    action, detect_ms, restore_ms, _poll_ms = timers
    return f"{action} after {detect_ms} ms, restored after {restore_ms} ms" if detect_ms else action


WORDS: Mapping[str, Callable[[Numbers], str]] = {
    "PFC priority": lambda n: "lossy" if n is None else f"priority {n[0]}",
    "scheduling": lambda n: "none" if n is None else f"{n[0]}%" if n[0] else "strict",
    "maximum rate": lambda n: "none" if n is None else f"{n[0]:,} Mb/s",
    "ECN": lambda n: "no marking" if n is None else f"{n[0]:,} to {n[1]:,} B at {n[2]}%",
}

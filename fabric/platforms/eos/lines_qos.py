"""Every line of queueing: profiles, maps, the PFC watchdog."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.effects import WATCHDOG
from fabric.platforms.reading import Profile, Queue, State, added, fixed, member, put

UNITS = {"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}
"""EOS does not say whether its kbytes are 1000 or 1024; ours are written in bytes."""
ACTIONS = {"notify-only": "notify"}
"""EOS's words for watchdog actions to ours, where they differ."""
DEFAULT_CLASSES = (1, 0, 2, 3, 4, 5, 6, 7)
"""Traffic class of code points 0-7, 8-15 and so on (EOS manual, quality of service)."""

PROFILE = Effect("buffer", "queues and buffers of the ports that use it are set up anew")
CLASSED = Effect("buffer", "packets are classed and queued anew")


def qos_lines() -> tuple[Statement, ...]:
    """`qos profile`, `qos map` and the global lines of PFC."""
    in_map = partial(Statement, effect=CLASSED, topic="qos")
    of_watchdog = partial(Statement, effect=WATCHDOG, topic="priority-flow-control")
    return (
        Statement(
            "qos profile <profile>",
            reads=member("profiles", "profile", Profile),
            below=Section(*LINES, effect=PROFILE),
            effect=PROFILE,
        ),
        in_map(
            r"qos map dscp <points*:[\d ]+> to traffic-class {class:\d}",
            reads=_dscp,
            expands=_each_point,
            is_default=lambda parts: DEFAULT_CLASSES[int(parts["points"]) // 8 % 8] == int(parts["class"]),
        ),
        in_map(
            r"qos map traffic-class <classes*:[\d ]+> to tx-queue {queue:\d}",
            reads=_queue_of,
            expands=_each_class,
            is_default=lambda parts: parts["classes"] == parts["queue"],
        ),
        of_watchdog(
            "priority-flow-control pause watchdog default <time:timeout|recovery-time|polling-interval> {seconds}",
            reads=_watchdog_time,
        ),
        of_watchdog("priority-flow-control pause watchdog action {action}", reads=_watchdog_action),
    )


def _each_point(parts: Parts) -> Iterator[str]:
    for point in parts["points"].split():
        yield f"qos map dscp {point} to traffic-class {parts['class']}"


def _each_class(parts: Parts) -> Iterator[str]:
    for number in parts["classes"].split():
        yield f"qos map traffic-class {number} to tx-queue {parts['queue']}"


def _dscp(state: State, parts: Parts) -> None:
    state.dscp[int(parts["points"])] = int(parts["class"])


def _queue_of(state: State, parts: Parts) -> None:
    state.queues[int(parts["classes"])] = int(parts["queue"])


def _watchdog_time(state: State, parts: Parts) -> None:
    state.watchdog[parts["time"]] = parts["seconds"]


def _watchdog_action(state: State, parts: Parts) -> None:
    state.watchdog["action"] = ACTIONS.get(parts["action"], parts["action"])


def _queue(profile: Profile, parts: Parts) -> Queue:
    return profile.queues.setdefault(int(parts["queue"]), Queue())


def _ecn(queue: Queue, parts: Parts) -> None:
    unit = UNITS[parts["unit"]]
    queue.ecn = (int(parts["kmin"]) * unit, int(parts["kmax"]) * unit, int(parts["pmax"] or 100))


QUEUE = Section(
    Statement("no priority", reads=fixed("strict", value=False)),
    Statement("priority strict", reads=fixed("strict", value=True)),
    Statement(r"bandwidth percent {percent:\d+}", reads=put("share_percent", "percent", int)),
    Statement(r"shape rate {percent:\d+} percent", reads=put("max_rate_percent", "percent", int)),
    Statement(
        r"random-detect ecn minimum-threshold {kmin:\d+} {unit:bytes|kbytes|mbytes} "
        r"maximum-threshold {kmax:\d+} {same:bytes|kbytes|mbytes} "
        r"[max-mark-probability {pmax:\d+}] [weight {weight:\d+}]",
        reads=_ecn,
    ),
)
LINES = (
    Statement("qos trust {what:dscp|cos}"),
    Statement("priority-flow-control on"),
    Statement(
        r"priority-flow-control priority <priority:\d> no-drop", reads=added("priorities", "priority", int)
    ),
    Statement("priority-flow-control pause watchdog"),
    Statement(r"uc-tx-queue|tx-queue <queue:\d>", reads=_queue, below=QUEUE),
)

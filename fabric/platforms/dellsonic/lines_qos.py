"""Every line of queueing: maps, schedulers, curves, buffers, the PFC watchdog.

Sources: SONiC management framework, Industry Standard CLI reference guide (`qos map`, `qos scheduler-policy`,
`qos wred-policy`); Ansible dellemc.enterprise_sonic 4.1 (`sonic_qos_buffer`, `sonic_qos_pfc`, `sonic_roce`);
sonic-net/sonic-mgmt, spytest/apis/qos (`roce enable` and `buffer init lossless` ask, save and reboot).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.dellsonic.lower_qos import KBYTES
from fabric.platforms.dellsonic.state import DellsonicState
from fabric.platforms.effects import BUFFERS, CLASSED, QUEUES, WATCHDOG
from fabric.platforms.line_tables import others
from fabric.platforms.number_lists import SPANS, one_by_one
from fabric.platforms.reading import Queue, fixed, member, note, put

REBOOTS = Effect("reload", "the switch asks, saves and reboots")


def _each(first: str, second: str) -> Callable[[Parts], Iterator[str]]:
    """The entries that a line of a map stands for."""

    def lines(parts: Parts) -> Iterator[str]:
        for number in one_by_one(parts["numbers"]):
            yield f"{first} {number} {second} {parts['value']}"

    return lines


def _map(kind: str, first: str, second: str, reads: Callable[[DellsonicState, Parts], None]) -> Statement:
    entry = Statement(
        rf"{first} <numbers:{SPANS}> {second} {{value:\d+}}", reads=reads, expands=_each(first, second)
    )
    return Statement(f"qos map {kind} <name>", below=Section(entry, effect=CLASSED), effect=CLASSED)


def _point(state: DellsonicState, parts: Parts) -> None:
    state.dscp[int(parts["numbers"])] = int(parts["value"])


def _queue_of_class(state: DellsonicState, parts: Parts) -> None:
    state.queues[int(parts["numbers"])] = int(parts["value"])


def _group_of_class(state: DellsonicState, parts: Parts) -> None:
    state.service("priority groups", parts["line"])


def _queue_of_priority(state: DellsonicState, parts: Parts) -> None:
    state.paused[int(parts["numbers"])] = int(parts["value"])


def _queue(queues: dict[int, Queue], parts: Parts) -> Queue:
    return queues.setdefault(int(parts["queue"]), Queue())


def _max_rate(queue: Queue, parts: Parts) -> None:
    queue.max_rate_mbps = int(parts["kbps"]) // 1000


def _thresholds(curve: Queue, parts: Parts) -> None:
    curve.ecn = (int(parts["kmin"]) * KBYTES, int(parts["kmax"]) * KBYTES, int(parts["pmax"]))


QUEUE = Section(
    Statement("type strict", reads=fixed("strict", value=True)),
    Statement("type dwrr"),
    Statement(r"weight {percent:\d+}", reads=put("share_percent", "percent", int)),
    Statement(r"pir {kbps:\d+}", reads=_max_rate),
)
CURVE = Section(
    Statement(
        r"green minimum-threshold {kmin:\d+} maximum-threshold {kmax:\d+} drop-probability {pmax:\d+}",
        reads=_thresholds,
    ),
    Statement("ecn all"),
)


def qos_lines() -> tuple[Statement, ...]:
    """At the left margin, in the order of the product."""
    return (
        Statement("buffer init lossless", reads=note("buffers"), effect=REBOOTS),
        Statement("roce enable [{how*}]", is_unread=True, effect=REBOOTS),
        Statement(
            r"buffer pool <pool> shared-headroom-size {bytes:\d+}", reads=note("buffers"), effect=BUFFERS
        ),
        *others(BUFFERS, "buffer"),
        Statement(
            "qos wred-policy <name>", reads=member("curves", "name", Queue), below=CURVE, effect=QUEUES
        ),
        Statement(
            "qos scheduler-policy <name>",
            reads=member("schedulers", "name", dict),
            below=Section(Statement(r"queue <queue:\d>", reads=_queue, below=QUEUE), effect=QUEUES),
            effect=QUEUES,
        ),
        _map("dscp-tc", "dscp", "traffic-class", _point),
        _map("tc-queue", "traffic-class", "queue", _queue_of_class),
        _map("tc-pg", "traffic-class", "priority-group", _group_of_class),
        _map("pfc-priority-queue", "pfc-priority", "queue", _queue_of_priority),
        *others(QUEUES, "qos"),
        Statement(
            r"priority-flow-control watchdog polling-interval {ms:\d+}",
            reads=put("poll_ms", "ms", int),
            effect=WATCHDOG,
        ),
        *others(WATCHDOG, "priority-flow-control"),
    )

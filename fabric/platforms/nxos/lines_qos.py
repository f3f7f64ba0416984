"""Every line of queueing: classes, the three kinds of policy, the PFC watchdog.

Source: Cisco Nexus 9000 QoS guide 10.5, which also says that changes of queuing are disruptive for all ports, and that
a class may be inserted before another: a packet has the first class of a policy that it matches.
"""

from __future__ import annotations

from typing import NamedTuple

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.effects import BUFFERS, CLASSED, QUEUES, WATCHDOG
from fabric.platforms.line_tables import others
from fabric.platforms.nxos.lower_qos import KBYTES
from fabric.platforms.nxos.state import NxosState
from fabric.platforms.reading import Profile, Queue, fixed, member, put

NAMED_POINTS = {
    "default": 0,
    "ef": 46,
    **{f"cs{n}": 8 * n for n in range(1, 8)},
    **{f"af{n}{drop}": 8 * n + 2 * drop for n in range(1, 5) for drop in range(1, 4)},
}
"""Code points by name (RFC 2474, 2597, 3246): NX-OS takes them too."""
POINT = rf"(?:{'|'.join(NAMED_POINTS)}|\d{{1,2}}(?:-\d{{1,2}})?)"

MATCHED = Effect("buffer", "packets are classed anew", new="none")
"""Nothing, where no policy uses the class yet."""
NAMED = Effect("flap", "a class of packets is made or removed", new="none")


class Class(NamedTuple):
    """A class whose lines are read."""

    state: NxosState
    name: str


def _class(state: NxosState, parts: Parts) -> Class:
    return Class(state, parts["class"])


def _dscp(named: Class, parts: Parts) -> None:
    points = named.state.points.setdefault(named.name, [])
    for part in parts["points"].split(","):
        if part in NAMED_POINTS:
            points.append(NAMED_POINTS[part])
            continue
        low, _, high = part.partition("-")
        points.extend(range(int(low), int(high or low) + 1))


def _group(named: Class, parts: Parts) -> None:
    named.state.classes[named.name] = int(parts["group"])


def _pause(state: NxosState, parts: Parts) -> None:
    state.paused.add(int(parts["priority"]))


def _queue(profile: Profile, parts: Parts) -> Queue:
    number = 0 if parts["queue"] == "-default" else int(parts["queue"])
    return profile.queues.setdefault(number, Queue())


def _max_rate(queue: Queue, parts: Parts) -> None:
    queue.max_rate_mbps = int(parts["rate"]) * (1000 if parts["unit"] == "g" else 1)


def _ecn(queue: Queue, parts: Parts) -> None:
    queue.ecn = (int(parts["kmin"]) * KBYTES, int(parts["kmax"]) * KBYTES, int(parts["pmax"]))


def _watchdog(state: NxosState, _parts: Parts) -> None:
    state.watchdog["action"] = "drop"


PAUSED = Section(Statement(r"mtu {bytes:\d+}"), Statement(r"pause pfc-cos {priority:\d}", reads=_pause))
QUEUE = Section(
    Statement("priority level 1", reads=fixed("strict", value=True)),
    Statement(r"bandwidth remaining percent {percent:\d+}", reads=put("share_percent", "percent", int)),
    Statement(r"shape min {least:\d+} {same:[mg]}bps max {rate:\d+} {unit:[mg]}bps", reads=_max_rate),
    Statement(
        r"random-detect minimum-threshold {kmin:\d+} kbytes maximum-threshold {kmax:\d+} kbytes "
        r"drop-probability {pmax:\d+} weight {weight:\d+} ecn",
        reads=_ecn,
    ),
)
CLASS = Section(Statement(r"set qos-group {group:\d}", reads=_group))
SYSTEM = Section(
    Statement("service-policy type network-qos {policy}"),
    Statement("service-policy type queuing output {policy}"),
)


def qos_lines() -> tuple[Statement, ...]:
    """`class-map`, `policy-map`, `system qos` and the watchdog."""
    return (
        Statement(
            "class-map type qos match-any <class>",
            reads=_class,
            below=Section(
                Statement(rf"match dscp {{points:{POINT}(?:,{POINT})*}}", reads=_dscp), effect=MATCHED
            ),
            effect=NAMED,
        ),
        Statement(
            "policy-map type network-qos <policy>",
            below=Section(Statement(r"class type network-qos c-8q-nq<class:\d|-default>", below=PAUSED)),
            effect=BUFFERS,
        ),
        Statement(
            "policy-map type qos <policy>",
            below=Section(
                Statement("class <class:class-default>", reads=_class, below=CLASS),  # always the last
                Statement("class <class>", reads=_class, below=CLASS, order_counts=True),
            ),
            effect=CLASSED,
        ),
        Statement(
            "policy-map type queuing <policy>",
            reads=member("profiles", "policy", Profile),
            below=Section(
                Statement(r"class type queuing c-out-8q-q<queue:\d|-default>", reads=_queue, below=QUEUE)
            ),
            effect=QUEUES,
        ),
        Statement("system qos", below=SYSTEM, effect=BUFFERS),
        Statement(
            "priority-flow-control watch-dog-interval on",
            reads=_watchdog,
            effect=WATCHDOG,
            topic="priority-flow-control",
        ),
        *others(NAMED, "class-map"),
        *others(WATCHDOG, "priority-flow-control"),
    )

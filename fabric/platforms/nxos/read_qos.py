"""Reading queueing: classes, the three kinds of policy, the watchdog."""

from __future__ import annotations

import re
from typing import NamedTuple

from fabric.platforms.nxos.lower_qos import KBYTES
from fabric.platforms.nxos.reading import Queue, State
from fabric.platforms.sections import Row, Table

NAMED_POINTS = {
    "default": 0,
    "ef": 46,
    **{f"cs{n}": 8 * n for n in range(1, 8)},
    **{f"af{n}{drop}": 8 * n + 2 * drop for n in range(1, 5) for drop in range(1, 4)},
}
"""Code points by name (RFC 2474, 2597, 3246): NX-OS takes them too."""
POINTS = rf"(?:{'|'.join(NAMED_POINTS)}|\d{{1,2}}(?:-\d{{1,2}})?)"


class _Class(NamedTuple):
    state: State
    name: str


def qos_rows() -> tuple[Row, ...]:
    """`class-map`, `policy-map`, `system qos` and the watchdog."""
    network = Table(Row(r"mtu \d+"), Row(r"pause pfc-cos (\d)", _pause))
    queue = Table(
        Row(r"priority level 1", _strict),
        Row(r"bandwidth remaining percent (\d+)", _share),
        Row(r"shape min \d+ [mg]bps max (\d+) ([mg])bps", _max_rate),
        Row(
            r"random-detect minimum-threshold (\d+) kbytes maximum-threshold (\d+) kbytes "
            r"drop-probability (\d+) weight \d+ ecn",
            _ecn,
        ),
    )
    return (
        Row(
            r"class-map type qos match-any (\S+)",
            _class,
            Table(Row(rf"match dscp ({POINTS}(?:,{POINTS})*)", _dscp)),
        ),
        Row(
            r"policy-map type network-qos \S+",
            below=Table(Row(r"class type network-qos c-8q-nq(?:\d|-default)", None, network)),
        ),
        Row(
            r"policy-map type qos \S+",
            below=Table(Row(r"class (\S+)", _class, Table(Row(r"set qos-group (\d)", _group)))),
        ),
        Row(
            r"policy-map type queuing (\S+)",
            _policy,
            Table(Row(r"class type queuing c-out-8q-q(\d|-default)", _queue, queue)),
        ),
        Row(r"system qos", below=Table(Row(r"service-policy type (?:network-qos|queuing output) \S+"))),
        Row(r"priority-flow-control watch-dog-interval on", _watchdog),
    )


def _class(state: State, match: re.Match[str]) -> _Class:
    return _Class(state, match[1])


def _dscp(one: _Class, match: re.Match[str]) -> None:
    points = one.state.points.setdefault(one.name, [])
    for part in match[1].split(","):
        if part in NAMED_POINTS:
            points.append(NAMED_POINTS[part])
            continue
        low, _, high = part.partition("-")
        points.extend(range(int(low), int(high or low) + 1))


def _group(one: _Class, match: re.Match[str]) -> None:
    one.state.groups[one.name] = int(match[1])


def _pause(state: State, match: re.Match[str]) -> None:
    state.paused.add(int(match[1]))


def _policy(state: State, match: re.Match[str]) -> dict[int, Queue]:
    return state.profiles.setdefault(match[1], {})


def _queue(profile: dict[int, Queue], match: re.Match[str]) -> Queue:
    return profile.setdefault(0 if match[1] == "-default" else int(match[1]), Queue())


def _strict(queue: Queue, _match: re.Match[str]) -> None:
    queue.strict = True


def _share(queue: Queue, match: re.Match[str]) -> None:
    queue.share_percent = int(match[1])


def _max_rate(queue: Queue, match: re.Match[str]) -> None:
    queue.max_rate_mbps = int(match[1]) * (1000 if match[2] == "g" else 1)


def _ecn(queue: Queue, match: re.Match[str]) -> None:
    queue.ecn = (int(match[1]) * KBYTES, int(match[2]) * KBYTES, int(match[3]))


def _watchdog(state: State, _match: re.Match[str]) -> None:
    state.watchdog = True

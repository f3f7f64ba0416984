"""Reading queueing: profiles, maps, the PFC watchdog."""

from __future__ import annotations

import re
from fractions import Fraction

from fabric.platforms.eos.reading import Profile, Queue, State
from fabric.platforms.sections import Row, Table

UNITS = {"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}
"""EOS does not say whether its kbytes are 1000 or 1024; ours are written in bytes."""
ACTIONS = {"notify-only": "notify"}
"""EOS's words for watchdog actions to ours, where they differ."""
TIMES = "timeout|recovery-time|polling-interval"


def qos_rows() -> tuple[Row, ...]:
    """`qos profile`, `qos map` and the global lines of PFC."""
    return (
        Row(r"qos profile (\S+)", _profile, _profile_lines()),
        Row(r"qos map dscp ([\d ]+) to traffic-class (\d)", _dscp),
        Row(r"qos map traffic-class ([\d ]+) to tx-queue (\d)", _queue_of),
        Row(rf"priority-flow-control pause watchdog default ({TIMES}) ([\d.]+)", _watchdog_time),
        Row(r"priority-flow-control pause watchdog (action) (\S+)", _watchdog_action),
    )


def _profile_lines() -> Table:
    queue = Table(
        Row(r"no priority", _weighted),
        Row(r"priority strict", _strict),
        Row(r"bandwidth percent (\d+)", _share),
        Row(r"shape rate (\d+) percent", _max_rate),
        Row(
            r"random-detect ecn minimum-threshold (\d+) (bytes|kbytes|mbytes) "
            r"maximum-threshold (\d+) (?:bytes|kbytes|mbytes)(?: max-mark-probability (\d+))?(?: weight \d+)?",
            _ecn,
        ),
    )
    return Table(
        Row(r"qos trust (?:dscp|cos)"),
        Row(r"priority-flow-control on"),
        Row(r"priority-flow-control priority (\d) no-drop", _no_drop),
        Row(r"priority-flow-control pause watchdog"),
        Row(r"uc-tx-queue (\d)", _queue, queue),
        Row(r"tx-queue (\d)", _queue, queue),
    )


def _profile(state: State, match: re.Match[str]) -> Profile:
    return state.profiles.setdefault(match[1], Profile())


def _dscp(state: State, match: re.Match[str]) -> None:
    state.dscp.update(dict.fromkeys(map(int, match[1].split()), int(match[2])))


def _queue_of(state: State, match: re.Match[str]) -> None:
    state.queues.update(dict.fromkeys(map(int, match[1].split()), int(match[2])))


def _watchdog_time(state: State, match: re.Match[str]) -> None:
    state.watchdog[match[1]] = match[2]


def _watchdog_action(state: State, match: re.Match[str]) -> None:
    state.watchdog["action"] = ACTIONS.get(match[2], match[2])


def _no_drop(profile: Profile, match: re.Match[str]) -> None:
    profile.priorities.append(int(match[1]))


def _queue(profile: Profile, match: re.Match[str]) -> Queue:
    return profile.queues.setdefault(int(match[1]), Queue())


def _weighted(queue: Queue, _match: re.Match[str]) -> None:
    queue.strict = False


def _strict(queue: Queue, _match: re.Match[str]) -> None:
    queue.strict = True


def _share(queue: Queue, match: re.Match[str]) -> None:
    queue.share_percent = int(match[1])


def _max_rate(queue: Queue, match: re.Match[str]) -> None:
    queue.max_rate_percent = int(match[1])


def _ecn(queue: Queue, match: re.Match[str]) -> None:
    unit = Fraction(UNITS[match[2]])
    queue.ecn = (int(int(match[1]) * unit), int(int(match[3]) * unit), int(match[4] or 100))

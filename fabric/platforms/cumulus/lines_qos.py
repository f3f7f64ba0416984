"""Every line of `qos`.

PFC and pools divide the buffer, and changing them reloads switchd: the whole switch (Cumulus Linux 5.14, Quality of
Service). Other queueing is set up anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fabric.configuration import Effect, Parts, Reader, Statement
from fabric.platforms.cumulus.lines_interfaces import PAUSES
from fabric.platforms.cumulus.rows import ON, container, thing
from fabric.platforms.cumulus.state import Place, Queue, begin, note
from fabric.platforms.effects import WATCHDOG

CLASSED = Effect("buffer", "packets are classed and queued anew")
POOLS = Effect("reload", "the buffer is divided anew: switchd reloads")
KBPS_OF_MBPS = 1000


def _queue(field: str, part: str = "", convert: Callable[[str], Any] = int, *, value: Any = None) -> Reader:
    """A reader that keeps a part of a line, or a fixed value, in a field of the traffic class of a profile."""

    def keep(place: Place, parts: Parts) -> None:
        profile = place.state.queueing.setdefault((place.parts["sort"], place.parts["profile"]), {})
        queue = profile.setdefault(int(place.parts["class"]), Queue())
        setattr(queue, field, convert(parts[part]) if part else value)

    return keep


def _dscp(place: Place, parts: Parts) -> None:
    place.state.dscp[int(place.parts["point"])] = int(parts["priority"])


def _queue_of(place: Place, parts: Parts) -> None:
    place.state.queues[int(place.parts["priority"])] = int(parts["class"])


def _paused(place: Place, parts: Parts) -> None:
    place.state.paused.setdefault(place.parts["profile"], []).append(int(parts["priority"]))


def _watchdog(place: Place, parts: Parts) -> None:
    place.state.watchdog[parts["what"]] = parts["value"]


def _preset(place: Place, _parts: Parts) -> None:
    place.state.preset.setdefault("state", "")


def _preset_setting(place: Place, parts: Parts) -> None:
    place.state.preset[parts.get("what", "state")] = parts["value"]


def _sort(sort: str, *lines: Statement) -> Statement:
    """Profiles of one sort: what they say of traffic classes."""
    return container(f"<sort:{sort}>", thing(r"<profile>", thing(r"traffic-class <class:\d+>", *lines)))


CURVE = (
    Statement(f"ecn {ON}", reads=_queue("marks", value=True)),
    Statement("ecn {off}", reads=_queue("marks", value=False)),
    Statement(r"min-threshold {bytes:\d+}", reads=_queue("low", "bytes")),
    Statement(r"max-threshold {bytes:\d+}", reads=_queue("high", "bytes")),
    Statement(r"probability {percent:\d+}", reads=_queue("probability", "percent")),
)
SHARES = (
    Statement("mode {mode}", reads=_queue("strict", "mode", lambda mode: mode == "strict")),
    Statement(r"bw-percent {percent:\d+}", reads=_queue("share_percent", "percent")),
)
MAX_RATE = Statement(
    r"max-rate {kbps:\d+}", reads=_queue("max_rate_mbps", "kbps", lambda kbps: int(kbps) // KBPS_OF_MBPS)
)
PAUSED = (
    Statement(r"cable-length {metres:\d+}", reads=note("cables", "{profile} {metres} m")),
    Statement("rx|tx {state}"),
    thing("switch-priority", Statement(r"<priority:\d+>", reads=_paused)),
)
PRIORITY = Statement(r"switch-priority {priority:\d+}", reads=_dscp)
CLASS = Statement(r"traffic-class {class:\d+}", reads=_queue_of)
SHARE = Statement(r"memory-percent {percent:\d+}", reads=note("pools", "{pool} {percent}"))
PRESET = (
    Statement("enable|state {value}", reads=_preset_setting),
    Statement("<what:mode> {value}", reads=_preset_setting),
    Statement(r"cable-length {metres:\d+}", reads=note("cables", "roce {metres} m")),
)


def qos_lines() -> tuple[Statement, ...]:
    """`qos`."""
    timer = Statement(r"<what:polling-interval|robustness> {value:\d+}", reads=_watchdog)
    return (
        container(
            "qos",
            thing("mapping default-global", Statement("trust {what}"), thing(r"dscp <point:\d+>", PRIORITY)),
            thing(r"egress-queue-mapping default-global switch-priority <priority:\d+>", CLASS),
            _sort("egress-scheduler", *SHARES),
            _sort("egress-shaper", MAX_RATE),
            _sort("congestion-control", *CURVE),
            container("pfc", thing("<profile>", *PAUSED), effect=PAUSES),
            thing("pfc-watchdog", timer, effect=WATCHDOG),
            thing("traffic-pool <pool>", SHARE, effect=POOLS),
            Statement("roce {value}", reads=_preset_setting, effect=POOLS),
            thing("roce", *PRESET, reads=_preset, effect=POOLS),
            effect=CLASSED,
            reads=begin,
        ),
    )

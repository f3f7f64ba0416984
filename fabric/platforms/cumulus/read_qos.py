"""Rows of `qos`, and what the product's own preset stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fabric.platforms.alike import combined_names
from fabric.platforms.base import ClassFacts
from fabric.platforms.cumulus.reading import ON, Handler, Match, Row, State, note

PRESET = "roce"
PRESET_CURVE = {"low": 150_000, "high": 1_500_000, "probability": 100}
"""Of `qos roce` in lossless and lossy mode (cumulus-linux-514 RDMA-over-Converged-Ethernet-RoCE.md)."""


def _dscp(state: State, match: Match, value: str) -> None:
    state.dscp[int(match[1])] = int(value)


def _queue(state: State, match: Match, value: str) -> None:
    state.queues[int(match[1])] = int(value)


def _class(field: str, convert: Callable[[str], Any]) -> Handler:
    def handle(state: State, match: Match, value: str) -> None:
        queue = state.profiles.setdefault(match[1], {}).setdefault(int(match[2]), {})
        queue[field] = convert(value)

    return handle


def _paused(state: State, match: Match, _value: str) -> None:
    state.paused.setdefault(match[1], []).append(int(match[2]))


def _watchdog(field: str) -> Handler:
    def handle(state: State, _match: Match, value: str) -> None:
        state.watchdog[field] = int(value)

    return handle


def _roce(state: State, _match: Match, value: str) -> None:
    if value in ON or not value:
        state.roce = state.roce or "lossless"


def _roce_mode(state: State, _match: Match, value: str) -> None:
    state.roce = value


CURVE = r"qos congestion-control (\S+) traffic-class (\d+)"
SCHEDULER = r"qos egress-scheduler (\S+) traffic-class (\d+)"
SHAPER = r"qos egress-shaper (\S+) traffic-class (\d+)"
KBPS_OF_MBPS = 1000
ROWS: tuple[Row, ...] = (
    (r"qos mapping default-global trust", None),
    (r"qos mapping default-global dscp (\d+) switch-priority", _dscp),
    (r"qos egress-queue-mapping default-global switch-priority (\d+) traffic-class", _queue),
    (rf"{SCHEDULER} mode", _class("strict", lambda v: v == "strict")),
    (rf"{SCHEDULER} bw-percent", _class("share_percent", int)),
    (rf"{SHAPER} max-rate", _class("max_rate_mbps", lambda v: int(v) // KBPS_OF_MBPS)),
    (rf"{CURVE} ecn", _class("marks", lambda v: v in ON)),
    (rf"{CURVE} min-threshold", _class("low", int)),
    (rf"{CURVE} max-threshold", _class("high", int)),
    (rf"{CURVE} probability", _class("probability", int)),
    (r"qos pfc (\S+) switch-priority (\d+)", _paused),
    (r"qos pfc (\S+) cable-length", note("cables", r"\1 VALUE m")),
    (r"qos pfc (\S+) (?:rx|tx)", None),
    (r"qos pfc-watchdog polling-interval", _watchdog("poll")),
    (r"qos pfc-watchdog robustness", _watchdog("robustness")),
    (r"qos traffic-pool (\S+) memory-percent", note("pools", r"\1 VALUE")),
    (r"qos roce(?: (?:enable|state))?", _roce),
    (r"qos roce mode", _roce_mode),
    (r"qos roce cable-length", note("cables", "roce VALUE m")),
)


def unfold_preset(state: State) -> None:
    """Say for `qos roce` what it stands for. What the file writes beside it wins."""
    if state.roce not in ("lossless", "lossless-single-ipool", "lossy"):
        return
    state.dscp = {point: point // 8 for point in range(64)} | state.dscp
    state.queues = dict.fromkeys(range(8), 0) | {3: 3, 6: 6} | state.queues
    state.profiles.setdefault(
        PRESET,
        {
            0: {"share_percent": 50, **PRESET_CURVE},
            3: {"share_percent": 50, **PRESET_CURVE},
            6: {"strict": True},
        },
    )
    if state.roce != "lossy":
        state.paused.setdefault(PRESET, state.paused.get("default-global", [3]))


SORTS: Mapping[str, frozenset[str]] = {
    "egress-scheduler": frozenset({"strict", "share_percent"}),
    "congestion-control": frozenset({"marks", "low", "high", "probability"}),
    "egress-shaper": frozenset({"max_rate_mbps"}),
    "pfc": frozenset(),
}
"""What each sort of profile says of a queue."""
Binding = tuple[str, ...]
"""The names of the profiles of a port, by sort."""


def bound_queues(state: State) -> tuple[dict[str, str], dict[str, dict[int, ClassFacts]]]:
    """One name for what each port is bound to, and what happens to its queues; profiles of no port by their own."""
    bindings = {
        port: tuple(names.get(sort, "") for sort in SORTS)
        for port, names in state.bound.items()
        if "egress-scheduler" in names
    }
    names, bound = combined_names(bindings.values()), {name for one in bindings.values() for name in one}
    found = {name: _queues(state, (name,) * len(SORTS)) for name in state.profiles if name not in bound}
    found |= {key: _queues(state, binding) for binding, key in names.items()}
    return {port: names[binding] for port, binding in bindings.items()}, found


def _queues(state: State, binding: Binding) -> dict[int, ClassFacts]:
    paused = {state.queues.get(one, one): one for one in state.paused.get(binding[-1], ())}
    merged: dict[int, dict[str, Any]] = {}
    for name, fields in zip(binding, SORTS.values(), strict=True):
        for queue, values in state.profiles.get(name, {}).items():
            told = {field: value for field, value in values.items() if field in fields}
            if told:
                merged.setdefault(queue, {}).update(told)
    return {
        queue: ClassFacts(
            priority=paused.get(queue),
            strict=values.get("strict", False),
            max_rate_mbps=values.get("max_rate_mbps"),
            share_percent=values.get("share_percent"),
            ecn=_curve(values),
        )
        for queue, values in sorted(merged.items())
    }


def _curve(values: dict[str, Any]) -> tuple[int, int, int] | None:
    if "high" not in values or not values.get("marks", True):
        return None
    return values.get("low", 0), values["high"], values.get("probability", 100)

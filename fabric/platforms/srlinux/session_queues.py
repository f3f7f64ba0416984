"""What SR Linux's state says that ports do to packets.

Source of the leaves: nokia/srlinux-yang-models v25.3.1, `srl_nokia-qos`, below `/qos/interfaces/interface`: what is
`config false` there, `pfc/oper-state`, `pfc/deadlock-detection-timer`, and of each queue `active-queue-management`
(slopes that are in use) and `scheduling`. Whether the classifier is in use, no leaf says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabric.platforms.device_state import PortQueues
from fabric.platforms.srlinux.session_state import PANEL, Tree, below, number, rows

QUEUE = "/qos/interfaces/interface/output/queues/queue"
REPORTS = {
    "has_pfc": "`/qos/interfaces/interface/pfc/oper-state`",
    "detect_ms": "`/qos/interfaces/interface/pfc/deadlock-detection-timer`",
    "ecn": f"`{QUEUE}/active-queue-management`",
    "shares": f"`{QUEUE}/scheduling`",
}
"""What ports tell of their queues, and where."""
STEP_BYTES = 1024
"""A threshold is kept in cells of the buffer, whose size no leaf tells: those of these ASICs are smaller than that."""
Curve = tuple[int, int, int]


def port_queues(queues: Tree, interfaces: Tree) -> dict[str, PortQueues]:
    """Of the front panel: each port that queues."""
    numbers = {
        str(row.get("name")): index
        for row in rows(queues, "queue")
        if (index := number(row.get("queue-index"))) is not None
    }
    return {
        name: _port(row, numbers)
        for row in rows(interfaces, "interface")
        if (name := str(row.get("interface-id", ""))).startswith(PANEL) and "." not in name
    }


def _port(row: Tree, numbers: Mapping[str, int]) -> PortQueues:
    pfc, queues = below(row, "pfc"), rows(row, "output", "queues", "queue")
    known = [
        (numbers[name], queue) for queue in queues if (name := str(queue.get("queue-name", ""))) in numbers
    ]
    return PortQueues(
        has_pfc=pfc["oper-state"] == "up" if "oper-state" in pfc else None,
        detect_ms=number(pfc.get("deadlock-detection-timer")),
        ecn=dict(_curves(known)) or None,
        ecn_step_bytes=STEP_BYTES,
        shares=dict(_shares(known)) or None,
    )


def _curves(queues: list[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, Curve | None]]:
    """Of the queues that tell their slopes: the slope that marks, whatever colours it is for."""
    for index, queue in queues:
        if "active-queue-management" in queue:
            slopes = rows(queue, "active-queue-management", "wred-slope")
            yield index, next((curve for slope in slopes if (curve := _curve(slope))), None)


def _curve(slope: Tree) -> Curve | None:
    low, high = number(slope.get("min-threshold-bytes")), number(slope.get("max-threshold-bytes"))
    percent = number(slope.get("max-probability"))
    if slope.get("enable-ecn") not in (True, "true") or low is None or high is None or percent is None:
        return None
    return low, high, percent


def _shares(queues: list[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, int | None]]:
    """Weights; those of strict queues say nothing."""
    for index, queue in queues:
        scheduling = below(queue, "scheduling")
        if "strict-priority" in scheduling:
            is_strict = scheduling["strict-priority"] in (True, "true")
            yield index, None if is_strict else number(scheduling.get("weight"))

"""Classes, queues and the watchdog, from the tables of CONFIG_DB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabric.platforms.base import ClassFacts
from fabric.platforms.sonic.lower_buffers import DEFAULT
from fabric.platforms.sonic.lower_qos import ACTIONS, BYTES_OF_MBPS
from fabric.platforms.sonic.tables import Book, number, word

FIELD_OF = {
    "DSCP_TO_TC_MAP": "dscp_to_tc_map",
    "TC_TO_QUEUE_MAP": "tc_to_queue_map",
    "MAP_PFC_PRIORITY_TO_QUEUE": "pfc_to_queue_map",
}
"""Table to the field of PORT_QOS_MAP that names one of its rows."""
MOST_QUEUES = 64
WORDS = {told: ours for ours, told in ACTIONS.items()}


def maps(book: Book, table: str) -> dict[int, int]:
    """The row of a map that the ports use, as numbers."""
    named = (_plain(row.get(FIELD_OF[table])) for row in book.rows("PORT_QOS_MAP").values())
    name = next((one for one in named if one), DEFAULT)
    pairs = ((number(key), number(value)) for key, value in book.row(table, name).items())
    return {key: value for key, value in pairs if key is not None and value is not None}


def queues_by_port(book: Book) -> tuple[dict[str, dict[int, ClassFacts]], dict[str, str]]:
    """What happens in the queues, by profile; and the profile of each port."""
    paused = {queue: priority for priority, queue in maps(book, "MAP_PFC_PRIORITY_TO_QUEUE").items()}
    found: dict[str, dict[int, ClassFacts]] = {}
    enabled = {
        port: word(row.get("pfc_enable")).split(",")
        for ports, row in book.rows("PORT_QOS_MAP").items()
        for port in ports.split(",")
    }
    for key, row in book.rows("QUEUE").items():
        ports, _, queues = key.rpartition("|")
        for port in ports.split(","):
            lossless = enabled.get(port, [])
            for queue in _range(queues):
                priority = paused.get(queue) if str(paused.get(queue)) in lossless else None
                found.setdefault(port, {})[queue] = _queue(book, row, priority)
    used = {port: profile_name(queues) for port, queues in found.items()}
    return {used[port]: queues for port, queues in found.items()}, used


def profile_name(queues: Mapping[int, ClassFacts]) -> str:
    """CONFIG_DB has no named profiles: queues that are treated alike make one, called after what they do."""
    words = []
    for queue, one in sorted(queues.items()):
        limit = "" if one.max_rate_mbps is None else f" up to {one.max_rate_mbps} Mb/s"
        share = f"strict{limit}" if one.strict else f"{one.share_percent}%"
        ecn = "/".join(map(str, one.ecn)) if one.ecn else "-"
        words.append(f"{queue}:{share} pfc {'-' if one.priority is None else one.priority} ecn {ecn}")
    return ", ".join(words)


def watchdog(book: Book) -> tuple[str, int, int, int] | None:
    """Action, detect, restore and poll of the ports that have one; all of ours are alike."""
    poll = number(book.row("PFC_WD", "GLOBAL").get("POLL_INTERVAL"))
    for name, row in book.rows("PFC_WD").items():
        detect, restore = number(row.get("detection_time")), number(row.get("restoration_time"))
        action = WORDS.get(word(row.get("action")))
        if name != "GLOBAL" and None not in (detect, restore, poll, action):
            return action or "", detect or 0, restore or 0, poll or 0
    return None


def _queue(book: Book, row: Mapping[str, Any], priority: int | None) -> ClassFacts:
    told = book.row("SCHEDULER", _plain(row.get("scheduler")))
    strict, peak = told.get("type") == "STRICT", number(told.get("pir"))
    return ClassFacts(
        priority=priority,
        strict=strict,
        max_rate_mbps=None if peak is None else peak // BYTES_OF_MBPS,
        share_percent=None if strict else number(told.get("weight")),
        ecn=_curve(book.row("WRED_PROFILE", _plain(row.get("wred_profile")))),
    )


def _curve(row: Mapping[str, Any]) -> tuple[int, int, int] | None:
    """The curve of green packets: RoCE is never coloured otherwise."""
    low, high = number(row.get("green_min_threshold")), number(row.get("green_max_threshold"))
    percent = number(row.get("green_drop_probability"))
    marks = word(row.get("ecn")) in {"ecn_all", "ecn_green", "ecn_green_yellow", "ecn_green_red"}
    if not marks or low is None or high is None or percent is None:
        return None
    return low, high, percent


def _plain(value: Any) -> str:
    """The name of a row; releases before 202106 wrote `[TABLE|name]`."""
    return word(value).strip("[]").rpartition("|")[2]


def _range(text: str) -> Iterator[int]:
    first, _, last = text.partition("-")
    low, high = number(first), number(last or first)
    if low is not None and high is not None and high < MOST_QUEUES:
        yield from range(low, high + 1)

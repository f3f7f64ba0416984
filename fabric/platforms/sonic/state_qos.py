"""Classes, queues and the watchdog, from rows of CONFIG_DB that call each other by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.platforms.base import ClassFacts
from fabric.platforms.sonic.lower_buffers import DEFAULT
from fabric.platforms.sonic.lower_qos import ACTIONS, BYTES_OF_MBPS
from fabric.platforms.sonic.rows import Row, Tables, number

FIELD_OF = {
    "DSCP_TO_TC_MAP": "dscp_to_tc_map",
    "TC_TO_QUEUE_MAP": "tc_to_queue_map",
    "MAP_PFC_PRIORITY_TO_QUEUE": "pfc_to_queue_map",
}
"""Table to the field of PORT_QOS_MAP that names one of its rows."""
MARKS = frozenset({"ecn_all", "ecn_green", "ecn_green_yellow", "ecn_green_red"})
"""Values of `ecn` with which green packets are marked."""
MOST_QUEUES = 64
WORDS = {word: ours for ours, word in ACTIONS.items()}


def maps(tables: Tables, table: str) -> dict[int, int]:
    """The row of a map that the ports use, as numbers."""
    named = (_name(row, FIELD_OF[table]) for row in tables["PORT_QOS_MAP"].values())
    name = next((field for field in named if field), DEFAULT)
    pairs = ((number(key), number(value)) for key, value in tables[table].get(name, {}).items())
    return {key: value for key, value in pairs if key is not None and value is not None}


def queues_by_port(tables: Tables) -> tuple[dict[str, dict[int, ClassFacts]], dict[str, str]]:
    """What happens in the queues, by profile; and the profile of each port."""
    paused = {queue: priority for priority, queue in maps(tables, "MAP_PFC_PRIORITY_TO_QUEUE").items()}
    lossless = {
        port: row.get("pfc_enable", "").split(",")
        for ports, row in tables["PORT_QOS_MAP"].items()
        for port in ports.split(",")
    }
    by_port: dict[str, dict[int, ClassFacts]] = {}
    for key, row in tables["QUEUE"].items():
        ports, _, queues = key.rpartition("|")
        for port in ports.split(","):
            for queue in _range(queues):
                priority = paused.get(queue) if str(paused.get(queue)) in lossless.get(port, []) else None
                by_port.setdefault(port, {})[queue] = _queue(tables, row, priority)
    used = {port: profile_name(queues) for port, queues in by_port.items()}
    return {used[port]: queues for port, queues in by_port.items()}, used


def profile_name(queues: Mapping[int, ClassFacts]) -> str:
    """CONFIG_DB has no named profiles: queues that are treated alike make one, called after what they do."""
    words = []
    for queue, facts in sorted(queues.items()):
        limit = "" if facts.max_rate_mbps is None else f" up to {facts.max_rate_mbps} Mb/s"
        share = f"strict{limit}" if facts.strict else f"{facts.share_percent}%"
        ecn = "/".join(map(str, facts.ecn)) if facts.ecn else "-"
        words.append(f"{queue}:{share} pfc {'-' if facts.priority is None else facts.priority} ecn {ecn}")
    return ", ".join(words)


def watchdog(tables: Tables) -> tuple[str, int, int, int] | None:
    """Action, detect, restore and poll of the ports that have one; all of ours are alike."""
    poll = number(tables["PFC_WD"].get("GLOBAL", {}).get("POLL_INTERVAL"))
    for name, row in tables["PFC_WD"].items():
        detect, restore = number(row.get("detection_time")), number(row.get("restoration_time"))
        action = WORDS.get(row.get("action", ""))
        if name != "GLOBAL" and None not in (detect, restore, poll, action):
            return action or "", detect or 0, restore or 0, poll or 0
    return None


def _queue(tables: Tables, row: Row, priority: int | None) -> ClassFacts:
    scheduler = tables["SCHEDULER"].get(_name(row, "scheduler"), {})
    strict, peak = scheduler.get("type") == "STRICT", number(scheduler.get("pir"))
    return ClassFacts(
        priority=priority,
        strict=strict,
        max_rate_mbps=None if peak is None else peak // BYTES_OF_MBPS,
        share_percent=None if strict else number(scheduler.get("weight")),
        ecn=_curve(tables["WRED_PROFILE"].get(_name(row, "wred_profile"), {})),
    )


def _curve(row: Row) -> tuple[int, int, int] | None:
    """The curve of green packets: RoCE is never coloured otherwise."""
    low, high = number(row.get("green_min_threshold")), number(row.get("green_max_threshold"))
    percent = number(row.get("green_drop_probability"))
    if row.get("ecn") not in MARKS or low is None or high is None or percent is None:
        return None
    return low, high, percent


def _name(row: Row, field: str) -> str:
    """The row that a field names; releases before 202106 wrote `[TABLE|name]`."""
    return row.get(field, "").strip("[]").rpartition("|")[2]


def _range(text: str) -> Iterator[int]:
    first, _, last = text.partition("-")
    low, high = number(first), number(last or first)
    if low is not None and high is not None and high < MOST_QUEUES:
        yield from range(low, high + 1)

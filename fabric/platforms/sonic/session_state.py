"""What the tables of SONiC say, in neutral words.

Sources: sonic-swss orchagent/portsorch.cpp (PORT_TABLE, names of counters), sonic-utilities scripts/portstat and
scripts/pfcstat (which counters are drops and pauses), scripts/queuestat; of ASIC_DB: sonic-swss orchagent/qosorch.cpp
(attributes of ports, queues, curves and maps), tests/test_pfc.py (the mask of priorities), tests/test_qos_map.py (a
map as JSON); SAI inc/saiport.h: the mask is 0 unless it is written; of the watchdog: orchagent/pfcwdorch.cpp,
`registerInWdDb` (microseconds, beside the counters of each queue that it watches).
What comes from the switch may be anything: a shape that is not known raises, and nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from fabric.platforms.device_state import PortQueues, PortState

Answer = Mapping[str, Any]
Counters = Mapping[str, Any]

PORT = "SAI_PORT_STAT_"
MARKED = "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS"
PRIORITIES = range(8)
OBJECT = "ASIC_STATE:SAI_OBJECT_TYPE_"
PFC, MODE = "SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL", "SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE"
SEPARATE = "SAI_PORT_PRIORITY_FLOW_CONTROL_MODE_SEPARATE"
"""Each direction has a mask of its own, which nothing of ours asks for."""
NOTHING = "oid:0x0"
DSCP_MAP = "SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP"
PAIRS = "SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST"
WATCHED, DETECTS = "PFC_WD_STATUS", "PFC_WD_DETECTION_TIME"
MS_OF_US = 1000
REPORTS = {
    "has_pfc": "ASIC_DB",
    "pfc_priorities": "ASIC_DB",
    "has_watchdog": "COUNTERS_DB",
    "detect_ms": "COUNTERS_DB",
    "ecn": "ASIC_DB",
    "trusts_dscp": "ASIC_DB",
    "dscp_to_traffic_class": "ASIC_DB",
}
"""What ports tell of their queues, and where."""
VERSION = re.compile(r"(?m)^build_version:\s*['\"]?([^'\"\n]+)")


def facts(switch: Answer) -> dict[str, Any]:
    """NAPALM's form."""
    release = VERSION.search(str(switch["version"]))
    return {
        "hostname": str(switch["hostname"]),
        "fqdn": str(switch["hostname"]),
        "vendor": "SONiC",
        "model": str(switch["model"]),
        "serial_number": str(switch["serial"]),
        "os_version": release[1].strip() if release else "",
        "uptime": float(switch["uptime"]),
        "interface_list": [str(port) for port in switch["ports"]],
    }


def port_states(dump: Answer) -> dict[str, PortState]:
    """Every port of `PORT_TABLE`."""
    names = dump["port_names"].get("COUNTERS_PORT_NAME_MAP", {})
    queues = _queues(dump["queue_names"].get("COUNTERS_QUEUE_NAME_MAP", {}))
    rows = {key.partition(":")[2]: row for key, row in dump["ports"].items()}
    counters = dump["counters"]
    return {
        name: _port(
            row,
            counters.get(f"COUNTERS:{names.get(name)}", {}),
            [counters.get(f"COUNTERS:{oid}", {}) for oid in queues.get(name, ())],
        )
        for name, row in rows.items()
        if name.startswith("Ethernet")
    }


def port_queues(dump: Answer) -> dict[str, PortQueues]:
    """Every port that has a name and is in the hardware."""
    names = dump["port_names"].get("COUNTERS_PORT_NAME_MAP", {})
    queues: dict[str, dict[int, str]] = {}
    for name, oid in dump["queue_names"].get("COUNTERS_QUEUE_NAME_MAP", {}).items():
        port, _, number = str(name).partition(":")
        if number.isdecimal():
            queues.setdefault(port, {})[int(number)] = oid
    return {
        name: _queues_of(dump, dump["ports"][key], queues.get(name, {}))
        for name, oid in names.items()
        if (key := f"{OBJECT}PORT:{oid}") in dump["ports"]
    }


def _queues_of(dump: Answer, row: Answer, queues: Mapping[int, str]) -> PortQueues:
    mask = _number(row.get(PFC, "0")) if row.get(MODE) != SEPARATE else None
    priorities = None if mask is None else tuple(bit for bit in PRIORITIES if mask >> bit & 1)
    classes = row.get(DSCP_MAP)
    watched = [counted for oid in queues.values() if (counted := dump["counters"].get(f"COUNTERS:{oid}"))]
    detects = {time for each in watched if (time := _number(each.get(DETECTS))) is not None}
    return PortQueues(
        has_pfc=None if priorities is None else bool(priorities),
        pfc_priorities=priorities,
        ecn=_curves(dump, queues),
        trusts_dscp=None if classes is None else classes != NOTHING,
        dscp_to_traffic_class=_points(dump["maps"].get(f"{OBJECT}QOS_MAP:{classes}", {})),
        has_watchdog=any(each.get(WATCHED) for each in watched) if watched else None,
        detect_ms=detects.pop() // MS_OF_US if len(detects) == 1 else None,
    )


def _points(row: Answer) -> dict[int, int] | None:
    """Code point to traffic class; None where the map is not told."""
    if PAIRS not in row:
        return None
    pairs = json.loads(row[PAIRS])["list"]
    return {int(pair["key"]["dscp"]): int(pair["value"]["tc"]) for pair in pairs}


def _curves(dump: Answer, queues: Mapping[int, str]) -> dict[int, tuple[int, int, int] | None] | None:
    """By queue, of those that the database has."""
    curves: dict[int, tuple[int, int, int] | None] = {}
    for number, oid in queues.items():
        row = dump["queues"].get(f"{OBJECT}QUEUE:{oid}")
        if row is None:
            continue
        curve = dump["curves"].get(f"{OBJECT}WRED:{row.get('SAI_QUEUE_ATTR_WRED_PROFILE_ID')}", {})
        words = [
            _number(curve.get(f"SAI_WRED_ATTR_GREEN_{word}"))
            for word in ("MIN_THRESHOLD", "MAX_THRESHOLD", "DROP_PROBABILITY")
        ]
        low, high, percent = words
        told = low is not None and high is not None and percent is not None
        curves[number] = (low, high, percent) if told else None  # type: ignore[assignment]
    return curves or None


def _queues(names: Mapping[str, str]) -> dict[str, list[str]]:
    """Queues of each port: `Ethernet0:3` to its object."""
    by_port: dict[str, list[str]] = {}
    for name, oid in names.items():
        by_port.setdefault(name.partition(":")[0], []).append(oid)
    return by_port


def _port(row: Answer, counted: Counters, queues: list[Counters]) -> PortState:
    return PortState(
        is_up=row.get("oper_status") == "up",
        speed_mbps=_number(row.get("speed")),
        fec=str(row["fec"]) if row.get("fec") else None,
        mtu_bytes=_number(row.get("mtu")),
        received_bytes=_number(counted.get(f"{PORT}IF_IN_OCTETS")),
        sent_bytes=_number(counted.get(f"{PORT}IF_OUT_OCTETS")),
        errors=_total(
            counted,
            f"{PORT}IF_IN_ERRORS",
            f"{PORT}IF_OUT_ERRORS",
            f"{PORT}IF_IN_FEC_NOT_CORRECTABLE_FRAMES",
        ),
        discards=_total(counted, f"{PORT}IF_IN_DISCARDS", f"{PORT}IF_OUT_DISCARDS"),
        pause_received=_pauses(counted, "RX"),
        pause_sent=_pauses(counted, "TX"),
        marked=_sum([_number(queue.get(MARKED)) for queue in queues]),
    )


def _pauses(counted: Counters, direction: str) -> dict[int, int]:
    frames = {
        priority: _number(counted.get(f"{PORT}PFC_{priority}_{direction}_PKTS")) for priority in PRIORITIES
    }
    return {priority: count for priority, count in frames.items() if count is not None}


def _total(counted: Counters, *names: str) -> int | None:
    return _sum([_number(counted.get(name)) for name in names])


def _sum(counts: list[int | None]) -> int | None:
    """Of those that are told; None if none is."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _number(text: object) -> int | None:
    return int(text) if isinstance(text, str) and text.isascii() and text.isdecimal() else None

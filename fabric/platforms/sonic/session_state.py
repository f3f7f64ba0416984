"""What the tables of SONiC say, in neutral words.

Sources: sonic-swss orchagent/portsorch.cpp (PORT_TABLE, names of counters), sonic-utilities scripts/portstat and
scripts/pfcstat (which counters are drops and pauses), scripts/queuestat.
What comes from the switch may be anything: a shape that is not known raises, and nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fabric.platforms.device_state import PortState

Answer = Mapping[str, Any]
Counters = Mapping[str, Any]

PORT = "SAI_PORT_STAT_"
MARKED = "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS"
PRIORITIES = range(8)
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

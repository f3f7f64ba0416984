"""What the emulated switch has written to its hardware: ASIC_DB, as its configuration implies it.

Sources: sonic-swss orchagent/qosorch.cpp (which attributes a row of PORT_QOS_MAP, QUEUE and WRED_PROFILE becomes) and
tests/test_pfc.py (the mask of priorities as the database has it) and tests/test_qos_map.py (a map's list).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from fabric.platforms.emulation import PortFault
from fabric.platforms.sonic.emulator.switch import SonicSwitch

Rows = dict[str, dict[str, str]]
OBJECT = "ASIC_STATE:SAI_OBJECT_TYPE_"
NOTHING = "oid:0x0"
CLASSES = 8
MAPS = {False: "oid:0x14000000000001", True: "oid:0x14000000000002"}
"""The switch's map of code points, and that of a port whose hardware is wrong."""


def objects(switch: SonicSwitch) -> tuple[dict[str, str], dict[str, str]]:
    """Ports by name, and queues by port and number."""
    ports = [name for name in switch.view().ports if name.startswith("Ethernet")]
    oids = {name: f"oid:0x1{number:012x}" for number, name in enumerate(ports)}
    queues = {
        f"{name}:{queue}": f"oid:0x15{number:09x}{queue:02x}"
        for number, name in enumerate(ports)
        for queue in range(8)
    }
    return oids, queues


def programmed(switch: SonicSwitch) -> Rows:
    """ASIC_DB: ports, queues and curves."""
    oids, queues = objects(switch)
    rows: Rows = {}
    for name, oid in oids.items():
        fault = switch.counters.fault(name)
        rows[f"{OBJECT}PORT:{oid}"] = _port(switch.tables.get("PORT_QOS_MAP", {}).get(name, {}), fault)
        for queue in range(8):
            row = switch.tables.get("QUEUE", {}).get(f"{name}|{queue}", {})
            profile = str(row.get("wred_profile", "")).strip("[]").rpartition("|")[2]
            curve = switch.tables.get("WRED_PROFILE", {}).get(profile, {})
            own = queues[f"{name}:{queue}"]
            bound = own.replace("oid:0x15", "oid:0x13") if curve and not fault.without_ecn else NOTHING
            rows[f"{OBJECT}QUEUE:{own}"] = {"SAI_QUEUE_ATTR_WRED_PROFILE_ID": bound}
            if bound != NOTHING:
                rows[f"{OBJECT}WRED:{bound}"] = _curve(curve, fault)
    return rows | dict(_maps(switch))


def _maps(switch: SonicSwitch) -> Iterator[tuple[str, dict[str, str]]]:
    """The one map of code points that a switch of ours has, and the same with each point a class too high."""
    for rows in switch.tables.get("DSCP_TO_TC_MAP", {}).values():
        for is_wrong, oid in MAPS.items():
            pairs = [
                {"key": {"dscp": int(point)}, "value": {"tc": (int(number) + is_wrong) % CLASSES}}
                for point, number in rows.items()
            ]
            yield (
                f"{OBJECT}QOS_MAP:{oid}",
                {
                    "SAI_QOS_MAP_ATTR_TYPE": "SAI_QOS_MAP_TYPE_DSCP_TO_TC",
                    "SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST": json.dumps({"count": len(pairs), "list": pairs}),
                },
            )


def watched(switch: SonicSwitch, port: str, queue: int) -> dict[str, str]:
    """What the watchdog writes beside the counters of a queue that it looks at."""
    row, fault = switch.tables.get("PFC_WD", {}).get(port, {}), switch.counters.fault(port)
    paused = str(switch.tables.get("PORT_QOS_MAP", {}).get(port, {}).get("pfc_enable", "")).split(",")
    if not row or fault.without_watchdog or str(queue) not in paused:
        return {}
    detect_ms = fault.watchdog_detect_ms or int(row.get("detection_time", "0"))
    return {
        "PFC_WD_DETECTION_TIME": str(detect_ms * 1000),
        "PFC_WD_RESTORATION_TIME": str(int(row.get("restoration_time", "0")) * 1000),
        "PFC_WD_ACTION": row.get("action", "drop"),
        "PFC_WD_STATUS": "operational",
    }


def _port(row: dict[str, str], fault: PortFault) -> dict[str, str]:
    priorities = [int(word) for word in str(row.get("pfc_enable", "")).split(",") if word]
    mask = 0 if fault.without_pfc else sum(1 << priority for priority in priorities)
    has_map = "dscp_to_tc_map" in row and not fault.ignores_dscp
    return {
        "SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL": str(mask),
        **(
            {"SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP": MAPS[fault.misplaces_dscp] if has_map else NOTHING}
            if row
            else {}
        ),
    }


def _curve(row: dict[str, str], fault: PortFault) -> dict[str, str]:
    low = row.get("green_min_threshold", "0") if fault.ecn_kmin_bytes is None else fault.ecn_kmin_bytes
    return {
        "SAI_WRED_ATTR_ECN_MARK_MODE": "SAI_ECN_MARK_MODE_ALL",
        "SAI_WRED_ATTR_GREEN_MIN_THRESHOLD": str(low),
        "SAI_WRED_ATTR_GREEN_MAX_THRESHOLD": str(row.get("green_max_threshold", "0")),
        "SAI_WRED_ATTR_GREEN_DROP_PROBABILITY": str(row.get("green_drop_probability", "100")),
    }

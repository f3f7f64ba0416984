"""What the emulated switch has written to its hardware: ASIC_DB, as its configuration implies it.

Sources: sonic-swss orchagent/qosorch.cpp (which attributes a row of PORT_QOS_MAP, QUEUE and WRED_PROFILE becomes) and
tests/test_pfc.py (the mask of priorities as the database has it).
"""

from __future__ import annotations

from fabric.platforms.emulation import PortFault
from fabric.platforms.sonic.emulator.switch import SonicSwitch

Rows = dict[str, dict[str, str]]
OBJECT = "ASIC_STATE:SAI_OBJECT_TYPE_"
NOTHING = "oid:0x0"
MAP = "oid:0x14000000000001"


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
            bound = own.replace("oid:0x15", "oid:0x13") if curve else NOTHING
            rows[f"{OBJECT}QUEUE:{own}"] = {"SAI_QUEUE_ATTR_WRED_PROFILE_ID": bound}
            if curve:
                rows[f"{OBJECT}WRED:{bound}"] = _curve(curve, fault)
    return rows


def _port(row: dict[str, str], fault: PortFault) -> dict[str, str]:
    priorities = [int(word) for word in str(row.get("pfc_enable", "")).split(",") if word]
    mask = 0 if fault.without_pfc else sum(1 << priority for priority in priorities)
    has_map = "dscp_to_tc_map" in row and not fault.ignores_dscp
    return {
        "SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL": str(mask),
        **({"SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP": MAP if has_map else NOTHING} if row else {}),
    }


def _curve(row: dict[str, str], fault: PortFault) -> dict[str, str]:
    low = row.get("green_min_threshold", "0") if fault.ecn_kmin_bytes is None else fault.ecn_kmin_bytes
    return {
        "SAI_WRED_ATTR_ECN_MARK_MODE": "SAI_ECN_MARK_MODE_ALL",
        "SAI_WRED_ATTR_GREEN_MIN_THRESHOLD": str(low),
        "SAI_WRED_ATTR_GREEN_MAX_THRESHOLD": str(row.get("green_max_threshold", "0")),
        "SAI_WRED_ATTR_GREEN_DROP_PROBABILITY": str(row.get("green_drop_probability", "100")),
    }

"""What lines of an override may say beside ours on SONiC: lines of frr.conf, and rows of CONFIG_DB.

Sources: the YANG models of sonic-buildimage (src/sonic-yang-models): sonic-copp, sonic-storm-control,
sonic-packet-trimming ("SWITCH_TRIMMING", `packet_discard_action`), sonic-loopback-interface, sonic-vrf, sonic-vlan,
sonic-device_metadata (`region`, `cloudtype`: words of the operator);
those of frr.conf stand with FRR.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fabric.configuration import Unreadable
from fabric.configuration.syntaxes.json_documents import load_json
from fabric.platforms.overrides.lines import Words
from fabric.platforms.overrides.rules import OverrideRules
from fabric.platforms.overrides.vtysh import HARMLESS, WHOLE
from fabric.platforms.sonic.secrets import FRR, JSON

NEW_ROWS = (
    "BUFFER_PROFILE * packet_discard_action",
    "DEVICE_METADATA localhost cloudtype",
    "DEVICE_METADATA localhost region",
    "LOOPBACK_INTERFACE *",
    "VLAN *",
    "VLAN_INTERFACE *",
    "VRF *",
)
"""Rows that may be new, and fields of rows of ours that change nothing that the intent says."""
TABLES = (
    "ACL_RULE",
    "ACL_TABLE",
    "BGP_AGGREGATE_ADDRESS",
    "BGP_ALLOWED_PREFIXES",
    "BGP_BBR",
    "BGP_DEVICE_GLOBAL",
    "BGP_GLOBALS",
    "BGP_MONITORS",
    "BGP_NEIGHBOR",
    "BGP_PEER_RANGE",
    "BGP_SENTINELS",
    "COPP_GROUP",
    "COPP_TRAP",
    "DEVICE_METADATA",
    "FLEX_COUNTER_TABLE",
    "FG_NHG",
    "MCLAG_DOMAIN",
    "MUX_CABLE",
    "NAT_GLOBAL",
    "NEIGH",
    "PBH_RULE",
    "PBH_TABLE",
    "PEER_SWITCH",
    "PORT_STORM_CONTROL",
    "STATIC_ROUTE",
    "STP",
    "SUPPRESS_ASIC_SDK_HEALTH_EVENT",
    "SWITCH",
    "SWITCH_HASH",
    "SYSTEM_PORT",
    "WARM_RESTART",
)
"""Tables that tell the whole switch how to forward, or what reaches its own processor."""


def override_rules(section: str) -> OverrideRules | None:
    """By the name of the block."""
    if section == "frr":
        return OverrideRules(harmless=HARMLESS, whole=WHOLE, part=FRR)
    if section == "config-db":
        return ROWS
    return None


def rows(text: str) -> Iterator[tuple[int, Words]]:
    """Table, key, field and value of every row. The line is that on which the key stands."""
    lines = text.splitlines()
    try:
        tables = load_json(text)
    except Unreadable:
        return
    for table, entries in tables.items():
        start = _line(lines, table, 0)
        for key, row in entries.items() if isinstance(entries, dict) else ():
            number = _line(lines, key, start)
            yield number + 1, (table, key)
            for field, value in row.items() if isinstance(row, dict) else ():
                yield _line(lines, field, number) + 1, (table, key, field, _value(value))


def _line(lines: list[str], name: str, start: int) -> int:
    return next((at for at in range(start, len(lines)) if f'"{name}"' in lines[at]), start)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


ROWS = OverrideRules(harmless=NEW_ROWS, whole=TABLES, statements=rows, part=JSON, by_line=False)
"""Of CONFIG_DB."""

"""What CONFIG_DB may hold: by the tables of the product, and by SONiC's own models where somebody brings them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from fabric.platforms.sonic.agent.tables import Tables, parsed, printed
from fabric.platforms.sonic.dialect import TABLES
from fabric.platforms.sonic.read import read
from fabric.platforms.sonic.secrets import JSON
from fabric.platforms.texts import PART

KEPT = 64
"""Texts whose judgement is remembered: the switches of a sandbox load theirs more than once."""
OURS = frozenset(statement.pattern for statement in TABLES.statements)
"""Tables that we write or read, of which every row and field is known here."""
KNOWN = OURS | frozenset(
    {
        "ACL_TABLE_TYPE",
        "BGP_DEVICE_GLOBAL",
        "COPP_GROUP",
        "COPP_TRAP",
        "CRM",
        "KDUMP",
        "LOGGER",
        "PASSW_HARDENING",
        "PORTCHANNEL",
        "SNMP_COMMUNITY",
        "VERSIONS",
        "VRF",
    }
)
"""Tables that have a model (sonic-yang-models of 202511)."""
POINTS = (
    ("QUEUE", "scheduler", "SCHEDULER"),
    ("QUEUE", "wred_profile", "WRED_PROFILE"),
    ("PORT_QOS_MAP", "dscp_to_tc_map", "DSCP_TO_TC_MAP"),
    ("PORT_QOS_MAP", "tc_to_queue_map", "TC_TO_QUEUE_MAP"),
    ("PORT_QOS_MAP", "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP"),
    ("PORT_QOS_MAP", "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"),
    ("BUFFER_PROFILE", "pool", "BUFFER_POOL"),
    ("BUFFER_QUEUE", "profile", "BUFFER_PROFILE"),
    ("BUFFER_PG", "profile", "BUFFER_PROFILE"),
)
"""Fields that name a row of another table."""
OF_PORTS = ("INTERFACE", "QUEUE", "BUFFER_PG", "BUFFER_QUEUE", "PORT_QOS_MAP", "PFC_WD", "VLAN_MEMBER")
NOT_PORTS = frozenset({"global", "GLOBAL"})
Judge = Callable[[str], Iterable[str]]


def judged(tables: Tables) -> tuple[str, ...]:
    """What is wrong with tables, in words of sonic_yang."""
    return _judged(printed({name: rows for name, rows in tables.items() if name in KNOWN}))


@lru_cache(maxsize=KEPT)
def _judged(text: str) -> tuple[str, ...]:
    return tuple(problem for judge in JUDGES for problem in judge(text))


def unknown(text: str) -> Iterator[str]:
    """Rows and fields that no table of ours knows."""
    for _, line in read(f"{PART}{JSON}\n{text}").unread:
        if line.split()[0] in OURS:
            yield f"Data Loading Failed: All Keys are not parsed in {line.split()[0]}: {line}"


def dangling(text: str) -> Iterator[str]:
    """Rows that name others which are not there."""
    tables = parsed(text)
    for table, field, target in POINTS:
        for row in tables.get(table, {}).values():
            name = row.get(field)
            if name not in (None, "NULL") and name not in tables.get(target, {}):
                yield _leafref(target, name)
    ports = tables.get("PORT", {}).keys()
    for table in OF_PORTS:
        for key in tables.get(table, {}):
            parts = key.split("|")
            names = parts[1:2] if table == "VLAN_MEMBER" else parts[0].split(",")
            for name in names:
                if name.startswith("Ethernet") and name not in ports and name not in NOT_PORTS:
                    yield _leafref("PORT", name)


def _leafref(target: str, name: str) -> str:
    return f'Data Loading Failed: Leafref "{target}" of value "{name}" points to a non-existing leaf'


def lanes(text: str) -> Iterator[str]:
    """A lane belongs to one port."""
    owners: dict[str, str] = {}
    for port, row in parsed(text).get("PORT", {}).items():
        for lane in str(row.get("lanes", "")).split(","):
            if lane and owners.setdefault(lane, port) != port:
                yield f"'{lane}' lane is used multiple times in PORT: {{'{owners[lane]}', '{port}'}}"


JUDGES: list[Judge] = [unknown, dangling, lanes]
"""Each is asked of every target. Whoever has the vendor's models may add another."""


def without_models(*databases: Tables) -> set[str]:
    """Tables that no model is about."""
    return {table for tables in databases for table in tables} - KNOWN

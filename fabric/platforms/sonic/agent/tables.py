"""CONFIG_DB: reading and printing it, what a change of it needs, and what nobody may see of it.

Sources: sonic-utilities config/main.py, generic_config_updater/gu_common.py (what `sonic-cfggen -d --print-data` prints
is what the updater compares); sonic-swss cfgmgr/buffermgr.cpp (rows that it makes itself).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from fabric.platforms.sonic.agent.machine import Refused

Row = dict[str, Any]
Tables = dict[str, dict[str, Row]]
AUTOMATIC = re.compile(r"pg_lossless_\d+_\w+_profile")
"""Profiles that buffermgrd makes of a port's speed and cable. They are left alone, as are priority groups with them."""
RAW = "bgpraw"
"""Text of FRR that some releases print among the tables."""
AT_START = ("BUFFER_POOL", "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "LOSSLESS_TRAFFIC_PATTERN")
"""Tables that the updater does not take, or that are read when the switch starts."""
LIVE_FIELDS = frozenset(
    {
        "bgp_adv_lo_prefix_as_128",
        "bgp_asn",
        "bgp_router_id",
        "cloudtype",
        "default_pfcwd_status",
        "hostname",
        "mac",
        "region",
    }
)
"""Of `DEVICE_METADATA|localhost`: everything else is read when the switch starts."""
SECRET = re.compile(r"(?i)passkey|password|secret|_cak")
MASK = "<masked>"


def parsed(text: str) -> Tables:
    """The tables of a text, without empty ones. `Refused` if it is something else."""
    try:
        tables = json.loads(text)
    except ValueError as error:
        raise Refused("refused", f"config_db.json is not JSON: {error}") from None
    if not isinstance(tables, dict):
        raise Refused("refused", "config_db.json is not an object of tables")
    tables.pop(RAW, None)
    for table, rows in tables.items():
        if not isinstance(rows, dict) or not all(isinstance(row, dict) for row in rows.values()):
            raise Refused("refused", f"{table} is not a table of rows")
        for key, row in rows.items():
            for name, value in row.items():
                if not _is_text(value):
                    raise Refused("refused", f"{table}|{key} {name}: a value is text, or a list of texts")
    return {table: rows for table, rows in tables.items() if rows}


def _is_text(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    )


def printed(tables: Tables) -> str:
    """As SONiC saves it."""
    return json.dumps(tables, indent=4, sort_keys=True) + "\n"


def own(tables: Tables) -> Tables:
    """Without the rows that the switch makes itself."""
    kept = {
        table: {key: row for key, row in rows.items() if not _is_automatic(table, key, row)}
        for table, rows in tables.items()
    }
    return {table: rows for table, rows in kept.items() if rows}


def _is_automatic(table: str, key: str, row: Row) -> bool:
    if table == "BUFFER_PROFILE":
        return AUTOMATIC.fullmatch(key) is not None
    return table == "BUFFER_PG" and AUTOMATIC.fullmatch(str(row.get("profile", ""))) is not None


def with_automatic(tables: Tables, running: Tables) -> Tables:
    """The tables with the rows that the switch has made, as far as their ports are still there."""
    merged = {table: dict(rows) for table, rows in tables.items()}
    for table in ("BUFFER_PROFILE", "BUFFER_PG"):
        for key, row in running.get(table, {}).items():
            is_placed = table != "BUFFER_PG" or key.partition("|")[0] in tables.get("PORT", {})
            if _is_automatic(table, key, row) and is_placed:
                merged.setdefault(table, {}).setdefault(key, row)
    return merged


def needs_reload(old: Tables, new: Tables) -> bool:
    """Whether a change is one that only a start of all services brings into effect."""
    if any(old.get(table) != new.get(table) for table in AT_START):
        return True
    before, after = (tables.get("DEVICE_METADATA", {}).get("localhost", {}) for tables in (old, new))
    return any(before.get(name) != after.get(name) for name in (before.keys() | after.keys()) - LIVE_FIELDS)


def differences(old: Tables, new: Tables) -> Iterator[str]:
    """Line by line, without secrets: `+NTP_SERVER|192.0.2.1 association_type server`."""
    before, after = dict(_lines(old)), dict(_lines(new))
    for place in sorted(before.keys() | after.keys()):
        if before.get(place) == after.get(place):
            continue
        for sign, lines in (("-", before), ("+", after)):
            if place in lines:
                yield f"{sign}{_shown(place, lines[place])}"


Place = tuple[str, str, str]


def _lines(tables: Tables) -> Iterator[tuple[Place, Any]]:
    for table, rows in tables.items():
        for key, row in rows.items():
            yield (table, key, ""), ""
            for name, value in row.items():
                yield (table, key, name), value


def _shown(place: Place, value: Any) -> str:
    table, key, name = place
    key = MASK if table == "SNMP_COMMUNITY" else key
    if value and is_secret(table, name):
        value = MASK
    text = ",".join(value) if isinstance(value, list) else value
    return " ".join(part for part in (f"{table}|{key}", name, text) if part)


def is_secret(table: str, name: str) -> bool:
    """Whether the value of a field is one."""
    return SECRET.search(name) is not None or (table == "NTP_KEY" and name == "value")


def hidden(text: str, *sources: Tables) -> str:
    """A text of the switch without the secrets that stand in these tables."""
    values = {
        str(value)
        for tables in sources
        for (table, key, name), value in _lines(tables)
        for value in (
            (value,) if name and is_secret(table, name) else (key,) if table == "SNMP_COMMUNITY" else ()
        )
    }
    for value in sorted(values, key=len, reverse=True):
        if value:
            text = text.replace(value, MASK)
    return text

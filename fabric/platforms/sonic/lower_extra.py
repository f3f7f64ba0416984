"""What overrides bring verbatim: lines of frr.conf, and rows of CONFIG_DB as JSON.

    extra:
      frr: |
        ip nht resolve-via-default
      config-db: |
        {"SWITCH_TRIMMING": {"GLOBAL": {"size": "128", "dscp_value": "48", "queue_index": "6"}},
         "BUFFER_PROFILE": {"q_lossy_profile": {"packet_discard_action": "trim"}}}

Packet trimming beyond what `trim` of a policy says comes this way too.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from fabric.decoding import from_json
from fabric.devices.model import ExtraLines, Switch
from fabric.diagnostics import Report
from fabric.platforms.needs.table import unsupported
from fabric.platforms.overrides.lines import EXECUTED, faults
from fabric.platforms.overrides.vtysh import ALSO_CONFIGURED
from fabric.platforms.sonic import codes
from fabric.platforms.sonic.dialect import FIELDS
from fabric.platforms.sonic.model import Tables
from fabric.platforms.sonic.names import trims
from fabric.platforms.sonic.override_rules import ROWS
from fabric.platforms.sonic.override_rules import rows as rows_of
from fabric.platforms.sonic.state import NOTED

SECTIONS = ("frr", "config-db")
SERVICES = frozenset(
    {"BGP_DEVICE_GLOBAL", "CHASSIS_MODULE", "FEATURE", "KUBERNETES_MASTER", "SYSTEM_DEFAULTS", "ZTP"}
)
"""Tables that start and stop containers and modules, run scripts, or hold routes back. Sources: sonic-feature.yang,
sonic-bgp-device-global.yang (`tsa_enabled`), sonic-chassis-module.yang, sonic-kubernetes_master.yang."""
OF_PORTS = frozenset({*NOTED, "CABLE_LENGTH", "PORTCHANNEL_MEMBER"})
"""Tables in which a row that names a port of ours gives it other queues, or makes it part of another interface."""
MOVES = frozenset({"vrf_name"})
"""Fields that take an interface from its routing table."""
NAMES = re.compile(r"[|,]")


def frr_lines(switch: Switch, report: Report) -> tuple[str, ...]:
    """The lines for frr.conf, in order. Sections that are not ours are refused here."""
    frr: list[str] = []
    for lines in switch.extra:
        if lines.section == "frr":
            _check_lines(lines, report)
            frr += [line.rstrip() for line in lines.text.splitlines() if line.strip()]
        elif lines.section not in SECTIONS:
            rule = f"SONiC: lines of section {lines.section!r} have no place in its two files"
            report.add(codes.TEXT.at(lines.origin, rule, value=lines.section, hint=codes.TEXT.fix))
    return tuple(frr)


def _check_lines(lines: ExtraLines, report: Report) -> None:
    """Refuse what `frr.conf` would run instead of configure. `exit` closes a section there."""
    for number, line, effect, hint in faults(lines.text, EXECUTED - ALSO_CONFIGURED):
        rule = f"SONiC: frr.conf would {effect} at the line {line.strip()!r}"
        report.add(codes.TEXT.at(lines.place_of(number), rule, value=line, hint=hint))


def merge(tables: Tables, switch: Switch, report: Report) -> Tables:
    """The tables with the rows and fields of overrides. A field that we write ourselves cannot be overridden."""
    for lines in switch.extra:
        if lines.section == "config-db":
            for table, rows in _rows(lines, report).items():
                _add(table, rows, tables, lines, report)
            _check_trimming(tables, switch, lines, report)
    return tables


def _rows(lines: ExtraLines, report: Report) -> Tables:
    try:
        return from_json(lines.text, Tables)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        rule = f"SONiC: these are not rows of CONFIG_DB: {error}"
        report.add(codes.TEXT.at(lines.origin, rule, hint='write {"TABLE": {"key": {"field": "value"}}}'))
        return {}


def _add(table: str, rows: dict[str, Any], tables: Tables, lines: ExtraLines, report: Report) -> None:
    mine = tables.setdefault(table, {})
    ports = set(tables.get("PORT", {}))
    numbers = dict(reversed([(path[:2], number) for number, path in rows_of(lines.text)]))
    for key, row in rows.items():
        known, place = mine.get(key, {}), lines.place_of(numbers.get((table, key), 0))
        may_be_new = not known and ROWS.admits((table, key), 1)
        taken = sorted(field for field in known.keys() & row.keys() if known[field] != row[field])
        taken += [] if known or may_be_new or table not in FIELDS else sorted(row) or ["the row"]
        taken += (
            [] if may_be_new else sorted(row.keys() & (FIELDS.get(table, frozenset()) | MOVES) - known.keys())
        )
        of_ours = table in OF_PORTS and not known and ports & set(NAMES.split(key))
        if table in SERVICES:
            rule = f"SONiC: rows of {table} start and stop programs, or all of routing"
            hint = "remove the row; services of a switch are set up outside of this program"
            report.add(codes.TEXT.at(place, rule, value=f"{table}|{key}", hint=hint))
            continue
        if of_ours:
            taken = [f"ports ({', '.join(sorted(of_ours))})"]
        if taken:
            rule = f"SONiC: {', '.join(taken)} of {table}|{key} follows from the intent"
            hint = "say it in the intent, and take it out of the override"
            report.add(codes.TEXT.at(place, rule, value=f"{table}|{key}", hint=hint))
        mine[key] = {**row, **known}


def _check_trimming(tables: Tables, switch: Switch, lines: ExtraLines, report: Report) -> None:
    has_trimming = "SWITCH_TRIMMING" in tables
    if has_trimming and not trims(switch.hardware):
        feature = f"no public source says that {switch.hardware.asic} trims packets"
        hint = "choose a model of NVIDIA Spectrum-4 or later, or take SWITCH_TRIMMING out"
        report.add(unsupported(switch, "SONiC", lines.origin, feature, hint, about="packet_trimming"))
    actions = [row.get("packet_discard_action") for row in tables.get("BUFFER_PROFILE", {}).values()]
    if "trim" in actions and not has_trimming:
        rule = "SONiC: packet_discard_action trim needs SWITCH_TRIMMING|GLOBAL: size, dscp_value, queue_index"
        report.add(codes.TEXT.at(lines.origin, rule, value="trim", hint="add the table to the override"))

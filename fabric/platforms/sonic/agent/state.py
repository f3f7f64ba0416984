"""What the switch says of its ports and neighbours, as its programs print it.

Sources: sonic-db-dump (sonic-py-swsssdk: JSON by key, fields below `value`); names of tables: sonic-swss portsorch.cpp.
"""

from __future__ import annotations

import json
from typing import Any

from fabric.platforms.sonic.agent import database
from fabric.platforms.sonic.agent.machine import Machine, Refused, last_line
from fabric.platforms.sonic.agent.routing import vtysh

VERSION = "/etc/sonic/sonic_version.yml"
COUNTED = (
    ("ports", "APPL_DB", "PORT_TABLE:*"),
    ("port_names", "COUNTERS_DB", "COUNTERS_PORT_NAME_MAP"),
    ("queue_names", "COUNTERS_DB", "COUNTERS_QUEUE_NAME_MAP"),
    ("counters", "COUNTERS_DB", "COUNTERS:*"),
)

PROGRAMMED = (
    ("port_names", "COUNTERS_DB", "COUNTERS_PORT_NAME_MAP"),
    ("queue_names", "COUNTERS_DB", "COUNTERS_QUEUE_NAME_MAP"),
    ("ports", "ASIC_DB", "ASIC_STATE:SAI_OBJECT_TYPE_PORT:*"),
    ("queues", "ASIC_DB", "ASIC_STATE:SAI_OBJECT_TYPE_QUEUE:*"),
    ("curves", "ASIC_DB", "ASIC_STATE:SAI_OBJECT_TYPE_WRED:*"),
    ("maps", "ASIC_DB", "ASIC_STATE:SAI_OBJECT_TYPE_QOS_MAP:*"),
    ("counters", "COUNTERS_DB", "COUNTERS:oid:0x15*"),
)
"""What has been written to the hardware, and what watches its queues: objects of that type have numbers with 0x15."""


def hello(machine: Machine) -> str:
    """Whether it is SONiC: the text that says which."""
    text = machine.read(VERSION)
    if text is None:
        raise Refused("command", f"there is no {VERSION}: this is not SONiC")
    return text


def shown(machine: Machine, commands: list[str]) -> list[str]:
    """What FRR prints for each command."""
    return [vtysh(machine, command) for command in commands]


def ports(machine: Machine) -> dict[str, Any]:
    """Tables of APPL_DB and COUNTERS_DB: fields by key."""
    return {name: _dump(machine, source, pattern) for name, source, pattern in COUNTED}


def hardware(machine: Machine) -> dict[str, Any]:
    """Tables of ASIC_DB, and the names of their objects."""
    return {name: _dump(machine, source, pattern) for name, source, pattern in PROGRAMMED}


def _dump(machine: Machine, source: str, pattern: str) -> dict[str, Any]:
    done = machine.execute("sonic-db-dump", "-n", source, "-y", "-k", pattern)
    try:
        rows = json.loads(done.out or "{}")
    except ValueError:
        rows = None
    if done.status or not isinstance(rows, dict):
        raise Refused("command", f"sonic-db-dump {source}: {last_line(done.err) or done.status}")
    return {key: row.get("value", {}) for key, row in rows.items() if isinstance(row, dict)}


def lldp(machine: Machine) -> str:
    """Neighbours; empty where the container does not run."""
    done = machine.execute("docker", "exec", "-i", "lldp", "lldpctl", "-f", "json0")
    return done.out if done.status == 0 else ""


def facts(machine: Machine) -> dict[str, Any]:
    """Names, release, time since the start."""
    tables = database.running(machine)
    local = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    serial = machine.execute("decode-syseeprom", "-s")
    return {
        "hostname": local.get("hostname", ""),
        "model": local.get("hwsku", ""),
        "version": hello(machine),
        "serial": serial.out.strip() if serial.status == 0 else "",
        "uptime": machine.now(),
        "ports": sorted(tables.get("PORT", {})),
    }

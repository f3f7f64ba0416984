"""Reading SONiC: both files to neutral facts, and every row or line that nothing here knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from fabric.platforms.base import PART, ClassFacts, Facts, InterfaceFacts, Reading, split_parts
from fabric.platforms.sonic.canonical import FRR, JSON, decode
from fabric.platforms.sonic.lower_qos import ACTIONS, MAP
from fabric.platforms.sonic.read_frr import FrrFacts, read_frr

Unread = list[tuple[int, str]]
SERVICES = frozenset(
    "AAA BANNER_MESSAGE BREAKOUT_CFG DEVICE_NEIGHBOR DNS_NAMESERVER DNS_OPTIONS DHCP_RELAY FEATURE GNMI MGMT_PORT "  # noqa: SIM905
    "MGMT_VRF_CONFIG NTP NTP_SERVER SSH_SERVER SWITCH_HASH SYSLOG_SERVER TACPLUS TACPLUS_SERVER".split()
)
"""Tables noted as they are."""
SEEN = frozenset(
    "DEVICE_METADATA PORT INTERFACE LOOPBACK_INTERFACE MGMT_INTERFACE VLAN VLAN_INTERFACE VLAN_MEMBER DSCP_TO_TC_MAP "  # noqa: SIM905
    "TC_TO_QUEUE_MAP MAP_PFC_PRIORITY_TO_QUEUE PORT_QOS_MAP QUEUE SCHEDULER WRED_PROFILE PFC_WD".split()
)
"""Tables read below."""
SILENT = frozenset(
    "BUFFER_PG BUFFER_POOL BUFFER_PORT_EGRESS_PROFILE_LIST BUFFER_PORT_INGRESS_PROFILE_LIST BUFFER_PROFILE "  # noqa: SIM905
    "BUFFER_QUEUE CABLE_LENGTH DEFAULT_LOSSLESS_BUFFER_PARAMETER DEVICE_NEIGHBOR_METADATA FLEX_COUNTER_TABLE "
    "LOSSLESS_TRAFFIC_PATTERN PFC_PRIORITY_TO_PRIORITY_GROUP_MAP TC_TO_PRIORITY_GROUP_MAP".split()
)
"""Tables that say nothing that the neutral facts have a word for."""


def read(text: str) -> Reading:
    """What both files say."""
    parts = split_parts(text)
    unread: Unread = []
    source = parts.get(JSON, "")
    tables = decode(source)
    if tables is None:
        unread += [(number, line) for number, line in enumerate(source.splitlines(), 1) if line.strip()]
        tables = {}
    for name in tables.keys() - SERVICES - SEEN - SILENT:
        unread.append((_line_of(text, f'"{name}"'), name))
    routing = read_frr(parts.get(FRR, ""), _line_of(text, PART + FRR))
    unread += routing.unread
    return Reading(_facts(tables, routing), tuple(sorted(unread)))


def profile_name(queues: Mapping[int, ClassFacts]) -> str:
    """CONFIG_DB has no named profiles: queues that are treated alike make one, called after what they do."""
    words = []
    for number, one in sorted(queues.items()):
        share = "strict" if one.strict else f"{one.share_percent}%"
        ecn = "/".join(map(str, one.ecn)) if one.ecn else "-"
        words.append(f"{number}:{share} pfc {'-' if one.priority is None else one.priority} ecn {ecn}")
    return ", ".join(words)


def note(rows: Any) -> str:
    """A table as one normal text."""
    return msgspec.json.encode(rows, order="sorted").decode()


def _facts(tables: Mapping[str, Any], routing: FrrFacts) -> Facts:
    local = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    ports = _queues(tables)
    named = {port: profile_name(queues) for port, queues in ports.items()}
    return Facts(
        hostname=local.get("hostname", ""),
        asn=routing.asn,
        router_id=routing.router_id,
        max_paths=routing.max_paths,
        interfaces=_interfaces(tables, named),
        neighbors=routing.neighbors(),
        dscp_to_traffic_class=_numbers(tables, "DSCP_TO_TC_MAP"),
        traffic_class_to_queue=_numbers(tables, "TC_TO_QUEUE_MAP"),
        profiles={named[port]: queues for port, queues in ports.items()},
        watchdog=_watchdog(tables.get("PFC_WD", {})),
        policies=routing.policies,
        services={name: note(rows) for name, rows in tables.items() if name in SERVICES},
    )


def _interfaces(tables: Mapping[str, Any], named: Mapping[str, str]) -> dict[str, InterfaceFacts]:
    found: dict[str, dict[str, Any]] = {}
    for name, row in tables.get("PORT", {}).items():
        found[name] = {
            "enabled": row.get("admin_status", "down") == "up",
            "description": row.get("description", ""),
            "speed_mbps": _number(row.get("speed")),
            "ip_mtu_bytes": _number(row.get("mtu")),
            "queueing": named.get(name),
        }
    for name, row in tables.get("VLAN", {}).items():
        found[name] = {"ip_mtu_bytes": _number(row.get("mtu"))}
    for table in ("INTERFACE", "LOOPBACK_INTERFACE", "MGMT_INTERFACE", "VLAN_INTERFACE"):
        for key, row in tables.get(table, {}).items():
            name, _, address = key.partition("|")
            one = found.setdefault(name, {})
            if address:
                one["addresses"] = (*one.get("addresses", ()), address)
            if row.get("ipv6_use_link_local_only") == "enable":
                one["link_local"] = True
    for key in tables.get("VLAN_MEMBER", {}):
        vlan, _, name = key.partition("|")
        found.setdefault(name, {})["vlan"] = int(vlan.removeprefix("Vlan"))
    if tables.get("MGMT_VRF_CONFIG", {}).get("vrf_global", {}).get("mgmtVrfEnabled") == "true":
        found.setdefault("eth0", {})["vrf"] = "mgmt"
    return {name: InterfaceFacts(**told) for name, told in found.items()}


def _queues(tables: Mapping[str, Any]) -> dict[str, dict[int, ClassFacts]]:
    schedulers, curves = tables.get("SCHEDULER", {}), tables.get("WRED_PROFILE", {})
    paused = tables.get("MAP_PFC_PRIORITY_TO_QUEUE", {}).get(MAP, {})
    maps = tables.get("PORT_QOS_MAP", {})
    found: dict[str, dict[int, ClassFacts]] = {}
    for key, row in tables.get("QUEUE", {}).items():
        port, _, number = key.partition("|")
        told = schedulers.get(row.get("scheduler"), {})
        lossless = maps.get(port, {}).get("pfc_enable", "").split(",")
        strict = told.get("type") == "STRICT"
        found.setdefault(port, {})[int(number)] = ClassFacts(
            priority=next((int(p) for p, q in paused.items() if q == number and p in lossless), None),
            strict=strict,
            share_percent=None if strict else _number(told.get("weight")),
            ecn=_curve(curves.get(row.get("wred_profile"))),
        )
    return found


def _curve(row: Mapping[str, str] | None) -> tuple[int, int, int] | None:
    if row is None:
        return None
    low, high = int(row["green_min_threshold"]), int(row["green_max_threshold"])
    return low, high, int(row["green_drop_probability"])


def _watchdog(rows: Mapping[str, Any]) -> tuple[str, int, int, int] | None:
    poll = _number(rows.get("GLOBAL", {}).get("POLL_INTERVAL"))
    one: Mapping[str, str] = next((row for name, row in rows.items() if name != "GLOBAL"), {})
    if poll is None or not one:
        return None
    word: Callable[[str], str] = {told: ours for ours, told in ACTIONS.items()}.__getitem__
    return word(one["action"]), int(one["detection_time"]), int(one["restoration_time"]), poll


def _numbers(tables: Mapping[str, Any], name: str) -> dict[int, int]:
    return {int(key): int(value) for key, value in tables.get(name, {}).get(MAP, {}).items()}


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _line_of(text: str, word: str) -> int:
    return text.count("\n", 0, max(text.find(word), 0)) + 1

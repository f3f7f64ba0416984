"""Reading SONiC: both files to neutral facts, and every row, field or line that nothing here knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fabric.platforms.base import PART, Facts, InterfaceFacts, Reading, split_parts
from fabric.platforms.sonic.canonical import FRR, JSON, decode
from fabric.platforms.sonic.fields import NOTED, unknown
from fabric.platforms.sonic.read_bgp import read_bgp
from fabric.platforms.sonic.read_frr import FrrFacts, read_frr
from fabric.platforms.sonic.read_qos import maps, queues_by_port, watchdog
from fabric.platforms.sonic.read_services import read_services
from fabric.platforms.sonic.tables import Book, number, word


def read(text: str) -> Reading:
    """What both files say."""
    parts = split_parts(text)
    source = parts.get(JSON, "")
    tables = decode(source)
    unread: list[tuple[int, str]] = []
    if tables is None:
        start = _line_of(text, PART + JSON)
        unread += [(start + n, line) for n, line in enumerate(source.splitlines(), 1) if line.strip()]
    book = Book(tables or {})
    routing = read_frr(parts.get(FRR, ""), _line_of(text, PART + FRR))
    read_bgp(book, routing)
    facts = _facts(book, routing)
    for place in (*book.strange, *unknown(book)):
        unread.append((_line_of(text, f'"{place.partition("|")[0]}"'), place))
    return Reading(facts, tuple(sorted({*unread, *routing.unread})))


def note(rows: Any) -> str:
    """A table as one normal text."""
    return msgspec.json.encode(rows, order="sorted").decode()


def _facts(book: Book, routing: FrrFacts) -> Facts:
    local = book.row("DEVICE_METADATA", "localhost")
    profiles, used = queues_by_port(book)
    noted = {name: note(book.rows(name)) for name in NOTED if book.rows(name)}
    return Facts(
        hostname=word(local.get("hostname")),
        asn=routing.asn,
        router_id=routing.router_id,
        max_paths=routing.max_paths,
        interfaces=_interfaces(book, used),
        neighbors=routing.neighbors(),
        dscp_to_traffic_class=maps(book, "DSCP_TO_TC_MAP"),
        traffic_class_to_queue=maps(book, "TC_TO_QUEUE_MAP"),
        profiles=profiles,
        watchdog=watchdog(book),
        policies=routing.policies,
        services={**noted, **read_services(book)},
    )


def _interfaces(book: Book, used: Mapping[str, str]) -> dict[str, InterfaceFacts]:
    found: dict[str, dict[str, Any]] = {}
    for name, row in book.rows("PORT").items():
        found[name] = {
            "enabled": row.get("admin_status", "down") == "up",
            "description": word(row.get("description")),
            "speed_mbps": number(row.get("speed")),
            "ip_mtu_bytes": number(row.get("mtu")),
            "queueing": used.get(name),
        }
    for name, row in book.rows("VLAN").items():
        found[name] = {
            "ip_mtu_bytes": number(row.get("mtu")),
            "enabled": row.get("admin_status", "up") == "up",
        }
    for table in ("INTERFACE", "LOOPBACK_INTERFACE", "MGMT_INTERFACE", "VLAN_INTERFACE"):
        for key, row in book.rows(table).items():
            name, _, address = key.partition("|")
            one = found.setdefault(name, {})
            if address:
                one["addresses"] = (*one.get("addresses", ()), address)
            if row.get("ipv6_use_link_local_only") == "enable":
                one["link_local"] = True
    for key, row in book.rows("VLAN_MEMBER").items():
        vlan, _, name = key.partition("|")
        tagged = row.get("tagging_mode") == "tagged"
        found.setdefault(name, {}).update(vlan=number(vlan.removeprefix("Vlan")), tagged=tagged)
    if book.row("MGMT_VRF_CONFIG", "vrf_global").get("mgmtVrfEnabled") == "true":
        found.setdefault("eth0", {})["vrf"] = "mgmt"
    return {name: InterfaceFacts(**told) for name, told in found.items()}


def _line_of(text: str, word: str) -> int:
    return text.count("\n", 0, max(text.find(word), 0)) + 1

"""What Junos's XML says of a device that runs, in neutral words.

Shapes: NAPALM's recorded answers and views (napalm-automation/napalm, test/junos/mocked_data, junos_views.yml); BGP
with hold times and BFD: a recorded `get-bgp-neighbor-information` of Junos 18.3, and czerwonk/junos_exporter;
interfaces: recorded `show interfaces extensive | display xml`; routes: `show route | display xml` in PyEZ's table
tutorial. No public source shows the elements of PFC and ECN counters: those are not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from fabric.platforms.device_state import BgpSession, PortState
from fabric.platforms.junos.session_rpc import number_of, seconds_of, text_of

SPEED = re.compile(r"(\d+)\s*([mg])bps", re.IGNORECASE)
FAMILIES = {"inet.0": "ipv4", "inet6.0": "ipv6"}
TABLES = tuple(FAMILIES)
UNIT = re.compile(r"\.0$")
"""The unit that a port without VLANs has."""


def clock_s(uptime: etree._Element) -> float | None:
    """The device's clock: seconds since the epoch."""
    return seconds_of(next(uptime.iterfind(".//current-time/date-time"), None))


def facts(
    software: etree._Element, inventory: etree._Element, uptime: etree._Element, interfaces: etree._Element
) -> dict[str, Any]:
    """In NAPALM's form."""
    chassis = next(inventory.iter("chassis"), None)
    up_s = seconds_of(next(uptime.iterfind(".//system-booted-time/time-length"), None))
    name = text_of(software, "host-name")
    return {
        "vendor": "Juniper",
        "model": text_of(software, "product-model").upper(),
        "serial_number": "" if chassis is None else text_of(chassis, "serial-number"),
        "os_version": text_of(software, "junos-version"),
        "hostname": name,
        "fqdn": name,
        "uptime": -1.0 if up_s is None else up_s,
        "interface_list": [text_of(port, "name") for port in interfaces.iter("physical-interface")],
    }


def lldp_neighbors(reply: etree._Element) -> dict[str, Any]:
    """In NAPALM's form. Older releases name the unit, and describe the port in place of its identifier."""
    neighbors: dict[str, Any] = {}
    for row in reply.iter("lldp-neighbor-information"):
        local = text_of(row, "lldp-local-port-id") or text_of(row, "lldp-local-interface")
        port = text_of(row, "lldp-remote-port-id") or text_of(row, "lldp-remote-port-description")
        neighbor = {"hostname": text_of(row, "lldp-remote-system-name"), "port": port}
        neighbors.setdefault(UNIT.sub("", local), []).append(neighbor)
    return neighbors


def bgp_sessions(reply: etree._Element) -> dict[str, BgpSession]:
    """Every neighbour; one that is reached over a link-local address, by its port."""
    return dict(_bgp_session(row) for row in reply.iter("bgp-peer"))


def _bgp_session(row: etree._Element) -> tuple[str, BgpSession]:
    address = text_of(row, "peer-address").partition("+")[0].partition("%")[0]
    port = UNIT.sub("", text_of(row, "local-interface-name")) if address.startswith("fe80:") else ""
    asn, hold, bfd = (text_of(row, name) for name in ("peer-as", "active-holdtime", "bfd-operational-state"))
    has_bfd = text_of(row, "bfd-configuration-state") not in ("", "disabled")
    session = BgpSession(
        is_up=text_of(row, "peer-state") == "Established",
        remote_asn=int(asn) if asn.isdigit() else None,
        port=port,
        hold_s=float(hold) if hold.isdigit() else None,
        bfd_is_up=bfd == "up" if has_bfd else None,
        received=dict(_counted(row, "received-prefix-count")),
        installed=dict(_counted(row, "accepted-prefix-count")),
    )
    return f"{address}%{port}" if port else address, session


def _counted(row: etree._Element, name: str) -> Iterator[tuple[str, int]]:
    """Prefixes by family, in whatever instance the tables are: `inet.0`, `blue.inet6.0`."""
    for table in row.iter("bgp-rib"):
        family = FAMILIES.get(".".join(text_of(table, "name").split(".")[-2:]))
        count = number_of(table, name)
        if family and count is not None:
            yield family, count


def port_states(reply: etree._Element) -> dict[str, PortState]:
    """Every physical interface."""
    return {text_of(row, "name"): _port(row) for row in reply.iter("physical-interface")}


def _port(row: etree._Element) -> PortState:
    drops = (
        "input-error-list/input-drops",
        "input-error-list/input-resource-errors",
        "output-error-list/output-drops",
    )
    dropped = [count for path in drops if (count := number_of(row, path)) is not None]
    return PortState(
        is_up=_child(row, "oper-status") == "up",
        speed_mbps=speed_mbps(_child(row, "speed")),
        fec=text_of(row, "enabled_fec_mode") or None,
        mtu_bytes=number_of(row, "mtu"),
        received_bytes=number_of(row, "traffic-statistics/input-bytes"),
        sent_bytes=number_of(row, "traffic-statistics/output-bytes"),
        errors=number_of(row, "input-error-list/input-errors"),
        discards=sum(dropped) if dropped else None,
    )


def _child(row: etree._Element, name: str) -> str:
    return (row.findtext(name) or "").strip()


def speed_mbps(text: str) -> int | None:
    """`400Gbps`, `1000mbps`; None for `Auto` and what has no speed."""
    match = SPEED.fullmatch(text)
    return int(match[1]) * (1000 if match[2] in "gG" else 1) if match else None


def route_widths(reply: etree._Element) -> dict[str, int]:
    """Next hops of each active route of the default instance."""
    return {
        text_of(route, "rt-destination"): sum(1 for _ in entry.iter("nh"))
        for table in reply.iter("route-table")
        if text_of(table, "table-name") in TABLES
        for route in table.iter("rt")
        for entry in route.iterfind("rt-entry")
        if "*" in text_of(entry, "active-tag") and text_of(entry, "protocol-name") == "BGP"
    }

"""What NVUE's operational state says, in neutral words, and in NAPALM's.

Paths with `include`: NVIDIA/nv-config-manager (81a81bae); counters of a link: Cumulus Linux user guide, "NVUE API", Run
cURL Commands; PFC: nvue-reference, `nv show interface <interface-id> counters qos pfc-stats` (from 5.5 on). What a
release does not tell is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from napalm.base.exceptions import CommandErrorException

from fabric.platforms.cumulus.session_documents import below, table
from fabric.platforms.cumulus.session_rest import Rest
from fabric.platforms.device_state import BgpSession, PortState

Tree = Mapping[str, Any]
PANEL = "swp"
FAMILIES = {"ipv4-unicast": "ipv4", "ipv6-unicast": "ipv6"}
SPEED = re.compile(r"([0-9]+)([MG])")
MBPS = {"M": 1, "G": 1000}
CLOCK = re.compile(r"(?:(\d+) days?, )?(\d+):(\d{2}):(\d{2})(?:\.\d+)?")
STATE: Mapping[str, str] = {"rev": "operational"}
MILLISECONDS = 1000


def number(value: object) -> int | None:
    """A number of JSON, or its text; None if it is neither."""
    if isinstance(value, bool):
        return None
    try:
        return int(str(value))
    except ValueError:
        return None


def uptime_s(system: Tree) -> float | None:
    """How long a switch is up: seconds, or days and a clock; None if it does not tell."""
    uptime = system.get("uptime")
    if (match := CLOCK.fullmatch(str(uptime))) is not None:
        days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return ((days * 24.0 + hours) * 60 + minutes) * 60 + seconds
    known = number(uptime)
    return None if known is None else float(known)


def port_state(row: Tree) -> PortState:
    """One port."""
    link = table(row, "link")
    stats, pauses = table(link, "stats"), table(row, "counters", "qos", "pfc-stats")
    status = link.get("oper-status")
    mbps = SPEED.fullmatch(str(link.get("speed", "")))
    drops = [count for leaf in ("in-drops", "out-drops") if (count := number(stats.get(leaf))) is not None]
    return PortState(
        is_up=status == "up" if status is not None else "up" in table(link, "state"),
        speed_mbps=int(mbps[1]) * MBPS[mbps[2]] if mbps else None,
        fec=str(link["fec"]) if "fec" in link else None,
        mtu_bytes=number(link.get("mtu")),
        received_bytes=number(stats.get("in-bytes")),
        sent_bytes=number(stats.get("out-bytes")),
        errors=number(stats.get("in-errors")),
        discards=sum(drops) if drops else None,
        pause_received=dict(_pauses(pauses, "rx-pause-frames")),
        pause_sent=dict(_pauses(pauses, "tx-pause-frames")),
    )


def _pauses(rows: Tree, leaf: str) -> Iterator[tuple[int, int]]:
    for name, row in table(rows, "switch-priority").items() or rows.items():
        priority, frames = number(name), number(below(row, leaf))
        if priority is not None and frames is not None:
            yield priority, frames


def bgp_session(name: str, row: Tree) -> tuple[str, BgpSession]:
    """One neighbour."""
    is_up = str(row.get("state", "")).lower() == "established"
    port = name if name.startswith(PANEL) else ""
    address = str(row.get("remote-address") or "fe80::") if port else name
    families = {
        short: count
        for family, short in FAMILIES.items()
        if (count := number(below(row, "address-family", family, "rx-prefix"))) is not None
    }
    hold, bfd = number(below(row, "timers", "hold")), table(row, "bfd").get("status")
    return f"{address}%{port}" if port else address, BgpSession(
        is_up=is_up,
        remote_asn=number(row.get("remote-as")),
        port=port,
        hold_s=hold / MILLISECONDS if hold is not None and is_up else None,
        bfd_is_up=None if bfd is None else str(bfd).lower() == "up",
        received=families,
        installed={},
    )


def route_widths(routes: Tree) -> Iterator[tuple[str, int]]:
    """Prefix and next hops of each BGP route in use."""
    for prefix, route in routes.items():
        for entry in table(route, "route-entry").values():
            flags = below(entry, "flags")
            if below(entry, "protocol") == "bgp" and isinstance(flags, list | dict) and "selected" in flags:
                yield prefix, len(table(entry, "via"))


class Getters:
    """Reads the operational state of one switch."""

    rest: Rest

    def get_facts(self) -> dict[str, Any]:
        """Model, version, host name, uptime."""
        system, platform = self.rest.get("system"), self._optional("platform")
        hostname = str(system.get("hostname", ""))
        return {
            "uptime": uptime_s(system) or -1.0,
            "vendor": "NVIDIA",
            "model": str(platform.get("product-name", "")),
            "hostname": hostname,
            "fqdn": hostname,
            "os_version": str(system.get("build", "")),
            "serial_number": str(platform.get("serial-number", "")),
            "interface_list": sorted(self.rest.get("interface", include="/*/type")),
        }

    def get_lldp_neighbors(self) -> dict[str, list[dict[str, str]]]:
        """Neighbours by port."""
        rows = self.rest.get("interface", include="/*/lldp/neighbor")
        heard = {port: table(row, "lldp", "neighbor") for port, row in rows.items()}
        return {
            port: [
                {
                    "hostname": str(below(n, "chassis", "system-name") or name),
                    "port": str(below(n, "port", "name") or ""),
                }
                for name, n in neighbors.items()
            ]
            for port, neighbors in heard.items()
            if neighbors
        }

    def get_bgp_neighbors(self) -> dict[str, dict[str, Any]]:
        """Of the default VRF, in NAPALM's form."""
        bgp = self._optional("router", "bgp", rev="applied")
        peers = {name: _peer(row, number(bgp.get("autonomous-system"))) for name, row in self._neighbors()}
        return {"global": {"router_id": str(bgp.get("router-id", "")), "peers": peers}}

    def get_bgp_sessions(self) -> dict[str, BgpSession]:
        """Of the default VRF."""
        return dict(bgp_session(name, row) for name, row in self._neighbors())

    def get_port_states(self) -> dict[str, PortState]:
        """Of the front panel."""
        rows = self.rest.get("interface", include=["/*/link", "/*/counters/qos/pfc-stats"])
        return {name: port_state(row) for name, row in rows.items() if name.startswith(PANEL)}

    def get_route_widths(self) -> dict[str, int]:
        """Of the default VRF."""
        tables = (
            self._optional("vrf", "default", "router", "rib", version, "route")
            for version in ("ipv4", "ipv6")
        )
        return {prefix: width for table in tables for prefix, width in route_widths(table)}

    def _neighbors(self) -> list[tuple[str, dict[str, Any]]]:
        """From 5.12 on the list is a summary."""
        path = ("vrf", "default", "router", "bgp", "neighbor")
        rows = self._optional(*path, view="detail") or self._optional(*path)
        return [(name, row) for name, row in rows.items() if isinstance(row, dict)]

    def _optional(self, *path: str, **query: Any) -> dict[str, Any]:
        """What a release may not have: then nothing."""
        try:
            return self.rest.get(*path, **query)
        except CommandErrorException:
            return {}


def _peer(row: dict[str, Any], own_asn: int | None) -> dict[str, Any]:
    count = {
        short: number(below(row, "address-family", family, "rx-prefix")) for family, short in FAMILIES.items()
    }
    return {
        "local_as": own_asn or -1,
        "remote_as": number(row.get("remote-as")) or -1,
        "remote_id": str(row.get("remote-router-id", "")),
        "is_up": str(row.get("state", "")).lower() == "established",
        "is_enabled": True,
        "description": str(row.get("description", "")),
        "uptime": -1,
        "address_family": {
            short: {"received_prefixes": received, "accepted_prefixes": -1, "sent_prefixes": -1}
            for short, received in count.items()
            if received is not None
        },
    }

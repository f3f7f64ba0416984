"""What FRR's JSON, lldpd's JSON, the kernel and ethtool say, in neutral words.

Shapes: FRR 8.4.4 and lldpd 1.0.16, run. ethtool's names: Linux, drivers/net/ethernet/mellanox/mlxsw/spectrum_ethtool.c.
What comes from the switch may be anything: a shape that is not known raises, and nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabric.platforms.device_state import BgpSession, PortState

Answer = Mapping[str, Any]

MS = 1000
FAMILIES = {"ipv4Unicast": "ipv4", "ipv6Unicast": "ipv6"}
COUNTER = re.compile(r"(?m)^\s*([a-z0-9_]+):\s*(\d+)\s*$")
DISCARDS = re.compile(r"discard_\w+|tc_no_buffer_discard_uc_tc_\d+")
PAUSE = re.compile(r"([rt]x)_pause_prio_(\d)")
FEC = re.compile(r"(?m)^Active FEC encodings?:\s*(.+?)\s*$")
NEVER_UP = -1.0
"""NAPALM's word for the uptime of a session that is down."""


def parsed(text: str) -> dict[str, Any]:
    """One JSON object."""
    value = json.loads(text or "{}")
    if not isinstance(value, dict):
        message = "FRR answers with something else than an object"
        raise TypeError(message)
    return value


def facts(switch: Answer, version: str) -> dict[str, Any]:
    """NAPALM's form."""
    release = re.match(r"FRRouting (\S+)", version)
    return {
        "hostname": switch["hostname"],
        "fqdn": switch["hostname"],
        "vendor": "FRRouting",
        "model": switch["model"] or "Linux",
        "serial_number": switch["serial"],
        "os_version": release[1] if release else "",
        "uptime": float(switch["uptime"]),
        "interface_list": list(switch["ports"]),
    }


def lldp_neighbors(text: str) -> dict[str, list[dict[str, str]]]:
    """NAPALM's form, of `lldpcli -f json0`, which has lists everywhere."""
    neighbors: dict[str, list[dict[str, str]]] = {}
    for block in parsed(text).get("lldp", ()):
        for row in block.get("interface", ()):
            chassis, port = row["chassis"][0], row["port"][0]
            name = chassis.get("name", [{"value": ""}])[0]["value"]
            neighbors.setdefault(row["name"], []).append({"hostname": name, "port": port["id"][0]["value"]})
    return neighbors


def bgp_sessions(summary: str, details: str) -> dict[str, BgpSession]:
    """Counts of prefixes from the summary, timers and BFD from the details."""
    families, detailed = _families(summary), parsed(details)
    names = dict.fromkeys(name for peers in families.values() for name in peers)
    return {
        _key(name, detailed.get(name, {})): _session(name, families, detailed.get(name, {})) for name in names
    }


def _families(summary: str) -> dict[str, dict[str, Answer]]:
    """Peers by family: FRR's names of the families outside."""
    known = {FAMILIES[name]: body for name, body in parsed(summary).items() if name in FAMILIES}
    return {family: body.get("peers", {}) for family, body in known.items()}


def _key(name: str, detail: Answer) -> str:
    """Its address. FRR calls a session without addresses by its port, and knows the other end's once it is there."""
    address = str(detail.get("bgpNeighborAddr", ""))
    return f"{address}%{name}" if address.startswith("fe80:") else name


def _session(name: str, families: Mapping[str, Mapping[str, Answer]], detail: Answer) -> BgpSession:
    rows = {family: peers[name] for family, peers in families.items() if name in peers}
    asn = next((row["remoteAs"] for row in rows.values() if row.get("remoteAs")), None)
    accepted = {
        FAMILIES[family]: int(body["acceptedPrefixCounter"])
        for family, body in detail.get("addressFamilyInfo", {}).items()
        if family in FAMILIES and "acceptedPrefixCounter" in body
    }
    hold_ms = detail.get("bgpTimerHoldTimeMsecs")
    is_up = any(row.get("state") == "Established" for row in rows.values())
    return BgpSession(
        is_up=is_up,
        remote_asn=asn,
        port=name if any(row.get("idType") == "interface" for row in rows.values()) else "",
        hold_s=hold_ms / MS if hold_ms and is_up else None,
        bfd_is_up=_bfd(detail),
        received={family: int(row.get("pfxRcd", 0)) for family, row in rows.items()},
        installed=accepted,
    )


def _bfd(detail: Answer) -> bool | None:
    status = detail.get("peerBfdInfo", {}).get("status")
    return None if status is None else status == "Up"


def napalm_neighbors(summary: str, details: str) -> dict[str, Any]:
    """NAPALM's `get_bgp_neighbors`."""
    families, detailed = _families(summary), parsed(details)
    router_id = next((str(body["routerId"]) for body in parsed(summary).values() if body.get("routerId")), "")
    peers: dict[str, Any] = {}
    for family, rows in families.items():
        for name, row in rows.items():
            detail = detailed.get(name, {})
            peer = peers.setdefault(_key(name, detail), _peer(row, detail))
            received = int(row.get("pfxRcd", 0))
            info = detail.get("addressFamilyInfo", {}).get(f"{family}Unicast", {})
            peer["address_family"][family] = {
                "received_prefixes": received,
                "accepted_prefixes": int(info.get("acceptedPrefixCounter", received)),
                "sent_prefixes": int(row.get("pfxSnt", 0)),
            }
    return {"global": {"router_id": router_id, "peers": peers}}


def _peer(row: Answer, detail: Answer) -> dict[str, Any]:
    is_up = row.get("state") == "Established"
    return {
        "local_as": int(row.get("localAs", 0)),
        "remote_as": int(row.get("remoteAs", 0)),
        "remote_id": str(detail.get("remoteRouterId", "")),
        "is_up": is_up,
        "is_enabled": row.get("state") != "Idle (Admin)",
        "description": str(row.get("desc", "")),
        "uptime": int(row.get("peerUptimeMsec", 0)) // MS if is_up else int(NEVER_UP),
        "address_family": {},
    }


def port_states(ports: Mapping[str, Answer]) -> dict[str, PortState]:
    """Every port of the switch."""
    return {name: _port(port) for name, port in ports.items()}


def _port(port: Answer) -> PortState:
    speed = int(port["speed"] or -1)
    counters = {name: int(count) for name, count in COUNTER.findall(port.get("ethtool", ""))}
    discards = [count for name, count in counters.items() if DISCARDS.fullmatch(name)]
    fec = FEC.search(port.get("fec", ""))
    kernel = port["counters"]
    return PortState(
        is_up=port["operstate"] == "up" or (port["operstate"] == "unknown" and port["carrier"] == "1"),
        speed_mbps=speed if speed > 0 else None,
        fec=fec[1] if fec else None,
        mtu_bytes=int(port["mtu"] or 0) or None,
        received_bytes=kernel["rx_bytes"],
        sent_bytes=kernel["tx_bytes"],
        errors=kernel["rx_errors"],
        discards=sum(discards) if discards else kernel["rx_dropped"] + kernel["tx_dropped"],
        pause_received=dict(_pauses(counters, "rx")),
        pause_sent=dict(_pauses(counters, "tx")),
        marked=counters.get("ecn_marked"),
    )


def _pauses(counters: Mapping[str, int], direction: str) -> Iterator[tuple[int, int]]:
    for name, count in counters.items():
        match = PAUSE.fullmatch(name)
        if match and match[1] == direction:
            yield int(match[2]), count


def route_widths(*answers: str) -> dict[str, int]:
    """Next hops in the kernel of each prefix of BGP."""
    widths = {}
    for answer in answers:
        for prefix, routes in parsed(answer).items():
            chosen = [route for route in routes if route.get("selected")]
            hops = [hop for route in chosen for hop in route.get("nexthops", ()) if hop.get("fib")]
            if hops:
                widths[prefix] = len(hops)
    return widths

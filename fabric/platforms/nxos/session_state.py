"""What NX-OS says of itself, in neutral words.

Shapes: NAPALM's nxos driver and its recorded answers (`show bgp all summary vrf all`, `show lldp neighbors detail`);
recorded answers of `show interface`, `show ip route` and `show interface priority-flow-control` in public repositories;
`show interface fec`, of which the JSON is not known: Cisco Nexus 9000 interfaces guide and genieparser's recorded text.
A table of one row is an object there, of several a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabric.platforms.device_state import EVERY_PRIORITY, BgpSession, PortQueues, PortState

Answer = Mapping[str, Any]
FAMILIES = {"1": "ipv4", "2": "ipv6"}
UNICAST = "1"
KBPS = 1000
FEC_COLUMNS = ["name", "ifindex", "admin-fec", "oper-fec", "status", "speed", "type"]
ETHERNET = re.compile(r"Eth(\d+(?:/\d+)+)\Z", re.ASCII)
IFINDEX = re.compile(r"0x[0-9a-f]+\Z", re.ASCII)
REPORTS = {"has_pfc": "`show interface priority-flow-control`: `oper`"}
"""What ports tell of their queues, and where."""


def rows(answer: object, name: str) -> Iterator[Answer]:
    """Rows of `TABLE_name`, in whatever form."""
    table = answer.get(f"TABLE_{name}") if isinstance(answer, Mapping) else None
    for part in table if isinstance(table, list) else [table]:
        row = part.get(f"ROW_{name}") if isinstance(part, Mapping) else None
        for each in row if isinstance(row, list) else [row]:
            if isinstance(each, Mapping):
                yield each


def bgp_sessions(summary: Answer) -> dict[str, BgpSession]:
    """Of all VRFs and both families."""
    known: dict[str, dict[str, Answer]] = {}
    for family, row in _peers(summary):
        known.setdefault(str(row["neighborid"]), {})[family] = row
    return {name: _session(name, families) for name, families in known.items()}


def _peers(summary: Answer) -> Iterator[tuple[str, Answer]]:
    for vrf in rows(summary, "vrf"):
        for family in rows(vrf, "af"):
            for unicast in rows(family, "saf"):
                name = FAMILIES.get(str(family.get("af-id")))
                if name and str(unicast.get("safi")) == UNICAST:
                    yield from ((name, row) for row in rows(unicast, "neighbor"))


def _session(name: str, families: Mapping[str, Answer]) -> BgpSession:
    asn = next((str(row["neighboras"]) for row in families.values() if row.get("neighboras")), "")
    return BgpSession(
        is_up=any(row.get("state") == "Established" for row in families.values()),
        remote_asn=_asn(asn) if asn else None,
        port=name.partition("%")[2],
        received={family: _number(row.get("prefixreceived")) or 0 for family, row in families.items()},
    )


def _asn(text: str) -> int:
    """As `65001`, or in the form of RFC 5396, `1.10`."""
    high, dot, low = text.rpartition(".")
    return int(high) * 65536 + int(low) if dot else int(text)


def napalm_neighbors(summary: Answer) -> dict[str, Any]:
    """NAPALM's form. Its own driver fails on most states of a session that is down, and knows one family of a peer."""
    result: dict[str, Any] = {}
    for vrf in rows(summary, "vrf"):
        peers: dict[str, Any] = {}
        for family, row in _peers({"TABLE_vrf": {"ROW_vrf": vrf}}):
            name = str(row["neighborid"])
            state, count = str(row.get("state")), _number(row.get("prefixreceived"))
            peer = peers.setdefault(name, _napalm_peer(vrf, name, row, state))
            counts = {"sent_prefixes": -1, "accepted_prefixes": -1}
            peer["address_family"][family] = {**counts, "received_prefixes": -1 if count is None else count}
        vrf_name = str(vrf.get("vrf-name-out", "default"))
        router_id = str(vrf.get("vrf-router-id", ""))
        result["global" if vrf_name == "default" else vrf_name] = {"router_id": router_id, "peers": peers}
    return result


def _napalm_peer(vrf: Answer, name: str, row: Answer, state: str) -> dict[str, Any]:
    return {
        "local_as": _asn(str(vrf.get("vrf-local-as", 0))),
        "remote_as": _asn(str(row.get("neighboras", 0))),
        "remote_id": name,
        "is_up": state == "Established",
        "is_enabled": not ("Shut" in state and "Admin" in state),
        "description": "",
        "uptime": -1,
        "address_family": {},
    }


def port_states(interfaces: Answer, paused: Answer, corrections: str = "") -> dict[str, PortState]:
    """Every interface that is not a VLAN's, with its PFC frames, and its FEC by the text of `show interface fec`."""
    fecs = dict(_fecs(corrections))
    frames = {
        str(row.get("if_name_str")): row
        for module in rows(paused, "module")
        for row in rows(module, "pfc_interface")
    }
    return {
        str(row["interface"]): _port(
            row, frames.get(str(row["interface"]), {}), fecs.get(str(row["interface"]))
        )
        for row in rows(interfaces, "interface")
        if "state" in row
    }


def _fecs(text: str) -> Iterator[tuple[str, str]]:
    """By interface, as it works (`Oper-fec`). Of a table with other columns, or a row that lacks one, it is empty."""
    table = [line.split() for line in text.splitlines()]
    if FEC_COLUMNS not in ([word.lower() for word in words] for words in table):
        return
    for words in table:
        if len(words) < len(FEC_COLUMNS) or not IFINDEX.match(words[1]):
            continue
        if (port := ETHERNET.match(words[0])) and words[3].strip("-"):
            yield f"Ethernet{port[1]}", words[3]


def port_queues(paused: Answer) -> dict[str, PortQueues]:
    """Whether PFC is operative: `oper`, beside the `admin` that is configured."""
    return {
        str(row.get("if_name_str")): PortQueues(has_pfc=str(row["oper"]).lower().startswith("on"))
        for module in rows(paused, "module")
        for row in rows(module, "pfc_interface")
        if row.get("oper")
    }


def _port(row: Answer, frames: Answer, fec: str | None) -> PortState:
    kbps = _number(row.get("eth_bw"))
    received, sent = _number(frames.get("rx-stats")), _number(frames.get("tx-stats"))
    return PortState(
        is_up=row["state"] == "up",
        speed_mbps=kbps // KBPS if kbps else None,
        fec=fec,
        mtu_bytes=_number(row.get("eth_mtu")),
        received_bytes=_number(row.get("eth_inbytes")),
        sent_bytes=_number(row.get("eth_outbytes")),
        errors=_number(row.get("eth_inerr")),
        discards=_sum(row.get("eth_indiscard"), row.get("eth_outdiscard")),
        pause_received={} if received is None else {EVERY_PRIORITY: received},
        pause_sent={} if sent is None else {EVERY_PRIORITY: sent},
    )


def route_widths(*answers: Answer) -> dict[str, int]:
    """Next hops of each prefix of the default VRF."""
    return {
        str(prefix["ipprefix"]): width
        for answer in answers
        for vrf in rows(answer, "vrf")
        if vrf.get("vrf-name-out", "default") == "default"
        for family in rows(vrf, "addrf")
        for prefix in rows(family, "prefix")
        if (width := sum(str(path.get("ubest")).lower() == "true" for path in rows(prefix, "path")))
    }


def _sum(*texts: object) -> int | None:
    known = [number for number in map(_number, texts) if number is not None]
    return sum(known) if known else None


def _number(text: object) -> int | None:
    word = str(text)
    return int(word) if word.isascii() and word.isdecimal() else None

"""What the programs of the switch print of its state: shapes as in `fabric.platforms.sonic.session_state`."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import Any

from fabric.platforms.emulated_counters import PortCounters
from fabric.platforms.sonic.emulator.hardware import objects, programmed, watched
from fabric.platforms.sonic.emulator.switch import BgpState, SonicSwitch

FAMILIES = {4: "ipv4Unicast", 6: "ipv6Unicast"}
HOST_BITS = {4: 32, 6: 128}
S_TO_MS = 1000


def summary(switch: SonicSwitch) -> str:
    """`show bgp summary json`."""
    seen = switch.view()
    answer: dict[str, Any] = {}
    for version, name in FAMILIES.items():
        states = [state for state in switch.bgp() if version in state.ours.families]
        if states:
            peers = {state.peer.name: _summary_row(switch, state, version) for state in states}
            answer[name] = {
                "routerId": seen.router_id,
                "as": seen.asn,
                "peers": peers,
                "totalPeers": len(peers),
            }
    return json.dumps(answer, indent=2)


def _summary_row(switch: SonicSwitch, state: BgpState, version: int) -> dict[str, Any]:
    theirs = state.live.theirs if state.live else None
    index = 0 if version == 4 else 1
    since_s = state.live.since_s if state.live else switch.around.now()
    configured = state.peer.remote_asn[0][0] if state.peer.remote_asn else 0
    return {
        "remoteAs": theirs.local_asn if theirs else configured,
        "localAs": state.ours.local_asn,
        "state": "Established" if theirs else "Idle (Admin)" if state.peer.shutdown else "Active",
        "peerUptimeMsec": int((switch.around.now() - since_s) * S_TO_MS),
        "pfxRcd": theirs.prefixes[index] if theirs and version in theirs.families else 0,
        "pfxSnt": state.ours.prefixes[index] if theirs else 0,
        "idType": "interface" if state.peer.is_port else "ipv4" if version == 4 else "ipv6",
    }


def neighbors(switch: SonicSwitch) -> str:
    """`show bgp neighbors json`."""
    return json.dumps({state.peer.name: _neighbor(state) for state in switch.bgp()}, indent=2)


def _neighbor(state: BgpState) -> dict[str, Any]:
    theirs = state.live.theirs if state.live else None
    row: dict[str, Any] = {"bgpNeighborAddr": state.address or "none", "localAs": state.ours.local_asn}
    if state.peer.bfd_s is not None:
        row["peerBfdInfo"] = {"status": "Up" if theirs else "Down"}
    if theirs is not None:
        row["remoteRouterId"] = theirs.router_id
        row["bgpTimerHoldTimeMsecs"] = int(min(state.ours.hold_s, theirs.hold_s) * S_TO_MS)
        row["addressFamilyInfo"] = {
            FAMILIES[version]: {"acceptedPrefixCounter": theirs.prefixes[0 if version == 4 else 1]}
            for version in sorted(state.ours.families & theirs.families)
        }
    return row


def routes(switch: SonicSwitch, version: int) -> str:
    """The loopback of each neighbour: what it says of itself. What lies behind it, the sandbox does not compute."""
    hops: dict[str, list[dict[str, Any]]] = {}
    for state in switch.bgp():
        theirs = state.live.theirs if state.live else None
        if version == 4 and theirs is not None and 4 in theirs.families and theirs.prefixes[0]:
            hop = {"fib": True, "ip": state.address, "active": True}
            hops.setdefault(f"{theirs.router_id}/{HOST_BITS[4]}", []).append(hop)
    return json.dumps(
        {
            prefix: [{"prefix": prefix, "protocol": "bgp", "selected": True, "nexthops": rows}]
            for prefix, rows in hops.items()
        }
    )


def lldp(switch: SonicSwitch) -> str:
    """`lldpctl -f json0`."""
    rows = [
        {
            "name": heard.port,
            "chassis": [{"name": [{"value": heard.system}]}],
            "port": [{"id": [{"type": "local", "value": heard.peer_port}]}],
        }
        for heard in switch.neighbors.lldp()
    ]
    return json.dumps({"lldp": [{"interface": rows}]})


def dump(switch: SonicSwitch, source: str, pattern: str) -> str:
    """`sonic-db-dump -n SOURCE -y -k PATTERN`."""
    rows = {"CONFIG_DB": _config, "APPL_DB": _applied, "COUNTERS_DB": _counted, "ASIC_DB": programmed}[
        source
    ](switch)
    return json.dumps(
        {
            key: {"expireat": 0, "ttl": -0.001, "type": "hash", "value": row}
            for key, row in rows.items()
            if fnmatchcase(key, pattern)
        }
    )


Rows = dict[str, dict[str, str]]


def _config(switch: SonicSwitch) -> Rows:
    return {f"{table}|{key}": row for table, rows in switch.tables.items() for key, row in rows.items()}


def _applied(switch: SonicSwitch) -> Rows:
    rows = {}
    for name, port in switch.view().ports.items():
        if name.startswith("Ethernet"):
            fault = switch.counters.fault(name)
            rows[f"PORT_TABLE:{name}"] = {
                "admin_status": "up" if port.enabled else "down",
                "oper_status": "up" if switch.neighbors.has_carrier(name) else "down",
                "speed": str(fault.speed_mbps or port.speed_mbps or 0),
                "mtu": str(fault.mtu_bytes or port.mtu_bytes),
                "fec": fault.fec or port.fec or "none",
                "alias": port.alias,
            }
    return rows


def _counted(switch: SonicSwitch) -> Rows:
    oids, queues = objects(switch)
    rows: Rows = {"COUNTERS_PORT_NAME_MAP": oids, "COUNTERS_QUEUE_NAME_MAP": queues}
    for name, oid in oids.items():
        counted = switch.counters.port(name)
        rows[f"COUNTERS:{oid}"] = _port_counters(counted, _lossless(switch, name))
        for queue in range(8):
            marked = int(counted.marked) if queue == 3 else 0
            rows[f"COUNTERS:{queues[f'{name}:{queue}']}"] = {
                "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS": str(marked),
                **watched(switch, name, queue),
            }
    return rows


def _lossless(switch: SonicSwitch, port: str) -> str:
    """The first priority with PFC."""
    row = switch.tables.get("PORT_QOS_MAP", {}).get(port, {})
    return str(row.get("pfc_enable", "3")).partition(",")[0] or "3"


def _port_counters(counted: PortCounters, priority: str) -> dict[str, str]:
    values = {
        "IF_IN_OCTETS": counted.received_bytes,
        "IF_OUT_OCTETS": counted.sent_bytes,
        "IF_IN_ERRORS": counted.errors,
        "IF_OUT_ERRORS": 0,
        "IF_IN_DISCARDS": 0,
        "IF_OUT_DISCARDS": counted.discards,
        **{f"PFC_{each}_{way}_PKTS": 0 for each in range(8) for way in ("RX", "TX")},
        f"PFC_{priority}_RX_PKTS": counted.pause_received,
        f"PFC_{priority}_TX_PKTS": counted.pause_sent,
    }
    return {f"SAI_PORT_STAT_{name}": str(int(value)) for name, value in values.items()}

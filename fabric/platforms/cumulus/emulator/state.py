"""The operational state that a switch tells beside what is configured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fabric.platforms.cumulus.emulator.queues import pauses, queues
from fabric.platforms.cumulus.emulator.switch import CumulusSwitch
from fabric.platforms.cumulus.emulator.view import Instance, Peer, Port
from fabric.platforms.cumulus.session_documents import below
from fabric.platforms.cumulus.session_state import MILLISECONDS, PANEL
from fabric.platforms.ports import SLOWEST_WITH_FEC_MBPS

Tree = dict[str, Any]
FAMILIES = {4: "ipv4-unicast", 6: "ipv6-unicast"}
MBPS_PER_G = 1000


def state(switch: CumulusSwitch, path: tuple[str, ...]) -> Tree:
    """What stands at a path, now; empty if nothing does."""
    make = TOPS.get(path[0]) if path else None
    return below({path[0]: make(switch)}, *path) if make else {}


def _system(switch: CumulusSwitch) -> Tree:
    return {
        "build": f"Cumulus Linux {switch.release}",
        "hostname": switch.view().hostname,
        "timezone": "Etc/UTC",
        "uptime": switch.uptime_s(),
    }


def _platform(switch: CumulusSwitch) -> Tree:
    return {"product-name": switch.hardware, "serial-number": switch.serial, "system-mac": switch.mac}


def _interfaces(switch: CumulusSwitch) -> Tree:
    heard = {row.port: row for row in switch.neighbors.lldp()}
    rows: Tree = {}
    for port in switch.view().ports.values():
        rows[port.name] = _port(switch, port)
        if (neighbor := heard.get(port.name)) is not None:
            told = {"chassis": {"system-name": neighbor.system}, "port": {"name": neighbor.peer_port}}
            rows[port.name]["lldp"] = {"neighbor": {neighbor.system: told}}
    return rows


def _port(switch: CumulusSwitch, port: Port) -> Tree:
    if not port.name.startswith(PANEL):
        return {"type": "eth" if port.name == "eth0" else "loopback", "link": {"oper-status": "up"}}
    is_up, theirs = switch.neighbors.has_carrier(port.name), switch.neighbors.far_end(port.name)
    fault, counted = switch.counters.fault(port.name), switch.counters.port(port.name)
    own_speed = port.speed_mbps or (theirs.speed_mbps if theirs else None)
    speed = fault.speed_mbps or own_speed
    usual_fec = "rs" if (own_speed or SLOWEST_WITH_FEC_MBPS) >= SLOWEST_WITH_FEC_MBPS else "off"
    fec = fault.fec or port.fec or (usual_fec if is_up else None)
    link: Tree = {
        "mtu": fault.mtu_bytes or port.mtu_bytes,
        "oper-status": "up" if is_up else "down",
        "stats": {
            "in-bytes": int(counted.received_bytes),
            "in-drops": 0,
            "in-errors": int(counted.errors),
            "out-bytes": int(counted.sent_bytes),
            "out-drops": int(counted.discards),
            "out-errors": 0,
        },
        **({"speed": f"{speed // MBPS_PER_G}G"} if speed else {}),
        **({"fec": fec} if fec else {}),
    }
    row = {"type": "swp", "link": link, "counters": {"qos": {"pfc-stats": pauses(switch, port.name)}}}
    return row | ({"qos": qos} if (qos := queues(switch, port.name)) else {})


def _vrfs(switch: CumulusSwitch) -> Tree:
    return {name: {"router": _router(switch, instance)} for name, instance in switch.view().instances.items()}


def _router(switch: CumulusSwitch, instance: Instance) -> Tree:
    neighbors = {peer.name: _neighbor(switch, instance, peer) for peer in instance.peers}
    return {"bgp": {"neighbor": neighbors}, "rib": {"ipv4": {"route": _routes(switch, instance)}}}


def _neighbor(switch: CumulusSwitch, instance: Instance, peer: Peer) -> Tree:
    live = switch.neighbors.session(peer.key)
    if live is None:
        asn = peer.remote_asn[0][0] if peer.remote_asn and not peer.port else None
        return {"state": "idle" if peer.shutdown else "active", **({"remote-as": asn} if asn else {})}
    families = {
        FAMILIES[family]: {
            "rx-prefix": live.theirs.prefixes[family == 6],
            "tx-prefix": instance.originated[family == 6],
        }
        for family in sorted(peer.families & live.theirs.families)
    }
    return {
        "state": "established",
        "remote-as": live.theirs.local_asn,
        "remote-router-id": live.theirs.router_id,
        "timers": {"hold": int(min(peer.hold_s, live.theirs.hold_s)) * MILLISECONDS},
        "address-family": families,
        **({"remote-address": live.address} if peer.port else {}),
        **({"bfd": {"status": "up"}} if peer.bfd_s is not None else {}),
    }


def _routes(switch: CumulusSwitch, instance: Instance) -> Tree:
    """The router ids of neighbours: what else they originate is only counted."""
    hops: dict[str, Tree] = {}
    for peer in instance.peers:
        live = switch.neighbors.session(peer.key)
        if live is not None:
            hops.setdefault(f"{live.theirs.router_id}/32", {})[live.address] = {"interface": live.port}
    return {
        prefix: {"route-entry": {"1": {"protocol": "bgp", "flags": ["selected", "installed"], "via": via}}}
        for prefix, via in hops.items()
    }


TOPS: dict[str, Callable[[CumulusSwitch], Tree]] = {
    "system": _system,
    "platform": _platform,
    "interface": _interfaces,
    "vrf": _vrfs,
}

"""The state datastore: what is configured, and beside each place what the device knows of it.

Leaves are those of nokia/srlinux-yang-models v25.3.1.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterator
from typing import Any

from fabric.platforms.emulated_neighbors import LiveSession
from fabric.platforms.srlinux.documents import merge
from fabric.platforms.srlinux.emulator.queues import queueing
from fabric.platforms.srlinux.emulator.store import written
from fabric.platforms.srlinux.emulator.switch import SrlinuxSwitch
from fabric.platforms.srlinux.emulator.view import Instance, Peer, Port
from fabric.platforms.srlinux.names import SPEEDS_MBPS, bare
from fabric.platforms.srlinux.session_state import PANEL

Tree = dict[str, Any]
USUAL_FEC = {
    25_000: "cl108-rs528",
    50_000: "cl134-rs544",
    100_000: "cl91-rs544",
    200_000: "cl119-rs544",
    400_000: "cl119-rs544",
    800_000: "cl119-rs544",
}
"""What IEEE 802.3 demands at a speed, as `oper-fec-type` says; the model names none for more than 400 Gbit/s."""
WORDS = {mbps: word for word, mbps in SPEEDS_MBPS.items()}
NAMES = {4: "srl_nokia-common:ipv4-unicast", 6: "srl_nokia-common:ipv6-unicast"}


def state(switch: SrlinuxSwitch, names: Collection[str]) -> Tree:
    """What stands at these names at the top, now."""
    running = switch.store.running
    tree: Tree = {
        key: copy.deepcopy(value) for key, value in running.items() if not names or bare(key) in names
    }
    known = {key: make for key, make in PARTS.items() if not names or bare(key) in names}
    merge(tree, {key: make(switch) for key, make in known.items()})
    return tree


def _system(switch: SrlinuxSwitch) -> Tree:
    return {
        "srl_nokia-system-info:information": {
            "version": switch.version,
            "current-datetime": written(switch.now()),
            "last-booted": written(switch.booted_at),
        },
        "srl_nokia-lldp:lldp": {
            "interface": [
                {
                    "name": heard.port,
                    "neighbor": [
                        {
                            "id": f"{heard.system}-{heard.peer_port}",
                            "system-name": heard.system,
                            "port-id": heard.peer_port,
                        }
                    ],
                }
                for heard in switch.neighbors.lldp()
                if heard.system
            ]
        },
        "srl_nokia-configuration:configuration": _configuration(switch),
    }


def _configuration(switch: SrlinuxSwitch) -> Tree:
    store = switch.store
    tree: Tree = {
        "last-change": written(store.last_change),
        "commit": [
            {
                "id": commit.number,
                "type": "private",
                "name": commit.name,
                "status": commit.status,
                "username": commit.username,
                "started": written(commit.started),
                **({} if commit.ended is None else {"ended": written(commit.ended)}),
            }
            for commit in store.commits
        ],
        "checkpoint": [
            {
                "id": known.number,
                "name": known.name,
                "comment": known.comment,
                "created": written(known.created),
                "username": known.username,
            }
            for known in store.checkpoints
        ],
        "candidate": [
            {"name": c.name, "type": "private", "username": c.username, "started": written(c.started)}
            for c in store.candidates.values()
        ],
    }
    if store.holder is not None:
        name, since = store.holder
        tree["session"] = [
            {"id": 1, "name": "default", "exclusive": True, "username": name, "started": written(since)}
        ]
    return {key: value for key, value in tree.items() if value}


def _platform(switch: SrlinuxSwitch) -> Tree:
    chassis = {"type": switch.hardware, "serial-number": switch.serial, "hw-mac-address": switch.mac}
    return {"srl_nokia-platform-chassis:chassis": chassis}


def _ports(switch: SrlinuxSwitch) -> list[Tree]:
    return [_port(switch, port) for port in switch.view().ports.values()]


def _port(switch: SrlinuxSwitch, port: Port) -> Tree:
    if not port.name.startswith(PANEL):
        return {"name": port.name, "oper-state": "up" if port.enabled else "down"}
    is_up, theirs = switch.neighbors.has_carrier(port.name), switch.neighbors.far_end(port.name)
    fault = switch.counters.fault(port.name)
    own_speed = port.speed_mbps or (theirs.speed_mbps if theirs else None)
    speed = fault.speed_mbps or own_speed
    ethernet: Tree = {"port-speed": WORDS[speed]} if speed in WORDS else {}
    ethernet["forward-error-correction"] = {"operational-host-if-fec": fault.fec or usual_fec(own_speed)}
    counted = switch.counters.port(port.name)
    return {
        "name": port.name,
        "oper-state": "up" if is_up else "down",
        "mtu": fault.mtu_bytes or port.mtu_bytes,
        "ethernet": ethernet,
        "statistics": {
            "in-octets": _count(counted.received_bytes),
            "out-octets": _count(counted.sent_bytes),
            "in-error-packets": _count(counted.errors),
            "in-discarded-packets": "0",
            "out-discarded-packets": _count(counted.discards),
        },
    }


def usual_fec(speed: int | None) -> str:
    """What a port corrects errors with: no option that the product's tables know chooses it."""
    return USUAL_FEC.get(speed or max(USUAL_FEC), "disabled")


def _count(value: float) -> str:
    """A counter of 64 bits (RFC 7951, section 6.1)."""
    return str(int(value))


def _instances(switch: SrlinuxSwitch) -> list[Tree]:
    return [_instance(switch, instance) for instance in switch.view().instances.values()]


def _instance(switch: SrlinuxSwitch, instance: Instance) -> Tree:
    neighbors = (_neighbor(switch, instance, peer) for peer in instance.peers)
    known = [neighbor for neighbor in neighbors if neighbor is not None]
    return {
        "name": instance.name,
        "protocols": {"srl_nokia-bgp:bgp": {"neighbor": known}},
        "route-table": _routes(switch, instance),
    }


def _routes(switch: SrlinuxSwitch, instance: Instance) -> Tree:
    """The router ids of neighbours, over each session with one of them: what else they originate is only counted."""
    hops: dict[str, list[str]] = {}
    for peer in instance.peers:
        live = switch.neighbors.session(peer.key)
        if live is not None:
            hops.setdefault(f"{live.theirs.router_id}/32", []).append(live.address)
    routes = [
        {
            "ipv4-prefix": prefix,
            "id": 0,
            "route-type": "srl_nokia-common:bgp",
            "route-owner": "bgp_mgr",
            "origin-network-instance": instance.name,
            "active": True,
            "next-hop-group": str(number),
        }
        for number, prefix in enumerate(hops, 1)
    ]
    groups = [
        {"index": str(number), "next-hop": [{"id": i, "next-hop": hop} for i, hop in enumerate(addresses)]}
        for number, addresses in enumerate(hops.values(), 1)
    ]
    return {
        "srl_nokia-ip-route-tables:ipv4-unicast": {"route": routes},
        "srl_nokia-ip-route-tables:next-hop-group": groups,
    }


def _neighbor(switch: SrlinuxSwitch, instance: Instance, peer: Peer) -> Tree | None:
    """One that is unnumbered is there only while it is up: it was found by its router advertisements."""
    live = switch.neighbors.session(peer.key)
    if live is None and not peer.address:
        return None
    expected = peer.remote_asn[0][0] if peer.remote_asn else 0
    tree: Tree = {
        "peer-address": peer.address or (f"{live.address}%{live.port}.0" if live else ""),
        "peer-as": live.theirs.local_asn if live else expected,
        "admin-state": "disable" if peer.shutdown else "enable",
        "session-state": "established" if live else "idle" if peer.shutdown else "active",
        "afi-safi": [_family(family, instance, peer, live) for family in sorted(peer.families)],
    }
    if live is not None:
        hold_s = int(min(peer.hold_s, live.theirs.hold_s))
        tree |= {"peer-router-id": live.theirs.router_id, "timers": {"negotiated-hold-time": hold_s}}
    return tree


def _family(family: int, instance: Instance, peer: Peer, live: LiveSession | None) -> Tree:
    is_common = live is not None and family in peer.families & live.theirs.families
    received = live.theirs.prefixes[family == 6] if live is not None and is_common else 0
    return {
        "afi-safi-name": NAMES[family],
        "admin-state": "enable",
        "received-routes": received,
        "active-routes": received,
        "rejected-routes": 0,
        "sent-routes": instance.originated[family == 6] if is_common else 0,
    }


def _bfd(switch: SrlinuxSwitch) -> Tree:
    return {"network-instance": list(_bfd_peers(switch))}


def _bfd_peers(switch: SrlinuxSwitch) -> Iterator[Tree]:
    for instance in switch.view().instances.values():
        lives = [(p, switch.neighbors.session(p.key)) for p in instance.peers if p.bfd_s is not None]
        sessions = [(peer.address or live.address, live) for peer, live in lives if peer.address or live]  # type: ignore[union-attr]
        yield {
            "name": instance.name,
            "peer": [
                {
                    "local-discriminator": number,
                    "remote-address": address,
                    "session-state": "UP" if live else "DOWN",
                }
                for number, (address, live) in enumerate(sessions, 1)
            ],
        }


PARTS: dict[str, Callable[[SrlinuxSwitch], Any]] = {
    "srl_nokia-system:system": _system,
    "srl_nokia-platform:platform": _platform,
    "srl_nokia-interfaces:interface": _ports,
    "srl_nokia-network-instance:network-instance": _instances,
    "srl_nokia-qos:qos": queueing,
    "srl_nokia-bfd:bfd": _bfd,
}

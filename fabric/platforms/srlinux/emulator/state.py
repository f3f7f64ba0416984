"""The state datastore: what is configured, and beside each place what the device knows of it.

Leaves are those of nokia/srlinux-yang-models v25.3.1.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from fabric.platforms.emulated_neighbors import LiveSession
from fabric.platforms.srlinux.documents import merge
from fabric.platforms.srlinux.emulator.store import written
from fabric.platforms.srlinux.emulator.switch import SrlinuxSwitch
from fabric.platforms.srlinux.emulator.view import Instance, Peer, Port
from fabric.platforms.srlinux.names import SPEEDS_MBPS
from fabric.platforms.srlinux.session_state import PANEL

Tree = dict[str, Any]
WORDS = {mbps: word for word, mbps in SPEEDS_MBPS.items()}
NAMES = {4: "srl_nokia-common:ipv4-unicast", 6: "srl_nokia-common:ipv6-unicast"}


def state(switch: SrlinuxSwitch) -> Tree:
    """All of it, now."""
    tree = copy.deepcopy(switch.store.running)
    merge(
        tree,
        {
            "srl_nokia-system:system": _system(switch),
            "srl_nokia-platform:platform": {
                "srl_nokia-platform-chassis:chassis": {
                    "type": switch.hardware,
                    "serial-number": switch.serial,
                    "hw-mac-address": switch.mac,
                }
            },
            "srl_nokia-interfaces:interface": [_port(switch, port) for port in switch.view().ports.values()],
            "srl_nokia-network-instance:network-instance": [
                _instance(switch, instance) for instance in switch.view().instances.values()
            ],
            "srl_nokia-bfd:bfd": {"network-instance": list(_bfd(switch))},
        },
    )
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


def _port(switch: SrlinuxSwitch, port: Port) -> Tree:
    is_panel = port.name.startswith(PANEL)
    is_up = switch.neighbors.has_carrier(port.name) if is_panel else port.enabled
    tree: Tree = {"name": port.name, "oper-state": "up" if is_up else "down"}
    if is_panel:
        theirs = switch.neighbors.far_end(port.name)
        speed = port.speed_mbps or (theirs.speed_mbps if theirs else None)
        tree |= {"mtu": port.mtu_bytes, "ethernet": {"port-speed": WORDS[speed]} if speed in WORDS else {}}
        counters = (
            "in-octets",
            "out-octets",
            "in-error-packets",
            "in-discarded-packets",
            "out-discarded-packets",
        )
        tree["statistics"] = dict.fromkeys(counters, "0")
    return tree


def _instance(switch: SrlinuxSwitch, instance: Instance) -> Tree:
    neighbors = (_neighbor(switch, instance, peer) for peer in instance.peers)
    known = [neighbor for neighbor in neighbors if neighbor is not None]
    return {"name": instance.name, "protocols": {"srl_nokia-bgp:bgp": {"neighbor": known}}}


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


def _bfd(switch: SrlinuxSwitch) -> Iterator[Tree]:
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

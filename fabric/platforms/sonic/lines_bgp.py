"""Tables of BGP, for the daemons that make FRR's configuration of them.

Sources: sonic-bgp-*.yang, sonic-route-common.yang; sonic-buildimage src/sonic-frr-mgmt-framework/templates/bgpd.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from fabric.configuration import Effect, Parts, Reader, Statement
from fabric.platforms.effects import CHOSEN, LIMITED, THESE
from fabric.platforms.reading import Peer, put
from fabric.platforms.sonic.rows import (
    NUMBER,
    Row,
    field,
    keep,
    kept,
    kept_row,
    kept_table,
    known,
    row,
    table,
)
from fabric.platforms.sonic.state import SonicState

SENT = Effect("hitless", "routes are sent anew")
ALL_ANEW = Effect("flap", "all sessions are built anew")
OF_GROUP = Effect("flap", "the sessions of the group are built anew")
ANEW = Effect("flap", "the session is built anew", "session")
TEXT = Effect("none", "text only")
TIMERS = ("keepalive", "holdtime")
ROUTES = "<vrf:default>|<prefix>"
"""Key of static routes. SONiC gives the VRF of management a name of its own: only the default one is known by it."""


class PeerRow(NamedTuple):
    """A neighbour or a group whose row is read."""

    peer: Peer
    row: Row
    family: str = ""


def _group(state: SonicState, parts: Parts) -> PeerRow:
    group = state.groups.setdefault(parts["group"], Peer())
    return PeerRow(group, state.note_row(group.settings, "timers {keepalive} {holdtime}", {}))


def _group_family(state: SonicState, parts: Parts) -> PeerRow:
    group, family = state.groups.setdefault(parts["group"], Peer()), parts["family"]
    return PeerRow(
        group, state.note_row(group.settings, f"{family} {{allowed}}{{times}}", {"times": ""}), family
    )


def _neighbor(state: SonicState, parts: Parts) -> PeerRow:
    """What it has of its own matters without a group alone."""
    values = {"keepalive": "60", "holdtime": "180", "shut": ""}
    words = "bgpcfgd timers {keepalive} {holdtime}{shut}"
    peer = state.peers.setdefault(parts["peer"], Peer())
    return PeerRow(peer, state.note_row(state.own[parts["peer"]], words, values))


def _of_peer(reads: Reader) -> Reader:
    """A reader of a field of the neighbour or group."""
    return lambda row, parts: reads(row.peer, parts)


def _of_row(reads: Reader) -> Reader:
    """A reader of a field of the row that is noted."""
    return lambda row, parts: reads(row.row, parts)


def _if(value: str, setting: str) -> Reader:
    """A reader of a field with a value that stands for a setting."""

    def keep_setting(row: PeerRow, parts: Parts) -> None:
        if parts["value"] == value:
            row.peer.settings.append(f"{row.family} {setting}".lstrip())

    return keep_setting


def _maps(direction: str) -> Reader:
    """A reader of the names of route maps."""

    def keep_maps(row: PeerRow, parts: Parts) -> None:
        settings = (f"{row.family} route-map {name} {direction}" for name in parts["value"].split())
        row.peer.settings.extend(settings)

    return keep_maps


def bgp_tables() -> tuple[Statement, ...]:
    """Of the router, its groups and neighbours, and what they tell."""
    main = ("log_nbr_state_changes", "load_balance_mp_relax", "default_ipv4_unicast")
    paths = field("max_ebgp_paths", put("max_paths", "value", int), form=NUMBER)
    route = tuple(kept("blackhole", "distance"))

    def routes(key: str) -> Statement:
        return row(key, *route, reads=kept_row("STATIC_ROUTE"), access="always")

    aggregates, redistribution = "BGP_GLOBALS_AF_AGGREGATE_ADDR", "ROUTE_REDISTRIBUTE"
    return (
        kept_table(
            "BGP_GLOBALS",
            "<vrf>",
            *kept("local_asn", "router_id", "graceful_shutdown"),
            *known(*main),
            effect=ALL_ANEW,
        ),
        table("BGP_GLOBALS_AF", row("<family>", paths), effect=CHOSEN),
        kept_table(aggregates, "<vrf>|<family>|<prefix>", *kept("summary_only"), effect=SENT),
        kept_table(redistribution, "<vrf>|<what>|bgp|<family>", *kept("route_map"), effect=SENT),
        table(
            "STATIC_ROUTE",
            replace(routes(ROUTES), overrides=True),
            routes("<table>|<prefix>"),
            effect=THESE,
        ),
        table("BGP_PEER_GROUP", row("<vrf>|<group>", *_group_fields(), reads=_group), effect=OF_GROUP),
        table(
            "BGP_PEER_GROUP_AF",
            row("<vrf>|<group>|<family:ipv4|ipv6>_unicast", *_family_fields(), reads=_group_family),
            effect=CHOSEN,
        ),
        table(
            "BGP_NEIGHBOR",
            row("<vrf>|<peer>", *_neighbor_fields(), reads=_neighbor),
            row("<peer>", *_neighbor_fields(), reads=_neighbor),
            effect=ANEW,
        ),
    )


def _group_fields() -> Iterator[Statement]:
    yield from (field(name, _of_row(keep(name))) for name in TIMERS)
    yield field("bfd", _of_peer(put("bfd", "value", lambda value: value == "true")))
    yield field("ttl_security_hops", _of_peer(put("ttl_security", "value", lambda hops: hops == "1")))
    yield field("capability_ext_nexthop", _if("true", "capability extended-nexthop"))
    yield field("admin_status", _if("down", "shutdown"))


def _family_fields() -> Iterator[Statement]:
    yield field("admin_status", _if("up", "activate"), form="up")
    yield field("admin_status", _if("true", "activate"))
    yield field("route_map_in", _maps("in"))
    yield field("route_map_out", _maps("out"))
    yield field("allow_as_in", _of_row(keep("allowed", lambda _: "allowas-in")), form="true")
    yield from known("allow_as_in")
    yield field("allow_as_count", _of_row(keep("times", lambda times: f" {times}")))
    yield field("max_prefix_limit", _of_peer(put("max_prefixes", "value", int)), form=NUMBER, effect=LIMITED)


def _neighbor_fields() -> Iterator[Statement]:
    yield field("asn", _of_peer(put("remote_asn", "value", int)), form=NUMBER)
    yield field("peer_group_name", _of_peer(put("group", "value")))
    yield from known("name", effect=TEXT)
    yield from (field(name, _of_row(keep(name))) for name in TIMERS)
    yield field("admin_status", _of_row(keep("shut", lambda _: " shutdown")), form="down")
    yield from known("admin_status", "local_addr", "nhopself", "rrclient")

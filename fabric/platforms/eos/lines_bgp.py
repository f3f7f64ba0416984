"""Every line of BGP and BFD."""

from __future__ import annotations

from functools import partial

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.effects import (
    KEPT,
    LIMITED,
    NO_TRAFFIC,
    ROUTER_ID_OF_PROCESS,
    SESSIONS_UNKNOWN,
    TIMERS,
    otherwise,
)
from fabric.platforms.line_tables import noted
from fabric.platforms.reading import Peer, State, asn, note, put
from fabric.platforms.routing.peer_lines import Family, family, group, of_peer

ANEW = Effect("flap", "sessions built anew", "session")
"""What of a neighbour cannot change while its session stays up."""
RENEWED = Effect("flap", "timers are agreed when a session opens: all sessions may be built anew")
"""RFC 4271, section 4.2. Whether EOS ends sessions for it or keeps the old times, no page says."""
ALL_ANEW = Effect("flap", "AS number changes: all sessions are built anew", new="hitless")


def _over_interface(state: State, parts: Parts) -> None:
    peer = state.peers.setdefault(parts["peer"], Peer())
    peer.group = parts["group"]
    if parts["how"] == "remote-as":
        peer.remote_asn = asn(parts["asn"])


def _setting(state: State, parts: Parts) -> None:
    state.peer(parts["peer"]).settings.append(f"{parts['setting']} {parts.get('times', '')}".rstrip())


def _in_family(below: Family, parts: Parts) -> None:
    """The line as it stands, without the neighbour."""
    words = parts["line"].replace(f"neighbor {parts['peer']} ", "")
    below.owner.peer(parts["peer"]).settings.append(f"{below.name} {words}")


_of_session = partial(Statement, effect=ANEW)
FAMILY = Section(
    _of_session("[{off:no}] neighbor <peer> activate", reads=_in_family),
    Statement("neighbor <peer> route-map {map} <direction:in|out>", reads=_in_family),
    _of_session(
        "neighbor <peer> <setting:next-hop address-family ipv6> [{originate:originate}]", reads=_in_family
    ),
    effect=KEPT,
)
LINES = (
    Statement("router-id {id}", reads=put("router_id", "id"), effect=ROUTER_ID_OF_PROCESS),
    Statement("update wait-install"),
    Statement("[no] bgp default ipv4-unicast"),
    Statement(
        r"timers bgp {keepalive_s:\d+} {hold_s:\d+}",
        reads=note("bgp", "keepalive {keepalive_s} hold {hold_s}"),
        default=("timers bgp 60 180",),
        effect=RENEWED,
    ),
    Statement(r"maximum-paths {paths:\d+} [ecmp {ecmp:\d+}]", reads=put("max_paths", "paths", int)),
    Statement("neighbor <group> peer group", reads=group),
    _of_session("neighbor <peer> peer group {group}", reads=of_peer("group", "group")),
    _of_session(
        "neighbor interface <peer> peer-group {group} {how:remote-as|peer-filter} {asn}",
        reads=_over_interface,
    ),
    _of_session("neighbor <peer> remote-as {asn}", reads=of_peer("remote_asn", "asn", asn)),
    Statement("neighbor <peer> description {text*}", effect=NO_TRAFFIC),
    Statement("[no] bgp log-neighbor-changes", effect=NO_TRAFFIC),
    Statement("neighbor <peer> bfd", reads=of_peer("bfd", value=True)),
    _of_session(
        r"neighbor <peer> password [{encoding:[078]a?}] {password}", reads=of_peer("has_password", value=True)
    ),
    _of_session("neighbor <peer> <setting:shutdown>", reads=_setting),
    Statement(r"neighbor <peer> <setting:allowas-in> [{times:\d+}]", reads=_setting),
    Statement("neighbor <peer> send-community [{kinds*:(?:standard|extended|large)(?: .+)?}]"),
    _of_session(
        r"neighbor <peer> ttl maximum-hops {hops:\d+}",
        reads=of_peer("ttl_security", "hops", lambda hops: int(hops) <= 1),
    ),
    Statement(
        r"neighbor <peer> maximum-routes {routes:\d+} [warning-limit {limit*}] [warning-only]",
        reads=of_peer("max_prefixes", "routes", lambda routes: int(routes) or None),
        effect=LIMITED,
    ),
    *noted(
        "bgp",
        {
            "aggregate-address <prefix> [{how*}]": "aggregate {prefix} {how}",
            "redistribute <what:connected|attached-host> [route-map {map}]": "redistribute {what} route-map {map}",
        },
        effect=None,
    ),
    Statement("address-family <family:ipv4|ipv6>", reads=family, below=FAMILY),
)


def bgp_lines() -> tuple[Statement, ...]:
    """`router bfd` and `router bgp`."""
    timers = Statement(
        r"interval {interval_ms:\d+} min-rx {receive_ms:\d+} multiplier {multiplier:\d+} default",
        reads=note("bfd", "{interval_ms} ms x {multiplier}"),
        default=("interval 300 min-rx 300 multiplier 3 default",),
    )
    return (
        Statement("router bfd", below=Section(timers), effect=TIMERS, empty_is_absent=True),
        Statement(
            "router bgp {asn}",
            reads=put("asn", "asn", asn),
            below=Section(*otherwise(KEPT, LINES), effect=SESSIONS_UNKNOWN),
            effect=ALL_ANEW,
        ),
    )

"""Every line of `router bgp` and of `bfd`.

Sources: Ansible dellemc.enterprise_sonic 4.1 (`sonic_bgp`, `sonic_bgp_neighbors`, `sonic_bgp_neighbors_af`). The daemon
below is FRR: what of a neighbour changes while its session stays is judged as for FRR.
"""

from __future__ import annotations

from functools import partial

from fabric.configuration import Parts, Section, Statement
from fabric.platforms.effects import LIMITED, ROUTER_ID_OF_PROCESS, TIMERS
from fabric.platforms.reading import Peer, added, asn, fixed, member, note, put
from fabric.platforms.routing.peer_lines import Family, family, of_family, setting
from fabric.platforms.routing.vtysh_lines import ALL_ANEW, ANEW, CHOSEN, RESET, TEXT


def _noted(below: Family, parts: Parts) -> None:
    below.owner.service("bgp", f"{below.name} {parts['line']}")


_of_session = partial(Statement, effect=ANEW)
PEER_FAMILY = Section(
    _of_session("activate", reads=setting),
    _of_session(r"allowas-in {times:\d+}", reads=setting),
    Statement("route-map {map} <direction:in|out>", reads=setting),
    Statement("send-community {kind}", reads=setting),
    Statement(r"maximum-prefix {prefixes:\d+}", reads=of_family("max_prefixes", "prefixes"), effect=LIMITED),
    effect=CHOSEN,
)
PEER = (
    Statement("description {text*}", effect=TEXT),
    _of_session(r"remote-as {asn:\d+}", reads=put("remote_asn", "asn", asn)),
    Statement("bfd [profile {profile}]", reads=fixed("bfd", value=True), effect=CHOSEN),
    _of_session(r"ttl-security hops 1", reads=fixed("ttl_security", value=True)),
    _of_session("password {password*}", reads=fixed("has_password", value=True)),
    _of_session("shutdown", reads=added("settings", "line")),
    _of_session("capability extended-nexthop", reads=added("settings", "line")),
    Statement("timers connect 30"),
    Statement("advertisement-interval 0"),
    Statement(
        "address-family <family:ipv4|ipv6> unicast",
        reads=family,
        below=PEER_FAMILY,
    ),
)
"""`timers connect` and `advertisement-interval` are shown of every group, with the product's own values."""
NEIGHBOR = Section(_of_session("peer-group {group}", reads=put("group", "group")), *PEER, effect=ANEW)
FAMILY = Section(
    Statement("redistribute connected route-map {map}", reads=_noted),
    Statement("aggregate-address <prefix> [{how*}]", reads=_noted),
    Statement(r"maximum-paths {paths:\d+}", reads=of_family("max_paths", "paths")),
    effect=CHOSEN,
)
LINES = Section(
    Statement("router-id {id}", reads=put("router_id", "id"), effect=ROUTER_ID_OF_PROCESS),
    Statement("log-neighbor-changes", effect=TEXT),
    Statement(r"timers {keepalive_s:\d+} {hold_s:\d+}", reads=note("bgp"), effect=RESET),
    Statement("bestpath as-path multipath-relax", effect=CHOSEN),
    Statement("address-family <family:ipv4|ipv6> unicast", reads=family, below=FAMILY, effect=ALL_ANEW),
    Statement(
        "peer-group <group>",
        reads=member("groups", "group", Peer),
        below=Section(*PEER, effect=ANEW),
        effect=ANEW,
    ),
    Statement(
        "neighbor [interface] <peer>", reads=member("peers", "peer", Peer), below=NEIGHBOR, effect=ANEW
    ),
    effect=ALL_ANEW,
)
PROFILE = Section(
    *(
        Statement(rf"{name} {{value:\d+}}", reads=note("bfd"))
        for name in ("transmit-interval", "receive-interval", "detect-multiplier")
    ),
)


def bgp_lines() -> tuple[Statement, ...]:
    """`router bgp`, and the profiles of BFD."""
    return (
        Statement(r"router bgp {asn:\d+}", reads=put("asn", "asn", asn), below=LINES, effect=ALL_ANEW),
        Statement(
            "bfd",
            below=Section(Statement("profile <profile>", reads=note("bfd"), below=PROFILE)),
            effect=TIMERS,
            empty_is_absent=True,
        ),
    )

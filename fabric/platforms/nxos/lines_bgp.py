"""Every line of `router bgp`.

Sources: Ansible cisco.nxos (`bgp_global`, `bgp_templates`, `bgp_neighbor_address_family`). Unverified: which settings
of a template NX-OS applies without ending the sessions; only policies, communities and multipath count as such.
"""

from __future__ import annotations

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.effects import KEPT, ROUTER_ID_OF_PROCESS
from fabric.platforms.reading import Peer, added, asn, fixed, member, note, put
from fabric.platforms.routing.peer_lines import Family, family, setting

ASN = r"{asn:\d+(?:\.\d+)?}"
TEXT = Effect("none", "text only")
SESSION = Effect("flap", "sessions over these ports are built anew", "session")
"""Of a neighbour, and of those that inherit from a template."""
ALL = Effect("flap", "settings of all sessions change: they are built anew", new="hitless")


def _max_prefixes(below: Family, parts: Parts) -> None:
    below.owner.max_prefixes = int(parts["prefixes"])
    setting(below, parts)


PEER_FAMILY = Section(
    Statement("send-community [<kind>]", reads=setting, effect=KEPT),
    Statement("route-map {map} <direction:in|out>", reads=setting, effect=KEPT),
    Statement(r"allowas-in {times:\d+}", reads=setting),
    Statement("disable-peer-as-check", reads=setting),
    Statement(r"maximum-prefix {prefixes:\d+}", reads=_max_prefixes),
)
PEER = (
    Statement("description {text*}", effect=TEXT),
    Statement(f"remote-as {ASN}", reads=put("remote_asn", "asn", asn)),
    Statement(r"timers {keepalive_s:\d+} {hold_s:\d+}", reads=added("settings", "line")),
    Statement("bfd", reads=fixed("bfd", value=True)),
    Statement("ttl-security hops 1", reads=fixed("ttl_security", value=True)),
    Statement("password {password*}", reads=fixed("has_password", value=True)),
    Statement("shutdown", reads=added("settings", "line")),
    Statement(
        "address-family <family:ipv4|ipv6> unicast",
        reads=family,
        below=PEER_FAMILY,
    ),
)
FAMILY = Section(
    Statement("redistribute direct route-map {map}", reads=note("bgp"), effect=KEPT),
    Statement(
        "aggregate-address <prefix> [{how*}]", reads=note("bgp", "aggregate {prefix} {how}"), effect=KEPT
    ),
    Statement(r"maximum-paths {paths:\d+}", reads=put("max_paths", "paths", int), effect=KEPT),
)
LINES = Section(
    Statement("router-id {id}", reads=put("router_id", "id"), effect=ROUTER_ID_OF_PROCESS),
    Statement("bestpath as-path multipath-relax", effect=KEPT),
    Statement("log-neighbor-changes", effect=TEXT),
    Statement("address-family <family:ipv4|ipv6> unicast", below=FAMILY, effect=ALL),
    Statement(
        "template peer <group>",
        reads=member("groups", "group", Peer),
        below=Section(*PEER, effect=SESSION),
        effect=SESSION,
    ),
    Statement(
        "neighbor <peer>",
        reads=member("peers", "peer", Peer),
        below=Section(Statement("inherit peer {group}", reads=put("group", "group")), *PEER, effect=SESSION),
        effect=SESSION,
    ),
    effect=ALL,
)


def bgp_lines() -> tuple[Statement, ...]:
    """`router bgp`."""
    return (Statement(f"router bgp {ASN}", reads=put("asn", "asn", asn), below=LINES, effect=ALL),)

"""Every line of BGP and BFD: `router bgp`, `router bfd`, `vrf NAME router bgp`."""

from __future__ import annotations

from dataclasses import replace

from fabric.configuration import Effect, Parts, Statement
from fabric.platforms.cumulus.lines_interfaces import BALANCING
from fabric.platforms.cumulus.rows import container, switch, thing
from fabric.platforms.cumulus.state import Place, grouped, note, of_file, of_group, of_peer
from fabric.platforms.effects import LIMITED, ROUTER_ID_OF_PROCESS, TIMERS

ANEW = Effect("flap", "the session is built anew", "session")
ALL_ANEW = Effect("flap", "sessions are built anew")
ADVERTISED = Effect("hitless", "other routes are advertised")
PATHS = Effect("hitless", "other paths are used")
CHOSEN = Effect("hitless", "sessions stay; routes are asked for anew")
AVOIDED = Effect("hitless", "neighbours choose other paths")
LIMITED_ALL = replace(LIMITED, scope="device")
"""Of a group, which its sessions do not stand below."""
TIMER = r"<timer:detect-multiplier|min-rx-interval|min-tx-interval> {value:\d+}"
FAMILY = "<family:ipv[46]>-unicast"


def _known(place: Place, parts: Parts) -> None:
    """An unnumbered neighbour is an interface: its link-local address carries the session."""
    of_peer("vrf", value="default")(place, parts)
    if parts["type"] == "unnumbered":
        place.state.port(place.parts["peer"]).link_local = True


def _asn(text: str) -> int | None:
    """None for `external` and `internal`."""
    return int(text) if text.isdigit() else None


def _shut(place: Place, parts: Parts) -> None:
    of_group("shut", value=True)(place, parts)
    grouped("shutdown")(place, parts)


NEIGHBOR = (
    Statement("description {text*}", effect=Effect("none", "text only")),
    Statement("type {type}", reads=_known),
    Statement("remote-as {asn}", reads=of_peer("remote_asn", "asn", _asn)),
    Statement("peer-group {group}", reads=of_peer("group", "group")),
)
OFF = "{off:off|disabled}"
GROUP_FAMILY = (
    *switch("enable|state", grouped("{family} activate")),
    thing(
        "policy <direction:inbound|outbound>",
        Statement("route-map {map}", reads=grouped("{family} {direction} {map}")),
        effect=CHOSEN,
    ),
    thing(
        "prefix-limits inbound",
        Statement(r"maximum {routes:\d+}", reads=of_group("max_prefixes", "routes", int)),
        effect=LIMITED_ALL,
    ),
    thing(
        "aspath allow-my-asn",
        Statement("enable|state {state}"),
        Statement(r"occurrences {times:\d+}", reads=grouped("{family} own {times}")),
    ),
)
GROUP = (
    Statement("remote-as {asn}", reads=of_group("remote_asn", "asn", _asn)),
    thing(
        "bfd",
        Statement(TIMER, reads=note("bfd", "{timer} {value}")),
        Statement(f"enable|state {OFF}", reads=of_group("bfd", value=False)),
        Statement("profile|enable|state {how}", reads=of_group("bfd", value=True)),
    ),
    Statement("password {password*}", reads=of_group("has_password", value=True)),
    *switch("shutdown", _shut),
    thing("timers", Statement(r"<timer:hold|keepalive> {seconds:\d+}", reads=grouped("{timer} {seconds}"))),
    thing(
        "ttl-security",
        Statement(f"enable|state {OFF}", reads=of_group("ttl_security", value=False)),
        Statement("enable|state {on}", reads=of_group("ttl_security", value=True)),
        Statement("hops {hops}"),
    ),
    thing(f"address-family {FAMILY}", *GROUP_FAMILY),
)
PROCESS_FAMILY = (
    *switch("enable|state", note("families", "{family}")),
    thing(
        "multipaths", Statement(r"ebgp {paths:\d+}", reads=of_file("max_paths", "paths", int)), effect=PATHS
    ),
    thing(
        "aggregate-route <prefix>",
        Statement("summary-only {on}", reads=note("bgp", "aggregate {prefix}")),
        effect=ADVERTISED,
    ),
    thing("network", Statement("<prefix>", reads=note("bgp", "network {prefix}"))),
    thing(
        "redistribute connected",
        Statement("enable|state {state}"),
        Statement("route-map {map}", effect=ADVERTISED),
    ),
)
PROCESS = (
    Statement("enable|state {state}"),
    Statement(r"autonomous-system {asn:\d+}", reads=of_file("asn", "asn", int)),
    Statement("router-id {id}", reads=of_file("router_id", "id"), effect=ROUTER_ID_OF_PROCESS),
)


def process_lines() -> tuple[Statement, ...]:
    """`vrf default router bgp`."""
    return (
        container(
            "bgp",
            *PROCESS,
            thing(f"address-family {FAMILY}", *PROCESS_FAMILY),
            thing("path-selection multipath", Statement("aspath-ignore {on}")),
            container("neighbor", thing("<peer>", *NEIGHBOR, effect=ANEW)),
            container("peer-group", thing("<group>", *GROUP)),
            effect=ALL_ANEW,
        ),
    )


def router_lines() -> tuple[Statement, ...]:
    """`router bfd`, `router bgp` and `router adaptive-routing`."""
    return (
        thing("adaptive-routing", Statement("enable|state {state}"), effect=BALANCING),
        thing(
            "bfd",
            Statement("state {state}"),
            thing("profile <profile>", Statement(TIMER, reads=note("bfd", "{timer} {value}"))),
            effect=TIMERS,
        ),
        thing(
            "bgp",
            *PROCESS,
            *switch("graceful-shutdown", note("bgp", "graceful-shutdown"), effect=AVOIDED),
            effect=ALL_ANEW,
        ),
    )

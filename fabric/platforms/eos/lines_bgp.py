"""Every line of BGP and BFD."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from fabric.configuration import Effect, Parts, Reader, Section, Statement
from fabric.platforms.reading import Peer, State, asn, note, put

ADDRESS = re.compile(r"\d+\.\d+\.\d+\.\d+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.%]*")

ANEW = Effect("flap", "sessions built anew", "session")
"""What of a neighbour cannot change while its session stays up."""
CHOSEN = Effect("hitless", "sessions stay; routes are chosen anew")
ALL_ANEW = Effect("flap", "AS number or router id changes: all sessions are built anew", new="hitless")


class Family(NamedTuple):
    """An address family whose lines are read."""

    state: State
    name: str


def _group(state: State, parts: Parts) -> None:
    state.groups.setdefault(parts["group"], Peer())


def _over_interface(state: State, parts: Parts) -> None:
    peer = state.peers.setdefault(parts["peer"], Peer())
    peer.group = parts["group"]
    if parts["how"] == "remote-as":
        peer.remote_asn = asn(parts["asn"])


def _peer(state: State, name: str) -> Peer:
    """A neighbour by its address, or a group by its name."""
    known = state.peers if ADDRESS.fullmatch(name) else state.groups
    return known.setdefault(name, Peer())


def _of_peer(
    field: str, part: str = "", convert: Callable[[str], object] = str, *, value: object = None
) -> Reader:
    """A reader that keeps a part of a neighbour's line, or a fixed value, in a field of the neighbour."""

    def keep(state: State, parts: Parts) -> None:
        setattr(_peer(state, parts["peer"]), field, convert(parts[part]) if part else value)

    return keep


def _setting(state: State, parts: Parts) -> None:
    words = (parts["setting"], *parts.get("times", "").split())
    _peer(state, parts["peer"]).settings.append(" ".join(words))


def _family(state: State, parts: Parts) -> Family:
    return Family(state, parts["family"])


def _in_family(family: Family, parts: Parts) -> None:
    words = (family.name, parts["setting"], *parts["originate"].split())
    _peer(family.state, parts["peer"]).settings.append(" ".join(words))


def _policy(family: Family, parts: Parts) -> None:
    setting = f"{family.name} route-map {parts['map']} {parts['direction']}"
    _peer(family.state, parts["peer"]).settings.append(setting)


def _active(family: Family, parts: Parts) -> None:
    _peer(family.state, parts["peer"]).settings.append(
        " ".join((family.name, *parts["off"].split(), "activate"))
    )


FAMILY = Section(
    Statement("[{off:no}] neighbor <peer> activate", reads=_active, effect=ANEW),
    Statement("neighbor <peer> route-map {map} <direction:in|out>", reads=_policy),
    Statement(
        "neighbor <peer> <setting:next-hop address-family ipv6> [{originate:originate}]",
        reads=_in_family,
        effect=ANEW,
    ),
    effect=CHOSEN,
)
LINES = (
    Statement("router-id {id}", reads=put("router_id", "id"), effect=ALL_ANEW),
    Statement("update wait-install"),
    Statement("[no] bgp default ipv4-unicast"),
    Statement(
        r"timers bgp {keepalive_s:\d+} {hold_s:\d+}",
        reads=note("bgp", "keepalive {keepalive_s} hold {hold_s}"),
        default=("timers bgp 60 180",),
    ),
    Statement(r"maximum-paths {paths:\d+} [ecmp {ecmp:\d+}]", reads=put("max_paths", "paths", int)),
    Statement("neighbor <group> peer group", reads=_group),
    Statement("neighbor <peer> peer group {group}", reads=_of_peer("group", "group"), effect=ANEW),
    Statement(
        "neighbor interface <peer> peer-group {group} {how:remote-as|peer-filter} {asn}",
        reads=_over_interface,
        effect=ANEW,
    ),
    Statement("neighbor <peer> remote-as {asn}", reads=_of_peer("remote_asn", "asn", asn), effect=ANEW),
    Statement("neighbor <peer> description {text*}"),
    Statement("neighbor <peer> bfd", reads=_of_peer("bfd", value=True)),
    Statement(
        r"neighbor <peer> password [{encoding:[078]a?}] {password}",
        reads=_of_peer("has_password", value=True),
        effect=ANEW,
    ),
    Statement("neighbor <peer> <setting:shutdown>", reads=_setting, effect=ANEW),
    Statement(r"neighbor <peer> <setting:allowas-in> [{times:\d+}]", reads=_setting),
    Statement("neighbor <peer> send-community [{kinds*:(?:standard|extended|large)(?: .+)?}]"),
    Statement(
        r"neighbor <peer> ttl maximum-hops {hops:\d+}",
        reads=_of_peer("ttl_security", "hops", lambda hops: int(hops) <= 1),
        effect=ANEW,
    ),
    Statement(
        r"neighbor <peer> maximum-routes {routes:\d+} [warning-limit {limit*}] [warning-only]",
        reads=_of_peer("max_prefixes", "routes", lambda routes: int(routes) or None),
    ),
    Statement("aggregate-address <prefix> [{how*}]", reads=note("bgp", "aggregate {prefix} {how}")),
    Statement(
        "redistribute <what:connected|attached-host> [route-map {map}]",
        reads=note("bgp", "redistribute {what} route-map {map}"),
    ),
    Statement(
        "address-family <family:ipv4|ipv6>",
        reads=lambda state, parts: Family(state, parts["family"]),
        below=FAMILY,
    ),
)


def bgp_lines() -> tuple[Statement, ...]:
    """`router bfd` and `router bgp`."""
    return (
        Statement(
            "router bfd",
            below=Section(
                Statement(
                    r"interval {interval_ms:\d+} min-rx {receive_ms:\d+} multiplier {multiplier:\d+} default",
                    reads=note("bfd", "{interval_ms} ms x {multiplier}"),
                    default=("interval 300 min-rx 300 multiplier 3 default",),
                )
            ),
            effect=Effect("hitless", "sessions agree on new timers"),
            empty_is_absent=True,
        ),
        Statement(
            "router bgp {asn}",
            reads=put("asn", "asn", asn),
            below=Section(*LINES, effect=CHOSEN),
            effect=ALL_ANEW,
        ),
    )

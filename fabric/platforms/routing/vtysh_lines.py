"""Lines of FRR's routing, for every product that has a frr.conf: sessions, lists, route maps, static routes and BFD.

Sources: FRR's manual; what FRR 8.4.4 takes and shows. Unverified: which settings of a neighbour FRR changes while the
session stays up; only policies, limits, BFD and the choice of routes count as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import msgspec

from fabric.configuration import Effect, Indented, Parts, Section, Statement
from fabric.platforms.effects import DEFAULT_VRF, LIMITED, ROUTER_ID_OF_PROCESS, THESE
from fabric.platforms.reading import Peer, State, put
from fabric.platforms.routing.peer_lines import Family, family, group, of_peer
from fabric.platforms.texts import HIDDEN

VTYSH = Indented(
    comment="!",
    step=" ",
    closings=(("address-family", "exit-address-family"), ("vrf", "exit-vrf"), ("", "exit")),
    end="end",
    by_creation=r"(?:interface|vrf|route-map|(?:ip|ipv6) (?:prefix-list|access-list|route)|access-list"
    r"|(?:bgp|ip) (?:(?:large-|ext)?community-list|as-path access-list)) ",
)
"""How FRR writes: `frr.conf`, `show running-config`."""
HEADS = (r"\w+ version", "Building configuration", "Current configuration")
"""First words of lines that `show running-config` has beside the configuration, as regular expressions."""
PASSWORD = re.compile(rf"(?m)^([ \t]*neighbor \S+ password )(?!{HIDDEN}$)(.+)$")
"""A line with a password that is not a placeholder."""

TEXT = Effect("none", "text only")
CHOSEN = Effect("hitless", "sessions stay; routes are chosen anew")
ANEW = Effect("flap", "sessions are built anew", "session")
"""What of a neighbour cannot change while its session stays up."""
ALL_ANEW = Effect("flap", "all sessions are built anew", new="hitless")
RESET = Effect("flap", "all sessions are built anew")
"""Of a setting that has a default: a line of it that is new changes what was."""


class RoutingState(State):
    """Routing of FRR, as far as it was read. How the facts call what has no field of its own is each product's."""

    router: list[tuple[str, str]] = msgspec.field(default_factory=list)
    """Address family, empty outside of any, and line of `router bgp`."""
    bfd: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """Lines of each profile of BFD, by `bfd profile NAME`."""
    static_routes: list[str] = msgspec.field(default_factory=list)

    def clause(self, name: str, sequence: str, line: str) -> None:
        """Note a line of a clause of a route map."""
        self.policy(name, f"{sequence} {line}")


class Clause(NamedTuple):
    """A clause of a route map whose lines are read."""

    state: RoutingState
    name: str
    sequence: str


def mask_passwords(text: str) -> str:
    """The text with every password of a session masked that is not a placeholder."""
    return PASSWORD.sub(r"\1<masked>", text)


def _over_interface(state: RoutingState, parts: Parts) -> None:
    peer = state.peers.setdefault(parts["peer"], Peer())
    peer.group = parts.get("group", peer.group)
    if "asn" in parts:
        peer.remote_asn = _asn(parts["asn"])


def _asn(text: str) -> int | None:
    """`external` and `internal` leave the number to the other side."""
    return int(text) if text.isdecimal() else None


def _setting(state: RoutingState, parts: Parts) -> None:
    state.peer(parts["peer"]).settings.append(parts["setting"])


def _router(state: RoutingState, parts: Parts) -> None:
    state.router.append(("", parts["line"]))


def _in_family(below: Family, parts: Parts) -> None:
    below.owner.router.append((below.name, parts["line"]))


def _of_family(below: Family, parts: Parts) -> None:
    setting = parts["line"].removeprefix(f"neighbor {parts['peer']} ")
    below.owner.peer(parts["peer"]).settings.append(f"{below.name} {setting}")


def _max_prefixes(below: Family, parts: Parts) -> None:
    below.owner.peer(parts["peer"]).max_prefixes = int(parts["prefixes"])


def _max_paths(below: Family, parts: Parts) -> None:
    below.owner.max_paths = int(parts["paths"])


def _profile(state: RoutingState, parts: Parts) -> list[str]:
    return state.bfd.setdefault(f"bfd {parts['line']}", [parts["line"]])


def _timer(profile: list[str], parts: Parts) -> None:
    profile.append(parts["line"])


def _static(state: RoutingState, parts: Parts) -> None:
    state.static_routes.append(parts["line"])


def _entry(state: RoutingState, parts: Parts) -> None:
    state.policy(parts["list"], parts["entry"])


def _clause(state: RoutingState, parts: Parts) -> Clause:
    state.policy(parts["map"], f"{parts['sequence']} {parts['action']}")
    return Clause(state, parts["map"], parts["sequence"])


def _in_clause(clause: Clause, parts: Parts) -> None:
    clause.state.clause(clause.name, clause.sequence, parts["line"])


_of_session = partial(Statement, effect=ANEW)

FAMILY = Section(
    Statement("aggregate-address <prefix> [{how*}]", reads=_in_family),
    Statement("redistribute <what:connected> [route-map {map}]", reads=_in_family),
    Statement("network <prefix>", reads=_in_family),
    Statement("neighbor <peer> activate", reads=_of_family, effect=ANEW),
    Statement(r"neighbor <peer> allowas-in [{times:\d+}]", reads=_of_family, effect=ANEW),
    Statement("neighbor <peer> route-map {map} <direction:in|out>", reads=_of_family),
    Statement(r"neighbor <peer> maximum-prefix {prefixes:\d+}", reads=_max_prefixes, effect=LIMITED),
    Statement("neighbor <peer> soft-reconfiguration inbound"),
    Statement(r"maximum-paths {paths:\d+}", reads=_max_paths),
    effect=CHOSEN,
)
NEIGHBOR_LINES = (
    Statement("neighbor <group> peer-group", reads=group, effect=ANEW),
    _of_session("neighbor <peer> peer-group {group}", reads=of_peer("group", "group")),
    _of_session("neighbor <peer> interface peer-group {group}", reads=_over_interface),
    _of_session(r"neighbor <peer> interface remote-as {asn:\d+|external|internal}", reads=_over_interface),
    _of_session(
        r"neighbor <peer> remote-as {asn:\d+|external|internal}", reads=of_peer("remote_asn", "asn", _asn)
    ),
    Statement("neighbor <peer> description {text*}", effect=TEXT),
    Statement("neighbor <peer> bfd", reads=of_peer("bfd", value=True), effect=CHOSEN),
    Statement("neighbor <peer> bfd profile {profile}", reads=of_peer("bfd", value=True), effect=CHOSEN),
    _of_session("neighbor <peer> password {password*}", reads=of_peer("has_password", value=True)),
    _of_session(
        r"neighbor <peer> ttl-security hops {hops:\d+}",
        reads=of_peer("ttl_security", "hops", lambda hops: int(hops) == 1),
    ),
    _of_session("neighbor <peer> <setting:shutdown|capability extended-nexthop>", reads=_setting),
)
ROUTER = Section(
    Statement("bgp router-id {id}", reads=put("router_id", "id"), effect=ROUTER_ID_OF_PROCESS),
    Statement("bgp log-neighbor-changes", effect=TEXT),
    Statement("[no] bgp default ipv4-unicast", effect=RESET),
    Statement("[no] bgp ebgp-requires-policy", reads=_router, effect=RESET),
    Statement("[no] bgp suppress-fib-pending", reads=_router, effect=CHOSEN),
    Statement("bgp graceful-restart [<what*>]", reads=_router, effect=RESET),
    Statement("bgp bestpath as-path multipath-relax", effect=CHOSEN),
    Statement("bgp graceful-shutdown", reads=_router, effect=CHOSEN),
    Statement(r"timers bgp {keepalive_s:\d+} {hold_s:\d+}", reads=_router, effect=RESET),
    Statement("network <prefix>", reads=_router, effect=CHOSEN),
    *NEIGHBOR_LINES,
    Statement(
        "address-family <family:ipv4|ipv6> [unicast]",
        reads=family,
        below=FAMILY,
        effect=CHOSEN,
    ),
    effect=RESET,
)
CLAUSE = Section(
    Statement("match community {list*}", reads=_in_clause),
    Statement("match <family:ip|ipv6> address prefix-list {list}", reads=_in_clause),
    Statement("match <what*>", reads=_in_clause),
    Statement("set community {communities*}", reads=_in_clause),
    Statement("set <what:local-preference|metric|weight> {value}", reads=_in_clause),
    Statement("set <what*>", reads=_in_clause),
)
PROFILE = Section(
    *(
        Statement(rf"{name} {{value:\d+}}", reads=_timer)
        for name in ("detect-multiplier", "receive-interval")
    ),
    Statement(r"transmit-interval {value:\d+}", reads=_timer),
)

IN_VRF = Section(Statement("<line*>", is_unread=True, access="always"))
"""Of another routing table: routes, of which those of management let its answers out."""


def routing_lines() -> tuple[Statement, ...]:
    """The lines at the left margin, for readers of a `RoutingState`."""
    return (
        Statement(
            "bfd",
            below=Section(Statement("profile <profile>", reads=_profile, below=PROFILE)),
            effect=Effect("hitless", "sessions agree on new timers"),
            empty_is_absent=True,
        ),
        Statement(
            r"router bgp {asn:\d+}",
            reads=put("asn", "asn", int),
            below=ROUTER,
            effect=Effect("flap", "AS number changes: all sessions are built anew", new="hitless"),
        ),
        Statement(
            "ip|ipv6 route <prefix> <how*:.+ vrf .+>",
            is_unread=True,
            effect=THESE,
            access="always",
            topic="static routes",
        ),
        Statement(
            "ip|ipv6 route <prefix> <next_hop> [{distance*}]",
            reads=_static,
            effect=THESE,
            access="always",
            vrf=DEFAULT_VRF,
            topic="static routes",
            overrides=True,
        ),
        Statement("vrf <table>", is_unread=True, below=IN_VRF, effect=THESE),
        *policy_lines(),
    )


def policy_lines() -> Iterator[Statement]:
    """Prefix lists, community lists and route maps. A line without a number is called by all that it says."""
    for kind in ("ip prefix-list", "ipv6 prefix-list", "bgp community-list standard"):
        as_list = partial(Statement, reads=_entry, effect=CHOSEN, topic=f"{kind} {{list}}")
        yield as_list(rf"{kind} <list> seq <number:\d+> {{entry*}}")
        yield as_list(f"{kind} <list> <entry*>")
    yield Statement(
        r"route-map <map> {action:permit|deny} <sequence:\d+>", reads=_clause, below=CLAUSE, effect=CHOSEN
    )

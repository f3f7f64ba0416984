"""Rows of `router` and `vrf default router bgp`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fabric.platforms.base import NeighborFacts
from fabric.platforms.cumulus.reading import (
    Handler,
    Match,
    Row,
    State,
    group_note,
    group_note_if_on,
    note,
    noted_if_on,
    policy,
    top,
)


def _paths(state: State, _match: Match, value: str) -> None:
    state.top["max_paths"] = int(value)


def _neighbor(field: str, convert: Callable[[str], Any]) -> Handler:
    def handle(state: State, match: Match, value: str) -> None:
        state.neighbors.setdefault(match[1], {})[field] = convert(value)

    return handle


def _known(state: State, match: Match, value: str) -> None:
    """An unnumbered neighbour is an interface: its link-local address carries the session."""
    state.neighbors.setdefault(match[1], {})
    if value == "unnumbered":
        state.interface(match[1])["link_local"] = True


def _group(field: str, value: Any = True) -> Handler:  # noqa: FBT002  # what is stored, no switch
    def handle(state: State, match: Match, _value: str) -> None:
        state.groups.setdefault(match[1], {})[field] = value

    return handle


def _group_bfd(state: State, match: Match, value: str) -> None:
    state.groups.setdefault(match[1], {})["bfd"] = value not in ("off", "disabled")


def _group_ttl(state: State, match: Match, value: str) -> None:
    state.groups.setdefault(match[1], {})["ttl_security"] = value not in ("off", "disabled")


def _group_limit(state: State, match: Match, value: str) -> None:
    if value.isdigit():
        state.groups.setdefault(match[1], {})["max_prefixes"] = int(value)


def _group_asn(state: State, match: Match, value: str) -> None:
    if value.isdigit():
        state.groups.setdefault(match[1], {})["remote_asn"] = int(value)


def _asn(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def neighbor_facts(state: State, values: dict[str, Any]) -> NeighborFacts:
    """A session with what its group gives it."""
    group = state.groups.get(values.get("policy", ""), {})
    return NeighborFacts(
        remote_asn=values.get("remote_asn", group.get("remote_asn")),
        bfd=bool(values.get("bfd") or group.get("bfd")),
        has_password=bool(values.get("password") or group.get("password")),
        ttl_security=bool(group.get("ttl_security")),
        max_prefixes=group.get("max_prefixes"),
        policy=values.get("policy", ""),
    )


BGP, POLICY = r"vrf default router bgp", r"router policy"
PEER, AF = rf"{BGP} peer-group (\S+)", r"address-family (ipv[46])-unicast"
MAP = rf"{POLICY} route-map (\S+) rule (\d+)"
TIMER = r"(detect-multiplier|min-rx-interval|min-tx-interval)"
ROWS: tuple[Row, ...] = (
    (r"router adaptive-routing (?:enable|state)", None),
    (r"router bfd state", None),
    (rf"router bfd profile \S+ {TIMER}", note("bfd", r"\1 VALUE")),
    (r"router bgp autonomous-system", top("asn", int)),
    (r"router bgp graceful-shutdown", noted_if_on("bgp", "graceful-shutdown")),
    (r"router bgp router-id", top("router_id", str)),
    (r"router bgp (?:enable|state)", None),
    (rf"{POLICY} community-list (\S+) rule (\d+) action", policy(r"\2 VALUE")),
    (rf"{POLICY} community-list (\S+) rule (\d+) community (\S+)", policy(r"\2 \3")),
    (rf"{POLICY} prefix-list (\S+) rule (\d+) action", policy(r"\2 VALUE")),
    (rf"{POLICY} prefix-list (\S+) rule (\d+) match (\S+)(?: (max|min)-prefix-len)?", policy(r"\2 \3 \4 VALUE")),
    (rf"{POLICY} prefix-list (\S+) type", policy(r"VALUE")),
    (rf"{MAP} action(?: (permit|deny))?", policy(r"\2 \3 VALUE")),
    (rf"{MAP} match (ip-prefix-list|type|community-list)", policy(r"\2 \3 VALUE")),
    (rf"{MAP} set community (\S+)", policy(r"\2 set \3")),
    (rf"{MAP} set community-delete-list", policy(r"\2 delete VALUE")),
    (rf"{MAP} set local-preference", policy(r"\2 local-preference VALUE")),
    (r"vrf default router static (\S+) address-family", None),
    (
        r"vrf default router static (\S+) distance (\d+) via blackhole type",
        note("static routes", r"\1 VALUE \2"),
    ),
    (rf"{BGP} (?:enable|state)", None),
    (rf"{BGP} autonomous-system", top("asn", int)),
    (rf"{BGP} router-id", top("router_id", str)),
    (rf"{BGP} {AF} (?:enable|state)", noted_if_on("families", r"\1")),
    (rf"{BGP} {AF} multipaths ebgp", _paths),
    (rf"{BGP} {AF} aggregate-route (\S+) summary-only", note("bgp", r"aggregate \2")),
    (rf"{BGP} {AF} network (\S+)", note("bgp", r"network \2")),
    (rf"{BGP} {AF} redistribute connected (?:enable|state)", None),
    (rf"{BGP} {AF} redistribute connected route-map", None),
    (rf"{BGP} path-selection multipath aspath-ignore", None),
    (rf"{BGP} neighbor (\S+) description", None),
    (rf"{BGP} neighbor (\S+) type", _known),
    (rf"{BGP} neighbor (\S+) remote-as", _neighbor("remote_asn", _asn)),
    (rf"{BGP} neighbor (\S+) peer-group", _neighbor("policy", str)),
    (rf"{PEER} remote-as", _group_asn),
    (rf"{PEER} bfd (?:profile|enable|state)", _group_bfd),
    (rf"{PEER} bfd {TIMER}", note("bfd", r"\2 VALUE")),
    (rf"{PEER} password", _group("password")),
    (rf"{PEER} ttl-security (?:enable|state)", _group_ttl),
    (rf"{PEER} ttl-security hops", None),
    (rf"{PEER} {AF} prefix-limits inbound maximum", _group_limit),
    (rf"{PEER} shutdown", group_note_if_on("shutdown")),
    (rf"{PEER} timers (hold|keepalive)", group_note(r"\2 VALUE")),
    (rf"{PEER} {AF} (?:enable|state)", group_note_if_on(r"\2 activate")),
    (rf"{PEER} {AF} policy (inbound|outbound) route-map", group_note(r"\2 \3 VALUE")),
    (rf"{PEER} {AF} aspath allow-my-asn (?:enable|state)", None),
    (rf"{PEER} {AF} aspath allow-my-asn occurrences", group_note(r"\2 own VALUE")),
)  # fmt: skip

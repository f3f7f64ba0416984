"""Reading BGP and BFD."""

from __future__ import annotations

import re
from typing import NamedTuple

from fabric.platforms.eos.reading import Peer, State
from fabric.platforms.sections import Row, Table

ADDRESS = re.compile(r"\d+\.\d+\.\d+\.\d+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.%]*")
ASN = r"(\d+(?:\.\d+)?)"


class Family(NamedTuple):
    """An address family whose lines are read."""

    state: State
    name: str


def bgp_rows() -> tuple[Row, ...]:
    """`router bfd` and `router bgp`."""
    return (
        Row(r"router bfd", below=Table(Row(r"interval (\d+) min-rx \d+ multiplier (\d+) default", _bfd))),
        Row(rf"router bgp {ASN}", _bgp, _lines()),
    )


def _lines() -> Table:
    return Table(
        Row(r"router-id (\S+)", _router_id),
        Row(r"update wait-install"),
        Row(r"(no )?bgp default ipv4-unicast"),
        Row(r"timers bgp (\d+) (\d+)(?: .*)?", _timers),
        Row(r"maximum-paths (\d+)(?: ecmp (\d+))?", _max_paths),
        Row(r"neighbor (\S+) peer group", _group),
        Row(r"neighbor (\S+) peer group (\S+)", _member),
        Row(r"neighbor interface (\S+) peer-group (\S+) (remote-as|peer-filter) (\S+)", _interface),
        Row(rf"neighbor (\S+) remote-as {ASN}", _remote_as),
        Row(r"neighbor (\S+) description (.+)"),
        Row(r"neighbor (\S+) bfd", _bfd_on),
        Row(r"neighbor (\S+) password (?:[078]a? )?\S+", _password),
        Row(r"neighbor (\S+) (shutdown)", _setting),
        Row(r"neighbor (\S+) (allowas-in(?: \d+)?)", _setting),
        Row(r"neighbor (\S+) send-community(?: standard| extended| large)*"),
        Row(r"neighbor (\S+) ttl maximum-hops (\d+)", _ttl),
        Row(r"neighbor (\S+) maximum-routes (\d+)(?: warning-limit .+)?(?: warning-only)?", _max_prefixes),
        Row(r"aggregate-address (\S+)( .+)?", _aggregate),
        Row(r"redistribute (?:connected|attached-host)(?: route-map \S+)?", _told),
        Row(r"address-family (ipv4|ipv6)", _family, _family_lines()),
    )


def _family_lines() -> Table:
    return Table(
        Row(r"(no )?neighbor (\S+) (activate)", _active),
        Row(r"neighbor (\S+) (route-map \S+ (?:in|out))", _family_setting),
        Row(r"neighbor (\S+) (next-hop address-family ipv6(?: originate)?)", _family_setting),
    )


def _bfd(state: State, match: re.Match[str]) -> None:
    state.service("bfd", f"{match[1]} ms x {match[2]}")


def _bgp(state: State, match: re.Match[str]) -> None:
    state.asn = _asn(match[1])


def _router_id(state: State, match: re.Match[str]) -> None:
    state.router_id = match[1]


def _timers(state: State, match: re.Match[str]) -> None:
    state.service("bgp", f"keepalive {match[1]} hold {match[2]}")


def _max_paths(state: State, match: re.Match[str]) -> None:
    state.max_paths = int(match[1])


def _group(state: State, match: re.Match[str]) -> None:
    state.groups.setdefault(match[1], Peer())


def _member(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).group = match[2]


def _interface(state: State, match: re.Match[str]) -> None:
    peer = state.peers.setdefault(match[1], Peer())
    peer.group = match[2]
    if match[3] == "remote-as":
        peer.remote_asn = _asn(match[4])


def _remote_as(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).remote_asn = _asn(match[2])


def _bfd_on(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).bfd = True


def _password(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).has_password = True


def _ttl(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).ttl_security = int(match[2]) <= 1


def _max_prefixes(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).max_prefixes = int(match[2]) or None


def _setting(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).settings.append(match[2])


def _aggregate(state: State, match: re.Match[str]) -> None:
    state.service("bgp", f"aggregate {match[1]}{match[2] or ''}")


def _told(state: State, match: re.Match[str]) -> None:
    state.service("bgp", match[0])


def _family(state: State, match: re.Match[str]) -> Family:
    return Family(state, match[1])


def _active(family: Family, match: re.Match[str]) -> None:
    _peer(family.state, match[2]).settings.append(f"{family.name} {match[1] or ''}{match[3]}")


def _family_setting(family: Family, match: re.Match[str]) -> None:
    _peer(family.state, match[1]).settings.append(f"{family.name} {match[2]}")


def _peer(state: State, name: str) -> Peer:
    """A neighbour by its address, or a group by its name."""
    known = state.peers if ADDRESS.fullmatch(name) else state.groups
    return known.setdefault(name, Peer())


def _asn(text: str) -> int:
    """Plain, or with a dot (RFC 5396)."""
    high, dot, low = text.partition(".")
    return (int(high) << 16) + int(low) if dot else int(text)

"""Reading NX-OS: text to neutral facts, and every line that no table knows."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from fabric.platforms.base import Reading
from fabric.platforms.nxos.read_interfaces import interface_rows
from fabric.platforms.nxos.read_qos import qos_rows
from fabric.platforms.nxos.reading import Peer, State
from fabric.platforms.nxos.spelling import plain
from fabric.platforms.sections import Row, Table, Unread, parse, read_lines

LITERALS = {"banner motd #": "#"}
"""Lines after which text stands, and the line that ends it."""
DEFAULT_FACILITY = " facility local7"
"""Told by NX-OS of each log server, where nothing else is wanted."""
COMMUNITY_LIST = re.compile(r"ip community-list standard \S+ seq \d+ (.+)")
ASN = r"(\d+(?:\.\d+)?)"


class Named(NamedTuple):
    """A list or route-map whose entries are read, and what is put before each."""

    state: State
    name: str
    before: str = ""


def read(text: str) -> Reading:
    """What a configuration says. Lines that no table knows come back with their numbers."""
    state, unread = State(), Unread()
    read_lines(parse(text, literals=LITERALS), top(), state, unread)
    return Reading(state.facts(), tuple(unread))


@cache
def top() -> Table:
    """Every line that may stand at the left margin."""
    return Table(*_services(), *interface_rows(), *_policies(), *qos_rows(), *_bgp())


def _services() -> tuple[Row, ...]:
    vrf = Table(
        Row(r"ip (?:domain-name|name-server|route) .+", _note("vrf")),
        Row(r"ipv6 route .+", _note("vrf")),
    )
    return (
        Row(r"hostname (\S+)", _hostname),
        Row(r"version \S+.*"),
        Row(r"feature (\S+)", _note("features")),
        Row(r"banner motd #", free=True),
        Row(r"username (\S+) password (?:[05] )?\S+\s+(role \S+)", _user),
        Row(r"username (\S+) (sshkey .+)", _user),
        Row(r"tacacs-server host (\S+) key .*", _tacacs),
        Row(r"ntp (?:server|source-interface) .+", _note("ntp")),
        Row(r"logging server .+", _logging),
        Row(r"grpc (?:use-vrf|port|certificate|client root certificate) \S+", _note("grpc")),
        Row(r"service dhcp", _note("dhcp")),
        Row(r"ip dhcp relay", _note("dhcp")),
        Row(r"ipv6 dhcp relay", _note("dhcp")),
        Row(r"bfd interval .+", _note("bfd")),
        Row(r"ip load-sharing address .+", _note("balancing")),
        Row(
            r"hardware profile dlb",
            _note("balancing"),
            Table(Row(r"dlb-interface .+", _note("balancing")), Row(r"mode .+", _note("balancing"))),
        ),
        Row(
            r"aaa group server tacacs\+ \S+",
            below=Table(
                Row(r"server \S+", _note("aaa")),
                Row(r"use-vrf \S+", _note("aaa")),
                Row(r"source-interface \S+", _note("aaa")),
            ),
        ),
        Row(r"aaa (?:authentication|accounting) .+", _note("aaa")),
        Row(
            r"line vty",
            below=Table(
                Row(r"exec-timeout \d+", _note("ssh")),
                Row(r"access-class \S+ in", _note("ssh")),
                Row(r"ipv6 access-class \S+ in", _note("ssh")),
            ),
        ),
        Row(r"vrf context \S+", below=vrf),
        Row(r"ip route \S+/\d+ .+", _note("static routes")),
        Row(r"ipv6 route \S+/\d+ .+", _note("static routes")),
    )


def _policies() -> tuple[Row, ...]:
    entries = Table(Row(r"<number> ((?:permit|deny) .+)", _entry))
    clause = Table(Row(r"match .+", _clause), Row(r"set .+", _clause))
    return (
        Row(r"ip prefix-list (\S+) seq \d+ (.+)", _listed),
        Row(r"ipv6 prefix-list (\S+) seq \d+ (.+)", _listed),
        Row(r"ip community-list standard (\S+) seq \d+ (.+)", _communities),
        Row(r"ip access-list (\S+)", _named, entries),
        Row(r"ipv6 access-list (\S+)", _named, entries),
        Row(r"route-map (\S+) (permit|deny) (\d+)", _route_map, clause),
    )


def _bgp() -> tuple[Row, ...]:
    family = Table(
        Row(r"send-community(?: \S+)?", _setting),
        Row(r"route-map \S+ (?:in|out)", _setting),
        Row(r"allowas-in \d+", _setting),
        Row(r"disable-peer-as-check", _setting),
        Row(r"maximum-prefix (\d+)", _max_prefixes),
    )
    peer = (
        Row(r"description .+"),
        Row(rf"remote-as {ASN}", _remote_as),
        Row(r"timers \d+ \d+", _peer_setting),
        Row(r"bfd", _bfd),
        Row(r"ttl-security hops 1", _ttl_security),
        Row(r"password .+", _password),
        Row(r"shutdown", _peer_setting),
        Row(r"address-family (ipv[46]) unicast", _peer_family, family),
    )
    own = Table(
        Row(r"redistribute direct route-map \S+", _note("bgp")),
        Row(r"aggregate-address .+", _note("bgp")),
        Row(r"maximum-paths (\d+)", _max_paths),
    )
    return (
        Row(
            rf"router bgp {ASN}",
            _router,
            Table(
                Row(r"router-id (\S+)", _router_id),
                Row(r"bestpath as-path multipath-relax"),
                Row(r"log-neighbor-changes"),
                Row(r"address-family ipv[46] unicast", below=own),
                Row(r"template peer (\S+)", _template, Table(*peer)),
                Row(r"neighbor (\S+)", _neighbor, Table(Row(r"inherit peer (\S+)", _inherit), *peer)),
            ),
        ),
    )


def _note(section: str) -> Callable[[State, re.Match[str]], None]:
    def note(state: State, match: re.Match[str]) -> None:
        state.service(section, match[0])

    return note


def _hostname(state: State, match: re.Match[str]) -> None:
    state.hostname = match[1]


def _user(state: State, match: re.Match[str]) -> None:
    state.service("users", f"{match[1]} {match[2]}")


def _tacacs(state: State, match: re.Match[str]) -> None:
    state.service("aaa", f"host {match[1]}")


def _logging(state: State, match: re.Match[str]) -> None:
    state.service("logging", match[0].removesuffix(DEFAULT_FACILITY))


def _listed(state: State, match: re.Match[str]) -> None:
    state.policy(match[1], match[2])


def _communities(state: State, match: re.Match[str]) -> None:
    same = COMMUNITY_LIST.fullmatch(plain(match[0]))
    state.policy(match[1], same[1] if same else match[2])


def _named(state: State, match: re.Match[str]) -> Named:
    return Named(state, match[1])


def _entry(named: Named, match: re.Match[str]) -> None:
    named.state.policy(named.name, match[1])


def _route_map(state: State, match: re.Match[str]) -> Named:
    state.policy(match[1], f"{match[3]} {match[2]}")
    return Named(state, match[1], match[3])


def _clause(named: Named, match: re.Match[str]) -> None:
    named.state.policy(named.name, f"{named.before} {plain(match[0])}")


def _router(state: State, match: re.Match[str]) -> None:
    state.asn = _asn(match[1])


def _router_id(state: State, match: re.Match[str]) -> None:
    state.router_id = match[1]


def _max_paths(state: State, match: re.Match[str]) -> None:
    state.max_paths = int(match[1])


def _template(state: State, match: re.Match[str]) -> Peer:
    return state.templates.setdefault(match[1], Peer())


def _neighbor(state: State, match: re.Match[str]) -> Peer:
    return state.peers.setdefault(match[1], Peer())


def _inherit(peer: Peer, match: re.Match[str]) -> None:
    peer.template = match[1]


def _remote_as(peer: Peer, match: re.Match[str]) -> None:
    peer.remote_asn = _asn(match[1])


def _bfd(peer: Peer, _match: re.Match[str]) -> None:
    peer.bfd = True


def _ttl_security(peer: Peer, _match: re.Match[str]) -> None:
    peer.ttl_security = True


def _password(peer: Peer, _match: re.Match[str]) -> None:
    peer.has_password = True


def _peer_setting(peer: Peer, match: re.Match[str]) -> None:
    peer.settings.append(match[0])


def _peer_family(peer: Peer, match: re.Match[str]) -> tuple[Peer, str]:
    return peer, match[1]


def _max_prefixes(family: tuple[Peer, str], match: re.Match[str]) -> None:
    family[0].max_prefixes = int(match[1])
    _setting(family, match)


def _setting(family: tuple[Peer, str], match: re.Match[str]) -> None:
    family[0].settings.append(f"{family[1]} {match[0]}")


def _asn(text: str) -> int:
    """Plain, or with a dot (RFC 5396)."""
    high, dot, low = text.partition(".")
    return (int(high) << 16) + int(low) if dot else int(text)

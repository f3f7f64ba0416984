"""Reading `frr.conf`. Source of the lines: FRR manual, and what FRR 8.4.4 shows."""

from __future__ import annotations

import re
from typing import NamedTuple

from fabric.platforms.frr.reading import Peer, State
from fabric.platforms.sections import Row, Table

ADDRESS = re.compile(r"\d+\.\d+\.\d+\.\d+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.%]*")


class Named(NamedTuple):
    """An address family or a clause whose lines are read."""

    state: State
    name: str
    sequence: str = ""


def frr_table() -> Table:
    """Every line that may stand at the left margin."""
    return Table(
        Row(r"frr (?:version|defaults) \S+"),
        Row(r"hostname (\S+)", _hostname),
        Row(r"log syslog \S+"),
        Row(r"service integrated-vtysh-config"),
        Row(r"no (?:ip|ipv6) forwarding"),
        Row(
            r"interface (\S+)",
            _nd,
            Table(Row(r"ipv6 nd prefix (\S+)", _offer), Row(r"no ipv6 nd suppress-ra")),
        ),
        Row(r"router bgp (\d+)", _bgp, _bgp_lines()),
        Row(r"ip route \S+ .+", _static),
        Row(r"ipv6 route \S+ .+", _static),
        Row(r"ip prefix-list (\S+) (?:seq \d+ )?(.+)", _entry),
        Row(r"ipv6 prefix-list (\S+) (?:seq \d+ )?(.+)", _entry),
        Row(r"bgp community-list standard (\S+) seq \d+ (.+)", _entry),
        Row(
            r"route-map (\S+) (\S+) (\d+)", _clause, Table(Row(r"match (.+)", _line), Row(r"set (.+)", _line))
        ),
        Row(r"bfd", below=Table(Row(r"profile (\S+)", _profile, _bfd_lines()), Row(r"exit"))),
        Row(r"exit"),
        Row(r"end"),
    )


def _bgp_lines() -> Table:
    return Table(
        Row(r"bgp router-id (\S+)", _router_id),
        Row(r"no bgp default ipv4-unicast"),
        Row(r"no bgp ebgp-requires-policy"),
        Row(r"bgp (?:log-neighbor-changes|bestpath as-path multipath-relax)"),
        Row(r"timers bgp (\d+) (\d+)", _timers),
        Row(r"neighbor (\S+) peer-group", _group),
        Row(r"neighbor (\S+) peer-group (\S+)", _member),
        Row(r"neighbor (\S+) interface peer-group (\S+)", _interface),
        Row(r"neighbor (\S+) interface remote-as (\d+|external|internal)", _interface_as),
        Row(r"neighbor (\S+) remote-as (\d+|external|internal)", _remote_as),
        Row(r"neighbor (\S+) description .+"),
        Row(r"neighbor (\S+) bfd(?: profile \S+)?", _bfd),
        Row(r"neighbor (\S+) password \S+", _password),
        Row(r"neighbor (\S+) ttl-security hops (\d+)", _ttl),
        Row(r"neighbor (\S+) (shutdown|capability extended-nexthop)", _setting),
        Row(r"bgp (graceful-shutdown)", _drained),
        Row(r"address-family (ipv4|ipv6) unicast", _family, _family_lines()),
        Row(r"exit-address-family"),
    )


def _family_lines() -> Table:
    return Table(
        Row(r"aggregate-address (\S+ ?.*)", _told),
        Row(r"redistribute (connected(?: route-map \S+)?)", _told),
        Row(r"neighbor (\S+) (activate|allowas-in(?: \d+)?|route-map \S+ (?:in|out))", _family_setting),
        Row(r"neighbor (\S+) maximum-prefix (\d+)", _max_prefixes),
        Row(r"neighbor (\S+) soft-reconfiguration inbound"),
        Row(r"maximum-paths (\d+)", _max_paths),
    )


def _bfd_lines() -> Table:
    return Table(
        Row(r"detect-multiplier (\d+)", _bfd_value),
        Row(r"transmit-interval (\d+)", _bfd_value),
        Row(r"receive-interval (\d+)", _bfd_value),
        Row(r"exit"),
    )


def _hostname(state: State, match: re.Match[str]) -> None:
    state.hostname = match[1]


def _static(state: State, match: re.Match[str]) -> None:
    state.service("static routes", match[0])


def _bgp(state: State, match: re.Match[str]) -> None:
    state.asn = int(match[1])


def _nd(state: State, match: re.Match[str]) -> Named:
    return Named(state, match[1])


def _offer(port: Named, match: re.Match[str]) -> None:
    port.state.service("nd", f"{port.name} {match[1]}")


def _entry(state: State, match: re.Match[str]) -> None:
    state.policy(match[1], match[2])


def _clause(state: State, match: re.Match[str]) -> Named:
    state.policy(match[1], f"{match[3]} {match[2]}")
    return Named(state, match[1], match[3])


def _line(clause: Named, match: re.Match[str]) -> None:
    clause.state.policy(clause.name, f"{clause.sequence} {match[0]}")


def _profile(state: State, match: re.Match[str]) -> None:
    state.service("bfd", f"profile {match[1]}")


def _bfd_value(state: State, match: re.Match[str]) -> None:
    state.service("bfd", match[0])


def _router_id(state: State, match: re.Match[str]) -> None:
    state.router_id = match[1]


def _timers(state: State, match: re.Match[str]) -> None:
    state.service("bgp", f"keepalive {match[1]} hold {match[2]}")


def _drained(state: State, match: re.Match[str]) -> None:
    state.service("bgp", match[1])


def _group(state: State, match: re.Match[str]) -> None:
    state.groups.setdefault(match[1], Peer())


def _member(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).group = match[2]


def _interface(state: State, match: re.Match[str]) -> None:
    peer = state.peers.setdefault(match[1], Peer())
    peer.group, peer.is_interface = match[2], True


def _interface_as(state: State, match: re.Match[str]) -> None:
    state.peers.setdefault(match[1], Peer()).is_interface = True
    _remote_as(state, match)


def _remote_as(state: State, match: re.Match[str]) -> None:
    """`external` and `internal` leave the number to the other side."""
    _peer(state, match[1]).remote_asn = int(match[2]) if match[2].isdecimal() else None


def _bfd(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).bfd = True


def _password(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).has_password = True


def _ttl(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).ttl_security = int(match[2]) == 1


def _max_prefixes(family: Named, match: re.Match[str]) -> None:
    _peer(family.state, match[1]).max_prefixes = int(match[2])


def _setting(state: State, match: re.Match[str]) -> None:
    _peer(state, match[1]).settings.append(match[2])


def _family(state: State, match: re.Match[str]) -> Named:
    return Named(state, match[1])


def _told(family: Named, match: re.Match[str]) -> None:
    family.state.service("bgp", f"{family.name} {match[1]}")


def _family_setting(family: Named, match: re.Match[str]) -> None:
    _peer(family.state, match[1]).settings.append(f"{family.name} {match[2]}")


def _max_paths(family: Named, match: re.Match[str]) -> None:
    family.state.max_paths = int(match[1])


def _peer(state: State, name: str) -> Peer:
    """A neighbour by its address or interface, or a group by its name."""
    known = state.peers if ADDRESS.fullmatch(name) or name in state.peers else state.groups
    return known.setdefault(name, Peer())

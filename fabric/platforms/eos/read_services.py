"""Reading management: users, logs, time, SNMP, AAA, the ways in."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from fabric.platforms.eos.reading import State
from fabric.platforms.sections import Row, Table

VRF = r"(?: vrf (\S+))?"
STORED = r"(?:secret|password)(?: (?:0|5|7|sha512))? \S+"


def service_rows() -> tuple[Row, ...]:
    """Every line of management that may stand at the left margin."""
    return (*_users(), *_system(), *_snmp(), *_aaa(), *_ways_in())


def _users() -> tuple[Row, ...]:
    return (
        Row(
            rf"username (\S+)(?: privilege \d+)?(?: role (\S+))?(?: shell \S+)? (?:{STORED}|nopassword)",
            _user,
        ),
        Row(r"username (\S+) ssh-key (?:secondary )?(.+)", _ssh_key),
        Row(r"no aaa root"),
    )


def _system() -> tuple[Row, ...]:
    return (
        Row(r"service routing protocols model (\S+)", _note("routing", "model {0}")),
        Row(r"(no )?lldp run", _lldp_run),
        Row(r"lldp management-address (vrf )?(\S+)", _note("lldp", "address {0}{1}")),
        Row(r"logging trap (\S+)", _note("logging", "level {0}")),
        Row(rf"logging{VRF} host (\S+)", _note("logging", "host {1} vrf {0}")),
        Row(rf"logging{VRF} source-interface (\S+)", _note("logging", "source {1} vrf {0}")),
        Row(r"hostname (\S+)", _hostname),
        Row(rf"ip name-server{VRF} (\S+)", _note("dns", "server {1} vrf {0}")),
        Row(r"dns domain (\S+)", _note("dns", "domain {0}")),
        Row(r"spanning-tree mode (\S+)", _note("spanning-tree", "{0}")),
        Row(r"vrf instance (\S+)", _note("vrfs", "{0}"), Table(Row(r"rd (\S+)"), Row(r"description (.+)"))),
        Row(rf"ntp local-interface{VRF} (\S+)", _note("ntp", "source {1} vrf {0}")),
        Row(rf"ntp server{VRF} (\S+)( prefer)?(?: iburst)?", _note("ntp", "server {1} vrf {0}{2}")),
        Row(r"banner (?:login|motd)", free=True),
    )


def _snmp() -> tuple[Row, ...]:
    return (
        Row(r"snmp-server (contact|location) (.+)", _note("snmp", "{0} {1}")),
        Row(rf"snmp-server{VRF} local-interface (\S+)", _note("snmp", "source {1} vrf {0}")),
        Row(r"snmp-server group (\S+) v3 (\S+)", _note("snmp", "group {0} {1}")),
        Row(
            r"snmp-server user (\S+) (\S+) v3(?: localized \S+)? auth (\S+) \S+ priv (\S+) \S+",
            _note("snmp", "user {0} group {1} {2} {3}"),
        ),
        Row(rf"snmp-server host (\S+){VRF} version 3 priv (\S+)", _note("snmp", "trap {0} vrf {1} user {2}")),
        Row(r"snmp-server enable traps", _note("snmp", "traps")),
        Row(r"(no )?snmp-server vrf (\S+)", _note("snmp", "{0}vrf {1}")),
    )


def _aaa() -> tuple[Row, ...]:
    server = Table(Row(rf"server (\S+){VRF}", _note("aaa", "group server {0} vrf {1}")))
    return (
        Row(
            rf"tacacs-server host (\S+)(?: single-connection)?{VRF}(?: timeout \d+)?(?: key(?: [078]a?)? \S+)?",
            _note("aaa", "tacacs {0} vrf {1}"),
        ),
        Row(rf"ip tacacs{VRF} source-interface (\S+)", _note("aaa", "tacacs source {1} vrf {0}")),
        Row(r"aaa group server tacacs\+ (\S+)", below=server),
        Row(r"aaa (authentication|authorization|accounting) (.+)", _note("aaa", "{0} {1}")),
    )


def _ways_in() -> tuple[Row, ...]:
    vrf = Table(
        Row(r"(no )?shutdown", _in_vrf_shutdown),
        Row(r"ip access-group (\S+)(?: in)?", _in_vrf_list),
        Row(r"ipv6 access-group (\S+)(?: in)?", _in_vrf_list),
    )
    eapi = Table(
        Row(r"protocol (https?)", _note("eapi", "{0}")),
        Row(r"no protocol (https?)", _note("eapi", "no {0}")),
        Row(r"no shutdown", _note("eapi", "on")),
        Row(r"shutdown"),
        Row(r"protocol https ssl profile (\S+)", _note("eapi", "certificate {0}")),
        Row(r"vrf (\S+)", _in_vrf("eapi"), vrf),
    )
    transport = Table(
        Row(r"port (\d+)", _note("gnmi", "port {0}")),
        Row(r"vrf (\S+)", _note("gnmi", "vrf {0}")),
        Row(r"ssl profile (\S+)", _note("gnmi", "certificate {0}")),
        Row(r"ip access-group (\S+)", _note("gnmi", "ip from {0}")),
    )
    gnmi = Table(
        Row(r"transport grpc (\S+)", below=transport), Row(r"provider (\S+)", _note("gnmi", "provider {0}"))
    )
    ssh = Table(
        Row(rf"ip access-group (\S+){VRF} in", _note("ssh", "ip from {0} vrf {1}")),
        Row(rf"ipv6 access-group (\S+){VRF} in", _note("ssh", "ipv6 from {0} vrf {1}")),
        Row(r"idle-timeout (\d+)", _note("ssh", "idle {0} min")),
        Row(r"(no )?shutdown"),
        Row(r"vrf (\S+)", _in_vrf("ssh"), vrf),
    )
    profile = Table(
        Row(r"tls versions .+"),
        Row(r"certificate (\S+) key \S+", _note("certificates", "{0}")),
        Row(r"trust certificate (\S+)", _note("certificates", "clients by {0}")),
    )
    return (
        Row(r"management api http-commands", below=eapi),
        Row(r"management api gnmi", below=gnmi),
        Row(r"management ssh", below=ssh),
        Row(r"management security", below=Table(Row(r"ssl profile (\S+)", below=profile))),
    )


def _note(section: str, text: str) -> Callable[[State, re.Match[str]], None]:
    """A handler that notes a setting: the groups of the pattern in their places; no VRF is the default one."""
    vrfs = {int(place) for place in re.findall(r"vrf \{(\d)\}", text)}

    def note(state: State, match: re.Match[str]) -> None:
        words = [group or ("default" if place in vrfs else "") for place, group in enumerate(match.groups())]
        state.service(section, text.format(*words))

    return note


class InVrf(NamedTuple):
    """A service in a VRF."""

    state: State
    section: str
    vrf: str


def _in_vrf(section: str) -> Callable[[State, re.Match[str]], InVrf]:
    """A handler that goes on in the VRF of the line."""
    return lambda state, match: InVrf(state, section, match[1])


def _in_vrf_shutdown(place: InVrf, match: re.Match[str]) -> None:
    place.state.service(place.section, f"{'' if match[1] else 'off in '}vrf {place.vrf}")


def _in_vrf_list(place: InVrf, match: re.Match[str]) -> None:
    family = match[0].partition(" ")[0]
    place.state.service(place.section, f"{family} from {match[1]} vrf {place.vrf}")


def _user(state: State, match: re.Match[str]) -> None:
    state.service("users", f"{match[1]} role {match[2] or 'default'}")


def _ssh_key(state: State, match: re.Match[str]) -> None:
    state.service("users", f"{match[1]} key {match[2]}")


def _lldp_run(state: State, match: re.Match[str]) -> None:
    if match[1]:
        state.service("lldp", "off")


def _hostname(state: State, match: re.Match[str]) -> None:
    state.hostname = match[1]

"""Every line of management: users, logs, time, SNMP, AAA, and how the switch is reached."""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from typing import NamedTuple

from fabric.configuration import Effect, Parts, Reader, Section, Statement
from fabric.platforms.effects import NO_TRAFFIC
from fabric.platforms.line_tables import noted
from fabric.platforms.reading import State, note, put

USER = "username <user> [privilege {level:\\d+}] [role {role}] [shell {shell}]"


class InVrf(NamedTuple):
    """A service in a VRF."""

    state: State
    section: str
    vrf: str


def service_lines() -> tuple[Statement, ...]:
    """Every line of management that may stand at the left margin."""
    return (*USERS, *SYSTEM, *SNMP, *AAA, *MANAGEMENT)


def _in_vrf(section: str) -> Reader:
    """A reader that goes on in the VRF of the line."""
    return lambda state, parts: InVrf(state, section, parts["vrf"])


def _vrf_shutdown(place: InVrf, parts: Parts) -> None:
    place.state.service(place.section, f"{'' if parts['on'] else 'off in '}vrf {place.vrf}")


def _vrf_list(place: InVrf, parts: Parts) -> None:
    place.state.service(place.section, f"{parts['family']} from {parts['list']} vrf {place.vrf}")


def _lldp(state: State, parts: Parts) -> None:
    if parts["off"]:
        state.service("lldp", "off")


def _user(state: State, parts: Parts) -> None:
    state.service("users", f"{parts['user']} role {parts['role'] or 'default'}")


_managed = partial(Statement, effect=NO_TRAFFIC)
_of_login = partial(Statement, effect=NO_TRAFFIC, access="removed")
_of_user = partial(_of_login, account=itemgetter("user"))


def _as_shipped(line: str) -> Statement:
    """A line that says what is so without it."""
    return _managed(line, default=(line,))


USERS = (
    _of_user(
        rf"{USER} {{kind:secret|password}} [{{encoding:0|5|7|sha512}}] {{hash}}",
        reads=_user,
    ),
    _of_user(f"{USER} nopassword", reads=_user),
    _of_user("username <user> ssh-key [<second:secondary>] {key*}", reads=note("users", "{user} key {key}")),
    _as_shipped("no aaa root"),
)
SYSTEM = (
    Statement(
        "service routing protocols model {model}",
        reads=note("routing", "model {model}"),
        effect=Effect("reload", "the routing model changes only with a reload"),
    ),
    _managed("[{off:no}] lldp run", reads=_lldp, default=("lldp run",), topic="lldp"),
    *noted(
        "lldp",
        {"lldp management-address [<in_vrf:vrf>] {interface}": "address {in_vrf} {interface}"},
        topic="lldp",
    ),
    _managed(
        "logging trap {level}",
        reads=note("logging", "level {level}"),
        default=("logging trap informational",),
        topic="logging",
    ),
    *noted(
        "logging",
        {
            "logging [vrf <vrf>] host <host>": "host {host} vrf {vrf}",
            "logging [vrf <vrf>] source-interface {interface}": "source {interface} vrf {vrf}",
        },
        topic="logging",
    ),
    _managed("hostname {name}", reads=put("hostname", "name")),
    *noted(
        "dns", {"ip name-server [vrf <vrf>] <server>": "server {server} vrf {vrf}"}, topic="ip name-server"
    ),
    *noted("dns", {"dns domain {domain}": "domain {domain}"}),
    *noted(
        "spanning-tree",
        {"spanning-tree mode {mode}": "{mode}"},
        effect=Effect("hitless", "routed ports do not take part"),
    ),
    _of_login(
        "vrf instance <vrf>",
        reads=note("vrfs", "{vrf}"),
        below=Section(Statement("rd {rd}"), Statement("description {text*}")),
    ),
    *noted(
        "ntp",
        {
            "ntp local-interface [vrf <vrf>] {interface}": "source {interface} vrf {vrf}",
            "ntp server [vrf <vrf>] <server> [{prefer:prefer}] [iburst]": "server {server} vrf {vrf} {prefer}",
        },
        topic="ntp",
    ),
    _managed("banner <kind:login|motd>", is_free=True),
    _as_shipped("no enable password"),
    _as_shipped("no service interface inactive port-id allocation disabled"),
    _managed("transceiver qsfp default-mode {mode}", default=("transceiver qsfp default-mode 4x10G",)),
)
SNMP = tuple(
    noted(
        "snmp",
        {
            "snmp-server <what:contact|location> {text*}": "{what} {text}",
            "snmp-server [vrf <vrf>] local-interface {interface}": "source {interface} vrf {vrf}",
            "snmp-server group <group> v3 {level}": "group {group} {level}",
            "snmp-server user <user> <group> v3 [localized {engine}] auth {auth} {key} priv {priv} {priv_key}": (
                "user {user} group {group} {auth} {priv}"
            ),
            "snmp-server host <host> [vrf <vrf>] version 3 priv <user>": "trap {host} vrf {vrf} user {user}",
            "snmp-server enable traps": "traps",
            "[{off:no}] snmp-server vrf <vrf>": "{off} vrf {vrf}",
        },
        topic="snmp-server",
    )
)
AAA = (
    _of_login(
        r"tacacs-server host <host> [single-connection] [vrf <vrf>] [timeout {timeout_s:\d+}] "
        r"[key [{encoding:[078]a?}] {key}]",
        reads=note("aaa", "tacacs {host} vrf {vrf}"),
        topic="tacacs-server",
    ),
    _of_login(
        "ip tacacs [vrf <vrf>] source-interface {interface}",
        reads=note("aaa", "tacacs source {interface} vrf {vrf}"),
        topic="ip tacacs",
    ),
    _of_login(
        "aaa group server tacacs+ <group>",
        below=Section(
            Statement("server <server> [vrf <vrf>]", reads=note("aaa", "group server {server} vrf {vrf}"))
        ),
    ),
    _managed(
        r"aaa <what:authentication|authorization> <place*:\S+(?: \S+)?> {how*:(?:default|console|group|local|none).*}",
        reads=note("aaa", "{what} {place} {how}"),
        access="changed",
    ),
    _managed("aaa accounting <what> {how*}", reads=note("aaa", "accounting {what} {how}")),
)


IN_VRF = Section(
    Statement("[{on:no}] shutdown", reads=_vrf_shutdown),
    Statement("<family:ip|ipv6> access-group {list} [in]", reads=_vrf_list),
)
EAPI = Section(
    Statement("protocol https ssl profile {profile}", reads=note("eapi", "certificate {profile}")),
    Statement(
        "[{off:no}] protocol <protocol:https?>",
        reads=note("eapi", "{off} {protocol}"),
        default=("protocol https",),
    ),
    Statement("no shutdown", reads=note("eapi", "on")),
    Statement("shutdown"),
    Statement("vrf <vrf>", reads=_in_vrf("eapi"), below=IN_VRF),
)
TRANSPORT = Section(
    Statement(r"port {port:\d+}", reads=note("gnmi", "port {port}"), default=("port 6030",)),
    *noted(
        "gnmi",
        {
            "vrf {in_vrf}": "vrf {in_vrf}",
            "ssl profile {profile}": "certificate {profile}",
            "ip access-group {list}": "ip from {list}",
        },
        effect=None,
    ),
)
GNMI = Section(
    Statement("transport grpc <name>", below=TRANSPORT),
    Statement("provider {provider}", reads=note("gnmi", "provider {provider}")),
)
SSH = Section(
    Statement(
        "<family:ip|ipv6> access-group {list} [vrf <vrf>] in",
        reads=note("ssh", "{family} from {list} vrf {vrf}"),
    ),
    Statement(
        r"idle-timeout {minutes:\d+}",
        reads=note("ssh", "idle {minutes} min"),
        default=("idle-timeout 0",),
        access="none",
    ),
    Statement("[no] shutdown"),
    Statement("vrf <vrf>", reads=_in_vrf("ssh"), below=IN_VRF),
)
CERTIFICATE = Section(
    Statement("tls versions {versions*}"),
    Statement("certificate {certificate} key {key}", reads=note("certificates", "{certificate}")),
    Statement("trust certificate <certificate>", reads=note("certificates", "clients by {certificate}")),
)
MANAGEMENT = (
    _managed("management api http-commands", below=EAPI, access="changed"),
    _managed("management api gnmi", below=GNMI),
    _managed("management ssh", below=SSH, access="changed"),
    _managed("management security", below=Section(Statement("ssl profile <profile>", below=CERTIFICATE))),
)

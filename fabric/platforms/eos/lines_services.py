"""Every line of management: users, logs, time, SNMP, AAA, and how the switch is reached."""

from __future__ import annotations

from typing import NamedTuple

from fabric.configuration import Effect, Parts, Reader, Section, Statement
from fabric.platforms.reading import State, note, put

NO_TRAFFIC = Effect("none", "no traffic of hosts")
STORED = r"{kind:secret|password} [{encoding:0|5|7|sha512}] {hash}"


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


USERS = (
    Statement(
        rf"username <user> [privilege {{level:\d+}}] [role {{role}}] [shell {{shell}}] {STORED}",
        reads=_user,
        effect=NO_TRAFFIC,
        access="removed",
    ),
    Statement(
        r"username <user> [privilege {level:\d+}] [role {role}] [shell {shell}] nopassword",
        reads=_user,
        effect=NO_TRAFFIC,
        access="removed",
    ),
    Statement(
        "username <user> ssh-key [<second:secondary>] {key*}",
        reads=note("users", "{user} key {key}"),
        effect=NO_TRAFFIC,
        access="removed",
    ),
    Statement("no aaa root", default=("no aaa root",), effect=NO_TRAFFIC),
)
SYSTEM = (
    Statement(
        "service routing protocols model {model}",
        reads=note("routing", "model {model}"),
        effect=Effect("reload", "the routing model changes only with a reload"),
    ),
    Statement("[{off:no}] lldp run", reads=_lldp, default=("lldp run",), effect=NO_TRAFFIC, topic="lldp"),
    Statement(
        "lldp management-address [<in_vrf:vrf>] {interface}",
        reads=note("lldp", "address {in_vrf} {interface}"),
        effect=NO_TRAFFIC,
        topic="lldp",
    ),
    Statement(
        "logging trap {level}",
        reads=note("logging", "level {level}"),
        default=("logging trap informational",),
        effect=NO_TRAFFIC,
        topic="logging",
    ),
    Statement(
        "logging [vrf <vrf>] host <host>",
        reads=note("logging", "host {host} vrf {vrf}"),
        effect=NO_TRAFFIC,
        topic="logging",
    ),
    Statement(
        "logging [vrf <vrf>] source-interface {interface}",
        reads=note("logging", "source {interface} vrf {vrf}"),
        effect=NO_TRAFFIC,
        topic="logging",
    ),
    Statement("hostname {name}", reads=put("hostname", "name"), effect=NO_TRAFFIC),
    Statement(
        "ip name-server [vrf <vrf>] <server>",
        reads=note("dns", "server {server} vrf {vrf}"),
        effect=NO_TRAFFIC,
        topic="ip name-server",
    ),
    Statement("dns domain {domain}", reads=note("dns", "domain {domain}"), effect=NO_TRAFFIC),
    Statement(
        "spanning-tree mode {mode}",
        reads=note("spanning-tree", "{mode}"),
        effect=Effect("hitless", "routed ports do not take part"),
    ),
    Statement(
        "vrf instance <vrf>",
        reads=note("vrfs", "{vrf}"),
        below=Section(Statement("rd {rd}"), Statement("description {text*}")),
        effect=NO_TRAFFIC,
        access="removed",
    ),
    Statement(
        "ntp local-interface [vrf <vrf>] {interface}",
        reads=note("ntp", "source {interface} vrf {vrf}"),
        effect=NO_TRAFFIC,
        topic="ntp",
    ),
    Statement(
        "ntp server [vrf <vrf>] <server> [{prefer:prefer}] [iburst]",
        reads=note("ntp", "server {server} vrf {vrf} {prefer}"),
        effect=NO_TRAFFIC,
        topic="ntp",
    ),
    Statement("banner <kind:login|motd>", is_free=True, effect=NO_TRAFFIC),
    Statement("no enable password", default=("no enable password",), effect=NO_TRAFFIC),
    Statement(
        "no service interface inactive port-id allocation disabled",
        default=("no service interface inactive port-id allocation disabled",),
        effect=NO_TRAFFIC,
    ),
    Statement(
        "transceiver qsfp default-mode {mode}",
        default=("transceiver qsfp default-mode 4x10G",),
        effect=NO_TRAFFIC,
    ),
    Statement("end", default=("end",)),
)
SNMP = tuple(
    Statement(pattern, reads=note("snmp", text), effect=NO_TRAFFIC, topic="snmp-server")
    for pattern, text in (
        ("snmp-server <what:contact|location> {text*}", "{what} {text}"),
        ("snmp-server [vrf <vrf>] local-interface {interface}", "source {interface} vrf {vrf}"),
        ("snmp-server group <group> v3 {level}", "group {group} {level}"),
        (
            "snmp-server user <user> <group> v3 [localized {engine}] auth {auth} {key} priv {priv} {priv_key}",
            "user {user} group {group} {auth} {priv}",
        ),
        ("snmp-server host <host> [vrf <vrf>] version 3 priv <user>", "trap {host} vrf {vrf} user {user}"),
        ("snmp-server enable traps", "traps"),
        ("[{off:no}] snmp-server vrf <vrf>", "{off} vrf {vrf}"),
    )
)
AAA = (
    Statement(
        r"tacacs-server host <host> [single-connection] [vrf <vrf>] [timeout {timeout_s:\d+}] "
        r"[key [{encoding:[078]a?}] {key}]",
        reads=note("aaa", "tacacs {host} vrf {vrf}"),
        effect=NO_TRAFFIC,
        access="removed",
        topic="tacacs-server",
    ),
    Statement(
        "ip tacacs [vrf <vrf>] source-interface {interface}",
        reads=note("aaa", "tacacs source {interface} vrf {vrf}"),
        effect=NO_TRAFFIC,
        access="removed",
        topic="ip tacacs",
    ),
    Statement(
        "aaa group server tacacs+ <group>",
        below=Section(
            Statement("server <server> [vrf <vrf>]", reads=note("aaa", "group server {server} vrf {vrf}"))
        ),
        effect=NO_TRAFFIC,
        access="removed",
    ),
    Statement(
        r"aaa <what:authentication|authorization> <place*:\S+(?: \S+)?> {how*:(?:default|console|group|local|none).*}",
        reads=note("aaa", "{what} {place} {how}"),
        effect=NO_TRAFFIC,
        access="changed",
    ),
    Statement(
        "aaa accounting <what> {how*}", reads=note("aaa", "accounting {what} {how}"), effect=NO_TRAFFIC
    ),
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
    Statement("vrf {in_vrf}", reads=note("gnmi", "vrf {in_vrf}")),
    Statement("ssl profile {profile}", reads=note("gnmi", "certificate {profile}")),
    Statement("ip access-group {list}", reads=note("gnmi", "ip from {list}")),
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
    Statement("management api http-commands", below=EAPI, effect=NO_TRAFFIC, access="changed"),
    Statement("management api gnmi", below=GNMI, effect=NO_TRAFFIC),
    Statement("management ssh", below=SSH, effect=NO_TRAFFIC, access="changed"),
    Statement(
        "management security",
        below=Section(Statement("ssl profile <profile>", below=CERTIFICATE)),
        effect=NO_TRAFFIC,
    ),
)

"""Every line of management: features, users, logs, time, AAA, and how the switch is reached.

Sources: Ansible cisco.nxos (`ntp_global`, `logging_global`, `user`), Cisco Nexus 9000 Security guide
(`tacacs-server`, `line vty`) and Programmability guide (`feature grpc`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from operator import itemgetter

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.effects import NO_TRAFFIC, TIMERS
from fabric.platforms.line_tables import noted, others
from fabric.platforms.nxos.names import MANAGEMENT_VRF
from fabric.platforms.reading import note, put

RUNS = Effect("flap", "what runs by it starts or stops", new="none")
DEFAULT_FACILITY = " facility local7"
"""Shown by NX-OS for each log server, where nothing else is wanted."""


def service_lines() -> tuple[Statement, ...]:
    """Every line of management that may stand at the left margin."""
    return (*FEATURES, *USERS, *SYSTEM, *AAA, *REACHED, *OTHERS)


def _without_default(parts: Parts) -> Iterator[str]:
    yield parts["line"].removesuffix(DEFAULT_FACILITY)


_of_login = partial(Statement, effect=NO_TRAFFIC, access="removed")
FEATURE = note("features")
FEATURES = (
    _of_login(r"feature <name:scp-server|tacacs\+>", reads=FEATURE),
    Statement("feature <name:grpc|dhcp>", reads=FEATURE, effect=NO_TRAFFIC),
    Statement("feature lldp", reads=note("lldp"), effect=NO_TRAFFIC),
    Statement("feature <name:nxapi|ssh>", reads=FEATURE, effect=RUNS, access="removed"),
    Statement("feature <name>", reads=FEATURE, effect=RUNS),
    Statement("no feature ssh", is_unread=True, effect=RUNS, access="changed"),
)
_WRITTEN = noted(
    "users",
    {
        r"username <name> password {stored:(?:[05] )?\S+ *} role {role}": "{name} role {role}",
        "username <name> sshkey {key*}": "{name} key {key}",
    },
    topic="username {name}",
    access="removed",
)
USERS = tuple(
    replace(line, account=itemgetter("name"))
    for line in (
        *_WRITTEN,
        _of_login("username <name> <rest*>", is_unread=True, topic="username {name}"),
    )
)
SYSTEM = (
    Statement("hostname {name}", reads=put("hostname", "name"), effect=NO_TRAFFIC),
    Statement("version {release*}", effect=NO_TRAFFIC),
    Statement("banner <kind:exec|motd> {text*}", is_free=True, effect=NO_TRAFFIC),
    *noted(
        "ntp",
        {
            "ntp server <server> [{prefer:prefer}] [use-vrf {vrf}] [{how*}]": (
                "server {server} vrf {vrf} {prefer} {how}"
            ),
            "ntp source-interface {interface*}": "source {interface}",
        },
        topic="ntp",
    ),
    Statement(
        r"logging server <server> [{level:\d}] [use-vrf {vrf}] [{how*}]",
        reads=note("logging", "host {server} level {level} vrf {vrf} {how}"),
        expands=_without_default,
        effect=NO_TRAFFIC,
        topic="logging",
    ),
    *noted(
        "gnmi",
        {
            "grpc <what:port|certificate> {value}": "{what} {value}",
            "grpc use-vrf {in_vrf}": "vrf {in_vrf}",
            "grpc client root certificate {ca}": "clients by {ca}",
        },
        topic="grpc",
    ),
    *noted("dhcp", ("service dhcp", "ip dhcp relay", "ipv6 dhcp relay"), topic="dhcp"),
    Statement(
        r"bfd interval {interval_ms:\d+} min_rx {receive_ms:\d+} multiplier {multiplier:\d+}",
        reads=note("bfd", "{interval_ms} ms x {multiplier}"),
        effect=TIMERS,
        topic="bfd",
    ),
)
GROUP = noted("aaa", ("server <server>", "use-vrf {name}", "source-interface {interface}"), effect=None)
LOGINS = (
    "aaa authentication login <where:default|console> {how*:(?:group|local|none).*}",
    "aaa authentication <rest*>",
)
ACCOUNTING = ("aaa accounting default {how*:(?:group|local|none).*}", "aaa accounting <rest*>")
AAA = (
    _of_login(
        "tacacs-server host <server> key {key*}",
        reads=note("aaa", "tacacs {server}"),
        topic="tacacs-server",
    ),
    _of_login("aaa group server tacacs+ <group>", below=Section(*GROUP)),
    *noted("aaa", LOGINS, topic="aaa", access="changed"),
    *noted("aaa", ACCOUNTING, topic="aaa", access="removed"),
)
NAMES = tuple(
    noted("vrf", ("ip domain-name {value*}", "ip name-server {value*}"), effect=None, access="none")
)
ROUTES = tuple(f"{word} route <prefix> <next_hop> [{{rest*}}]" for word in ("ip", "ipv6"))
TERMINAL = Section(
    Statement(r"exec-timeout {minutes:\d+}", reads=note("ssh", "idle {minutes} min")),
    Statement("access-class {list} in", reads=note("ssh", "ip from {list}"), access="changed"),
    Statement("ipv6 access-class {list} in", reads=note("ssh", "ipv6 from {list}"), access="changed"),
)
REACHED = (
    Statement("line vty", below=TERMINAL, effect=NO_TRAFFIC),
    _of_login(
        f"vrf context {MANAGEMENT_VRF}",
        below=Section(*NAMES, *noted("vrf", ROUTES, effect=None, access="always")),
    ),
    Statement(
        "vrf context <context>", below=Section(*NAMES, *noted("vrf", ROUTES, effect=None)), effect=NO_TRAFFIC
    ),
)
"""SSH, and the VRF of the management port: our way to the switch and that of its answers."""
OTHERS = (
    *others(NO_TRAFFIC, "grpc", "service", "ip dhcp", "ipv6 dhcp", "logging", "ntp", "snmp-server"),
    Statement("line <which>", is_unread=True, effect=NO_TRAFFIC),
    *others(NO_TRAFFIC, "aaa", "tacacs-server", access="removed"),
    *others(TIMERS, "bfd"),
)

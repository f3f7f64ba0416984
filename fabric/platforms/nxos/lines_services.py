"""Every line of management: features, users, logs, time, AAA, and how the switch is reached.

Sources: Ansible cisco.nxos (`ntp_global`, `logging_global`, `user`), Cisco Nexus 9000 Security guide
(`tacacs-server`, `line vty`) and Programmability guide (`feature grpc`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fabric.configuration import Access, Effect, Parts, Section, Statement
from fabric.platforms.line_tables import others
from fabric.platforms.nxos.names import MANAGEMENT_VRF
from fabric.platforms.reading import note, put

NO_TRAFFIC = Effect("none", "no traffic of hosts")
TIMERS = Effect("hitless", "sessions agree on new timers")
RUNS = Effect("flap", "what runs by it starts or stops", new="none")
DEFAULT_FACILITY = " facility local7"
"""Shown by NX-OS for each log server, where nothing else is wanted."""


def service_lines() -> tuple[Statement, ...]:
    """Every line of management that may stand at the left margin."""
    return (*FEATURES, *USERS, *SYSTEM, *AAA, *_reached(), *OTHERS)


def _noted(section: str, *patterns: str, access: Access | None = None) -> Iterator[Statement]:
    """Lines that are noted as they stand."""
    for pattern in patterns:
        yield Statement(pattern, reads=note(section), effect=NO_TRAFFIC, access=access, topic=section)


def _without_default(parts: Parts) -> Iterator[str]:
    yield parts["line"].removesuffix(DEFAULT_FACILITY)


FEATURE = note("features")
FEATURES = (
    Statement(r"feature <name:scp-server|tacacs\+>", reads=FEATURE, effect=NO_TRAFFIC, access="removed"),
    Statement("feature <name:grpc|lldp|dhcp>", reads=FEATURE, effect=NO_TRAFFIC),
    Statement("feature <name:nxapi|ssh>", reads=FEATURE, effect=RUNS, access="removed"),
    Statement("feature <name>", reads=FEATURE, effect=RUNS),
    Statement("no feature ssh", is_unread=True, effect=RUNS, access="changed"),
)
USER = partial(Statement, effect=NO_TRAFFIC, access="removed", topic="username {name}")
USERS = (
    USER(
        r"username <name> password {stored:(?:[05] )?\S+ *} role {role}",
        reads=note("users", "{name} role {role}"),
    ),
    USER("username <name> sshkey {key*}", reads=note("users", "{name} key {key}")),
    USER("username <name> <rest*>", is_unread=True),
)
SERVER = partial(Statement, effect=NO_TRAFFIC)
SYSTEM = (
    Statement("hostname {name}", reads=put("hostname", "name"), effect=NO_TRAFFIC),
    Statement("version {release*}", effect=NO_TRAFFIC),
    Statement("banner <kind:exec|motd> {text*}", is_free=True, effect=NO_TRAFFIC),
    SERVER(
        "ntp server <server> [{prefer:prefer}] [use-vrf {vrf}] [{how*}]",
        reads=note("ntp", "server {server} vrf {vrf} {prefer} {how}"),
        topic="ntp",
    ),
    SERVER("ntp source-interface {interface*}", reads=note("ntp", "source {interface}"), topic="ntp"),
    Statement(
        r"logging server <server> [{level:\d}] [use-vrf {vrf}] [{how*}]",
        reads=note("logging", "host {server} level {level} vrf {vrf} {how}"),
        expands=_without_default,
        effect=NO_TRAFFIC,
        topic="logging",
    ),
    SERVER("grpc <what:port|certificate> {value}", reads=note("gnmi", "{what} {value}"), topic="grpc"),
    SERVER("grpc use-vrf {in_vrf}", reads=note("gnmi", "vrf {in_vrf}"), topic="grpc"),
    SERVER("grpc client root certificate {ca}", reads=note("gnmi", "clients by {ca}"), topic="grpc"),
    *_noted("dhcp", "service dhcp", "ip dhcp relay", "ipv6 dhcp relay"),
    Statement(
        r"bfd interval {interval_ms:\d+} min_rx {receive_ms:\d+} multiplier {multiplier:\d+}",
        reads=note("bfd", "{interval_ms} ms x {multiplier}"),
        effect=TIMERS,
        topic="bfd",
    ),
)
AAA = (
    Statement(
        "tacacs-server host <server> key {key*}",
        reads=note("aaa", "tacacs {server}"),
        effect=NO_TRAFFIC,
        access="removed",
        topic="tacacs-server",
    ),
    Statement(
        "aaa group server tacacs+ <group>",
        below=Section(
            Statement("server <server>", reads=note("aaa")),
            Statement("use-vrf {name}", reads=note("aaa")),
            Statement("source-interface {interface}", reads=note("aaa")),
        ),
        effect=NO_TRAFFIC,
        access="removed",
    ),
    *_noted(
        "aaa",
        "aaa authentication login <where:default|console> {how*:(?:group|local|none).*}",
        "aaa authentication <rest*>",
        access="changed",
    ),
    *_noted(
        "aaa",
        "aaa accounting default {how*:(?:group|local|none).*}",
        "aaa accounting <rest*>",
        access="removed",
    ),
)
NAMES = tuple(
    Statement(f"ip {what} {{value*}}", reads=note("vrf"), access="none")
    for what in ("domain-name", "name-server")
)
ROUTES = tuple(
    Statement(f"{word} route <prefix> <next_hop> [{{rest*}}]", reads=note("vrf")) for word in ("ip", "ipv6")
)


def _reached() -> Iterator[Statement]:
    """SSH, and the VRF of the management port: our way to the switch and its way back."""
    yield Statement(
        "line vty",
        below=Section(
            Statement(r"exec-timeout {minutes:\d+}", reads=note("ssh", "idle {minutes} min")),
            Statement("access-class {list} in", reads=note("ssh", "ip from {list}"), access="changed"),
            Statement("ipv6 access-class {list} in", reads=note("ssh", "ipv6 from {list}"), access="changed"),
        ),
        effect=NO_TRAFFIC,
    )
    context = Section(*NAMES, *ROUTES)
    yield Statement(f"vrf context {MANAGEMENT_VRF}", below=context, effect=NO_TRAFFIC, access="removed")
    yield Statement("vrf context <context>", below=context, effect=NO_TRAFFIC)


OTHERS = (
    *others(NO_TRAFFIC, "grpc", "service", "ip dhcp", "ipv6 dhcp", "logging", "ntp"),
    *others(NO_TRAFFIC, "snmp-server"),
    Statement("line <which>", is_unread=True, effect=NO_TRAFFIC),
    *others(NO_TRAFFIC, "aaa", "tacacs-server", access="removed"),
    *others(TIMERS, "bfd"),
)

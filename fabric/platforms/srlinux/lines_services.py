"""Every line of `system`, and of the filters of the management network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import itemgetter

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.reading import put
from fabric.platforms.srlinux.rows import listed, noted, settings
from fabric.platforms.srlinux.state import SrlState

NO_TRAFFIC = Effect("none", "no traffic of hosts")
FLOWS = Effect("flap", "flows move to other paths: some packets come out of order")
FILTERED = Effect("flap", "packets of hosts are filtered anew")
OTHER_SERVERS = ("control-plane-traffic", "json-rpc-server", "gnmi-server", "netconf-server", "tls")
"""What others may come in by."""


def service_lines() -> tuple[Statement, ...]:
    """`system` and `acl`."""
    system = Section(*_names(), *SYSTEM, *_access(), effect=NO_TRAFFIC)
    acl = Section(*ACL, effect=NO_TRAFFIC)
    return (
        Statement("system", below=system, effect=NO_TRAFFIC, is_container=True),
        Statement("acl", reads=_acl, below=acl, effect=NO_TRAFFIC, access="changed", is_container=True),
    )


def _names() -> tuple[Statement, ...]:
    host = Statement("host-name {name}", reads=put("hostname", "name"))
    domain = Statement("domain-name {name}", reads=lambda state, parts: state.service("dns", parts["line"]))
    return (Statement("name", below=Section(host, domain)),)


SNMP_USER = (
    "user {user*}",
    "authentication / protocol {protocol}",
    "authentication / password {password*}",
    "privacy / protocol {protocol}",
    "privacy / password {password*}",
)
SYSTEM = (
    *settings(
        "information / contact {text*}",
        "information / location {text*}",
        "banner / login-banner {text*}",
        "lldp / admin-state {state}",
        "dns / network-instance {instance*}",
        "dns / search-list {domains*}",
        "dns / server-list {servers*}",
        "ntp / admin-state {state}",
        "ntp / network-instance {instance*}",
        "ntp / server <server> / prefer {on}",
        "logging / network-instance {instance*}",
        "logging / remote-server <host> / facility <facility> / priority / match-exact {levels*}",
        "snmp / access-group <group*> / security-level {level}",
        *(f"snmp / access-group <group*> / security-entry <entry*> / {row}" for row in SNMP_USER),
        "snmp / trap-group <group*> / network-instance {instance*}",
        "snmp / trap-group <group*> / destination <name*> / address {address}",
        "snmp / trap-group <group*> / destination <name*> / security-level {level}",
        *(
            f"snmp / trap-group <group*> / destination <name*> / security-entry <entry*> / {row}"
            for row in SNMP_USER
        ),
        "snmp / network-instance <instance*> / admin-state {state}",
    ),
    *settings(
        "load-balancing / dynamic / mode {mode}",
        "load-balancing / hash-options / source-address {on}",
        "load-balancing / hash-options / destination-address {on}",
        "load-balancing / hash-options / source-port {on}",
        "load-balancing / hash-options / destination-port {on}",
        "load-balancing / hash-options / protocol {on}",
        "load-balancing / hash-options / hash-seed {seed}",
        effect=FLOWS,
    ),
)
SERVER = ("network-instance {instance*}", "tacacs / secret-key {key*}")
AAA = (
    Statement(
        "server-group <group*>",
        reads=listed,
        below=Section(
            *noted("type {type}", "priv-lvl-authorization {on}"),
            Statement("server <server>", reads=listed, below=Section(*noted(*SERVER)), order_counts=True),
        ),
    ),
    *noted(
        "authentication / authentication-method {methods*}",
        "authentication / idle-timeout {seconds}",
        "authentication / admin-user / password {password*}",
        "authentication / admin-user / ssh-key {keys*}",
        "authentication / linuxadmin-user / password {password*}",
        "authentication / linuxadmin-user / ssh-key {keys*}",
        "authentication / user <user*> / password {password*}",
        "authentication / user <user*> / ssh-key {keys*}",
        "authentication / user <user*> / role {roles*}",
        "authentication / user <user*> / superuser {on}",
        "authorization / role <role*> / services {services*}",
        "authorization / role <role*> / superuser {on}",
        "authorization / role <role*> / tacacs / priv-lvl {level}",
        "accounting / accounting-method {methods*}",
        "accounting / event <event> / record {record}",
    ),
)


def _access() -> tuple[Statement, ...]:
    """Who may come in, and by what. A new server bars nobody, any change of an old one may."""
    ssh = ("admin-state {state}", "network-instance {instance*}")
    gnmi = (*ssh, "port {port}", "services {services*}", "default-tls-profile {on}", "tls-profile {profile*}")
    guarded = settings(
        *(f"ssh-server <name*> / {row}" for row in ssh),
        *(f"grpc-server <name*> / {row}" for row in gnmi),
        "configuration / role <role*> / rule <path*> / action {action}",
    )
    others = (pattern for name in OTHER_SERVERS for pattern in (name, f"{name} <name*>"))
    aaa = settings("aaa / type {type}")[0]
    return (
        replace(aaa, below=Section(*map(_with_accounts, AAA)), access="changed"),
        *(replace(line, access="removed", below=_changed(line)) for line in guarded),
        *(Statement(pattern, is_unread=True, access="removed") for pattern in others),
    )


ACCOUNTS: dict[str, Callable[[Parts], str]] = {
    "admin-user": lambda _parts: "admin",
    "linuxadmin-user": lambda _parts: "linuxadmin",
    "user <user*>": itemgetter("user"),
}
"""Lines below `authentication` that are about one user, and who that is."""


def _with_accounts(line: Statement) -> Statement:
    if line.pattern != "authentication" or line.below is None:
        return line
    lines = (replace(child, account=ACCOUNTS.get(child.pattern)) for child in line.below.statements)
    return replace(line, below=Section(*lines, effect=line.below.effect))


def _changed(line: Statement) -> Section:
    """What stands below a line, any change of which may lock us out."""
    return Section(*(replace(child, access="changed") for child in (line.below or Section()).statements))


def _acl(state: SrlState, _parts: object) -> object:
    return state.inside("acl")


TRANSPORT = "acl-filter <name> <type> / entry <number> / match / transport / destination-port"
BOUND = (
    "interface-ref / interface {name}",
    "interface-ref / subinterface {index}",
    "input / acl-filter <name> <type>",
)
ACL = (
    *noted(
        "acl-filter <name> <type> / entry <number> / match / ipv4 / protocol {protocol}",
        "acl-filter <name> <type> / entry <number> / match / ipv4 / source-ip / prefix {prefix}",
        "acl-filter <name> <type> / entry <number> / match / ipv6 / next-header {protocol}",
        "acl-filter <name> <type> / entry <number> / match / ipv6 / source-ip / prefix {prefix}",
        f"{TRANSPORT} / operator {{operator}}",
        f"{TRANSPORT} / value {{port}}",
        "acl-filter <name> <type> / entry <number> / action / accept|drop",
    ),
    *noted(*(rf"interface <bound:(?:ethernet-|irb)\S+> / {row}" for row in BOUND), effect=FILTERED),
    *noted(*(f"interface <bound> / {row}" for row in BOUND)),
)

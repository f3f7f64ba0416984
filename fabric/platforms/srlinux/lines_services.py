"""Every line of `system`, and of the filters of the management network."""

from __future__ import annotations

from dataclasses import replace

from fabric.configuration import Effect, Section, Statement
from fabric.platforms.reading import note, put
from fabric.platforms.srlinux.lines_interfaces import STATE
from fabric.platforms.srlinux.state import inside, listed, told, within

NO_TRAFFIC = Effect("none", "no traffic of hosts")
FLOWS = Effect("flap", "flows move to other paths: some packets come out of order")
FILTERED = Effect("flap", "packets of hosts are filtered anew")
INSTANCE = Statement("network-instance {instance*}", reads=told("in {instance}"))
ON = Statement(STATE, reads=told("{state}"))
OTHER_SERVERS = ("control-plane-traffic", "json-rpc-server", "gnmi-server", "netconf-server", "tls")
"""What others may come in by."""


def service_lines() -> tuple[Statement, ...]:
    """`system` and `acl`."""
    system = Section(*SYSTEM, *SNMP, *_access(), effect=NO_TRAFFIC)
    return (
        Statement("system", below=system, effect=NO_TRAFFIC, is_container=True),
        Statement(
            "acl",
            reads=inside("acl"),
            below=Section(*ACL, effect=NO_TRAFFIC),
            effect=NO_TRAFFIC,
            access="changed",
            is_container=True,
        ),
    )


def plain(*words: str) -> tuple[Statement, ...]:
    """Lines that are noted as they stand."""
    return tuple(Statement(f"{word} {{value*}}", reads=told(f"{word} {{value}}")) for word in words)


SYSTEM = (
    Statement(
        "name",
        below=Section(
            Statement("host-name {name}", reads=put("hostname", "name")),
            Statement("domain-name {domain}", reads=note("dns", "domain {domain}")),
        ),
    ),
    Statement("information", reads=inside("snmp"), below=Section(*plain("contact", "location"))),
    Statement("banner", reads=inside("banner"), below=Section(*plain("login-banner"))),
    Statement("lldp", reads=inside("lldp"), below=Section(ON)),
    Statement("dns", reads=inside("dns"), below=Section(INSTANCE, *plain("search-list", "server-list"))),
    Statement(
        "ntp",
        reads=inside("ntp"),
        below=Section(
            ON,
            INSTANCE,
            Statement(
                "server <server>",
                reads=listed("server {server}"),
                below=Section(*plain("prefer")),
            ),
        ),
    ),
    Statement(
        "logging",
        reads=inside("logging"),
        below=Section(
            INSTANCE,
            Statement(
                "remote-server <host>",
                reads=listed("host {host}"),
                below=Section(
                    Statement(
                        "facility <facility>",
                        reads=listed("facility {facility}"),
                        below=Section(
                            Statement("priority", below=Section(*plain("match-exact"))),
                        ),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "load-balancing",
        reads=inside("load-balancing"),
        below=Section(
            Statement("dynamic", below=Section(*plain("mode"))),
            Statement(
                "hash-options",
                below=Section(
                    *plain(
                        "source-address",
                        "destination-address",
                        "source-port",
                        "destination-port",
                        "protocol",
                        "hash-seed",
                    )
                ),
            ),
            effect=FLOWS,
        ),
        effect=FLOWS,
    ),
)

USER = Section(
    *plain("user"),
    Statement("authentication", below=Section(*plain("protocol"), Statement("password {password*}"))),
    Statement(
        "privacy",
        reads=within("privacy"),
        below=Section(*plain("protocol"), Statement("password {password*}")),
    ),
)
SECURED = (
    *plain("security-level"),
    Statement("security-entry <user*>", reads=listed("user {user}"), below=USER),
)
TRAPS = Section(
    INSTANCE,
    Statement(
        "destination <name*>",
        reads=listed("receiver {name}"),
        below=Section(*SECURED, *plain("address")),
    ),
)
SNMP = (
    Statement(
        "snmp",
        reads=inside("snmp"),
        below=Section(
            Statement("access-group <group*>", reads=listed("group {group}"), below=Section(*SECURED)),
            Statement("trap-group <group*>", reads=listed("traps {group}"), below=TRAPS),
            Statement("network-instance <instance*>", reads=within("in {instance}"), below=Section(ON)),
        ),
    ),
)

CREDENTIALS = (
    Statement("password {password*}", reads=told("password")),
    *plain("ssh-key"),
)
AUTHENTICATION = Section(
    *plain("authentication-method", "idle-timeout"),
    Statement("admin-user", reads=listed("user admin"), below=Section(*CREDENTIALS)),
    Statement("linuxadmin-user", reads=listed("user linuxadmin"), below=Section(*CREDENTIALS)),
    Statement(
        "user <user*>",
        reads=listed("user {user}"),
        below=Section(*CREDENTIALS, *plain("role", "superuser")),
    ),
)
ROLE = Section(
    *plain("services", "superuser"),
    Statement("tacacs", below=Section(*plain("priv-lvl"))),
)
SERVER = Section(
    INSTANCE,
    Statement("tacacs", below=Section(Statement("secret-key {key*}", reads=told("secret-key")))),
)
SERVERS = Section(
    *plain("type", "priv-lvl-authorization"),
    Statement("server <server>", reads=listed("server {server}"), below=SERVER, order_counts=True),
)
AAA = (
    Statement("authentication", below=AUTHENTICATION),
    Statement(
        "authorization",
        below=Section(Statement("role <role*>", reads=listed("role {role}"), below=ROLE)),
    ),
    Statement(
        "accounting",
        reads=listed("accounting"),
        below=Section(
            *plain("accounting-method"),
            Statement(
                "event <event>",
                reads=listed("event {event}"),
                below=Section(*plain("record")),
            ),
        ),
    ),
    Statement("server-group <group*>", reads=listed("servers {group}"), below=SERVERS),
)


def _access() -> tuple[Statement, ...]:
    """Who may come in, and by what."""
    rule = Statement(
        "rule <path*>",
        reads=listed("rule {path}"),
        below=Section(*plain("action")),
    )
    roles = Statement("role <role*>", reads=listed("role {role}"), below=Section(rule))
    ssh = (ON, INSTANCE)
    gnmi = (*ssh, *plain("port", "services", "default-tls-profile", "tls-profile"))
    return (
        Statement("aaa", reads=inside("aaa"), below=Section(*AAA), access="changed"),
        _server("ssh-server <name*>", ssh, "ssh"),
        _server("grpc-server <name*>", gnmi, "grpc"),
        Statement("configuration", reads=inside("roles"), below=_guarded(roles), access="removed"),
        *(Statement(name, is_unread=True, access="removed") for name in OTHER_SERVERS),
        *(Statement(f"{name} <name*>", is_unread=True, access="removed") for name in OTHER_SERVERS),
    )


def _server(pattern: str, lines: tuple[Statement, ...], section: str) -> Statement:
    """A server that others may come in by: a new one bars nobody, any change of an old one may."""
    return Statement(
        pattern, reads=inside(section, "server {name}"), below=_guarded(*lines), access="removed"
    )


def _guarded(*lines: Statement) -> Section:
    return Section(*(replace(line, access="changed") for line in lines))


MATCH = Section(
    *(
        Statement(
            family,
            below=Section(
                *plain(protocol),
                Statement(
                    "source-ip", below=Section(Statement("prefix {prefix}", reads=told("from {prefix}")))
                ),
            ),
        )
        for family, protocol in (("ipv4", "protocol"), ("ipv6", "next-header"))
    ),
    Statement(
        "transport",
        below=Section(Statement("destination-port", below=Section(*plain("operator"), *plain("value")))),
    ),
)
ENTRY = Section(
    Statement("match", below=MATCH),
    Statement("action", below=Section(Statement("<what:accept|drop>", reads=told("{what}")))),
)
BOUND = Section(
    Statement(
        "interface-ref", below=Section(Statement("interface {name}"), Statement(r"subinterface {index:\d+}"))
    ),
    Statement(
        "input",
        below=Section(
            Statement(
                "acl-filter <name> <type>",
                reads=told("{name} {type}"),
            )
        ),
    ),
)
ACL = (
    Statement(
        "acl-filter <name> <type>",
        reads=listed("{name} {type}"),
        below=Section(
            Statement("type {type}"),
            Statement(r"entry <number:\d+>", reads=listed("{number}"), below=ENTRY),
        ),
    ),
    Statement(
        r"interface <bound:(?:ethernet-|irb)\S+>", reads=listed("on {bound}"), below=BOUND, effect=FILTERED
    ),
    Statement("interface <bound>", reads=listed("on {bound}"), below=BOUND),
)

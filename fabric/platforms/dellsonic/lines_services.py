"""Every line of management, static routes, and how equal paths are shared.

Sources: SONiC management framework, Industry Standard CLI reference guide; Ansible dellemc.enterprise_sonic 4.1
(`sonic_static_routes`, `sonic_ecmp_load_share`, `sonic_ntp`). `ip vrf mgmt` moves the management port: switching it
ends the session that it came by.
"""

from __future__ import annotations

from operator import itemgetter

from fabric.configuration import Effect, Statement
from fabric.platforms.effects import DEFAULT_VRF, NO_TRAFFIC, PATHS, THESE
from fabric.platforms.line_tables import noted, others
from fabric.platforms.reading import fixed, note, put

SERVERS = (
    *noted(
        "dns",
        {
            "ip name-server source-interface {interface*}": "source {interface}",
            "ip name-server <server> [vrf {vrf}]": "server {server} vrf {vrf}",
        },
        topic="dns",
    ),
    *noted(
        "ntp",
        {
            "ntp source-interface {interface*}": "source {interface}",
            "ntp vrf {vrf}": "vrf {vrf}",
            r"ntp server <server> [minpoll {least:\d+}] [maxpoll {most:\d+}] [{prefer:prefer true}]": (
                "server {server} {prefer}"
            ),
        },
        topic="ntp",
    ),
    *noted("logging", {"logging server <server> [vrf {vrf}]": "host {server} vrf {vrf}"}, topic="logging"),
)


def service_lines() -> tuple[Statement, ...]:
    """Every line of management that may stand at the left margin."""
    return (
        Statement("hostname {name}", reads=put("hostname", "name"), effect=NO_TRAFFIC),
        Statement("ip vrf mgmt", reads=fixed("has_vrf", value=True), effect=NO_TRAFFIC, access="changed"),
        Statement("ip vrf <name>", is_unread=True, effect=Effect("flap", "its ports move")),
        Statement(
            "username <name> password {password} role {role}",
            reads=note("users", "{name} role {role}"),
            effect=NO_TRAFFIC,
            access="removed",
            account=itemgetter("name"),
            topic="username {name}",
        ),
        *SERVERS,
        Statement(
            r"ip|ipv6 route <prefix:\S+/\d+> <next_hop> [{rest*}]",
            reads=note("static routes", "default {prefix} {next_hop} {rest}"),
            effect=THESE,
            access="always",
            vrf=DEFAULT_VRF,
            topic="static routes",
            overrides=True,
        ),
        Statement(
            "ip|ipv6 route vrf <table> <prefix> <next_hop> [{rest*}]",
            is_unread=True,
            effect=THESE,
            access="always",
            topic="static routes",
        ),
        Statement(r"ip load-share hash seed {seed:\d+}", reads=note("balancing"), effect=PATHS),
        *others(PATHS, "ip load-share"),
        *others(NO_TRAFFIC, "ntp", "logging", "snmp-server", "login", "gnmi", "lldp"),
        *others(
            NO_TRAFFIC,
            "aaa",
            "tacacs-server",
            "radius-server",
            "authentication",
            "ssh-server",
            access="removed",
        ),
    )

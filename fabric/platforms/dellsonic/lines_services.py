"""Every line of management, static routes, and how equal paths are shared.

Sources: SONiC management framework, Industry Standard CLI reference guide; Ansible dellemc.enterprise_sonic 4.1
(`sonic_static_routes`, `sonic_ecmp_load_share`, `sonic_ntp`). `ip vrf mgmt` moves the management port: switching it
ends the session that it came by.
"""

from __future__ import annotations

from functools import partial

from fabric.configuration import Effect, Statement
from fabric.platforms.line_tables import others
from fabric.platforms.reading import fixed, note, put

NO_TRAFFIC = Effect("none", "no traffic of hosts")
PATHS = Effect("hitless", "flows choose their paths anew")
SERVER = partial(Statement, effect=NO_TRAFFIC)
SERVERS = (
    SERVER(
        "ip name-server source-interface {interface*}",
        reads=note("dns", "source {interface}"),
        topic="dns",
    ),
    SERVER(
        "ip name-server <server> [vrf {vrf}]", reads=note("dns", "server {server} vrf {vrf}"), topic="dns"
    ),
    SERVER("ntp source-interface {interface*}", reads=note("ntp", "source {interface}"), topic="ntp"),
    SERVER("ntp vrf {vrf}", reads=note("ntp", "vrf {vrf}"), topic="ntp"),
    SERVER(
        r"ntp server <server> [minpoll {least:\d+}] [maxpoll {most:\d+}] [{prefer:prefer true}]",
        reads=note("ntp", "server {server} {prefer}"),
        topic="ntp",
    ),
    SERVER(
        "logging server <server> [vrf {vrf}]",
        reads=note("logging", "host {server} vrf {vrf}"),
        topic="logging",
    ),
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
            topic="username {name}",
        ),
        *SERVERS,
        Statement(
            r"ip|ipv6 route <prefix:\S+/\d+> <next_hop> [{rest*}]",
            reads=note("static routes", "default {prefix} {next_hop} {rest}"),
            effect=Effect("hitless", "only these routes"),
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

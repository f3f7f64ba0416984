"""Management in SR Linux's words: the `system` tree, but who may come in (`lower_access`).

Source: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-system-name`, `-info`, `-ntp`, `-dns`, `-logging`, `-lldp`,
`-snmp`, `-load-balancing`). Every server is bound to the network instance `mgmt`.
"""

from __future__ import annotations

from fabric.devices.model import Routing, Switch
from fabric.intent.model import Hashing, Management, Snmp, SnmpUser
from fabric.platforms.srlinux.lower_access import lower_access
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import ENABLE, MANAGEMENT_INSTANCE, STATES
from fabric.platforms.texts import placeholder

LEVELS = {
    "errors": ("emergency", "alert", "critical", "error"),
    "warnings": ("emergency", "alert", "critical", "error", "warning"),
    "notifications": ("emergency", "alert", "critical", "error", "warning", "notice"),
    "informational": ("emergency", "alert", "critical", "error", "warning", "notice", "informational"),
    "debugging": ("emergency", "alert", "critical", "error", "warning", "notice", "informational", "debug"),
}
"""Our least severe level to the list that `match-exact` takes: whether `match-above` includes its own is not said."""
AUTHENTICATION = {"sha": "hmac-sha1-96", "sha256": "hmac-sha2-256", "sha512": "hmac-sha2-512"}
PRIVACY = {"aes": "cfb128-aes-128", "aes192": "cfb128-aes-192", "aes256": "cfb128-aes-256"}
HASHED = {
    "src_ip": "source-address",
    "dst_ip": "destination-address",
    "src_port": "source-port",
    "dst_port": "destination-port",
    "protocol": "protocol",
}
"""Our fields to those of `hash-options`, each of which is on unless said."""
DYNAMIC = {"flowlet": "flow-dynamic", "per_packet": "per-packet"}
"""Our load balancing to the mode of `dynamic`: a flow moves when it pauses; each packet goes to the next path."""


def lower_system(switch: Switch) -> Tree:
    """The whole `system` tree."""
    services, settings = switch.services, switch.services.management
    tree: Tree = {"srl_nokia-system-name:name": _name(switch)}
    if services.snmp and (services.snmp.location or services.snmp.contact):
        tree["srl_nokia-system-info:information"] = _information(services.snmp)
    if services.banner:
        tree["srl_nokia-system-banner:banner"] = {"login-banner": services.banner}
    tree["srl_nokia-lldp:lldp"] = {"admin-state": STATES[services.lldp]}
    if settings.dns or settings.domain:
        tree["srl_nokia-dns:dns"] = _dns(switch.services.management)
    if services.ntp.servers:
        tree["srl_nokia-ntp:ntp"] = _ntp(switch)
    if services.syslog.servers:
        tree["srl_nokia-logging:logging"] = _logging(switch)
    if services.snmp:
        tree["srl_nokia-system-snmp:snmp"] = _snmp(services.snmp)
    hashing = _hash_options(switch.routing)
    dynamic = (
        {"dynamic": {"mode": DYNAMIC[mode]}} if (mode := switch.routing.load_balancing) in DYNAMIC else {}
    )
    if hashing or dynamic:
        tree["srl_nokia-load-balancing:load-balancing"] = dynamic | (
            {"hash-options": hashing} if hashing else {}
        )
    return tree | lower_access(switch)


def _name(switch: Switch) -> Tree:
    domain = switch.services.management.domain
    return {"host-name": switch.name, **({"domain-name": domain} if domain else {})}


def _information(snmp: Snmp) -> Tree:
    fields = {"contact": snmp.contact, "location": snmp.location}
    return {key: value for key, value in fields.items() if value}


def _dns(settings: Management) -> Tree:
    tree: Tree = {"network-instance": MANAGEMENT_INSTANCE}
    if settings.domain:
        tree["search-list"] = [settings.domain]
    if settings.dns:
        tree["server-list"] = [str(server) for server in settings.dns]
    return tree


def _ntp(switch: Switch) -> Tree:
    servers = switch.services.ntp.servers
    return {
        "admin-state": ENABLE,
        "network-instance": MANAGEMENT_INSTANCE,
        "server": [
            {"address": str(server), **({"prefer": True} if server == servers[0] else {})}
            for server in servers
        ],
    }


def _logging(switch: Switch) -> Tree:
    syslog = switch.services.syslog
    facility = {"facility-name": "all", "priority": {"match-exact": list(LEVELS[syslog.level])}}
    return {
        "network-instance": MANAGEMENT_INSTANCE,
        "remote-server": [{"host": str(server), "facility": [facility]} for server in syslog.servers],
    }


def _snmp(snmp: Snmp) -> Tree:
    """SNMPv3, read only, authenticated and encrypted. Traps go out for each user: a destination knows one."""
    users = [_snmp_user(name, snmp.users[name]) for name in sorted(snmp.users)]
    tree: Tree = {}
    if users:
        group = {"name": "fabric", "security-level": "auth-priv", "security-entry": users}
        tree["access-group"] = [group]
    if users and snmp.trap_servers:
        receivers = [
            {
                "name": f"receiver-{number}-{user['name']}",
                "address": str(server),
                "security-level": "auth-priv",
                "security-entry": [user],
            }
            for number, server in enumerate(snmp.trap_servers, 1)
            for user in users
        ]
        group = {"name": "fabric", "network-instance": MANAGEMENT_INSTANCE, "destination": receivers}
        tree["trap-group"] = [group]
    return {**tree, "network-instance": [{"name": MANAGEMENT_INSTANCE, "admin-state": ENABLE}]}


def _snmp_user(name: str, user: SnmpUser) -> Tree:
    return {
        "name": name,
        "user": name,
        "authentication": {"protocol": AUTHENTICATION[user.auth], "password": placeholder(user.auth_secret)},
        "privacy": {"protocol": PRIVACY[user.privacy], "password": placeholder(user.privacy_secret)},
    }


def _hash_options(routing: Routing) -> Tree:
    """Only where the intent differs from the product's own: all five fields, a seed made from its MAC address."""
    tree: Tree = {}
    if set(routing.hashing.fields) != set(Hashing().fields):
        tree |= {word: name in routing.hashing.fields for name, word in HASHED.items()}
    if routing.hash_seed is not None:
        tree["hash-seed"] = routing.hash_seed
    return tree

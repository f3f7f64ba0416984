"""Management in SR Linux's words: the `system` tree.

Source: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-system-name`, `-ntp`, `-dns`, `-logging`, `-ssh`, `-lldp`,
`-aaa`, `-configuration-role`). Every server is bound to the network instance `mgmt`.
"""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.intent.model import User
from fabric.platforms.srlinux import codes
from fabric.platforms.srlinux.lower_interfaces import ENABLE, STATES
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import MANAGEMENT_INSTANCE, secret

LEVELS = {
    "errors": ("emergency", "alert", "critical", "error"),
    "warnings": ("emergency", "alert", "critical", "error", "warning"),
    "notifications": ("emergency", "alert", "critical", "error", "warning", "notice"),
    "informational": ("emergency", "alert", "critical", "error", "warning", "notice", "informational"),
    "debugging": ("emergency", "alert", "critical", "error", "warning", "notice", "informational", "debug"),
}
"""Our least severe level to the list that `match-exact` takes: whether `match-above` includes its own is not said."""
RESERVED = frozenset({"admin", "linuxadmin"})
"""Users with containers of their own."""
OPERATOR = "operator"
MOST_SERVERS = 3
"""srl_nokia-dns, `server-list`."""


def lower_system(switch: Switch, report: Report) -> Tree:
    """The whole `system` tree."""
    services = switch.services
    tree: Tree = {"srl_nokia-system-name:name": _name(switch)}
    if services.banner:
        tree["srl_nokia-system-banner:banner"] = {"login-banner": services.banner}
    tree["srl_nokia-lldp:lldp"] = {"admin-state": STATES[services.lldp]}
    servers = services.management.dns
    if servers or services.management.domain:
        tree["srl_nokia-dns:dns"] = _dns(switch, report)
    if services.ntp.servers:
        tree["srl_nokia-ntp:ntp"] = _ntp(switch)
    if services.syslog.servers:
        tree["srl_nokia-logging:logging"] = _logging(switch)
    shell = {"name": MANAGEMENT_INSTANCE, "admin-state": ENABLE, "network-instance": MANAGEMENT_INSTANCE}
    tree["srl_nokia-ssh:ssh-server"] = [shell]
    tree["srl_nokia-aaa:aaa"] = _aaa(switch, report)
    if any(user.role == OPERATOR for user in services.users.values()):
        rule = {"path-reference": "/", "action": "read"}
        tree["srl_nokia-configuration:configuration"] = {
            "srl_nokia-configuration-role:role": [{"name": OPERATOR, "rule": [rule]}]
        }
    return tree


def _name(switch: Switch) -> Tree:
    domain = switch.services.management.domain
    return {"host-name": switch.name, **({"domain-name": domain} if domain else {})}


def _dns(switch: Switch, report: Report) -> Tree:
    settings = switch.services.management
    tree: Tree = {"network-instance": MANAGEMENT_INSTANCE}
    if settings.domain:
        tree["search-list"] = [settings.domain]
    if settings.dns:
        tree["server-list"] = [str(server) for server in settings.dns]
    if len(settings.dns) > MOST_SERVERS:
        report.add(
            codes.RANGE.at(
                Origin(("services", "management", "dns")),
                f"Nokia SR Linux takes {MOST_SERVERS} name servers, not {len(settings.dns)}",
                value=len(settings.dns),
                hint=f"keep {MOST_SERVERS} of them",
            )
        )
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


def _aaa(switch: Switch, report: Report) -> Tree:
    users = switch.services.users
    authentication: Tree = {"idle-timeout": int(switch.services.ssh.idle_timeout_ms) // 1000}
    if users:
        authentication["user"] = [_user(name, users[name], report) for name in sorted(users)]
    tree: Tree = {"authentication": authentication}
    if any(user.role == OPERATOR for user in users.values()):
        tree["authorization"] = {"role": [{"rolename": OPERATOR, "services": ["cli"]}]}
    return tree


def _user(name: str, user: User, report: Report) -> Tree:
    stored = user.password_hash or secret(user.password_secret)
    place = Origin(("services", "users", name))
    if name in RESERVED:
        report.add(
            codes.GRANTED.at(
                place, f"Nokia SR Linux keeps the user {name} for itself", hint="choose another name"
            )
        )
    if not stored and not user.ssh_keys:
        report.add(
            codes.GRANTED.at(
                place,
                f"Nokia SR Linux would let {name} in by nothing",
                hint="add `password_hash`, `password_secret` or `ssh_keys`",
            )
        )
    entry: Tree = {"username": name}
    if stored:
        entry["password"] = stored
    if user.role == OPERATOR:
        entry["role"] = [OPERATOR]
    else:
        entry["superuser"] = True
    if user.ssh_keys:
        entry["ssh-key"] = list(user.ssh_keys)
    return entry

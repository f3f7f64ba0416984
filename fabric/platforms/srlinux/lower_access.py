"""Who may come in, in SR Linux's words: servers of the management network, users, filters.

A configuration file replaces the factory's whole (`config.json`): what management access needs must be in it, or the
device is locked. So each one has the network instance `mgmt`, an SSH server there, the server group `local` and the
authentication method that names it; without these two nobody is let in.

Sources: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-aaa`, `-ssh`, `-grpc`, `-configuration-role`, `-acl`); the
server group: nokia/srlinux-container-image and public full configurations of srl-labs; filters of `mgmt0`: Nokia, ACL
and Traffic Steering Guide, "Attaching an ACL to the management interface".

gNMI runs on a certificate that SR Linux makes for itself (`default-tls-profile`), or on the profile that
`services.certificate` names: gNSI Certz puts it on the switch, and `tls-profile` may name one that the configuration
does not have (`require-instance false`). No key needs to be held here.
JSON-RPC has no such choice: HTTPS needs a key, HTTP would show passwords. It is left off, and a plan tells where a
device loses it (`impact`), as it tells where one loses the factory's filter of control traffic (`acl-filter cpm`,
different in each release), which is not restated here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fabric.devices.model import Prefix, Switch
from fabric.intent.model import Tacacs, User
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import ENABLE, MANAGEMENT, MANAGEMENT_INSTANCE
from fabric.platforms.texts import placeholder

BUILT_IN = {"admin": "admin-user", "linuxadmin": "linuxadmin-user"}
"""Users with containers of their own, which are there whether a configuration names them or not."""
LOCAL, TACACS = "local", "tacacs"
OPERATOR, ADMINISTRATOR = "operator", "administrator"
PRIVILEGES = {OPERATOR: 1, ADMINISTRATOR: 15}
"""TACACS+ privilege level of each role."""
SSH_PORT = 22
SSH_FILTER = "ssh"
VERSIONS = (4, 6)


def lower_access(switch: Switch) -> Tree:
    """The part of `system` that lets people in."""
    services = switch.services
    shell = {"name": MANAGEMENT_INSTANCE, "admin-state": ENABLE, "network-instance": MANAGEMENT_INSTANCE}
    tree: Tree = {"srl_nokia-ssh:ssh-server": [shell]}
    if services.gnmi:
        server = {**shell, "port": services.gnmi.port, "services": ["srl_nokia-grpc:gnmi"]}
        tree["srl_nokia-grpc:grpc-server"] = [server | _tls(switch)]
    tree["srl_nokia-aaa:aaa"] = _aaa(switch)
    if _has_operators(switch):
        rule = {"path-reference": "/", "action": "read"}
        tree["srl_nokia-configuration:configuration"] = {
            "srl_nokia-configuration-role:role": [{"name": OPERATOR, "rule": [rule]}]
        }
    return tree


def _tls(switch: Switch) -> Tree:
    """The profile of the named certificate, which gNSI keeps on the switch; else the one that SR Linux makes."""
    certificate = switch.services.certificate
    return {"tls-profile": certificate.name} if certificate else {"default-tls-profile": True}


def lower_filters(switch: Switch) -> Tree | None:
    """`acl`: who may open SSH, on `mgmt0` alone; None lets the whole management network in."""
    services = switch.services
    allowed = services.ssh.allow
    if not allowed:
        return None
    may_use = [(SSH_PORT, allowed)]
    if services.gnmi is not None and services.management.allow:
        may_use.append((services.gnmi.port, services.management.allow))
    filters = [_filter(version, may_use) for version in VERSIONS]
    bound = [{"name": SSH_FILTER, "type": f"ipv{version}"} for version in VERSIONS]
    port = {
        "interface-id": f"{MANAGEMENT}.0",
        "interface-ref": {"interface": MANAGEMENT, "subinterface": 0},
        "input": {"acl-filter": bound},
    }
    return {"acl-filter": filters, "interface": [port]}


def _filter(version: int, may_use: Sequence[tuple[int, tuple[Prefix, ...]]]) -> Tree:
    """Each port from its prefixes, none from elsewhere, everything else."""
    family, protocol = f"ipv{version}", "protocol" if version == VERSIONS[0] else "next-header"
    entries: list[Tree] = []
    for port, allowed in may_use:
        sources: list[Tree] = [{"source-ip": {"prefix": str(p)}} for p in allowed if p.version == version]
        for more in (*sources, Tree()):
            match = {
                family: {protocol: "tcp"} | more,
                "transport": {"destination-port": {"operator": "eq", "value": port}},
            }
            action: Tree = {"accept": {}} if more else {"drop": {}}
            entries.append({"sequence-id": 10 * len(entries) + 10, "match": match, "action": action})
    entries.append({"sequence-id": 10 * len(entries) + 10, "action": {"accept": {}}})
    return {"name": SSH_FILTER, "type": family, "entry": entries}


def _aaa(switch: Switch) -> Tree:
    services = switch.services
    local = {"name": LOCAL, "type": "srl_nokia-aaa-types:local"}
    remote = services.tacacs
    tree: Tree = {
        "authentication": {
            "authentication-method": [TACACS, LOCAL] if remote else [LOCAL],
            "idle-timeout": int(services.ssh.idle_timeout_ms) // 1000,
            **_users(services.users),
        }
    }
    if _has_operators(switch):
        tree["authorization"] = {"role": list(_roles(remote, gnmi=services.gnmi is not None))}
    if remote and remote.accounting:
        event = {"event-type": "srl_nokia-aaa-types:command", "record": "srl_nokia-aaa-types:stop"}
        tree["accounting"] = {"accounting-method": [TACACS], "event": [event]}
    tree["server-group"] = [local, _server_group(remote)] if remote else [local]
    return tree


def _has_operators(switch: Switch) -> bool:
    services = switch.services
    return services.tacacs is not None or any(user.role == OPERATOR for user in services.users.values())


def _roles(remote: Tacacs | None, *, gnmi: bool) -> Iterator[Tree]:
    """What an operator may open; with TACACS+, which level is which role."""
    may_open = ["cli", "gnmi"] if gnmi else ["cli"]
    operator: Tree = {"rolename": OPERATOR, "services": may_open}
    if remote is None:
        yield operator
        return
    yield operator | {"tacacs": {"priv-lvl": PRIVILEGES[OPERATOR]}}
    yield {"rolename": ADMINISTRATOR, "superuser": True, "tacacs": {"priv-lvl": PRIVILEGES[ADMINISTRATOR]}}


def _server_group(remote: Tacacs) -> Tree:
    """Without levels every TACACS+ user would be an administrator (srl_nokia-aaa, `priv-lvl-authorization`)."""
    server = {"network-instance": MANAGEMENT_INSTANCE, "tacacs": {"secret-key": placeholder(remote.secret)}}
    return {
        "name": TACACS,
        "type": "srl_nokia-aaa-types:tacacs",
        "priv-lvl-authorization": True,
        "server": [{"address": str(address), **server} for address in remote.servers],
    }


def _users(users: Mapping[str, User]) -> Tree:
    tree: Tree = {}
    for name in sorted(users):
        entry = _credentials(users[name])
        if name in BUILT_IN:
            tree[BUILT_IN[name]] = entry
        else:
            rights: Tree = {"role": [OPERATOR]} if users[name].role == OPERATOR else {"superuser": True}
            tree.setdefault("user", []).append({"username": name, **entry, **rights})
    return tree


def _credentials(user: User) -> Tree:
    stored = user.password_hash or placeholder(user.password_secret)
    keys: Tree = {"ssh-key": list(user.ssh_keys)} if user.ssh_keys else {}
    return ({"password": stored} if stored else {}) | keys

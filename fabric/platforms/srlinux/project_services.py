"""The management settings of a switch as the reader notes them, section by section, straight from the switch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.configuration.keyed import said
from fabric.devices.model import DISCARD_DISTANCE, Switch
from fabric.intent.model import Hashing, SnmpUser, User
from fabric.platforms.srlinux.buffers import Sizes
from fabric.platforms.srlinux.groups import IPV4, group_of
from fabric.platforms.srlinux.lower_access import BUILT_IN, OPERATOR, PRIVILEGES, SSH_PORT
from fabric.platforms.srlinux.lower_bgp import DEFAULT_ROUTE, DISCARD_GROUP, GATEWAY_GROUP, LINUX
from fabric.platforms.srlinux.lower_services import AUTHENTICATION, DYNAMIC, HASHED, LEVELS, PRIVACY
from fabric.platforms.srlinux.names import MANAGEMENT, MANAGEMENT_INSTANCE, STATES

Notes = Iterator[tuple[str, str]]
"""Section and setting."""
PROTOCOLS = {4: "protocol tcp", 6: "next-header tcp"}
IN_MANAGEMENT = f"in {MANAGEMENT_INSTANCE}"


def services(switch: Switch, sizes: Sizes | None) -> dict[str, str]:
    """Section to its settings, sorted."""
    found: dict[str, list[str]] = {}
    for part in (_system, _snmp, _users, _remote, _servers, _filters, _routing, _instances):
        for section, text in part(switch):
            found.setdefault(section, []).append(text)
    if sizes is not None:
        card = "linecard 1 forwarding-complex 0"
        found["headroom"] = [card, f"{card} reserved {sizes.reserved_percent} percent"]
    return {section: "\n".join(sorted(lines)) for section, lines in found.items()}


def _each(section: str, texts: Iterable[str]) -> Notes:
    return ((section, text) for text in texts)


def _system(switch: Switch) -> Notes:
    wanted, settings = switch.services, switch.services.management
    yield "lldp", STATES[wanted.lldp]
    if wanted.banner:
        yield "banner", f"login-banner {said(wanted.banner)}"
    if settings.dns or settings.domain:
        yield "dns", IN_MANAGEMENT
    if settings.domain:
        yield from _each("dns", (f"domain {settings.domain}", f"search-list {settings.domain}"))
    if settings.dns:
        yield "dns", f"server-list {' '.join(map(str, settings.dns))}"
    if wanted.ntp.servers:
        yield from _each("ntp", ("enable", IN_MANAGEMENT, f"server {wanted.ntp.servers[0]} prefer true"))
        yield from _each("ntp", (f"server {server}" for server in wanted.ntp.servers))
    if wanted.syslog.servers:
        yield "logging", IN_MANAGEMENT
    for server in wanted.syslog.servers:
        host, facility = f"host {server}", f"host {server} facility all"
        levels = " ".join(LEVELS[wanted.syslog.level])
        yield from _each("logging", (host, facility, f"{facility} match-exact {levels}"))


def _snmp(switch: Switch) -> Notes:
    snmp = switch.services.snmp
    if snmp is None:
        return
    yield "snmp", f"{IN_MANAGEMENT} enable"
    for key, text in (("contact", snmp.contact), ("location", snmp.location)):
        if text:
            yield "snmp", f"{key} {said(text)}"
    users = {name: snmp.users[name] for name in sorted(snmp.users)}
    if users:
        yield from _each("snmp", ("group fabric", "group fabric security-level auth-priv"))
    for name, user in users.items():
        yield from _each("snmp", _snmp_user("group fabric", name, user))
    if users and snmp.trap_servers:
        yield from _each("snmp", ("traps fabric", f"traps fabric {IN_MANAGEMENT}"))
    for number, server in enumerate(snmp.trap_servers, 1):
        for name, user in users.items():
            receiver = f"traps fabric receiver receiver-{number}-{name}"
            told = (receiver, f"{receiver} address {server}", f"{receiver} security-level auth-priv")
            yield from _each("snmp", (*told, *_snmp_user(receiver, name, user)))


def _snmp_user(above: str, name: str, user: SnmpUser) -> Iterator[str]:
    entry = f"{above} user {name}"
    yield from (entry, f"{entry} user {name}")
    yield f"{entry} protocol {AUTHENTICATION[user.auth]}"
    yield f"{entry} privacy protocol {PRIVACY[user.privacy]}"


def _users(switch: Switch) -> Notes:
    wanted = switch.services
    for name, user in wanted.users.items():
        yield from _each("aaa", _user(f"user {name}", name, user))
    has_operators = wanted.tacacs is not None or any(one.role == OPERATOR for one in wanted.users.values())
    if has_operators:
        may_open = "cli gnmi" if wanted.gnmi is not None else "cli"
        yield from _each("aaa", (f"role {OPERATOR}", f"role {OPERATOR} services {may_open}"))
        rule = f"role {OPERATOR} rule /"
        yield from _each("roles", (f"role {OPERATOR}", rule, f"{rule} action read"))


def _user(entry: str, name: str, user: User) -> Iterator[str]:
    yield entry
    if user.password_hash or user.password_secret:
        yield f"{entry} password"
    if user.ssh_keys:
        yield f"{entry} ssh-key {said(list(user.ssh_keys))}"
    if name not in BUILT_IN:
        yield f"{entry} role {OPERATOR}" if user.role == OPERATOR else f"{entry} superuser true"


def _remote(switch: Switch) -> Notes:
    """Whom the switch asks."""
    tacacs, idle_s = switch.services.tacacs, int(switch.services.ssh.idle_timeout_ms) // 1000
    methods = "local" if tacacs is None else "tacacs local"
    yield from _each("aaa", (f"authentication-method {methods}", f"idle-timeout {idle_s}"))
    yield from _each("aaa", ("servers local", "servers local type local"))
    if tacacs is None:
        return
    group = "servers tacacs"
    yield from _each("aaa", (group, f"{group} type tacacs", f"{group} priv-lvl-authorization true"))
    for address in tacacs.servers:
        server = f"{group} server {address}"
        yield from _each("aaa", (server, f"{server} {IN_MANAGEMENT}", f"{server} secret-key"))
    yield from _each("aaa", (f"role {role} priv-lvl {level}" for role, level in PRIVILEGES.items()))
    yield from _each("aaa", ("role administrator", "role administrator superuser true"))
    if tacacs.accounting:
        told = ("accounting", "accounting accounting-method tacacs")
        yield from _each("aaa", (*told, "accounting event command", "accounting event command record stop"))


def _servers(switch: Switch) -> Notes:
    wanted, server = switch.services, f"server {MANAGEMENT_INSTANCE}"
    yield from _each("ssh", (f"{server} enable", f"{server} {IN_MANAGEMENT}"))
    if wanted.gnmi is None:
        return
    certificate = wanted.certificate
    tls = f"tls-profile {certificate.name}" if certificate else "default-tls-profile true"
    told = ("enable", IN_MANAGEMENT, f"port {wanted.gnmi.port}", "services gnmi", tls)
    yield from _each("grpc", (f"{server} {one}" for one in told))


def _filters(switch: Switch) -> Notes:
    """Each port from its prefixes, none from elsewhere, everything else."""
    wanted = switch.services
    if not wanted.ssh.allow:
        return
    open_to = {SSH_PORT: wanted.ssh.allow}
    if wanted.gnmi is not None and wanted.management.allow:
        open_to[wanted.gnmi.port] = wanted.management.allow
    bound = f"on {MANAGEMENT}.0"
    yield "acl", bound
    for version, protocol in PROTOCOLS.items():
        name, number = f"ssh ipv{version}", 10
        yield from _each("acl", (name, f"{bound} {name}"))
        for port, prefixes in open_to.items():
            sources = [f"from {prefix}" for prefix in prefixes if prefix.version == version]
            for source in (*sources, ""):
                entry = f"{name} {number}"
                told = (protocol, "operator eq", f"value {port}", "accept" if source else "drop")
                yield from _each("acl", (entry, *(f"{entry} {one}" for one in (*told, source) if one)))
                number += 10
        yield from _each("acl", (f"{name} {number}", f"{name} {number} accept"))


def _routing(switch: Switch) -> Notes:
    routing = switch.routing
    if routing.load_balancing in DYNAMIC:
        yield "load-balancing", f"mode {DYNAMIC[routing.load_balancing]}"
    if set(routing.hashing.fields) != set(Hashing().fields):
        for field, word in HASHED.items():
            yield "load-balancing", f"{word} {said(field in routing.hashing.fields)}"
    if routing.hash_seed is not None:
        yield "load-balancing", f"hash-seed {routing.hash_seed}"
    groups, _ = group_of(switch)
    families = {*routing.families, *(version for group in groups for version in group.families)}
    if any(one.address is None for one in routing.neighbors):
        families.add(IPV4)
    yield from _each("bgp", (STATES[not switch.shuts_sessions], "rapid-withdrawal true"))
    for version in families:
        family = f"ipv{version}-unicast"
        yield from _each("bgp", (f"{family} enable", f"{family} allow-multiple-as true"))
    interval_us = (routing.bfd_interval_ms or 0) * 1000
    watched = dict.fromkeys(one.port for one in routing.neighbors if one.bfd and interval_us)
    timers = (f"sends every {interval_us} us", f"receives every {interval_us} us")
    for port in watched:
        told = ("", " enable", *(f" {one}" for one in (*timers, f"multiplier {routing.bfd_multiplier}")))
        yield from _each("bfd", (f"{port}.0{one}" for one in told))


def _instances(switch: Switch) -> Notes:
    routing, gateway = switch.routing, switch.management.gateway
    ours, others = f"instance {MANAGEMENT_INSTANCE}", "instance default"
    yield from _each(ours, (f"linux {what} {said(on)}" for what, on in LINUX.items()))
    if gateway is not None:
        route, hops = f"route {DEFAULT_ROUTE[gateway.version]}", f"next-hop-group {GATEWAY_GROUP}"
        yield from _each(ours, (route, f"{route} by {GATEWAY_GROUP}", hops, f"{hops} {gateway}"))
    if routing.load_balancing != "ecmp":
        covered = (f"dynamic balancing {DEFAULT_ROUTE[version]}" for version in routing.families)
        yield from _each(others, covered)
    for prefix in routing.aggregates:
        yield from _each(others, (f"aggregate {prefix}", f"aggregate {prefix} summary-only true"))
    if routing.discards:
        group = f"next-hop-group {DISCARD_GROUP}"
        yield from _each(others, (group, f"{group} drops, generate-icmp false"))
    for prefix in routing.discards:
        route = f"route {prefix}"
        told = (route, f"{route} by {DISCARD_GROUP}", f"{route} preference {DISCARD_DISTANCE}")
        yield from _each(others, told)

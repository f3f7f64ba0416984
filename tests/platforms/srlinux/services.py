"""The management settings of a switch as the reader notes them, section by section, straight from the switch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fabric.configuration.syntaxes.quoting import said
from fabric.devices.model import DISCARD_DISTANCE, Prefix, Switch
from fabric.devices.routing_policy import routing_policy
from fabric.intent.model import Hashing, SnmpUser, User
from fabric.platforms.srlinux.buffers import Sizes
from fabric.platforms.srlinux.lower_policies import STYLE
from fabric.platforms.srlinux.names import ENABLE, MANAGEMENT, MANAGEMENT_INSTANCE, STATES
from tests.platforms.expected_services import DEFAULT_ROUTES

Notes = Iterator[tuple[str, str]]
"""Section and setting."""
BUILT_IN = {"admin": "admin-user", "linuxadmin": "linuxadmin-user"}
OPERATOR, SSH_PORT = "operator", 22
PRIVILEGES = {"operator": 1, "administrator": 15}
GATEWAY_GROUP, DISCARD_GROUP = "gateway", "discard"
LINUX = {"import-routes": True, "export-routes": True, "export-neighbors": True}
AUTHENTICATION = {"sha": "hmac-sha1-96", "sha256": "hmac-sha2-256", "sha512": "hmac-sha2-512"}
PRIVACY = {"aes": "cfb128-aes-128", "aes192": "cfb128-aes-192", "aes256": "cfb128-aes-256"}
DYNAMIC = {"flowlet": "flow-dynamic", "per_packet": "per-packet"}
HASHED = {
    "src_ip": "source-address",
    "dst_ip": "destination-address",
    "src_port": "source-port",
    "dst_port": "destination-port",
    "protocol": "protocol",
}
SEVERITIES = ("emergency", "alert", "critical", "error", "warning", "notice", "informational", "debug")
SENT = {"errors": 4, "warnings": 5, "notifications": 6, "informational": 7, "debugging": 8}
"""How many of them, the most severe first."""
FAMILIES = {4: "match ipv4 protocol tcp", 6: "match ipv6 next-header tcp"}
IN_MANAGEMENT, ON = f"network-instance {MANAGEMENT_INSTANCE}", f"admin-state {ENABLE}"


def services(switch: Switch, sizes: Sizes | None) -> dict[str, str]:
    """Section to its settings, sorted."""
    found: dict[str, list[str]] = {}
    for part in PARTS:
        for section, text in part(switch):
            found.setdefault(section, []).append(text)
    if sizes is not None:
        card = "1 forwarding-complex 0"
        found["linecard"] = [card, f"{card} input pfc-buffer-reservation {sizes.reserved_percent}"]
    return {section: "\n".join(sorted(lines)) for section, lines in found.items()}


def _each(section: str, texts: Iterable[str], above: str = "") -> Notes:
    """Settings of a section; below an entry, with the entry itself."""
    if above:
        yield section, above
    yield from ((section, f"{above} {text}".lstrip()) for text in texts)


def _system(switch: Switch) -> Notes:
    wanted, settings = switch.services, switch.services.management
    yield "lldp", f"admin-state {STATES[wanted.lldp]}"
    if wanted.banner:
        yield "banner", f"login-banner {said(wanted.banner)}"
    if settings.dns or settings.domain:
        yield "dns", IN_MANAGEMENT
    if settings.domain:
        yield from _each("dns", (f"domain-name {settings.domain}", f"search-list {settings.domain}"))
    if settings.dns:
        yield "dns", f"server-list {' '.join(map(str, settings.dns))}"
    for number, server in enumerate(wanted.ntp.servers):
        yield from _each("ntp", () if number else (ON, IN_MANAGEMENT))
        yield from _each("ntp", () if number else ("prefer true",), f"server {server}")
    if wanted.syslog.servers:
        yield "logging", IN_MANAGEMENT
    for server in wanted.syslog.servers:
        yield "logging", f"remote-server {server}"
        levels = f"priority match-exact {' '.join(SEVERITIES[: SENT[wanted.syslog.level]])}"
        yield from _each("logging", (levels,), f"remote-server {server} facility all")


def _snmp(switch: Switch) -> Notes:
    snmp = switch.services.snmp
    if snmp is None:
        return
    yield from _each("snmp", (ON,), IN_MANAGEMENT)
    for key, text in (("contact", snmp.contact), ("location", snmp.location)):
        if text:
            yield "information", f"{key} {said(text)}"
    users = {name: snmp.users[name] for name in sorted(snmp.users)}
    if users:
        yield from _each("snmp", ("security-level auth-priv",), "access-group fabric")
    for name, user in users.items():
        yield from _snmp_user("access-group fabric", name, user)
    if users and snmp.trap_servers:
        yield from _each("snmp", (IN_MANAGEMENT,), "trap-group fabric")
    for number, server in enumerate(snmp.trap_servers, 1):
        for name, user in users.items():
            receiver = f"trap-group fabric destination receiver-{number}-{name}"
            yield from _each("snmp", (f"address {server}", "security-level auth-priv"), receiver)
            yield from _snmp_user(receiver, name, user)


def _snmp_user(above: str, name: str, user: SnmpUser) -> Notes:
    texts = (
        f"user {name}",
        f"authentication protocol {AUTHENTICATION[user.auth]}",
        "authentication password",
        f"privacy protocol {PRIVACY[user.privacy]}",
        "privacy password",
    )
    return _each("snmp", texts, f"{above} security-entry {name}")


def _users(switch: Switch) -> Notes:
    wanted = switch.services
    for name, user in wanted.users.items():
        if name in BUILT_IN:
            yield from _each(
                "aaa", (f"authentication {BUILT_IN[name]} {text}" for text in _credentials(user))
            )
            continue
        rights = f"role {OPERATOR}" if user.role == OPERATOR else "superuser true"
        yield from _each("aaa", (*_credentials(user), rights), f"authentication user {name}")
    if wanted.tacacs is not None or any(one.role == OPERATOR for one in wanted.users.values()):
        may_open = "cli gnmi" if wanted.gnmi is not None else "cli"
        yield from _each("aaa", (f"services {may_open}",), f"authorization role {OPERATOR}")
        yield "configuration", f"role {OPERATOR}"
        yield from _each("configuration", ("action read",), f"role {OPERATOR} rule /")


def _credentials(user: User) -> Iterator[str]:
    if user.password_hash or user.password_secret:
        yield "password"
    if user.ssh_keys:
        yield f"ssh-key {said(list(user.ssh_keys))}"


def _remote(switch: Switch) -> Notes:
    """Whom the switch asks."""
    tacacs, idle_s = switch.services.tacacs, int(switch.services.ssh.idle_timeout_ms) // 1000
    methods = "local" if tacacs is None else "tacacs local"
    yield from _each("aaa", (f"authentication authentication-method {methods}",))
    yield from _each("aaa", (f"authentication idle-timeout {idle_s}",))
    yield from _each("aaa", ("type local",), "server-group local")
    if tacacs is None:
        return
    yield from _each("aaa", ("type tacacs", "priv-lvl-authorization true"), "server-group tacacs")
    for address in tacacs.servers:
        yield from _each("aaa", (IN_MANAGEMENT, "tacacs secret-key"), f"server-group tacacs server {address}")
    levels = (f"authorization role {role} tacacs priv-lvl {level}" for role, level in PRIVILEGES.items())
    yield from _each("aaa", levels)
    yield from _each("aaa", ("superuser true",), "authorization role administrator")
    if tacacs.accounting:
        yield "aaa", "accounting accounting-method tacacs"
        yield from _each("aaa", ("record stop",), "accounting event command")


def _servers(switch: Switch) -> Notes:
    wanted, server = switch.services, MANAGEMENT_INSTANCE
    yield from _each("ssh-server", (f"{server} {ON}", f"{server} {IN_MANAGEMENT}"))
    if wanted.gnmi is None:
        return
    certificate = wanted.certificate
    tls = f"tls-profile {certificate.name}" if certificate else "default-tls-profile true"
    texts = (ON, IN_MANAGEMENT, f"port {wanted.gnmi.port}", "services gnmi", tls)
    yield from _each("grpc-server", (f"{server} {one}" for one in texts))


def _filters(switch: Switch) -> Notes:
    """Who may open what, on `mgmt0` alone."""
    wanted = switch.services
    if not wanted.ssh.allow:
        return
    open_to = {SSH_PORT: wanted.ssh.allow}
    if wanted.gnmi is not None and wanted.management.allow:
        open_to[wanted.gnmi.port] = wanted.management.allow
    bound = (f"interface-ref interface {MANAGEMENT}", "interface-ref subinterface 0")
    yield from _each("acl", bound, f"interface {MANAGEMENT}.0")
    for version in FAMILIES:
        name = f"acl-filter ssh ipv{version}"
        yield from _each("acl", (name, f"interface {MANAGEMENT}.0 input {name}"))
        for number, texts in enumerate(_entries(version, open_to), 1):
            yield from _each("acl", texts, f"{name} entry {number * 10}")


def _entries(version: int, open_to: Mapping[int, Iterable[Prefix]]) -> Iterator[tuple[str, ...]]:
    """Each port from its prefixes, none from elsewhere, everything else."""
    for port, prefixes in open_to.items():
        to = (f"match transport destination-port {text}" for text in ("operator eq", f"value {port}"))
        match = (FAMILIES[version], *to)
        for prefix in prefixes:
            if prefix.version == version:
                yield (*match, f"match ipv{version} source-ip prefix {prefix}", "action accept")
        yield (*match, "action drop")
    yield ("action accept",)


def _paths(switch: Switch) -> Notes:
    """How equal paths are shared."""
    routing = switch.routing
    if routing.load_balancing in DYNAMIC:
        yield "load-balancing", f"dynamic mode {DYNAMIC[routing.load_balancing]}"
    if set(routing.hashing.fields) != set(Hashing().fields):
        for field, word in HASHED.items():
            yield "load-balancing", f"hash-options {word} {said(field in routing.hashing.fields)}"
    if routing.hash_seed is not None:
        yield "load-balancing", f"hash-options hash-seed {routing.hash_seed}"


def _bgp(switch: Switch) -> Notes:
    state = f"admin-state {STATES[not switch.shuts_sessions]}"
    yield from _each("bgp", (state, "route-advertisement rapid-withdrawal true"))
    for version in routing_policy(switch, STYLE).active_families:
        yield from _each("bgp", (ON, "multipath allow-multiple-as true"), f"afi-safi ipv{version}-unicast")


def _bfd(switch: Switch) -> Notes:
    routing = switch.routing
    interval_us = (routing.bfd_interval_ms or 0) * 1000
    timers = (
        f"desired-minimum-transmit-interval {interval_us}",
        f"required-minimum-receive {interval_us}",
        f"detection-multiplier {routing.bfd_multiplier}",
    )
    for port in dict.fromkeys(one.port for one in routing.neighbors if one.bfd and interval_us):
        yield from _each("bfd", (ON, *timers), f"subinterface {port}.0")


def _instances(switch: Switch) -> Notes:
    routing, gateway = switch.routing, switch.management.gateway
    ours = MANAGEMENT_INSTANCE
    yield from _each(f"{ours} linux", (f"{what} {said(on)}" for what, on in LINUX.items()))
    if gateway is not None:
        route = f"route {DEFAULT_ROUTES[gateway.version]}"
        yield from _each(f"{ours} static-routes", (f"next-hop-group {GATEWAY_GROUP}",), route)
        yield f"{ours} next-hop-groups", f"group {GATEWAY_GROUP}"
        hop = f"group {GATEWAY_GROUP} nexthop 1"
        yield from _each(f"{ours} next-hop-groups", (f"ip-address {gateway}",), hop)
    if routing.load_balancing != "ecmp":
        covered = (f"dynamic-load-balancing prefix {DEFAULT_ROUTES[version]}" for version in routing.families)
        yield from _each("default ip-load-balancing", covered)
    for prefix in routing.aggregates:
        yield from _each("default aggregate-routes", ("summary-only true",), f"route {prefix}")
    if routing.discards:
        discards = ("blackhole generate-icmp false",)
        yield from _each("default next-hop-groups", discards, f"group {DISCARD_GROUP}")
    texts = (f"next-hop-group {DISCARD_GROUP}", f"preference {DISCARD_DISTANCE}")
    for prefix in routing.discards:
        yield from _each("default static-routes", texts, f"route {prefix}")


PARTS = (_system, _snmp, _users, _remote, _servers, _filters, _paths, _bgp, _bfd, _instances)

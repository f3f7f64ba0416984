"""What the reader notes of the settings that are not interfaces, sessions or queues."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.platforms.junos.curly import parse
from fabric.platforms.junos.lower_qos import FRAME_BYTES, class_name, lower_buffers
from fabric.platforms.junos.lower_services import CERTIFICATE, CIPHERS, LEVELS, MINUTE_MS, ROLES
from fabric.platforms.junos.names import INSTANCE, quoted
from fabric.qos.model import PortQueueing

Notes = Iterator[tuple[str, str]]
"""Section and setting."""


def services(switch: Switch) -> dict[str, str]:
    """Section to its settings, sorted."""
    found: dict[str, list[str]] = {}
    for part in (_system, _login, _snmp, _network, _queues):
        for section, text in part(switch):
            found.setdefault(section, []).append(text)
    return {section: "\n".join(sorted(lines)) for section, lines in found.items()}


def _system(switch: Switch) -> Notes:
    wanted, inside = switch.services, switch.management.vrf != "default"
    suffix = f" routing-instance {INSTANCE}" if inside else ""
    if wanted.management.domain:
        yield "domain-name", wanted.management.domain
    for dns in wanted.management.dns:
        yield "name-server", f"{dns}{suffix}"
    for server in wanted.ntp.servers:
        yield "ntp", f"server {server}{' prefer' if server == wanted.ntp.servers[0] else ''}{suffix}"
    for log in wanted.syslog.servers:
        yield "syslog", f"host {log} any {LEVELS[wanted.syslog.level]}"
        if inside:
            yield "syslog", f"host {log}{suffix}"
    yield "services", "ssh root-login deny"
    yield "services", "netconf ssh"
    grpc = "extension-service request-response grpc"
    if wanted.gnmi:
        yield "services", f"{grpc} ssl port {wanted.gnmi.port}"
        yield "services", f"{grpc} ssl local-certificate {CERTIFICATE}"
        if inside:
            yield "services", f"{grpc}{suffix}"
    if wanted.lldp:
        yield "lldp", "interface all"
        yield "lldp", "port-id-subtype interface-name"
        yield "lldp", "port-description-type interface-description"


def _login(switch: Switch) -> Notes:
    wanted = switch.services
    minutes = wanted.ssh.idle_timeout_ms // MINUTE_MS
    for role, permissions in (("FABRIC-ADMIN", "all"), ("FABRIC-OPERATOR", "[ view view-configuration ]")):
        yield "login", f"class {role} idle-timeout {minutes}"
        yield "login", f"class {role} permissions {permissions}"
    banner = (wanted.banner or "").strip("\n")
    if banner:
        yield "login", f"message {_shown(banner)}"
    for name, user in wanted.users.items():
        yield "login user", f"{name} class {ROLES[user.role]}"
        for key in user.ssh_keys:
            kind = key.split()[0]
            word = kind if kind in ("ssh-rsa", "ssh-ed25519") else "ssh-ecdsa"
            yield "login user", f"{name} authentication {word} {quoted(key)}"
    tacacs = wanted.tacacs
    if tacacs:
        yield "authentication-order", "[ tacplus password ]"
        if switch.management.vrf != "default":
            for server in tacacs.servers:
                yield "tacplus-server", f"{server} routing-instance {INSTANCE}"
        if tacacs.accounting:
            yield "accounting", "events [ login interactive-commands ]"
            yield "accounting", "destination tacplus"


def _snmp(switch: Switch) -> Notes:
    snmp = switch.services.snmp
    if snmp is None:
        return
    for word, text in (("location", snmp.location), ("contact", snmp.contact)):
        if text:
            yield "snmp", f"{word} {_shown(text)}"
    for name in snmp.users:
        yield "snmp", f"v3 vacm security-to-group security-model usm security-name {name} group FABRIC"
    for name, user in snmp.users.items():
        yield "snmp users", f"{name} {user.auth} {CIPHERS[user.privacy]}"
    access = "v3 vacm access group FABRIC default-context-prefix security-model usm"
    yield "snmp", f"{access} security-level privacy read-view ALL"
    yield "snmp", "view ALL oid .1 include"
    if switch.management.vrf != "default":
        yield "snmp", "routing-instance-access"


def _network(switch: Switch) -> Notes:
    routing, gateway = switch.routing, switch.management.gateway
    yield "routing-options", "forwarding-table export PER-FLOW"
    yield "routing-options", "forwarding-table ecmp-fast-reroute"
    for prefix in routing.aggregates:
        table = "" if prefix.version == 4 else "rib inet6.0 "
        yield "routing-options", f"{table}aggregate route {prefix} discard"
    if gateway is not None:
        default = "0.0.0.0/0" if gateway.version == 4 else "::/0"
        inside = switch.management.vrf != "default"
        table = "" if gateway.version == 4 else f"rib {INSTANCE + '.' if inside else ''}inet6.0 "
        route = f"{table}static route {default} next-hop {gateway}"
        yield (
            ("routing-instances", f"{INSTANCE} routing-options {route}")
            if inside
            else ("routing-options", route)
        )
    dlb = "enhanced-hash-key ecmp-dlb"
    if routing.load_balancing != "ecmp":
        yield "forwarding-options", f"{dlb} ether-type ipv4"
        yield "forwarding-options", f"{dlb} ether-type ipv6"
        yield "forwarding-options", f"{dlb} sampling-rate 1000000"
    if routing.load_balancing == "flowlet":
        yield "forwarding-options", f"{dlb} flowlet inactivity-interval 128"
        yield "forwarding-options", f"{dlb} flowlet flowset-table-size 2048"
    if routing.load_balancing == "per_packet":
        yield "forwarding-options", f"{dlb} per-packet"
    for port in sorted({one.port for one in routing.neighbors if one.address is None}):
        yield "router-advertisement", f"interface {port}.0"
    for vlan in {port.vlan for port in switch.ports if port.vlan} | {one.vlan for one in switch.gateways}:
        yield "vlans", f"V{vlan} vlan-id {vlan}"
    for one in switch.gateways:
        yield "vlans", f"V{one.vlan} l3-interface irb.{one.vlan}"


def _queues(switch: Switch) -> Notes:
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return
    buffers = lower_buffers(switch)
    for word, percent in (
        ("lossless", buffers.lossless),
        ("lossless-headroom", buffers.headroom),
        ("lossy", buffers.lossy),
    ):
        yield "class-of-service", f"shared-buffer ingress buffer-partition {word} percent {percent}"
        if word != "lossless-headroom":
            yield "class-of-service", f"shared-buffer egress buffer-partition {word} percent {percent}"
    yield "class-of-service", "shared-buffer ingress buffer-partition lossless dynamic-threshold 10"
    yield "class-of-service", "dedicated-buffer ingress percent 15"
    yield "class-of-service", "dedicated-buffer egress percent 30"
    for one in queueing.profiles[0].classes:
        if 48 in one.dscp:
            yield "class-of-service", f"host-outbound-traffic forwarding-class {class_name(one)}"
    for kind in queueing.profiles:
        yield from _pauses(kind)


def _pauses(kind: PortQueueing) -> Notes:
    lossless = [one for one in kind.classes if one.priority is not None]
    if lossless:
        yield "congestion-notification-profile", f"{kind.name} input cable-length {max(kind.cable_m, 1)}"
    for point in {point for one in lossless for point in one.dscp}:
        for what in ("pfc", f"mru {FRAME_BYTES}"):
            yield (
                "congestion-notification-profile",
                f"{kind.name} input dscp code-point {point:06b} {what}",
            )
    for priority, queue in {(one.priority, one.queue) for one in lossless}:
        text = f"{kind.name} output ieee-802.1 code-point {priority:03b} flow-control-queue {queue}"
        yield "congestion-notification-profile", text


def _shown(text: str) -> str:
    """As Junos shows it: quoted only where it must be."""
    return parse(f"x {quoted(text)};")[0].words[1]

"""What the reader notes of the settings that are not interfaces, sessions or queues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.configuration.syntaxes.curly import NEEDLESS
from fabric.devices.addresses import IpInterface
from fabric.devices.model import DISCARD_DISTANCE, LinkRole, Switch
from fabric.platforms.junos.buffers import Buffers, divide
from fabric.platforms.junos.lower_qos import FRAME_BYTES, own_class, pause_names
from fabric.platforms.junos.names import INSTANCE, quoted
from fabric.platforms.service_ranges import MINUTE_MS
from fabric.qos.model import PortQueueing

Notes = Iterator[tuple[str, str]]
"""Section and setting."""
ROLES = {"admin": "FABRIC-ADMIN", "operator": "FABRIC-OPERATOR"}
CIPHERS = {"aes": "aes128", "aes256": "aes256"}
LEVELS = {
    "errors": "error",
    "warnings": "warning",
    "notifications": "notice",
    "informational": "info",
    "debugging": "any",
}
FILTERS = ((4, "inet", "SSH-ACCESS", "protocol"), (6, "inet6", "SSH-ACCESS-V6", "next-header"))
LOOPBACK_FILTERS = ((4, "inet", "NO-SSH", "protocol"), (6, "inet6", "NO-SSH-V6", "next-header"))
SSH_PORTS = "[ 22 830 ]"


def services(switch: Switch) -> dict[str, str]:
    """Section to its settings, sorted."""
    found: dict[str, list[str]] = {}
    for part in (_system, _login, _snmp, _network, _hosts, _access, _guards, _queues):
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
    yield from _gnmi(switch, suffix)
    if wanted.lldp:
        yield "lldp", "interface all"
        yield "lldp", "port-id-subtype interface-name"
        yield "lldp", "port-description-type interface-description"


def _gnmi(switch: Switch, suffix: str) -> Notes:
    gnmi, certificate = switch.services.gnmi, switch.services.certificate
    if gnmi is None or certificate is None:
        return
    grpc = "extension-service request-response grpc"
    yield "services", f"{grpc} ssl port {gnmi.port}"
    yield "services", f"{grpc} ssl local-certificate {certificate.name}"
    yield "services", f"{grpc} ssl use-pki"
    if certificate.client_ca:
        mutual = f"{grpc} ssl mutual-authentication"
        yield "services", f"{mutual} certificate-authority {certificate.client_ca}"
        yield "services", f"{mutual} client-certificate-request require-certificate-and-verify"
    if suffix:
        yield "services", f"{grpc}{suffix}"


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
    yield from _traps(switch, access)
    yield "snmp", "view ALL oid .1 include"
    if switch.management.vrf != "default":
        yield "snmp", "routing-instance-access"


def _traps(switch: Switch, access: str) -> Notes:
    snmp = switch.services.snmp
    if snmp is None or not snmp.trap_servers or not snmp.users:
        return
    yield "snmp", f"{access} security-level privacy notify-view ALL"
    for server in snmp.trap_servers:
        for user in snmp.users:
            target = f"v3 target-address {server}-{user}"
            yield "snmp", f"{target} address {server}"
            yield "snmp", f"{target} tag-list TRAPS"
            yield "snmp", f"{target} target-parameters {user}"
            if switch.management.vrf != "default":
                yield "snmp", f"{target} routing-instance {INSTANCE}"
    for user in snmp.users:
        parameters = f"v3 target-parameters {user}"
        yield "snmp", f"{parameters} parameters message-processing-model v3"
        yield "snmp", f"{parameters} parameters security-model usm"
        yield "snmp", f"{parameters} parameters security-level privacy"
        yield "snmp", f"{parameters} parameters security-name {user}"
        yield "snmp", f"{parameters} notify-filter ALL"
    yield "snmp", "v3 notify TRAPS type trap"
    yield "snmp", "v3 notify TRAPS tag TRAPS"
    yield "snmp", "v3 notify-filter ALL oid .1 include"


def _hosts(switch: Switch) -> Notes:
    """Who is asked for addresses, and what is advertised: to unnumbered neighbours, and to hosts."""
    addressing, faces = switch.host_addressing, list(_faces(switch))
    relays = addressing.assignment == "dhcp_relay"
    for version, word in ((4, ""), (6, "dhcpv6 ")) if relays else ():
        servers = [one for one in addressing.dhcp_servers if one.version == version]
        asking = [name for name, addresses in faces if any(one.version == version for one in addresses)]
        if servers and asking:
            texts = [f"server-group HOSTS {one}" for one in servers] + ["active-server-group HOSTS"]
            texts += [f"group HOSTS interface {name}" for name in asking]
            yield from (("forwarding-options", f"dhcp-relay {word}{text}") for text in texts)
    for port in {one.port for one in switch.routing.neighbors if one.address is None}:
        yield "router-advertisement", f"interface {port}.0"
    for name, addresses in faces:
        six = [one.network for one in addresses if one.version == 6]
        if six and relays:
            yield "router-advertisement", f"interface {name} managed-configuration"
        for network in six if addressing.assignment == "slaac" else ():
            yield "router-advertisement", f"interface {name} prefix {network}"


def _faces(switch: Switch) -> Iterator[tuple[str, tuple[IpInterface, ...]]]:
    """Where hosts are: routed ports and gateways."""
    for port in switch.ports:
        if port.role is LinkRole.HOST and not port.vlan:
            yield f"{port.name}.0", port.addresses
    for gateway in switch.gateways:
        yield f"irb.{gateway.vlan}", gateway.addresses


def _access(switch: Switch) -> Notes:
    """Filters of SSH and gNMI at management, and at ports of the fabric: there nobody may log in."""
    services, gnmi = switch.services, switch.services.gnmi
    ports = f"[ 22 830 {gnmi.port} ]" if gnmi and services.management.allow else SSH_PORTS
    versions = {address.version for address in switch.management.addresses}
    is_shared = switch.management.vrf == "default"
    for version, family, name, protocol in FILTERS if services.ssh.allow else ():
        sources = [one for one in services.ssh.allow if one.version == version]
        yield from _filter(f"family {family} filter {name} term", protocol, ports, sources)
        places = (["lo0"] if is_shared else []) + (["re0:mgmt-0"] if version == 4 or 6 in versions else [])
        yield from (("interfaces", f"{place} unit 0 family {family} filter input {name}") for place in places)
    for _version, family, name, protocol in () if is_shared else LOOPBACK_FILTERS:
        yield from _filter(f"family {family} filter {name} term", protocol, SSH_PORTS, [])
        yield "interfaces", f"lo0 unit 0 family {family} filter input {name}"


def _filter(start: str, protocol: str, ports: str, sources: Sequence[object]) -> Notes:
    """Those sources alone, and all that is not for these ports."""
    for source in sources:
        yield "firewall", f"{start} allowed from source-address {source}"
    if sources:
        yield "firewall", f"{start} allowed then accept"
    for term in ("allowed", "others") if sources else ("others",):
        yield "firewall", f"{start} {term} from {protocol} tcp"
        yield "firewall", f"{start} {term} from destination-port {ports}"
    yield "firewall", f"{start} others then discard"
    yield "firewall", f"{start} rest then accept"


def _guards(switch: Switch) -> Notes:
    yield "chassis", "fpc 0 traffic-manager buffer-monitor-enable"
    yield "protocols", "bgp graceful-restart dont-help-shared-fate-bfd-down"
    if switch.drained:
        yield "protocols", "bgp graceful-shutdown sender"
    guarded = [port.name for port in switch.ports if port.vlan]
    for port in guarded:
        yield "protocols", f"layer2-control bpdu-block interface {port}"
        yield "interfaces", f"{port} unit 0 family ethernet-switching storm-control HOSTS"
    if guarded:
        yield "forwarding-options", "storm-control-profiles HOSTS all bandwidth-percentage 1"
        yield "forwarding-options", "storm-control-profiles HOSTS all no-unknown-unicast"


def _network(switch: Switch) -> Notes:
    routing, gateway = switch.routing, switch.management.gateway
    yield "routing-options", "forwarding-table export PER-FLOW"
    yield "routing-options", "forwarding-table ecmp-fast-reroute"
    if routing.allow_own_asn:
        yield "routing-options", f"loops {routing.allow_own_asn + 1}"
    for prefix in routing.aggregates:
        table = "" if prefix.version == 4 else "rib inet6.0 "
        yield "routing-options", f"{table}aggregate route {prefix} discard"
    for prefix in routing.discards:
        route = f"{'' if prefix.version == 4 else 'rib inet6.0 '}static route {prefix}"
        yield "routing-options", f"{route} discard"
        yield "routing-options", f"{route} preference {DISCARD_DISTANCE}"
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
    for vlan in {port.vlan for port in switch.ports if port.vlan} | {one.vlan for one in switch.gateways}:
        yield "vlans", f"V{vlan} vlan-id {vlan}"
    for one in switch.gateways:
        yield "vlans", f"V{one.vlan} l3-interface irb.{one.vlan}"


def _queues(switch: Switch) -> Notes:
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return
    for text in _partitions(divide(switch)):
        yield "class-of-service", text
    yield (
        "class-of-service",
        f"host-outbound-traffic forwarding-class {own_class(queueing.profiles[0].classes)}",
    )
    names, seen = pause_names(queueing), {""}
    for kind in queueing.profiles:
        if names.get(kind.name, "") not in seen:
            seen.add(names[kind.name])
            yield from _pauses(names[kind.name], kind)


def _partitions(buffers: Buffers) -> Iterator[str]:
    for word, percent in (
        ("lossless", buffers.lossless),
        ("lossless-headroom", buffers.headroom),
        ("lossy", buffers.lossy),
    ):
        yield f"shared-buffer ingress buffer-partition {word} percent {percent}"
        if word != "lossless-headroom":
            yield f"shared-buffer egress buffer-partition {word} percent {percent}"
    if buffers.threshold is not None:
        yield f"shared-buffer ingress buffer-partition lossless dynamic-threshold {buffers.threshold}"
    if buffers.dedicated is not None:
        yield f"dedicated-buffer ingress percent {buffers.dedicated.ingress}"
        yield f"dedicated-buffer egress percent {buffers.dedicated.egress}"


def _pauses(name: str, kind: PortQueueing) -> Notes:
    lossless = [one for one in kind.classes if one.priority is not None]
    if lossless:
        yield "congestion-notification-profile", f"{name} input cable-length {max(kind.cable_m, 1)}"
    for point in {point for one in lossless for point in one.dscp}:
        for what in ("pfc", f"mru {FRAME_BYTES}"):
            yield (
                "congestion-notification-profile",
                f"{name} input dscp code-point {point:06b} {what}",
            )
    for priority, queue in {(one.priority, one.queue) for one in lossless}:
        text = f"{name} output ieee-802.1 code-point {priority:03b} flow-control-queue {queue}"
        yield "congestion-notification-profile", text


def _shown(text: str) -> str:
    """As Junos shows it: quoted only where it must be."""
    return NEEDLESS.sub(r"\1", quoted(text))

"""The management settings of a switch as the reader notes them, section by section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.model import DISCARD_DISTANCE, Switch
from fabric.platforms.eos.lower_interfaces import spanning_tree
from fabric.platforms.eos.lower_services import (
    ACCESS_LIST,
    ACCESS_LIST6,
    API_LIST,
    API_LIST6,
    DEFAULT_LEVEL,
    MINUTE_MS,
    ROLES,
)
from fabric.platforms.eos.names import management_port

Notes = Iterator[tuple[str, str]]
"""Section and setting."""


def services(switch: Switch) -> dict[str, str]:
    """Section to its settings, sorted."""
    found: dict[str, list[str]] = {}
    for part in (_users, _system, _network, _snmp, _aaa, _ways_in):
        for section, text in part(switch):
            found.setdefault(section, []).append(text)
    return {section: "\n".join(sorted(lines)) for section, lines in found.items()}


def _users(switch: Switch) -> Notes:
    for name, user in switch.services.users.items():
        yield "users", f"{name} role {ROLES[user.role][1]}"
        for key in user.ssh_keys:
            yield "users", f"{name} key {key}"


def _system(switch: Switch) -> Notes:
    vrf, interface, wanted = switch.management.vrf, management_port(switch.hardware), switch.services
    yield "spanning-tree", spanning_tree(switch)
    if vrf != "default":
        yield "vrfs", vrf
    if not wanted.lldp:
        yield "lldp", "off"
    else:
        yield from _each(
            "lldp", (f"address {interface}", *([f"address vrf {vrf}"] if vrf != "default" else ()))
        )
    if wanted.syslog.servers and wanted.syslog.level != DEFAULT_LEVEL:
        yield "logging", f"level {wanted.syslog.level}"
    if wanted.syslog.servers:
        hosts = (f"host {server} vrf {vrf}" for server in wanted.syslog.servers)
        yield from _each("logging", (f"source {interface} vrf {vrf}", *hosts))
    yield from _each("dns", (f"server {server} vrf {vrf}" for server in wanted.management.dns))
    if wanted.management.domain:
        yield "dns", f"domain {wanted.management.domain}"
    if wanted.ntp.servers:
        first = wanted.ntp.servers[0]
        yield "ntp", f"source {interface} vrf {vrf}"
        for server in wanted.ntp.servers:
            yield "ntp", f"server {server} vrf {vrf}{' prefer' if server == first else ''}"


def _network(switch: Switch) -> Notes:
    routing, gateway = switch.routing, switch.management.gateway
    unnumbered = any(one.address is None for one in routing.neighbors)
    yield "routing", "model multi-agent"
    yield "routing", "ip routing ipv6 interfaces" if unnumbered else "ip routing"
    speaks6 = 6 in routing.families or any(a.version == 6 for g in switch.gateways for a in g.addresses)
    if unnumbered or speaks6:
        yield "routing", "ipv6 unicast-routing"
    if routing.load_balancing == "flowlet":
        yield "routing", "ip hardware fib load-balance distribution dynamic"
    if gateway is not None:
        default = "0.0.0.0/0" if gateway.version == 4 else "::/0"
        yield "static routes", f"{switch.management.vrf} {default} {gateway}"
    discards = (f"default {prefix} Null0 {DISCARD_DISTANCE}" for prefix in routing.discards)
    yield from _each("static routes", discards)
    if routing.bfd_interval_ms is not None:
        yield "bfd", f"{routing.bfd_interval_ms} ms x {routing.bfd_multiplier}"
    yield "bgp", f"keepalive {routing.keepalive_ms // 1000} hold {routing.hold_ms // 1000}"
    yield from _each("bgp", (f"aggregate {prefix} summary-only" for prefix in routing.aggregates))
    yield "bgp", "redistribute connected route-map RM-CONNECTED"
    if any(one.arp_hosts for one in switch.gateways):
        yield "bgp", "redistribute attached-host route-map RM-CONNECTED"
    vlans = {port.vlan for port in switch.ports if port.vlan} | {one.vlan for one in switch.gateways}
    yield from _each("vlans", (str(vlan) for vlan in vlans))
    if switch.bond_system:
        unit, rail = max(switch.unit, 0), max(switch.rail, 0)
        yield "vlans", f"gateway 02:fb:{unit >> 8:02x}:{unit & 255:02x}:{rail >> 8:02x}:{rail & 255:02x}"
        yield "lacp", f"port ids {'1 32767' if switch.bond_system == 1 else '32768 65535'}"


def _snmp(switch: Switch) -> Notes:
    snmp, vrf = switch.services.snmp, switch.management.vrf
    if snmp is None:
        return
    if snmp.contact:
        yield "snmp", f"contact {snmp.contact}"
    if snmp.location:
        yield "snmp", f"location {snmp.location}"
    yield "snmp", f"source {management_port(switch.hardware)} vrf {vrf}"
    if snmp.users:
        yield "snmp", "group FABRIC priv"
    for name, user in snmp.users.items():
        yield "snmp", f"user {name} group FABRIC {user.auth} {user.privacy}"
    traps = [f"trap {server} vrf {vrf} user {name}" for server in snmp.trap_servers for name in snmp.users]
    yield from _each("snmp", (*traps, *(["traps"] if traps else ())))
    if vrf != "default":
        yield from _each("snmp", ("no vrf default", f"vrf {vrf}"))


def _aaa(switch: Switch) -> Notes:
    tacacs, vrf = switch.services.tacacs, switch.management.vrf
    if tacacs is None:
        yield "aaa", "authorization exec default local"
        return
    for server in tacacs.servers:
        yield from _each("aaa", (f"tacacs {server} vrf {vrf}", f"group server {server} vrf {vrf}"))
    yield "aaa", f"tacacs source {management_port(switch.hardware)} vrf {vrf}"
    for what in ("authentication login", "authorization exec", "authorization commands all"):
        yield "aaa", f"{what} default group TACACS local"
    if tacacs.accounting:
        for what in ("exec", "commands all"):
            yield "aaa", f"accounting {what} default start-stop group TACACS"


def _ways_in(switch: Switch) -> Notes:
    vrf, gnmi, ssh = switch.management.vrf, switch.services.gnmi, switch.services.ssh
    certificate, allow = switch.services.certificate, switch.services.management.allow
    inside = [f"vrf {vrf}"] if vrf != "default" else []
    yield from _each("eapi", ("https", "on", f"vrf {vrf}"))
    outside = ["off in vrf default"] if inside else []
    yield from _each("ssh", (f"idle {ssh.idle_timeout_ms // MINUTE_MS} min", *inside, *outside))
    if allow:
        yield from _each("eapi", (f"ip from {API_LIST} vrf {vrf}", f"ipv6 from {API_LIST6} vrf {vrf}"))
    if certificate is not None:
        yield "eapi", f"certificate {certificate.name}"
        yield "certificates", f"{certificate.name}.crt"
        if certificate.client_ca:
            yield "certificates", f"clients by {certificate.client_ca}.crt"
    if ssh.allow:
        yield from _each("ssh", (f"ip from {ACCESS_LIST} vrf {vrf}", f"ipv6 from {ACCESS_LIST6} vrf {vrf}"))
    if gnmi is not None:
        yield from _each("gnmi", (f"port {gnmi.port}", "provider eos-native", *inside))
        if certificate is not None:
            yield "gnmi", f"certificate {certificate.name}"
        if allow:
            yield "gnmi", f"ip from {API_LIST}"


def _each(section: str, texts: Iterable[str]) -> Notes:
    for text in texts:
        yield section, text

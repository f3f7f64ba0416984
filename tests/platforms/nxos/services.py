"""The management settings of a switch as the reader notes them, section by section."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import DISCARD_DISTANCE, Switch
from fabric.diagnostics import Report
from fabric.platforms.nxos.lower import lower_balancing
from fabric.platforms.nxos.lower_interfaces import gateway_notes, port_notes
from fabric.platforms.nxos.lower_services import (
    LEVELS,
    ROLES,
    lower_aaa,
    lower_features,
    lower_terminal,
    lower_vrf,
)

Notes = Iterator[tuple[str, str]]
"""Section and setting."""


def services(switch: Switch) -> dict[str, str]:
    """Section to its settings, sorted."""
    found: dict[str, list[str]] = {}
    for part in (_system, _servers, _routing, _interfaces):
        for section, text in part(switch):
            found.setdefault(section, []).append(text)
    return {section: "\n".join(sorted(lines)) for section, lines in found.items()}


def _interfaces(switch: Switch) -> Notes:
    for port in switch.ports:
        yield from (("interfaces", f"{port.name}: {line}") for line in port_notes(switch, port))
    for gateway in switch.gateways:
        name = f"Vlan{gateway.vlan}"
        yield from (("interfaces", f"{name}: {line}") for line in gateway_notes(switch, gateway))


def _system(switch: Switch) -> Notes:
    for name, user in switch.services.users.items():
        yield "users", f"{name} role {ROLES[user.role]}"
        for key in user.ssh_keys:
            yield "users", f"{name} sshkey {key}"
    yield from (("features", f"feature {name}") for name in lower_features(switch))
    yield from (("vrf", line) for line in lower_vrf(switch))
    yield from (("ssh", line) for line in lower_terminal(switch, Report()))
    for vlan in sorted({p.vlan for p in switch.ports if p.vlan} | {g.vlan for g in switch.gateways}):
        yield "vlans", str(vlan)


def _servers(switch: Switch) -> Notes:
    wanted = switch.services
    for number, server in enumerate(wanted.ntp.servers):
        yield "ntp", f"ntp server {server}{'' if number else ' prefer'} use-vrf management"
    if wanted.ntp.servers:
        yield "ntp", "ntp source-interface mgmt0"
    for server in wanted.syslog.servers:
        yield "logging", f"logging server {server} {LEVELS[wanted.syslog.level]} use-vrf management"
    if wanted.gnmi is not None:
        yield from (("grpc", "grpc use-vrf management"), ("grpc", f"grpc port {wanted.gnmi.port}"))
        if wanted.certificate is not None:
            yield "grpc", f"grpc certificate {wanted.certificate.name}"
            if wanted.certificate.client_ca:
                yield "grpc", f"grpc client root certificate {wanted.certificate.client_ca}"
    if wanted.tacacs is not None:
        yield from (("aaa", f"host {server}") for server in wanted.tacacs.servers)
        for lines in lower_aaa(switch):
            yield from (("aaa", line) for line in lines)


def _routing(switch: Switch) -> Notes:
    routing = switch.routing
    if switch.host_addressing.assignment == "dhcp_relay":
        yield from (("dhcp", line) for line in ("service dhcp", "ip dhcp relay", "ipv6 dhcp relay"))
    if routing.bfd_interval_ms is not None:
        interval = routing.bfd_interval_ms
        yield "bfd", f"bfd interval {interval} min_rx {interval} multiplier {routing.bfd_multiplier}"
    yield from (("balancing", line.strip()) for line in lower_balancing(switch, Report()))
    for prefix in routing.discards:
        word = "ip" if prefix.version == 4 else "ipv6"
        yield "static routes", f"{word} route {prefix} Null0 {DISCARD_DISTANCE}"
    for version in routing.families:
        yield "bgp", f"redistribute direct route-map RM-CONNECTED{'-V6' if version == 6 else ''}"
    for prefix in routing.aggregates:
        if prefix.version in routing.families:
            yield "bgp", f"aggregate-address {prefix} summary-only"

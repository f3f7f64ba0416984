"""The management settings of a switch as the reader notes them, from the intent alone: not from our tables."""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch
from fabric.diagnostics import Report
from fabric.platforms.sonic.lower_buffers import cable_lengths, trimming
from fabric.platforms.sonic.lower_extra import merge
from fabric.platforms.sonic.lower_services import CERTIFICATES
from fabric.platforms.sonic.modes import Mode, mode_of
from fabric.platforms.sonic.names import asic_vendor, facts
from fabric.platforms.sonic.skus import sku
from tests.platforms.expected_services import Notes, collected, dns, logging, ntp, snmp_place, ssh_idle

TYPES = {"leaf": "ToRRouter", "spine": "LeafRouter", "superspine": "SpineRouter"}
HASH = {
    "src_ip": "SRC_IP",
    "dst_ip": "DST_IP",
    "src_port": "L4_SRC_PORT",
    "dst_port": "L4_DST_PORT",
    "protocol": "IP_PROTOCOL",
    "ingress_port": "IN_PORT",
}
LEVELS = {
    "errors": "error",
    "warnings": "warn",
    "notifications": "notice",
    "informational": "info",
    "debugging": "debug",
}


def services(switch: Switch) -> dict[str, str]:
    """Section to its settings, sorted."""
    own = (_device, _cabling, _management, _servers, _access, _lists, _snmp, _tacacs, _relays)
    return collected(*(part(switch) for part in (*own, ssh_idle, snmp_place)))


def _vrf(switch: Switch) -> str:
    return "default" if switch.management.vrf == "default" else "mgmt"


def _device(switch: Switch) -> Notes:
    mode, bfd = mode_of(switch.release), switch.routing.bfd_interval_ms is not None
    yield "device", f"type {TYPES.get(switch.role, 'LeafRouter')}"
    if facts(switch.hardware):
        yield "device", f"hwsku {sku(switch)}"
        yield "device", f"platform {facts(switch.hardware).get('platform', '')}"
    yield "device", f"buffer_model {'dynamic' if asic_vendor(switch.hardware) == 'nvidia' else 'traditional'}"
    yield "device", "synchronous_mode enable"
    yield "device", "default_pfcwd_status disable"
    managed = mode is Mode.FRRCFGD or (mode is Mode.SPLIT and bfd)
    how = "split-unified" if mode is Mode.SPLIT else "unified"
    yield "routing", f"{how} {'managed' if managed else 'unmanaged'}"


def _cabling(switch: Switch) -> Notes:
    for port in switch.ports if facts(switch.hardware) else ():
        if port.peer and port.role is not LinkRole.UNUSED:
            yield "cabling", f"{port.name} to {port.peer} {port.peer_port}"
    lengths = cable_lengths(switch)
    for port in switch.ports:
        if port.queueing is not None:
            yield "cable length", f"{port.name} {lengths[port.queueing.name]}m"
    for field in switch.routing.hashing.fields:
        yield "hash", HASH[field]
    cut = merge(trimming(switch), switch, Report()).get("SWITCH_TRIMMING", {}).get("GLOBAL")
    if cut:
        yield "trimming", "{size} B, DSCP {dscp_value}, queue {queue_index}".format(**cut)


def _management(switch: Switch) -> Notes:
    gateway = switch.management.gateway
    yield "management", "eth0 up"
    for address in switch.management.addresses:
        if gateway is not None and gateway.version == address.version:
            yield "management", f"{address} via {gateway}"
    if switch.services.banner:
        yield "banner", switch.services.banner.strip("\n")


def _servers(switch: Switch) -> Notes:
    wanted, vrf = switch.services, _vrf(switch)
    yield from ntp(switch, source=f"source eth0 vrf {vrf}")
    yield from logging(switch, vrf, level=LEVELS[wanted.syslog.level])
    yield from dns(switch) if wanted.management.dns else ()


def _access(switch: Switch) -> Notes:
    gnmi, certificate = switch.services.gnmi, switch.services.certificate
    if gnmi is not None and certificate is not None:
        asked = "true" if certificate.client_ca else "false"
        yield "gnmi", f"port {gnmi.port} client auth {asked}"
        yield "gnmi", f"certificate {CERTIFICATES}/{certificate.name}.cer"
        if certificate.client_ca:
            yield "gnmi", f"clients by {CERTIFICATES}/{certificate.client_ca}.cer"


def _lists(switch: Switch) -> Notes:
    services, everyone = switch.services, ("0.0.0.0/0", "::/0")
    if not services.ssh.allow:
        return
    yield from (("lists", f"SSH ACCEPT {one}") for one in services.ssh.allow)
    if services.gnmi is not None:
        who = [str(one) for one in services.management.allow] or everyone
        yield from (("lists", f"EXTERNAL_CLIENT port {services.gnmi.port} ACCEPT {one}") for one in who)
    if services.snmp is not None:
        yield from (("lists", f"SNMP ACCEPT {one}") for one in everyone)


def _snmp(switch: Switch) -> Notes:
    wanted = switch.services.snmp
    if wanted is None:
        return
    for name, user in wanted.users.items():
        yield "snmp", f"user {name} {user.auth.upper()} {user.privacy.upper()} RO"


def _tacacs(switch: Switch) -> Notes:
    wanted = switch.services.tacacs
    if wanted is None:
        return
    yield "tacacs", "key"
    for place, server in enumerate(reversed(wanted.servers), start=1):
        yield "tacacs", f"server {server} priority {place} vrf {_vrf(switch)}"
    yield "aaa", "authentication tacacs+,local"
    if wanted.accounting:
        yield "aaa", "accounting tacacs+"


def _relays(switch: Switch) -> Notes:
    if switch.host_addressing.assignment == "dhcp_relay":
        for gateway in switch.gateways:
            for server in switch.host_addressing.dhcp_servers:
                yield "relay", f"Vlan{gateway.vlan} {server}"

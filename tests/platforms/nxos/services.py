"""The management settings of a switch as the reader of NX-OS notes them: neutral words, and what only it has."""

from __future__ import annotations

from fabric.devices.model import HostGateway, LinkRole, Switch, SwitchPort
from fabric.platforms.nxos.names import INGRESS, policy_map
from tests.platforms.expected_services import (
    DEFAULT_ROUTES,
    Notes,
    aggregates,
    bfd,
    collected,
    discards,
    each,
    gnmi,
    gnmi_clients,
    logging,
    ntp,
    ssh_idle,
    users,
    vlans,
)

VRF = "management"
ROLES = {"admin": "network-admin", "operator": "network-operator"}
LEVELS = {"errors": 3, "warnings": 4, "notifications": 5, "informational": 6, "debugging": 7}
FABRIC = (LinkRole.UP, LinkRole.DOWN, LinkRole.ACROSS)
GUARDS = (
    "spanning-tree bpduguard enable",
    "storm-control broadcast level 1",
    "storm-control multicast level 1",
)


def services(switch: Switch) -> dict[str, str]:
    """Section to its settings, sorted."""
    own = (part(switch) for part in (_features, _vrf, _access, _servers, _tacacs, _routing, _interfaces))
    shared = (part(switch) for part in (bfd, vlans, ssh_idle, gnmi_clients))
    return collected(users(switch, ROLES), gnmi(switch, VRF), *shared, *own)


def _features(switch: Switch) -> Notes:
    """Before any of their commands."""
    wanted = switch.services
    yield from each("features", "feature bgp", "feature scp-server")
    yield from each("lldp", *(["feature lldp"] if wanted.lldp else ()))
    yield from each("features", *(["feature tacacs+"] if wanted.tacacs else ()))
    yield from each("features", *(["feature grpc"] if wanted.gnmi else ()))
    yield from each("features", *(["feature interface-vlan"] if switch.gateways else ()))
    yield from each("features", *(["feature bfd"] if switch.routing.bfd_interval_ms is not None else ()))
    if switch.host_addressing.assignment == "dhcp_relay":
        yield "features", "feature dhcp"
        yield from each("dhcp", "service dhcp", "ip dhcp relay", "ipv6 dhcp relay")


def _vrf(switch: Switch) -> Notes:
    """What stands below that of management."""
    settings, gateway = switch.services.management, switch.management.gateway
    if settings.domain:
        yield "vrf", f"ip domain-name {settings.domain}"
    if settings.dns:
        yield "vrf", f"ip name-server {' '.join(map(str, settings.dns))}"
    if gateway is not None:
        yield (
            "vrf",
            f"{'ip' if gateway.version == 4 else 'ipv6'} route {DEFAULT_ROUTES[gateway.version]} {gateway}",
        )


def _access(switch: Switch) -> Notes:
    if switch.services.ssh.allow:
        yield from each("ssh", "ip from SSH-ALLOW", "ipv6 from SSH-ALLOW-V6")


def _servers(switch: Switch) -> Notes:
    yield from ntp(switch, VRF, source="source mgmt0", prefer=" prefer")
    yield from logging(switch, VRF, level=str(LEVELS[switch.services.syslog.level]))


def _tacacs(switch: Switch) -> Notes:
    tacacs = switch.services.tacacs
    if tacacs is None:
        return
    for server in tacacs.servers:
        yield from each("aaa", f"tacacs {server}", f"server {server}")
    yield from each("aaa", f"use-vrf {VRF}", "source-interface mgmt0")
    yield "aaa", "aaa authentication login default group TACACS"
    if tacacs.accounting:
        yield "aaa", "aaa accounting default group TACACS"


def _routing(switch: Switch) -> Notes:
    routing = switch.routing
    yield from discards(switch, "Null0")
    yield from aggregates(switch, " summary-only")
    for version in routing.families:
        yield "bgp", f"redistribute direct route-map RM-CONNECTED{'-V6' if version == 6 else ''}"
    if routing.hash_seed is not None:
        how = f"source-destination port source-destination universal-id {routing.hash_seed}"
        yield "balancing", f"ip load-sharing address {how}"
    if routing.load_balancing != "ecmp":
        ports = ",".join(port.name for port in switch.ports if port.role in FABRIC)
        yield from each("balancing", "hardware profile dlb", f"dlb-interface {ports}")
        yield from each("balancing", *(["mode per-packet"] if routing.load_balancing == "per_packet" else ()))


def _interfaces(switch: Switch) -> Notes:
    for port in switch.ports:
        lines = (*(GUARDS if port.vlan else ()), *_queues(switch, port), *_hosts(switch, port, port.role))
        yield from each("interfaces", *(f"{port.name}: {line}" for line in lines))
    for gateway in switch.gateways:
        lines = tuple(_hosts(switch, gateway, LinkRole.HOST))
        yield from each("interfaces", *(f"Vlan{gateway.vlan}: {line}" for line in lines))


def _queues(switch: Switch, port: SwitchPort) -> list[str]:
    queueing, kind = switch.queueing, port.queueing
    if queueing is None or kind is None:
        return []
    pauses = [f"priority-flow-control mode {'on' if kind.priorities else 'off'}"]
    pauses += ["priority-flow-control watch-dog-interval on"] if kind.priorities and queueing.watchdog else []
    ways = {"qos input": policy_map(queueing.policy, INGRESS), "queuing output": kind.name}
    return [*pauses, *(f"service-policy type {way} {name}" for way, name in ways.items())]


def _hosts(switch: Switch, where: SwitchPort | HostGateway, role: LinkRole) -> list[str]:
    """Router advertisements, and who is asked for addresses."""
    versions = {address.version for address in where.addresses}
    assignment, servers = switch.host_addressing.assignment, switch.host_addressing.dhcp_servers
    relays = assignment == "dhcp_relay" and role is LinkRole.HOST
    silent = role is LinkRole.ATTACHMENT or (role is LinkRole.HOST and assignment == "static")
    lines = ["ipv6 nd suppress-ra"] if silent and 6 in versions else []
    lines += ["ipv6 nd managed-config-flag"] if relays and 6 in versions else []
    asked = [one for one in servers if relays and one.version in versions]
    return [*lines, *(f"{'ip' if one.version == 4 else 'ipv6'} dhcp relay address {one}" for one in asked)]

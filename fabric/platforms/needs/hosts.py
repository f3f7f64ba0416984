"""What the links to hosts and attachments want of a product: rows of `fabric.platforms.needs.table`."""

from __future__ import annotations

from fabric.devices.model import HostGateway, LinkRole, Switch
from fabric.platforms.needs.need import (
    Need,
    in_network,
    of_attachment,
    serves_hosts,
    vlan_ports,
    when,
)

SIX = 6
MODE = in_network("addressing", "host_links", "mode")
ASSIGNMENT = in_network("addressing", "host_links", "assignment")
ROUTED = "use `mode: routed`: each NIC port has an address of its own"


def _host_vlans(switch: Switch) -> list[HostGateway]:
    return [gateway for gateway in switch.gateways if not gateway.attachment and not gateway.arp_hosts]


def _relays(switch: Switch) -> bool:
    return switch.host_addressing.assignment == "dhcp_relay" and serves_hosts(switch)


def _servers_of_ipv6(switch: Switch) -> tuple[frozenset[str], ...]:
    six = frozenset(str(server) for server in switch.host_addressing.dhcp_servers if server.version == SIX)
    return (six,) if six and _relays(switch) else ()


def _relays_on_ports(switch: Switch) -> bool:
    return _relays(switch) and any(port.role is LinkRole.HOST and port.addresses for port in switch.ports)


HOSTS = (
    Need("vlan_gateways", _host_vlans, MODE, "no VLAN with a gateway for hosts", ROUTED),
    Need(
        "vlan_gateways",
        vlan_ports(lambda _port: True),
        of_attachment("vlan"),
        "no VLAN with a gateway for {wanted.peer}",
        "remove `vlan` and what belongs to it",
    ),
    Need(
        "tagged_vlans",
        vlan_ports(lambda port: port.tagged),
        of_attachment("tagged"),
        "no tagged port of a VLAN for {wanted.peer}: {source}",
        "remove `tagged`",
    ),
    Need(
        "lacp_bundles",
        vlan_ports(lambda port: port.bond),
        of_attachment("lacp"),
        "no LACP bundle for {wanted.peer}: {source}",
        "remove `lacp`",
    ),
    Need(
        "dual_tor_lacp",
        when(lambda switch: switch.has_bonds),
        MODE,
        "no LACP bond over two independent leaves",
        ROUTED,
    ),
    Need(
        "host_routes_from_arp",
        when(lambda switch: any(gateway.arp_hosts for gateway in switch.gateways)),
        MODE,
        "no host routes from ARP",
        ROUTED,
        given="dual_tor_lacp",
    ),
    Need(
        "dhcp_relay",
        when(_relays),
        ASSIGNMENT,
        "no DHCP relay",
        "use `assignment: static`, or `slaac` with IPv6 hosts",
    ),
    Need(
        "routed_dhcp_relay",
        when(_relays_on_ports),
        ASSIGNMENT,
        "DHCP relay works on VLANs only",
        "use VLAN gateways, or static addresses",
        given="dhcp_relay",
    ),
    Need(
        "dhcpv6_relay",
        _servers_of_ipv6,
        in_network("addressing", "host_links", "dhcp_servers"),
        "no DHCPv6 relay to {missing}",
        "name IPv4 servers alone, or use `slaac`",
        given="dhcp_relay",
    ),
    Need(
        "slaac",
        when(lambda switch: switch.host_addressing.assignment == "slaac" and serves_hosts(switch)),
        ASSIGNMENT,
        "no router advertisements for SLAAC",
        "use static addresses or DHCP relay",
    ),
)

"""How hosts get their addresses, in Junos's words: DHCP relay and router advertisements.

Sources: Juniper, [edit forwarding-options dhcp-relay] hierarchy level, `active-server-group`; Juniper CLI reference,
`router-advertisement`: prefixes are on link and autonomous unless said otherwise; 24.4R1-EVO YANG. DHCP relay passes
messages on to the servers through the default routing table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.addresses import IpInterface
from fabric.devices.model import LinkRole, Switch
from fabric.platforms.junos.model import Advertiser, Relay
from fabric.platforms.object_names import natural

SIX = 6

Faces = tuple[tuple[str, tuple[IpInterface, ...]], ...]
"""Interfaces towards hosts, and their addresses."""


def host_interfaces(switch: Switch) -> Faces:
    """Routed host ports and gateways."""
    ports = (
        (f"{port.name}.0", port.addresses)
        for port in switch.ports
        if port.role is LinkRole.HOST and not port.vlan
    )
    gateways = ((f"irb.{one.vlan}", one.addresses) for one in switch.gateways)
    return tuple(sorted((*ports, *gateways), key=lambda face: natural(face[0])))


def lower_relay(switch: Switch, version: int) -> Relay | None:
    """DHCP relay of one address family; None if no host asks for it."""
    hosts = switch.host_addressing
    if hosts.assignment != "dhcp_relay":
        return None
    servers = tuple(str(one) for one in hosts.dhcp_servers if one.version == version)
    interfaces = tuple(name for name, addresses in host_interfaces(switch) if _of(version, addresses))
    return Relay(servers, interfaces) if servers and interfaces else None


def lower_advertisers(switch: Switch, unnumbered: Iterable[str]) -> tuple[Advertiser, ...]:
    """Interfaces that send router advertisements: unnumbered links, and hosts that learn their addresses."""
    found = [Advertiser(f"{port}.0", (), managed=False) for port in unnumbered]
    assignment = switch.host_addressing.assignment
    if assignment == "slaac":
        found += _slaac(switch)
    elif assignment == "dhcp_relay":
        found += [
            Advertiser(name, (), managed=True)
            for name, addresses in host_interfaces(switch)
            if _of(SIX, addresses)
        ]
    return tuple(sorted(found, key=lambda one: natural(one.interface)))


def _slaac(switch: Switch) -> Iterator[Advertiser]:
    for name, addresses in host_interfaces(switch):
        six = _of(SIX, addresses)
        if six:
            yield Advertiser(name, tuple(network(address) for address in six), managed=False)


def network(address: IpInterface) -> str:
    """`fd00::/64`."""
    return str(address.network)


def _of(version: int, addresses: tuple[IpInterface, ...]) -> tuple[IpInterface, ...]:
    return tuple(address for address in addresses if address.version == version)

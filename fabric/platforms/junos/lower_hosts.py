"""How hosts get their addresses, in Junos's words: DHCP relay and router advertisements.

Sources: Juniper, [edit forwarding-options dhcp-relay] hierarchy level, `active-server-group`; Juniper CLI reference,
`router-advertisement`: prefixes are on link and autonomous unless said otherwise; 24.4R1-EVO YANG. DHCP relay passes
messages on to the servers through the default routing table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.addresses import Ip, IpInterface
from fabric.devices.model import LinkRole, Switch
from fabric.platforms.junos.model import Advertiser, Relay
from fabric.platforms.object_names import natural
from fabric.platforms.ports import IPV6, HostSide, host_side

Face = tuple[str, tuple[IpInterface, ...], HostSide]
"""An interface towards hosts, its addresses, and what it does for hosts."""


def host_interfaces(switch: Switch) -> list[Face]:
    """Routed host ports and gateways, where hosts are told anything."""
    if switch.host_addressing.assignment == "static":
        return []
    ports = (
        (f"{port.name}.0", port.addresses)
        for port in switch.ports
        if port.role is LinkRole.HOST and not port.vlan
    )
    gateways = ((f"irb.{gateway.vlan}", gateway.addresses) for gateway in switch.gateways)
    return [
        (name, addresses, host_side(switch, LinkRole.HOST, addresses))
        for name, addresses in sorted((*ports, *gateways), key=lambda face: natural(face[0]))
    ]


def lower_relay(faces: Iterable[Face], version: int) -> Relay | None:
    """DHCP relay of one address family; None if no host asks for it."""
    servers: dict[str, tuple[Ip, ...]] = {
        name: own
        for name, _, side in faces
        if (own := tuple(server for server in side.relays if server.version == version))
    }
    return Relay(next(iter(servers.values())), tuple(servers)) if servers else None


def lower_advertisers(faces: Iterable[Face], unnumbered: Iterable[str]) -> tuple[Advertiser, ...]:
    """Interfaces that send router advertisements: unnumbered links, and hosts that learn their addresses."""
    links = (Advertiser(f"{port}.0") for port in unnumbered)
    return tuple(sorted((*links, *_to_hosts(faces)), key=lambda sender: natural(sender.interface)))


def _to_hosts(faces: Iterable[Face]) -> Iterator[Advertiser]:
    for name, addresses, side in faces:
        if side.is_managed:
            yield Advertiser(name, is_managed=True)
        elif side.advertises:
            yield Advertiser(name, tuple(address for address in addresses if address.version == IPV6))

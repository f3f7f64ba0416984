"""Interfaces in ifupdown2's words.

Sources: https://github.com/CumulusNetworks/ifupdown2 (examples, and the attributes that its addons declare: `mtu`,
`link-speed`, `link-autoneg`, `link-fec`, `link-down`, `vrf-table`, `bridge-access`, `vlan-raw-device`), and the
documentation of Cumulus Linux (Switch Port Attributes, Management VRF, VLAN-aware Bridge Mode). ifupdown2 3.0.0 takes
every file that the tests print. The MTU of Linux leaves the Ethernet header out.
"""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.platforms.frr.model import Bridge, Management, Port, Vlan
from fabric.platforms.frr.names import MANAGEMENT, vlan_name

SLOWEST_WITH_FEC_MBPS = 25_000
"""Slower ports have no forward error correction."""


def lower_ports(switch: Switch) -> tuple[Port, ...]:
    """Every port of the port map; unused ones stay down."""
    return tuple([_port(port) for port in switch.ports])  # a list is faster here, and this loop is hot


def _port(port: SwitchPort) -> Port:
    used = port.role is not LinkRole.UNUSED
    speed_mbps = port.slot.speed_mbps
    return Port(
        port.name,
        description(port),
        not port.enabled,
        port.ip_mtu_bytes if used else None,
        speed_mbps,
        used and speed_mbps >= SLOWEST_WITH_FEC_MBPS,
        tuple([str(address) for address in port.addresses]),
        port.vlan,
        port.tagged,
    )


def description(port: SwitchPort) -> str:
    """`spine-1:swp5`: what is at the other end."""
    return f"{port.peer}:{port.peer_port}" if port.peer else str(port.role)


def lower_management(switch: Switch) -> Management:
    """`iface eth0`: our management access."""
    management = switch.management
    return Management(
        MANAGEMENT,
        "" if management.vrf == "default" else management.vrf,
        tuple(str(address) for address in management.addresses),
        str(management.gateway) if management.gateway else "",
    )


def lower_bridge(switch: Switch) -> Bridge | None:
    """The one VLAN-aware bridge that mlxsw offloads; None without VLANs."""
    ports = tuple(port.name for port in switch.ports if port.vlan)
    vlans = {port.vlan for port in switch.ports if port.vlan} | {one.vlan for one in switch.gateways}
    if not vlans:
        return None
    return Bridge(ports, tuple(sorted(vlans)))


def lower_vlans(switch: Switch) -> tuple[Vlan, ...]:
    """The gateways of host VLANs."""
    return tuple(
        Vlan(vlan_name(one.vlan), one.vlan, one.ip_mtu_bytes, tuple(str(a) for a in one.addresses))
        for one in switch.gateways
    )


def lower_offers(switch: Switch) -> tuple[tuple[str, str], ...]:
    """Interfaces towards hosts and the prefixes that FRR advertises there (SLAAC)."""
    if switch.host_addressing.assignment != "slaac":
        return ()
    ports = [(port.name, port.addresses) for port in switch.ports if port.role is LinkRole.HOST]
    gateways = [(vlan_name(one.vlan), one.addresses) for one in switch.gateways]
    return tuple(
        (name, str(address.network))
        for name, addresses in (*ports, *gateways)
        for address in addresses
        if address.version == 6
    )


def lower_cages(switch: Switch) -> tuple[tuple[str, int], ...]:
    """Cages and into how many ports each is split: `devlink port split` (devlink-port(8))."""
    found = {port.slot.cage: port.slot.sub_ports for port in switch.ports}
    return tuple((f"swp{cage}", found[cage]) for cage in sorted(found))

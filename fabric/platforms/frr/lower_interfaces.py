"""Interfaces in ifupdown2's words.

Sources: Cumulus Linux documentation (Switch Port Attributes, Management VRF) and ifupdown2's own attributes: `mtu`,
`link-speed`, `link-autoneg`, `link-fec`, `link-down`, `vrf-table`. The MTU of Linux leaves the Ethernet header out.
"""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.platforms.frr.model import Management, Port
from fabric.platforms.frr.names import MANAGEMENT

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
    )


def description(port: SwitchPort) -> str:
    """`spine-1:swp5`: what is at the other end."""
    return f"{port.peer}:{port.peer_port}" if port.peer else str(port.role)


def lower_management(switch: Switch) -> Management:
    """`iface eth0`: our way in."""
    management = switch.management
    return Management(
        MANAGEMENT,
        "" if management.vrf == "default" else management.vrf,
        tuple(str(address) for address in management.addresses),
        str(management.gateway) if management.gateway else "",
    )


def lower_splits(switch: Switch) -> tuple[tuple[str, str, int], ...]:
    """Cages that are split: `devlink port split` (devlink-port(8)); its first part is there afterwards."""
    found = {
        port.slot.cage: (port.name, f"swp{port.slot.cage}", port.slot.sub_ports)
        for port in reversed(switch.ports)
        if port.slot.sub_ports > 1
    }
    return tuple(found[cage] for cage in sorted(found))

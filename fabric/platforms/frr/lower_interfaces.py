"""Interfaces in ifupdown2's words.

Sources: https://github.com/CumulusNetworks/ifupdown2 (examples, and the attributes that its addons declare: `mtu`,
`link-speed`, `link-autoneg`, `link-fec`, `link-down`, `vrf-table`, `bridge-access`, `vlan-raw-device`), and the
documentation of Cumulus Linux (Switch Port Attributes, Management VRF, VLAN-aware Bridge Mode). ifupdown2 3.0.0 takes
every file that the tests print. The MTU of Linux leaves the Ethernet header out.
"""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.platforms.frr.model import Bridge, Port
from fabric.platforms.frr.names import vlan_name
from fabric.platforms.ports import SLOWEST_WITH_FEC_MBPS


def lower_ports(switch: Switch) -> tuple[Port, ...]:
    """Every port of the port map; unused ones stay down."""
    return tuple([Port(port, _has_fec(port)) for port in switch.ports])  # faster as a list


def _has_fec(port: SwitchPort) -> bool:
    return port.role is not LinkRole.UNUSED and port.slot.speed_mbps >= SLOWEST_WITH_FEC_MBPS


def lower_bridge(switch: Switch) -> Bridge | None:
    """The one VLAN-aware bridge that mlxsw offloads; None without VLANs."""
    ports = tuple(port.name for port in switch.ports if port.vlan)
    return Bridge(ports, switch.vlans) if switch.vlans else None


def lower_offers(switch: Switch) -> tuple[tuple[str, str], ...]:
    """Interfaces towards hosts and the prefixes that FRR advertises there (SLAAC)."""
    if switch.host_addressing.assignment != "slaac":
        return ()
    ports = [(port.name, port.addresses) for port in switch.ports if port.role is LinkRole.HOST]
    gateways = [(vlan_name(gateway.vlan), gateway.addresses) for gateway in switch.gateways]
    return tuple(
        (name, str(address.network))
        for name, addresses in (*ports, *gateways)
        for address in addresses
        if address.version == 6
    )


def lower_cages(switch: Switch) -> tuple[tuple[str, int], ...]:
    """Cages and into how many ports each is split: `devlink port split` (devlink-port(8))."""
    parts = {port.slot.cage: port.slot.sub_ports for port in switch.ports}
    return tuple((f"swp{cage}", parts[cage]) for cage in sorted(parts))

"""Interfaces in EOS's words: Ethernet, Port-Channel and Vlan.

Source of every line: Arista AVD 6.4 (`ethernet_interfaces`, `port_channel_interfaces`, `loopback_interfaces`,
`management_interfaces`, `vlan_interfaces`). The MTU of EOS is the IP MTU: it leaves the Ethernet header out.
"""

from __future__ import annotations

from fabric.devices.model import HostGateway, LinkRole, Switch, SwitchPort
from fabric.platforms.eos.lower_qos import counted_queues
from fabric.platforms.eos.model import Ethernet
from fabric.platforms.eos.names import SPEED_WORDS, port_name
from fabric.platforms.ports import SLOWEST_WITH_FEC_MBPS, HostSide, every_port, host_side

IPV4 = 4


def lower_ports(switch: Switch) -> tuple[Ethernet, ...]:
    """`interface Ethernet`. Hot: a fabric has more than a million of them."""
    kinds = switch.queueing.profiles if switch.queueing else ()
    counted = {kind.name: counted_queues(kind) for kind in kinds}
    return tuple(
        [  # faster than a generator
            Ethernet(
                port,
                SPEED_WORDS.get((port.slot.speed_mbps, port.slot.lanes), ""),
                port.slot.speed_mbps >= SLOWEST_WITH_FEC_MBPS and port.role is not LinkRole.UNUSED,
                host_side(switch, port.role, port.addresses),
                counted[port.queueing.name] if port.queueing else (),
            )
            for port in every_port(switch, port_name)
        ]
    )


def spanning_tree(switch: Switch) -> str:
    """Off where every port routes; where ports switch it runs, since without it no port is guarded."""
    return "mstp" if any(port.vlan for port in switch.ports) else "none"


def lower_channels(switch: Switch) -> tuple[tuple[SwitchPort, str, str], ...]:
    """The bonds of hosts and the bundles of attachments, one for all ports of a bundle.

    Both leaves of a pair show the same LACP system: it comes from unit and rail.
    """
    first: dict[int, SwitchPort] = {}
    for port in sorted(switch.ports, key=lambda port: (port.bond, not port.enabled)):
        if port.bond:
            first.setdefault(port.bond, port)
    system_id = f"02fa.{max(switch.unit, 0) & 0xFFFF:04x}.{max(switch.rail, 0) & 0xFFFF:04x}"
    return tuple(
        (
            port,
            port.peer if port.role is LinkRole.ATTACHMENT else port.description,
            system_id if port.vlan in switch.paired_vlans else "",
        )
        for port in first.values()
    )


def virtual_mac(switch: Switch) -> str:
    """The MAC of the gateway of bonded hosts: a host sends to it over either leaf, so both must own it."""
    if not switch.bond_system:
        return ""
    return "02:fb:" + ":".join(f"{byte:02x}" for byte in (*_bytes(switch.unit), *_bytes(switch.rail)))


def lower_gateways(switch: Switch) -> tuple[tuple[HostGateway, HostSide, bool], ...]:
    """`interface Vlan`: the gateways of host VLANs."""
    return tuple(
        (
            gateway,
            host_side(switch, LinkRole.HOST, gateway.addresses),
            gateway.arp_hosts and any(address.version == IPV4 for address in gateway.addresses),
        )
        for gateway in sorted(switch.gateways, key=lambda gateway: gateway.vlan)
    )


def _bytes(number: int) -> tuple[int, int]:
    return max(number, 0) >> 8 & 255, max(number, 0) & 255

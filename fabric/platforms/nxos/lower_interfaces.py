"""Interfaces in NX-OS's words. The MTU of a routed port is the IP MTU.

Sources: Ansible cisco.nxos (`interfaces`, `l2_interfaces`, `l3_interfaces`); Cisco Nexus 9000 guides for relay and
`ipv6 link-local use-bia`; https://github.com/ironcore-dev, network operator, "Unnumbered BGP Peering": NX-OS suppresses
router advertisements, and a session over link-local addresses never comes up without `no ipv6 nd suppress-ra`, which it
does not show. Switched ports to hosts: a loop shuts the port, a flood is cut at one percent (Layer 2 Switching guide;
Security guide 10.3, Traffic Storm Control), and without `port type edge` the port listens and learns for half a minute.
Their MTU is that of frames, which carry every routed packet of the gateway.
"""

from __future__ import annotations

from fabric.devices.model import HostGateway, LinkRole, Switch
from fabric.platforms.nxos.model import Port
from fabric.platforms.nxos.names import breakout, port_name
from fabric.platforms.ports import HostSide, every_port, host_side


def lower_ports(switch: Switch) -> tuple[Port, ...]:
    """`interface Ethernet`."""
    kinds = switch.queueing.profiles if switch.queueing else ()
    lossless = {kind.name for kind in kinds if kind.priorities}
    return tuple(
        [
            Port(
                port,
                port.queueing is not None and port.queueing.name in lossless,
                host_side(switch, port.role, port.addresses),
            )
            for port in every_port(switch, port_name)
        ]
    )


def lower_breakouts(switch: Switch) -> tuple[str, ...]:
    """`module 1 port 5 map 400g-2x`, one for each cage that is split."""
    slots = [port.slot for port in switch.ports if port.slot.sub_ports != 1]
    cages = {(slot.slot or 1, slot.cage): breakout(slot) for slot in slots}
    return tuple(f"module {module} port {cage} map {word}" for (module, cage), word in sorted(cages.items()))


def lower_gateways(switch: Switch) -> tuple[tuple[HostGateway, HostSide], ...]:
    """`interface Vlan`."""
    gateways = sorted(switch.gateways, key=lambda gateway: gateway.vlan)
    return tuple((gateway, host_side(switch, LinkRole.HOST, gateway.addresses)) for gateway in gateways)

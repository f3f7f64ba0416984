"""Interfaces in NX-OS's words. The MTU of a routed port is the IP MTU.

Sources: Ansible cisco.nxos (`interfaces`, `l2_interfaces`, `l3_interfaces`); Cisco Nexus 9000 guides for relay and
`ipv6 link-local use-bia`; https://github.com/ironcore-dev, network operator, "Unnumbered BGP Peering": NX-OS suppresses
router advertisements, and a session over link-local addresses never comes up without `no ipv6 nd suppress-ra`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.addresses import IpInterface
from fabric.devices.model import HostGateway, LinkRole, Switch, SwitchPort
from fabric.platforms.idle import idle_ports
from fabric.platforms.nxos.model import Ethernet, Kind, Svi
from fabric.platforms.nxos.names import INGRESS, MANAGEMENT_VRF, breakout, policy_map, port_name

IPV6 = 6
HOST_EDGE = "spanning-tree port type edge"
GUARDS = (
    "spanning-tree bpduguard enable",
    "storm-control broadcast level 1",
    "storm-control multicast level 1",
)
"""Switched ports to hosts: a loop shuts the port, and a flood is cut at one percent (Layer 2 Switching guide; Security
guide 10.3, Traffic Storm Control)."""
"""A host's port forwards at once: without it NX-OS listens and learns for half a minute first."""
ADVERTISING = "no ipv6 nd suppress-ra"
"""NX-OS sends no router advertisements of its own accord, and does not show this line in its configuration."""
LARGEST_FRAME = 9216
"""MTU of a switched port, which carries every routed packet of its gateway."""


def lower_ports(switch: Switch) -> tuple[Ethernet, ...]:
    """Every port of the port map, by cage; unused ones are shut, as are the cages outside of the map."""
    known: dict[object, Kind] = {}
    found = []
    every = (*switch.ports, *idle_ports(switch, port_name))
    for port in sorted(every, key=lambda port: (port.slot.slot, port.slot.cage, port.slot.sub_port)):
        six = any(address.version == IPV6 for address in port.addresses)
        four = any(address.version != IPV6 for address in port.addresses)
        key = (
            port.role,
            port.enabled,
            port.ip_mtu_bytes,
            port.vlan,
            port.tagged,
            port.link_local,
            id(port.queueing),
            four,
            six,
        )
        kind = known.get(key)
        if kind is None:
            kind = known[key] = _kind(switch, port, six=six)
        found.append(Ethernet(port.name, description(port), kind, address_lines(port.addresses)))
    return tuple(found)


def lower_breakouts(switch: Switch) -> tuple[str, ...]:
    """`module 1 port 5 map 400g-2x`, one for each cage that is split."""
    slots = [port.slot for port in switch.ports if port.slot.sub_ports != 1]
    found = {(slot.slot or 1, slot.cage): breakout(slot) for slot in slots}
    return tuple(f"module {module} port {cage} map {word}" for (module, cage), word in sorted(found.items()))


def lower_gateways(switch: Switch) -> tuple[Svi, ...]:
    """`interface Vlan`."""
    found = []
    for gateway in sorted(switch.gateways, key=lambda one: one.vlan):
        lines = (
            f"description {gateway.owner}",
            "no shutdown",
            f"mtu {gateway.ip_mtu_bytes}",
            "no ip redirects",
            *address_lines(gateway.addresses),
            *_gateway_lines(switch, gateway),
        )
        found.append(Svi(gateway.vlan, lines))
    return tuple(found)


def lower_management(switch: Switch) -> tuple[str, ...]:
    """`interface mgmt0`."""
    return (f"vrf member {MANAGEMENT_VRF}", *address_lines(switch.management.addresses))


def lower_loopback(switch: Switch) -> tuple[str, ...]:
    """`interface loopback0`."""
    return ("description router-id", *address_lines(switch.loopbacks))


def description(port: SwitchPort) -> str:
    """`spine-1:Ethernet1/5`: what is at the other end."""
    return f"{port.peer}:{port.peer_port}" if port.peer else str(port.role)


def address_lines(addresses: Iterable[IpInterface]) -> tuple[str, ...]:
    """`ip address A` or `ipv6 address A`."""
    return tuple([f"{'ipv6' if one.version == IPV6 else 'ip'} address {one}" for one in addresses])


def _gateway_lines(switch: Switch, gateway: HostGateway) -> tuple[str, ...]:
    six = any(address.version == IPV6 for address in gateway.addresses)
    advertising = _advertising(switch.host_addressing.assignment, six=six, host=True)
    return (*advertising, *_relays(switch, gateway.addresses))


def _kind(switch: Switch, port: SwitchPort, *, six: bool) -> Kind:
    lines = (
        *(_routed(port) if not port.vlan else _switched(port)),
        *_queueing(switch, port),
        *(_link_local() if port.link_local else ()),
        *_port_advertising(switch, port, six=six),
    )
    return Kind(lines, _port_relays(switch, port), not port.enabled)


def _port_advertising(switch: Switch, port: SwitchPort, *, six: bool) -> tuple[str, ...]:
    host, outside = port.role is LinkRole.HOST, port.role is LinkRole.ATTACHMENT
    return _advertising(switch.host_addressing.assignment, six=six, host=host, outside=outside)


def _port_relays(switch: Switch, port: SwitchPort) -> tuple[str, ...]:
    return _relays(switch, port.addresses) if port.role is LinkRole.HOST else ()


def _routed(port: SwitchPort) -> tuple[str, ...]:
    if port.role is LinkRole.UNUSED:
        return ("no switchport",)
    return ("no switchport", f"mtu {port.ip_mtu_bytes}", "no ip redirects", "no ipv6 redirects")


def _switched(port: SwitchPort) -> tuple[str, ...]:
    member: tuple[str, ...] = (f"switchport access vlan {port.vlan}", HOST_EDGE)
    if port.tagged:
        allowed = f"switchport trunk allowed vlan {port.vlan}"
        member = ("switchport mode trunk", allowed, f"{HOST_EDGE} trunk")
    return ("switchport", *member, *GUARDS, f"mtu {LARGEST_FRAME}")


def _link_local() -> tuple[str, ...]:
    return ("ip forward", "ipv6 address use-link-local-only", "ipv6 link-local use-bia", ADVERTISING)


def _queueing(switch: Switch, port: SwitchPort) -> Iterator[str]:
    if port.queueing is None or switch.queueing is None:
        return
    lossless = bool(port.queueing.priorities)
    yield f"priority-flow-control mode {'on' if lossless else 'off'}"
    if lossless and switch.queueing.watchdog is not None:
        yield "priority-flow-control watch-dog-interval on"
    yield f"service-policy type qos input {policy_map(switch.queueing.policy, INGRESS)}"
    yield f"service-policy type queuing output {port.queueing.name}"


def _advertising(assignment: str, *, six: bool, host: bool, outside: bool = False) -> tuple[str, ...]:
    if six and (outside or (host and assignment == "static")):
        return ("ipv6 nd suppress-ra",)
    if not (six and host):
        return ()
    return (ADVERTISING, "ipv6 nd managed-config-flag") if assignment == "dhcp_relay" else (ADVERTISING,)


def _relays(switch: Switch, addresses: Iterable[IpInterface]) -> tuple[str, ...]:
    if switch.host_addressing.assignment != "dhcp_relay":
        return ()
    versions = {address.version for address in addresses}
    return tuple(
        f"{'ipv6' if server.version == IPV6 else 'ip'} dhcp relay address {server}"
        for server in switch.host_addressing.dhcp_servers
        if server.version in versions
    )

"""Interfaces in SR Linux's words: ports, `system0`, `mgmt0`.

Source: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-interfaces`, `srl_nokia-if-ip`, `-router-adv`, `-ip-dhcp-relay`);
gateways of VLANs: documentation.nokia.com 24-10, Interfaces guide, IRB interfaces. `mtu` counts the Ethernet header,
`ip-mtu` does not: both are written. Advertisements are off unless written.
"""

from __future__ import annotations

from collections.abc import Iterable

from fabric.devices.addresses import IpInterface
from fabric.devices.model import HostAddressing, HostGateway, LinkRole, Switch, SwitchPort
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import (
    BREAKOUT_SPEEDS,
    ENABLE,
    FRAME_BYTES,
    IRB,
    LOOPBACK,
    MANAGEMENT,
    PORT_MTU,
    PORT_SPEEDS,
    STATES,
    connector,
    is_bridged,
    is_used,
)

IPV4 = 4
ROUTED, BRIDGED = "srl_nokia-interfaces:routed", "srl_nokia-interfaces:bridged"
ADVERTISEMENT = "srl_nokia-interfaces-router-adv:router-advertisement"
FOUND = {"admin-state": ENABLE, "max-advertisement-interval": 10, "min-advertisement-interval": 4}
"""A neighbour without an address is found by its advertisements. Seconds, as in srl-labs/learn-srlinux (BGP
unnumbered); the product's own, 200 to 600, would leave a link that comes back without its session for minutes."""
RELAY = "srl_nokia-interfaces-ip-dhcp-relay:dhcp-relay"


def lower_interfaces(switch: Switch) -> list[Tree]:
    """Connectors that are split, every port of the port map, gateways of VLANs, the loopback, our management access."""
    interfaces: list[Tree] = []
    split: set[str] = set()
    for port in switch.ports:
        slot = port.slot
        if slot.sub_ports > 1 and (whole := connector(slot)) not in split:
            split.add(whole)
            speed = BREAKOUT_SPEEDS.get(slot.speed_mbps, "")
            mode = {"num-breakout-ports": str(slot.sub_ports), "breakout-port-speed": speed}
            interfaces.append({"name": whole, "admin-state": ENABLE, "breakout-mode": mode})
        interfaces.append(_port(port, switch.host_addressing))
    if switch.gateways:
        gateways = [_gateway(gateway, switch.host_addressing) for gateway in switch.gateways]
        interfaces.append({"name": IRB, "admin-state": ENABLE, "subinterface": gateways})
    interfaces.append(_single(LOOPBACK, "", switch.loopbacks))
    interfaces.append(_single(MANAGEMENT, "oob", switch.management.addresses))
    return interfaces


def _port(port: SwitchPort, hosts: HostAddressing) -> Tree:
    mtu = max(PORT_MTU, port.ip_mtu_bytes + FRAME_BYTES)
    entry: Tree = {
        "name": port.name,
        "description": port.description,
        "admin-state": STATES[port.enabled],
        "mtu": mtu,
    }
    if port.slot.sub_ports == 1:
        entry["ethernet"] = {"port-speed": PORT_SPEEDS.get(port.slot.speed_mbps, "")}
    if is_bridged(port):
        entry["subinterface"] = [{"index": 0, "type": BRIDGED, "admin-state": ENABLE, "l2-mtu": mtu}]
    elif is_used(port):
        below: Tree = {"index": 0, "type": ROUTED, "admin-state": ENABLE, "ip-mtu": port.ip_mtu_bytes}
        below.update(_families(port.addresses))
        if port.link_local:
            below.setdefault("ipv6", {"admin-state": ENABLE})[ADVERTISEMENT] = {"router-role": dict(FOUND)}
        elif port.role is LinkRole.HOST:
            _assign(below, port.addresses, hosts)
        entry["subinterface"] = [below]
    return entry


def _gateway(gateway: HostGateway, hosts: HostAddressing) -> Tree:
    below: Tree = {"index": gateway.vlan, "admin-state": ENABLE, "ip-mtu": gateway.ip_mtu_bytes}
    below.update(_families(gateway.addresses))
    _assign(below, gateway.addresses, hosts)
    return below


def _assign(below: Tree, addresses: Iterable[IpInterface], hosts: HostAddressing) -> None:
    """How hosts get their addresses: through a relay, from advertisements, or not from us."""
    if hosts.assignment == "slaac" and "ipv6" in below:
        prefixes = [{"ipv6-prefix": str(a.network)} for a in addresses if a.version != IPV4]
        below["ipv6"][ADVERTISEMENT] = {"router-role": {"admin-state": ENABLE, "prefix": prefixes}}
    if hosts.assignment == "dhcp_relay":
        for family, version in (("ipv4", IPV4), ("ipv6", 6)):
            servers = [str(server) for server in hosts.dhcp_servers if server.version == version]
            if family in below and servers:
                below[family][RELAY] = {"admin-state": ENABLE, "server": servers}
        if "ipv6" in below and RELAY in below["ipv6"]:
            managed = {"admin-state": ENABLE, "managed-configuration-flag": True}
            below["ipv6"][ADVERTISEMENT] = {"router-role": managed}


def _families(addresses: Iterable[IpInterface]) -> Tree:
    families: Tree = {}
    for address in addresses:
        family = families.setdefault(
            "ipv4" if address.version == IPV4 else "ipv6", {"admin-state": ENABLE, "address": []}
        )
        family["address"].append({"ip-prefix": str(address)})
    return families


def _single(name: str, text: str, addresses: Iterable[IpInterface]) -> Tree:
    below: Tree = {"index": 0, "admin-state": ENABLE, **_families(addresses)}
    worded = {"description": text} if text else {}
    return {"name": name, **worded, "admin-state": ENABLE, "subinterface": [below]}

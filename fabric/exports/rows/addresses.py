"""Prefixes and addresses of a site as rows: an address that several devices share stands once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import msgspec

from fabric.devices.switch_ports import attached_gateways, gateway_addresses
from fabric.exports.network_view import View
from fabric.intent.inventory import DeviceFacts
from fabric.topology.roles import NONE, Role


class AddressRow(msgspec.Struct, frozen=True):
    """One address."""

    address: str
    """With its prefix length."""
    kind: str
    """`loopback`, `management`, `link` or `gateway`."""
    network: str | None
    """None: of the management network, whose addresses are the inventory's."""
    device: str | None
    """None of a gateway, which several leaves may share."""
    port: str | None
    """Of a link: the port."""
    description: str = ""

    @property
    def host(self) -> str:
        """The address alone."""
        return self.address.partition("/")[0]


class PrefixRow(msgspec.Struct, frozen=True):
    """A pool of a network."""

    prefix: str
    network: str
    kind: str
    """`hosts`, `fabric` or `loopbacks`."""
    description: str


def prefix_rows(views: Iterable[View]) -> Iterator[PrefixRow]:
    """The pools that each Ethernet network has addresses from."""
    for view in views:
        if view.topology.technology == "infiniband":
            continue
        used = _versions(view)
        addressing = view.network.addressing
        pools = (
            ("hosts", "links to hosts", addressing.host_pool, addressing.host_pool6),
            ("fabric", "links between switches", addressing.fabric_pool, addressing.fabric_pool6),
            ("loopbacks", "loopbacks of switches", addressing.loopback_pool, addressing.loopback_pool6),
        )
        for kind, what, *both in pools:
            for pool in both:
                if pool is not None and pool.version in used[kind]:
                    yield PrefixRow(_text(pool), view.topology.name, kind, f"{view.topology.name}: {what}")


def _text(pool: IPv4Network | IPv6Network) -> str:
    return f"{pool.network_address}/{pool.prefixlen}"


def _versions(view: View) -> dict[str, set[int]]:
    """Address families that are in use, by kind of pool."""
    topology, addressing = view.topology, view.network.addressing
    fabric = {"ipv4": {4}, "ipv6": {6}, "dual": {4, 6}}.get(addressing.family, set())
    loopbacks = {4} | ({6} if any(value != NONE for value in topology.loopback6) else set())
    return {"hosts": set(addressing.host_families), "fabric": fabric, "loopbacks": loopbacks}


def address_rows(views: Iterable[View]) -> Iterator[AddressRow]:
    """Every address once, by network and node."""
    for view in views:
        gateways: dict[str, AddressRow] = {}
        for node in range(len(view.topology.names)):
            yield from _of_node(view, node, gateways)
        yield from gateways.values()


def _of_node(view: View, node: int, gateways: dict[str, AddressRow]) -> Iterator[AddressRow]:
    topology, facts = view.topology, view.facts(node)
    name = topology.names[node]
    if Role(topology.role[node]).is_switch:
        for address in _loopbacks(view, node):
            yield AddressRow(address, "loopback", topology.name, name, None, "loopback")
        if isinstance(facts, DeviceFacts) and facts.address:
            yield AddressRow(str(facts.address), "management", None, name, None, "management")
        for address, vlan in _gateways(view, node):
            row = AddressRow(
                address, "gateway", topology.name, None, None, f"gateway of VLAN {vlan} on {name}"
            )
            gateways.setdefault(address, row)
    for port in range(topology.port_base[node], topology.port_base[node + 1]):
        for address in _port_addresses(view, port):
            yield AddressRow(address, "link", topology.name, name, view.port(port, node), _to(view, port))


def _to(view: View, port: int) -> str:
    peer = view.topology.peer[port]
    if peer == NONE:
        return ""
    other = view.owner(peer)
    return f"{view.topology.names[other]}:{view.port(peer, other)}"


def _loopbacks(view: View, node: int) -> Iterator[str]:
    topology = view.topology
    if topology.loopback[node] != NONE:
        yield f"{IPv4Address(topology.loopback[node])}/32"
    if topology.loopback6 and topology.loopback6[node] != NONE:
        yield f"{IPv6Address(topology.loopback6[node])}/128"


def _port_addresses(view: View, port: int) -> Iterator[str]:
    topology = view.topology
    if topology.address[port] != NONE:
        yield f"{IPv4Address(topology.address[port])}/{topology.prefix_length[port]}"
    if topology.address6 and topology.address6[port] != NONE:
        yield f"{IPv6Address(topology.address6[port])}/{topology.prefix6_length[port]}"


def _gateways(view: View, node: int) -> Iterator[tuple[str, int]]:
    links = view.network.addressing.host_links
    topology = view.topology
    if topology.technology == "infiniband":
        return
    if links.mode != "routed" and topology.role[node] == Role.LEAF:
        yield from ((str(address), links.vlan) for address in gateway_addresses(topology, node))
    for _, vlan, addresses in attached_gateways(topology, node):
        yield from ((str(address), vlan) for address in addresses)

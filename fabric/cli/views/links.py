"""Tables of what joins devices: links, cables, addresses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address

import msgspec

from fabric.devices.switch_ports import attached_gateways, gateway_addresses
from fabric.exports.cables import cable_runs
from fabric.intent.inventory import DeviceFacts
from fabric.tables.chosen_names import Chosen, is_chosen
from fabric.tables.table import Column, Row, Table
from fabric.tables.value_formats import ROLE_NAMES, View, length, speed
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role

BOLD = "bold"


def link_table(views: Sequence[View], only: Chosen = None) -> Table:
    """Every link with both ends, its speed and its addresses."""

    def rows() -> Iterator[Row]:
        for view in views:
            topology = view.topology
            for low, port, high, peer in view.links():
                if is_chosen(only, topology.names[low], topology.names[high]):
                    yield (
                        topology.names[low],
                        view.port(port, low),
                        topology.names[high],
                        view.port(peer, high),
                        view.speed_mbps(port, peer),
                        port_address(topology, port),
                        port_address(topology, peer),
                        topology.name,
                    )

    columns = (
        Column(key="device", heading="DEVICE", style=lambda _v: BOLD),
        Column(key="port", heading="PORT"),
        Column(key="peer", heading="PEER", style=lambda _v: BOLD),
        Column(key="peer_port", heading="PEER PORT"),
        Column(key="speed_mbps", heading="SPEED", right=True, show=speed, rank=1),
        Column(key="addresses", heading="ADDRESS", rank=2),
        Column(key="peer_addresses", heading="PEER ADDRESS", rank=3),
        Column(key="network", heading="NETWORK", rank=4),
    )
    return Table(name="links", columns=columns, rows=rows, noun=("link", "links"))


def port_address(topology: NetworkTopology, port: int) -> tuple[str, ...]:
    """The addresses of a port with their prefix lengths."""
    addresses = []
    if topology.address[port] != NONE:
        addresses.append(f"{IPv4Address(topology.address[port])}/{topology.prefix_length[port]}")
    if topology.address6 and topology.address6[port] != NONE:
        addresses.append(f"{IPv6Address(topology.address6[port])}/{topology.prefix6_length[port]}")
    return tuple(addresses)


def cable_table(views: Sequence[View], only: Chosen = None) -> Table:
    """What a technician takes to the rack: a row for each run from one device to another.

    Links that lie in one cable and join the same devices are one run. The legs of a cable that ends at several
    devices are several runs with the same cable number.
    """

    def rows() -> Iterator[Row]:
        for view in views:
            yield from map(msgspec.structs.astuple, cable_runs(view, only))

    columns = (
        Column(key="cable", heading="CABLE", right=True, rank=3),
        Column(key="from_device", heading="FROM", style=lambda _v: BOLD),
        Column(key="from_rack", heading="RACK", rank=2),
        Column(key="from_rack_unit", heading="AT", right=True, rank=3),
        Column(key="from_ports", heading="PORT"),
        Column(key="to_device", heading="TO", style=lambda _v: BOLD),
        Column(key="to_rack", heading="RACK", rank=2),
        Column(key="to_rack_unit", heading="AT", right=True, rank=3),
        Column(key="to_ports", heading="PORT"),
        Column(key="label", heading="LABEL", rank=6),
        Column(key="length_m", heading="LENGTH", right=True, show=length),
        Column(key="type", heading="TYPE"),
        Column(key="speed_mbps", heading="SPEED", right=True, show=speed, rank=4),
        Column(key="links", heading="LINKS", right=True, rank=5),
        Column(key="network", heading="NETWORK", rank=7),
    )
    return Table(name="cables", columns=columns, rows=rows, noun=("cable run", "cable runs"))


def address_table(views: Sequence[View], only: Chosen = None) -> Table:
    """Every address: loopbacks, management, links, gateways, hosts."""

    def rows() -> Iterator[Row]:
        for view in views:
            for node in range(len(view.topology.names)):
                if is_chosen(only, view.topology.names[node]):
                    yield from _addresses(view, node)

    columns = (
        Column(key="device", heading="DEVICE", style=lambda _v: BOLD),
        Column(key="role", heading="ROLE", rank=2),
        Column(key="kind", heading="KIND"),
        Column(key="port", heading="PORT"),
        Column(key="address", heading="ADDRESS"),
        Column(key="peer", heading="PEER", rank=1),
        Column(key="network", heading="NETWORK", rank=3),
    )
    return Table(name="addresses", columns=columns, rows=rows, noun=("address", "addresses"))


def _addresses(view: View, node: int) -> Iterator[Row]:
    topology = view.topology
    role = Role(topology.role[node])
    head = topology.names[node], ROLE_NAMES[role]
    if role.is_switch:
        for kind, vlan, own in _own(view, node):
            yield *head, kind, vlan, own, None, topology.name
    for port in range(topology.port_base[node], topology.port_base[node + 1]):
        for address in port_address(topology, port):
            peer = topology.peer[port]
            other = topology.names[view.owner(peer)] if peer != NONE else None
            yield *head, "link", view.port(port, node), address, other, topology.name


def _own(view: View, node: int) -> Iterator[tuple[str, str, str]]:
    """Loopbacks, management address and gateways of a switch."""
    topology, facts = view.topology, view.facts(node)
    if topology.loopback[node] != NONE:
        yield "loopback", "", f"{IPv4Address(topology.loopback[node])}/32"
    if topology.loopback6 and topology.loopback6[node] != NONE:
        yield "loopback", "", f"{IPv6Address(topology.loopback6[node])}/128"
    if isinstance(facts, DeviceFacts) and facts.address:
        yield "management", "", str(facts.address)
    links = view.network.addressing.host_links
    if links.mode != "routed" and topology.role[node] == Role.LEAF and view.context:
        for address in gateway_addresses(topology, node):
            yield "gateway", f"vlan{links.vlan}", str(address)
    for _, vlan, addresses in attached_gateways(topology, node):
        yield from (("gateway", f"vlan{vlan}", str(address)) for address in addresses)

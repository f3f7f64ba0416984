"""The ports of one switch. The hot loop of derivation: a fabric has more than a million of them."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.addresses import IpInterface
from fabric.devices.context import NetworkContext
from fabric.devices.model import LinkRole, SwitchPort
from fabric.devices.switch_kinds import SwitchKind
from fabric.devices.tier_queueing import cable_length
from fabric.hardware import PortSlot
from fabric.intent.model import Attachment
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Facing, Role

UNPLUGGED = LinkRole.UNUSED
ROLE_OF_FACING = {Facing.UP: LinkRole.UP, Facing.ACROSS: LinkRole.ACROSS, Facing.DOWN: LinkRole.DOWN}


def switch_ports(context: NetworkContext, kind: SwitchKind, node: int) -> tuple[SwitchPort, ...]:
    """Every port of the port map, in its order; those without a peer are unused and shut."""
    topology = context.topology
    first = topology.port_base[node]
    port_map, names = topology.port_maps[topology.port_map[node]], kind.port_names
    make = _PortMaker(context, kind, node)
    return tuple(
        make.unused(names[i], slot)
        if (peer := topology.peer[first + i]) == NONE
        else make.port(first + i, names[i], slot, port_map.facing[i], peer)
        for i, slot in enumerate(port_map.slots)
    )


class _PortMaker:
    """What is the same for all ports of a switch, looked up once."""

    def __init__(self, context: NetworkContext, kind: SwitchKind, node: int) -> None:
        self.context = context
        self.topology = context.topology
        self.node = node
        self.role = Role(context.topology.role[node])
        self.mtu = int(context.network.ip_mtu_bytes)
        self.host_links = context.network.addressing.host_links
        self.unnumbered = context.network.addressing.family == "unnumbered"
        self.profiles = kind.queueing.profiles if kind.queueing else {}
        self.cables = {
            facing: int(cable_length(context.network, self.role, facing)) for facing in ROLE_OF_FACING
        }
        self.plane = context.topology.plane[node]

    def unused(self, name: str, slot: PortSlot) -> SwitchPort:
        """A port that nothing is plugged into."""
        return SwitchPort(name, slot, UNPLUGGED, "", "", enabled=False, ip_mtu_bytes=self.mtu)

    def port(self, port: int, name: str, slot: PortSlot, facing: Facing, peer: int) -> SwitchPort:
        """A cabled port."""
        topology, context = self.topology, self.context
        other = context.node_of(peer)
        other_role = topology.role[other]
        if other_role == Role.HOST:
            return self._host_port(port, name, slot, peer, other)
        if other_role == Role.ATTACHMENT:
            return self._attachment_port(port, name, slot, peer, other)
        return SwitchPort(
            name,
            slot,
            ROLE_OF_FACING[facing],
            topology.names[other],
            context.port_label(peer, other),
            port not in context.shut,
            port_addresses(topology, port),
            self.unnumbered,
            self.mtu,
            self.profiles.get((slot.speed_mbps, self.cables[facing])),
            plane=self.plane,
            peer_platform=context.kind_of(other).platform,
        )

    def _host_port(self, port: int, name: str, slot: PortSlot, peer: int, host: int) -> SwitchPort:
        topology, context, links = self.topology, self.context, self.host_links
        routed = links.mode == "routed"
        return SwitchPort(
            name,
            slot,
            LinkRole.HOST,
            topology.names[host],
            context.port_label(peer, host),
            port not in context.shut,
            port_addresses(topology, port) if routed else (),
            ip_mtu_bytes=self.mtu,
            queueing=self.profiles.get((slot.speed_mbps, self.cables[Facing.DOWN])),
            bond=port - topology.port_base[self.node] + 1 if links.mode == "lacp" else 0,
            vlan=0 if routed else links.vlan,
            rail=topology.rail_of(host, (peer - topology.port_base[host]) // context.network.planes.count),
            plane=self.plane,
        )

    def _attachment_port(self, port: int, name: str, slot: PortSlot, peer: int, other: int) -> SwitchPort:
        attachment = self._attachment(other)
        vlan, bond = self._layer2(port, other, attachment)
        return SwitchPort(
            name,
            slot,
            LinkRole.ATTACHMENT,
            self.topology.names[other],
            self.context.port_label(peer, other),
            port not in self.context.shut,
            () if vlan else port_addresses(self.topology, port),
            ip_mtu_bytes=attachment.ip_mtu_bytes or self.mtu,
            queueing=self.profiles.get((slot.speed_mbps, int(attachment.cable_m)))
            if attachment.is_queued
            else None,
            bond=bond,
            vlan=vlan,
            tagged=attachment.tagged,
            plane=self.plane,
        )

    def _layer2(self, port: int, other: int, attachment: Attachment) -> tuple[int, int]:
        """VLAN and LACP group of an attachment's port: its own, or those of the host whose position it has."""
        topology, links = self.topology, self.host_links
        first = topology.port_base[self.node]
        if attachment.to.host_slot is not None and links.mode != "routed":
            return links.vlan, port - first + 1 if links.mode == "lacp" else 0
        bundled = attachment.vlan is not None and attachment.lacp
        lead = topology.peer[topology.port_base[other]]  # that of its first link, which growth never moves
        return attachment.vlan or 0, lead - first + 1 if bundled else 0

    def _attachment(self, node: int) -> Attachment:
        return self.context.intent.site.attachments[self.topology.names[node]]


def port_addresses(topology: NetworkTopology, port: int) -> tuple[IpInterface, ...]:
    """The addresses of a port, IPv4 first."""
    four = topology.address[port]
    addresses: tuple[IpInterface, ...] = ()
    if four != NONE:
        addresses = (IpInterface(four, topology.prefix_length[port]),)
    if topology.address6 and (six := topology.address6[port]) != NONE:
        addresses = (*addresses, IpInterface(six, topology.prefix6_length[port], 6))
    return addresses


def attached_gateways(
    topology: NetworkTopology, leaf: int
) -> Iterator[tuple[int, int, tuple[IpInterface, ...]]]:
    """VLANs of attachments on a leaf: the attachment's node, the number, and the addresses of the gateway."""
    for vlan in topology.attached_vlans:
        if vlan.leaf == leaf:
            addresses = (IpInterface(address, length, version) for version, address, length in vlan.gateway)
            yield vlan.attachment, vlan.vlan, tuple(addresses)


def gateway_addresses(topology: NetworkTopology, leaf: int) -> tuple[IpInterface, ...]:
    """The addresses of a leaf in its VLAN: the first of its block."""
    addresses: tuple[IpInterface, ...] = ()
    if topology.block[leaf] != NONE:
        addresses = (IpInterface(topology.block[leaf] + 1, topology.block_length[leaf]),)
    if topology.block6 and topology.block6[leaf] != NONE:
        addresses = (*addresses, IpInterface(topology.block6[leaf] + 1, topology.block6_length[leaf], 6))
    return addresses

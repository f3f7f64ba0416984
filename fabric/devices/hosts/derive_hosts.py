"""Hosts: the other end of every leaf port, with all networks of a host together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabric.devices.addresses import Ip
from fabric.devices.context import NetworkContext
from fabric.devices.hosts.interface_names import Namer, namer
from fabric.devices.hosts.model import Host, HostPort
from fabric.devices.infiniband.host_ports import SubnetHosts
from fabric.devices.switch_ports import gateway_addresses, port_addresses
from fabric.devices.tier_queueing import cable_length
from fabric.diagnostics import Origin
from fabric.intent.model import HostSystem
from fabric.topology.roles import NONE, Facing, Role


@dataclass(frozen=True, slots=True)
class _Seat:
    """Where a host sits in one network."""

    context: NetworkContext | SubnetHosts
    node: int


class HostMapping(Mapping[str, Host]):
    """Hosts by name, made on access."""

    def __init__(self, contexts: Sequence[NetworkContext], subnets: Sequence[SubnetHosts] = ()) -> None:
        self._seats: dict[str, list[_Seat]] = {}
        self._namers: dict[tuple[str, str], Namer | None] = {}
        networks: tuple[NetworkContext | SubnetHosts, ...] = (*contexts, *subnets)
        for context in networks:
            for node in context.topology.role_start[Role.HOST]:
                self._seats.setdefault(context.topology.names[node], []).append(_Seat(context, node))

    def __getitem__(self, name: str) -> Host:
        return self._host(name, self._seats[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._seats)

    def __len__(self) -> int:
        return len(self._seats)

    def __contains__(self, name: object) -> bool:
        return name in self._seats

    @property
    def described(self) -> tuple[str, ...]:
        """Hosts whose group has a `system`, in order."""
        return tuple(name for name, seats in self._seats.items() if _system(seats[0]) is not None)

    def _host(self, name: str, seats: Sequence[_Seat]) -> Host:
        first = seats[0]
        intent, group = first.context.intent, first.context.topology.host_group[first.node]
        facts = intent.inventory.hosts.get(name)
        macs = facts.macs if facts else {}
        return Host(
            name=name,
            site=intent.site.site,
            group=group,
            unit=first.context.topology.unit[first.node],
            ports=tuple(
                port
                for seat in seats
                for port in _ports(seat, self._namer(seat.context, group), macs.get(seat.context.name, ()))
            ),
            system=_system(first),
            origin=Origin(("hosts", group)),
        )

    def _namer(self, context: NetworkContext | SubnetHosts, group: str) -> Namer | None:
        """Made once for a group: its hosts share the settings of their NICs."""
        key = (context.name, group)
        if key not in self._namers:
            self._namers[key] = (
                context.namer(group) if isinstance(context, SubnetHosts) else namer(context, group)
            )
        return self._namers[key]


def _system(seat: _Seat) -> HostSystem | None:
    return seat.context.intent.site.hosts[seat.context.topology.host_group[seat.node]].system


def _ports(seat: _Seat, names: Namer | None, macs: Sequence[str]) -> Iterator[HostPort]:
    if isinstance(seat.context, SubnetHosts):
        yield from seat.context.ports(seat.node, names)
    else:
        yield from _ethernet(seat.context, seat.node, names, macs)


def _ethernet(
    context: NetworkContext, host: int, names: Namer | None, macs: Sequence[str]
) -> Iterator[HostPort]:
    topology = context.topology
    planes, network = context.network.planes.count, context.network
    bonded = network.addressing.host_links.mode == "lacp"
    for port in range(topology.port_base[host], topology.port_base[host + 1]):
        peer = topology.peer[port]
        if peer == NONE:
            continue
        index = port - topology.port_base[host]
        leaf = context.node_of(peer)
        port_map = topology.port_maps[topology.port_map[leaf]]
        speed = port_map.slots[peer - topology.port_base[leaf]].speed_mbps
        queueing = context.kind_of(leaf).queueing
        length = int(cable_length(network, Role.LEAF, Facing.DOWN))
        nic, rail, plane = index // planes, topology.rail_of(host, index // planes), topology.plane[leaf]
        yield HostPort(
            network=context.name,
            nic=nic,
            port=index % planes,
            rail=rail,
            plane=plane,
            peer=topology.names[leaf],
            peer_port=context.port_label(peer, leaf),
            addresses=port_addresses(topology, port),
            gateways=_gateways(context, peer, leaf),
            ip_mtu_bytes=int(network.ip_mtu_bytes),
            speed_mbps=speed,
            queueing=queueing.profiles.get((speed, length)) if queueing else None,
            bonded=bonded,
            load_balancing=network.routing.load_balancing,
            system=names.facts(nic, index % planes, rail, plane, macs) if names else None,
        )


def _gateways(context: NetworkContext, peer: int, leaf: int) -> tuple[Ip, ...]:
    """The leaf's own address on the link, or that of its VLAN."""
    topology = context.topology
    if context.network.addressing.host_links.mode == "routed":
        return tuple(address.ip for address in port_addresses(topology, peer))
    return tuple(address.ip for address in gateway_addresses(topology, leaf))

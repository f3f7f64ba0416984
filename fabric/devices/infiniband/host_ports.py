"""The InfiniBand ports of hosts: where each lands, and in which partitions it is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property

from fabric.devices.hosts.interface_names import Namer
from fabric.devices.hosts.model import HostPort
from fabric.devices.infiniband.model import Subnet, SubnetMembership, SubnetPort
from fabric.intent.model import Intent, NicSystem
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE

DEFAULT_CLASS = "default"
"""The class of packets that name none."""


class SubnetHosts:
    """The hosts of one InfiniBand network. Each host is computed on first access."""

    def __init__(self, intent: Intent, topology: NetworkTopology, subnet: Subnet) -> None:
        self.intent, self.topology, self.subnet = intent, topology, subnet
        self.name = topology.name

    def ports(self, node: int, names: Namer | None) -> Iterator[HostPort]:
        """The cabled ports of a host, NIC by NIC."""
        topology, each = self.topology, self.topology.sizes.planes
        first = topology.port_base[node]
        for port in range(first, topology.port_base[node + 1]):
            peer = topology.peer[port]
            if peer == NONE:
                continue
            nic, part = divmod(port - first, each)
            leaf = bisect_right(topology.port_base, peer) - 1
            slot = topology.port_maps[topology.port_map[leaf]].slots[peer - topology.port_base[leaf]]
            rail, plane = topology.rail_of(node, nic), topology.plane[leaf]
            yield HostPort(
                network=self.name,
                nic=nic,
                port=part,
                rail=rail,
                plane=plane,
                peer=topology.names[leaf],
                peer_port=f"{slot.cage}" if slot.sub_ports == 1 else f"{slot.cage}/{slot.sub_port + 1}",
                addresses=(),
                gateways=(),
                ip_mtu_bytes=self.subnet.mtu_bytes,
                speed_mbps=slot.speed_mbps,
                queueing=None,
                system=names.facts(nic, part, rail, plane, ()) if names else None,
                subnet=self._port(topology.names[node], nic, part),
            )

    def _port(self, host: str, nic: int, part: int) -> SubnetPort:
        """Ports in the same partitions share one record."""
        memberships = self._memberships.get(self._guids.get((host, nic, part), NONE), ())
        port = self._made.get(memberships)
        if port is None:
            subnet = self.subnet
            port = self._made[memberships] = SubnetPort(
                memberships=memberships,
                divided=bool(subnet.partitions),
                service_level=next(
                    (lane.service_level for lane in subnet.lanes if lane.name == DEFAULT_CLASS), 0
                ),
                engine=subnet.engine,
                adaptive_routing=subnet.adaptive_routing,
                sharp=subnet.sharp,
            )
        return port

    @cached_property
    def _made(self) -> dict[tuple[SubnetMembership, ...], SubnetPort]:
        return {}

    @cached_property
    def _guids(self) -> Mapping[tuple[str, int, int], int]:
        return {(end.host, end.nic, end.port - 1): end.port_guid for end in self.subnet.ends}

    @cached_property
    def _memberships(self) -> Mapping[int, tuple[SubnetMembership, ...]]:
        """By port GUID."""
        memberships: dict[int, tuple[SubnetMembership, ...]] = {}
        for partition in self.subnet.partitions:
            full, limited = (
                SubnetMembership(
                    partition.name, partition.pkey, member, partition.index0, partition.service_level
                )
                for member in (True, False)
            )
            for member in partition.members:
                memberships[member.port_guid] = (
                    *memberships.get(member.port_guid, ()),
                    full if member.full else limited,
                )
        return memberships

    def namer(self, group: str) -> Namer | None:
        """How the group's NICs are called; None if not specified."""
        system = self.intent.site.hosts[group].system
        own = system.nics.get(self.name) if system else None
        return (
            Namer(own, self.topology.sizes.planes, out_of_order=True) if isinstance(own, NicSystem) else None
        )

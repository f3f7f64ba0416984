"""What belongs to no single device, as plain rows: links, cables, and the netlist that LLDP is compared with."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping

import msgspec

from fabric.hardware import PortSlot, SwitchModel
from fabric.topology.model import NONE, NetworkTopology, Role

PortName = Callable[[PortSlot, SwitchModel], str]
"""How a product calls a port."""


class LinkRow(msgspec.Struct, frozen=True):
    """One link, the end nearer to the hosts first."""

    network: str
    lower: str
    lower_port: str
    upper: str
    upper_port: str
    speed_mbps: int
    rail: int
    plane: int
    cable: int


class CableRow(msgspec.Struct, frozen=True):
    """One cable with the plugs at both its ends. It may carry several links, and end at several devices."""

    network: str
    cable: int
    lower: tuple[tuple[str, str], ...]
    """Device and port of each link at the lower end."""
    upper: tuple[tuple[str, str], ...]
    speed_mbps: int
    """Of one link."""


class Neighbor(msgspec.Struct, frozen=True):
    """What a device's LLDP must say of one port."""

    device: str
    port: str
    peer: str
    peer_port: str


class Labels:
    """Names of all ports of a network, made once per port map."""

    def __init__(
        self, network: NetworkTopology, models: Mapping[str, SwitchModel], port_name: PortName
    ) -> None:
        self.network = network
        self.maps = [
            [port_name(slot, models[made.model]) for slot in made.slots] for made in network.port_maps
        ]
        self.owner = array("i")
        for node in range(len(network.role)):
            self.owner.extend([node] * (network.port_base[node + 1] - network.port_base[node]))

    def __call__(self, port: int) -> str:
        """A port as its product calls it; of a host as `nic_label` says."""
        net, node = self.network, self.owner[port]
        index = port - net.port_base[node]
        if net.port_map[node] != NONE:
            return self.maps[net.port_map[node]][index]
        if net.role[node] == Role.ATTACHMENT:
            return f"port{index}"
        return net.nic_label(index)


def link_rows(
    network: NetworkTopology, models: Mapping[str, SwitchModel], port_name: PortName
) -> Iterator[LinkRow]:
    """Every link once, in the order of cables and ports."""
    labels = Labels(network, models, port_name)
    for low, high in _links(network, labels):
        yield LinkRow(
            network.name,
            network.names[labels.owner[low]],
            labels(low),
            network.names[labels.owner[high]],
            labels(high),
            _speed(network, labels, low, high),
            _rail(network, labels, low, high),
            max(network.plane[labels.owner[low]], network.plane[labels.owner[high]]),
            network.cable[low],
        )


def cable_rows(
    network: NetworkTopology, models: Mapping[str, SwitchModel], port_name: PortName
) -> Iterator[CableRow]:
    """Every cable once, by number."""
    by_cable: dict[int, list[LinkRow]] = {}
    for row in link_rows(network, models, port_name):
        by_cable.setdefault(row.cable, []).append(row)
    for number in sorted(by_cable):
        rows = by_cable[number]
        yield CableRow(
            network.name,
            number,
            tuple((row.lower, row.lower_port) for row in rows),
            tuple((row.upper, row.upper_port) for row in rows),
            rows[0].speed_mbps,
        )


def netlist(
    network: NetworkTopology, models: Mapping[str, SwitchModel], port_name: PortName
) -> Iterator[Neighbor]:
    """Every cabled port of every switch and what is at its other end."""
    labels = Labels(network, models, port_name)
    stop = network.port_base[network.switches.stop]
    for port, peer in enumerate(network.peer[:stop]):
        if peer != NONE:
            names = network.names
            yield Neighbor(names[labels.owner[port]], labels(port), names[labels.owner[peer]], labels(peer))


def _links(network: NetworkTopology, labels: Labels) -> list[tuple[int, int]]:
    """Ports of every link, the lower end first, by cable number."""
    found = []
    for port, peer in enumerate(network.peer):
        if peer > port:
            upper_first = network.role[labels.owner[peer]] in (Role.HOST, Role.ATTACHMENT)
            found.append((peer, port) if upper_first else (port, peer))
    return sorted(found, key=lambda ends: (network.cable[ends[0]], ends))


def _speed(network: NetworkTopology, labels: Labels, low: int, high: int) -> int:
    for port in (high, low):
        node = labels.owner[port]
        if network.port_map[node] != NONE:
            return network.port_maps[network.port_map[node]].slots[port - network.port_base[node]].speed_mbps
    return 0


def _rail(network: NetworkTopology, labels: Labels, low: int, high: int) -> int:
    """The rail of a host link; of a leaf's uplink the leaf's first rail."""
    node = labels.owner[low]
    if network.role[node] == Role.HOST:
        return network.rail_of(node, (low - network.port_base[node]) // network.sizes.planes)
    return network.rail[node] if network.role[node] == Role.LEAF else network.rail[labels.owner[high]]

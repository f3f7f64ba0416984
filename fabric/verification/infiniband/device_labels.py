"""Ends of cables in the operator's words: device, port as on the front panel, rack."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fabric.devices.infiniband.derive_subnet import port_numbers
from fabric.devices.infiniband.model import EndPort, Subnet, SubnetSwitch
from fabric.intent.inventory import DeviceFacts, HostFacts
from fabric.intent.model import Intent
from fabric.platforms.registry import platform
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE
from fabric.verification.infiniband.reading.discovery import Discovered, End
from fabric.verification.misplaced_cables import RANKS, EndFacts


class DeviceLabels(msgspec.Struct, frozen=True):
    """What the subnet itself does not know: racks, and the labels of the ports."""

    racks: Mapping[str, str] = msgspec.field(default_factory=dict)
    """By device: `rack R12 at 40`."""
    ports: Mapping[str, Mapping[int, str]] = msgspec.field(default_factory=dict)
    """By switch: port number to front panel."""


def device_labels(intent: Intent, topology: NetworkTopology, product: str) -> DeviceLabels:
    """Racks from the inventory, and the ports' names as their product writes them."""
    facts: dict[str, HostFacts | DeviceFacts] = {**intent.inventory.hosts, **intent.inventory.devices}
    racks = {
        name: f"rack {device.rack}" + (f" at {device.position}" if device.position else "")
        for name, device in facts.items()
        if device.rack
    }
    name_of = platform(product).port_name
    labels: list[dict[int, str]] = []
    for port_map in topology.port_maps:
        model = intent.hardware.switches[port_map.model]
        numbers = port_numbers(port_map, model)
        labels.append(
            {number: name_of(slot, model) for number, slot in zip(numbers, port_map.slots, strict=True)}
        )
    ports = {
        topology.names[node]: labels[topology.port_map[node]]
        for node in topology.switches
        if topology.port_map[node] != NONE
    }
    return DeviceLabels(racks, ports)


class Labels:
    """Names of nodes and ends."""

    def __init__(
        self, subnet: Subnet, seen: Discovered | None = None, known: DeviceLabels | None = None
    ) -> None:
        self.switches: dict[int, SubnetSwitch] = {switch.guid: switch for switch in subnet.switches}
        self.ends: dict[End, EndPort] = {(end.node_guid, end.port): end for end in subnet.ends}
        self.adapters: dict[int, tuple[EndPort, ...]] = {}
        for end in subnet.ends:
            self.adapters[end.node_guid] = (*self.adapters.get(end.node_guid, ()), end)
        self.hosts: dict[str, tuple[EndPort, ...]] = {}
        for end in subnet.ends:
            self.hosts[end.host] = (*self.hosts.get(end.host, ()), end)
        self.seen, self.panel = seen, known or DeviceLabels()

    def knows(self, guid: int) -> bool:
        """Whether a node is one of the intent."""
        return guid in self.switches or guid in self.adapters

    def owner(self, end: End) -> str:
        """The device of an end: the switch, or the host of an adapter."""
        return self.owner_of(end[0])

    def owner_of(self, guid: int) -> str:
        """The device of a node: the switch, or the host of an adapter."""
        return self.adapters[guid][0].host if guid in self.adapters else self.name(guid)

    def facts(self, end: End) -> EndFacts | None:
        """What the intent says of an end; None: it is not in the intent."""
        if (port := self.ends.get(end)) is not None:
            return EndFacts(0, port.rail, port.plane, port.nic if port.group else -1)
        if (switch := self.switches.get(end[0])) is not None:
            return EndFacts(RANKS.get(switch.role, 1), switch.rail, switch.plane)
        return EndFacts(0) if end[0] in self.adapters else None

    def cables_of(self, name: str) -> int:
        """Cables of a host by the intent, of a switch as they were found."""
        if name in self.hosts:
            return len(self.hosts[name])
        guid = next(guid for guid, switch in self.switches.items() if switch.name == name)
        return sum(end[0] == guid for end in self.seen.links) if self.seen else 0

    def is_gone(self, end: End) -> bool:
        """Whether nothing at all was heard of the node of an end."""
        return self.seen is not None and end[0] not in self.seen.nodes

    def name(self, guid: int) -> str:
        """A node by name; a stranger by its GUID and what it calls itself."""
        if guid in self.switches:
            return self.switches[guid].name
        if guid in self.adapters:
            return self.adapters[guid][0].name
        node = self.seen.nodes.get(guid) if self.seen else None
        return f"{guid:#018x}" + (f' "{node.name}"' if node else "")

    def place(self, end: End) -> str:
        """An end as written in an id: `leaf-0-3:33`."""
        if not self.knows(end[0]):
            return f"{end[0]:#018x}:{end[1]}"
        alone = end[0] in self.adapters and len(self.adapters[end[0]]) == 1
        return self.name(end[0]) if alone else f"{self.name(end[0])}:{end[1]}"

    def node(self, guid: int) -> str:
        """A node with its rack."""
        rack = self.panel.racks.get(self.owner_of(guid))
        return f"{self.name(guid)} ({rack})" if rack else self.name(guid)

    def device(self, name: str) -> str:
        """A device by name, with its rack."""
        rack = self.panel.racks.get(name)
        return f"{name} ({rack})" if rack else name

    def end(self, end: End) -> str:
        """An end with port and rack: `leaf-0-3 17/1 (port 33, rack R12 at 40)`."""
        guid, port = end
        if guid in self.adapters or guid not in self.switches:
            plain = self.name(guid)
            if guid not in self.adapters or len(self.adapters[guid]) > 1:
                plain += f" port {port}"
            rack = self.panel.racks.get(self.owner_of(guid))
            return f"{plain} ({rack})" if rack else plain
        name = self.name(guid)
        front, rack = self.panel.ports.get(name, {}).get(port), self.panel.racks.get(name)
        if front is None:
            return f"{name} port {port}" + (f" ({rack})" if rack else "")
        return f"{name} {front} ({', '.join(filter(None, (f'port {port}', rack)))})"

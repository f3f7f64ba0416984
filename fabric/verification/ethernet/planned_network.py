"""What one Ethernet network is to look like, and its ends in the operator's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from fabric.devices.hosts.model import Host
from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.intent.inventory import DeviceFacts, HostFacts, Inventory
from fabric.platforms.facts import Facts
from fabric.platforms.ports import announced_ports
from fabric.platforms.registry import platform
from fabric.verification.misplaced_cables import RANKS, EndFacts

End = tuple[str, str]
"""A device and its port, as they call themselves over LLDP: `("leaf-0", "Ethernet1/1")`, `("gpu-0-0", "nic0")`."""


class PlannedNetwork:
    """The switches of a network, their cables, and what LLDP may call the hosts' NICs."""

    def __init__(
        self, name: str, switches: Iterable[Switch], hosts: Iterable[Host], inventory: Inventory
    ) -> None:
        self.name = name
        self.switches = {switch.name: switch for switch in switches}
        self.ports: dict[End, SwitchPort] = {
            (switch.name, port.name): port for switch in self.switches.values() for port in switch.ports
        }
        self.nics: dict[End, EndFacts] = {}
        self.aliases: dict[End, str] = dict(_announced(self.switches.values()))
        """What a device may call a port over LLDP, to what the intent calls it."""
        self.verifying_hosts: tuple[str, ...] = ()
        """Hosts of it that have a verify program."""
        for host in hosts:
            self._add_host(host)
            if host.system is not None and any(port.system for port in host.ports if port.network == name):
                self.verifying_hosts += (host.name,)
        self.racks = _racks(inventory)
        self._expected: dict[str, Facts] = {}
        self.cables_seen: Mapping[str, int] = {}
        """By device: the ends of cables that were found."""

    def _add_host(self, host: Host) -> None:
        for port in host.ports:
            switch_port = self.ports.get((port.peer, port.peer_port))
            if switch_port is None:
                continue
            label = switch_port.peer_port
            self.nics[host.name, label] = EndFacts(0, port.rail, port.plane, port.nic)
            facts = port.system
            known = (facts.interface, facts.mac, facts.rdma) if facts else ()
            for alias in filter(None, (label, *known)):
                self.aliases[host.name, alias.lower()] = label

    @cached_property
    def cables(self) -> dict[End, End]:
        """Every cable that is to have a link, from both its ends. A port that is shut on purpose has none."""
        cables: dict[End, End] = {}
        for end, port in self.ports.items():
            far = (port.peer, port.peer_port)
            if port.peer and port.enabled and (far not in self.ports or self.ports[far].enabled):
                cables[end], cables[far] = far, end
        return cables

    @cached_property
    def hosts(self) -> Mapping[str, int]:
        """Devices that are not switches, and how many cables each has."""
        counts: dict[str, int] = {}
        for end in self.cables:
            if end not in self.ports:
                counts[end[0]] = counts.get(end[0], 0) + 1
        return counts

    def cabled(self, name: str) -> Iterator[End]:
        """The ports of a switch that are to have a link."""
        ends = ((name, port.name) for port in self.switches[name].ports)
        return (end for end in ends if end in self.cables)

    def expected(self, name: str) -> Facts:
        """What each port of a switch is to do to packets, after its product's rounding."""
        if name not in self._expected:
            switch = self.switches[name]
            self._expected[name] = platform(switch.platform).port_facts(switch)
        return self._expected[name]

    def is_attached(self, end: End) -> bool:
        """Whether an end is that of a router or of another thing that is not ours to name."""
        port = self.ports.get(self.cables.get(end, ("", "")))
        return port is not None and port.role is LinkRole.ATTACHMENT

    def facts(self, end: End) -> EndFacts | None:
        """What the intent says of an end; None: it is not in the intent."""
        if (switch := self.switches.get(end[0])) is not None:
            return EndFacts(RANKS.get(switch.role, 1), switch.rail, switch.plane)
        if end in self.nics:
            return self.nics[end]
        return EndFacts(0) if end[0] in self.hosts else None

    def owner(self, end: End) -> str:
        """The device of an end."""
        return end[0]

    def place(self, end: End) -> str:
        """An end as written in an id: `leaf-0-3:Ethernet1/1`."""
        return ":".join(end)

    def device(self, name: str) -> str:
        """A device by name, with its rack."""
        rack = self.racks.get(name)
        return f"{name} ({rack})" if rack else name

    def end(self, end: End) -> str:
        """An end with its rack: `leaf-0-3 Ethernet1/1 (rack R12 at 40)`."""
        rack = self.racks.get(end[0])
        words = " ".join(filter(None, end))
        return f"{words} ({rack})" if rack else words

    def cables_of(self, name: str) -> int:
        """Cables of a host by the intent, of a switch as they were found."""
        return self.hosts.get(name) or self.cables_seen.get(name, 0)

    def is_gone(self, end: End) -> bool:
        """Whether nothing at all was heard of a host."""
        return end[0] in self.hosts and not self.cables_seen.get(end[0])


def _announced(switches: Iterable[Switch]) -> Iterator[tuple[End, str]]:
    """What LLDP may call the ports of switches."""
    for switch in switches:
        for called, port in announced_ports(platform(switch.platform).announced_port, switch).items():
            yield (switch.name, called), port


def _racks(inventory: Inventory) -> dict[str, str]:
    facts: dict[str, HostFacts | DeviceFacts] = {**inventory.hosts, **inventory.devices}
    return {
        name: f"rack {device.rack}" + (f" at {device.position}" if device.position else "")
        for name, device in facts.items()
        if device.rack
    }

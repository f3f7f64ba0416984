"""What the tables of SR Linux gather before it becomes facts: ports with their subinterfaces, queueing by its names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from fabric.platforms.base import Facts, InterfaceFacts
from fabric.platforms.reading import Port, State
from fabric.platforms.srlinux.names import IRB, SPEEDS_MBPS
from fabric.platforms.srlinux.state_qos import Qos

GATEWAYS = IRB.rstrip("0")
GATEWAY = re.compile(rf"{GATEWAYS}\d+\.(\d{{1,4}})")
"""A subinterface that is the gateway of a VLAN has its number."""
BRIDGE = "mac-vrf"


class Subinterface(msgspec.Struct):
    """What is routed or bridged on a port."""

    enabled: bool = True
    ip_mtu_bytes: int | None = None
    addresses: list[str] = msgspec.field(default_factory=list)
    advertises: bool = False
    """It sends router advertisements."""

    def on(self, port: InterfaceFacts, vrf: str, vlan: int | None) -> InterfaceFacts:
        """The facts of a port with those of its subinterface."""
        addresses = sorted(self.addresses, key=lambda address: ":" in address)
        return msgspec.structs.replace(
            port,
            ip_mtu_bytes=self.ip_mtu_bytes,
            addresses=tuple(addresses),
            # A neighbour without an address is found by its advertisements.
            link_local=self.advertises and not any(":" in address for address in addresses),
            vrf=vrf,
            vlan=vlan,
        )


class SrlPort(Port):
    """An interface."""

    speed: str = ""
    is_split: bool = False
    """It is a connector, and its parts are the ports."""
    subinterfaces: dict[str, Subinterface] = msgspec.field(default_factory=dict)


class Instance(msgspec.Struct):
    """A network instance."""

    name: str
    state: SrlState
    kind: str = ""
    members: list[str] = msgspec.field(default_factory=list)

    def inside(self, section: str, words: str = "") -> Inside:
        """A section of its settings."""
        return Inside(self.state.service, f"{self.name} {section}", words)


class Inside(NamedTuple):
    """A line whose settings are noted together with its own words."""

    note: Callable[[str, str], None]
    """(section, text)."""
    section: str
    words: str = ""
    owner: Any = None
    """What it belongs to, for lines that set more than text."""

    def keep(self, words: str) -> None:
        """Note a setting."""
        self.note(self.section, f"{self.words}{words}")


class SrlState(State):
    """A configuration, as far as it was read."""

    ports: dict[str, SrlPort] = msgspec.field(default_factory=dict)  # type: ignore[assignment]
    instances: dict[str, Instance] = msgspec.field(default_factory=dict)
    is_bgp_on: bool = True
    qos: Qos = msgspec.field(default_factory=Qos)

    def port(self, name: str) -> SrlPort:
        """The interface of that name, made when first met."""
        return self.ports.setdefault(name, SrlPort())

    def instance(self, name: str) -> Instance:
        """The network instance of that name, made when first met."""
        return self.instances.setdefault(name, Instance(name, self))

    def inside(self, section: str, words: str = "") -> Inside:
        """A section of the settings."""
        return Inside(self.service, section, words)

    def facts(self) -> Facts:
        """In neutral words."""
        facts = super().facts()
        shut = {name: msgspec.structs.replace(peer, shut=True) for name, peer in facts.neighbors.items()}
        return msgspec.structs.replace(
            facts,
            interfaces=dict(self._interfaces()),
            neighbors=facts.neighbors if self.is_bgp_on else shut,
            dscp_to_traffic_class=self.qos.dscp_to_class(),
            traffic_class_to_queue=self.qos.class_to_queue(),
            profiles=self.qos.profiles(),
            watchdog=self.qos.watchdog(),
        )

    def _interfaces(self) -> Iterator[tuple[str, InterfaceFacts]]:
        """By port; by subinterface where an interface has several, or is the gateway of VLANs."""
        homes, vlans, bound = dict(self._homes()), dict(self._vlans()), self.qos.bound()
        for name, port in self.ports.items():
            if port.is_split:
                continue
            is_gateway = name.startswith(GATEWAYS)
            is_single = len(port.subinterfaces) <= 1 and not is_gateway
            whole = self._whole(name, port, bound.get(name))
            if not is_gateway and not (is_single and port.subinterfaces):
                yield name, whole
            for index, subinterface in port.subinterfaces.items():
                key = f"{name}.{index}"
                base = whole if is_single else InterfaceFacts(enabled=subinterface.enabled)
                yield (
                    name if is_single else key,
                    subinterface.on(base, homes.get(key, "default"), vlans.get(key)),
                )

    def _whole(self, name: str, port: SrlPort, queueing: str | None) -> InterfaceFacts:
        connector = self.ports.get(name.rpartition("/")[0])
        split = connector.speed if connector is not None and connector.is_split else ""
        return InterfaceFacts(
            enabled=port.enabled,
            description=port.description,
            speed_mbps=SPEEDS_MBPS.get(port.speed or split),
            bond=port.bond,
            queueing=queueing,
        )

    def _homes(self) -> Iterator[tuple[str, str]]:
        """The routing table of each subinterface."""
        for instance in self.instances.values():
            if instance.kind != BRIDGE:
                yield from ((member, instance.name) for member in instance.members)

    def _vlans(self) -> Iterator[tuple[str, int]]:
        """The VLAN of each member of a bridge: the number of the gateway's subinterface."""
        for instance in self.instances.values():
            gateways = map(GATEWAY.fullmatch, instance.members) if instance.kind == BRIDGE else ()
            if (gateway := next(filter(None, gateways), None)) is not None:
                yield from ((member, int(gateway[1])) for member in instance.members)

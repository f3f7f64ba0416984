"""One network of a site, and how what is in it is called: ports in their products' words, racks, cables."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fabric.devices.context import NetworkContext, network_context
from fabric.diagnostics import Report
from fabric.hardware import PortSlot
from fabric.intent.inventory import DeviceFacts, HostFacts
from fabric.intent.model import Cable, Intent, Network
from fabric.platforms import registry
from fabric.topology.model import NetworkTopology, Topology
from fabric.topology.roles import NONE, Role

COPPER_M, MULTIMODE_M = 2, 100
"""Reach of 400GBASE-CR4 (802.3ck) and of 400GBASE-SR4 over OM4 (802.3db): what `kind: auto` means in a list."""


@dataclass(frozen=True)
class View:
    """One network of a site, and how to call what is in it."""

    intent: Intent
    network: Network
    topology: NetworkTopology
    context: NetworkContext | None
    """None where no platform is known yet (InfiniBand): ports then go by the front panel's numbers."""

    def owner(self, port: int) -> int:
        """The node of a port."""
        return bisect_right(self.topology.port_base, port) - 1

    def tier_name(self, role: Role) -> str | None:
        """How the people of the site call a tier; None if they call it as we do, or it is none."""
        tier = getattr(self.network.tiers, role.name.lower(), None)
        return tier.role_name if tier is not None else None

    def port(self, port: int, node: int) -> str:
        """A port as its product calls it."""
        if self.context is not None:
            return self.context.port_label(port, node)
        slot = self.slot(port, node)
        if slot is None:
            return self._end(port - self.topology.port_base[node], node)
        return front_panel(slot)

    def _end(self, index: int, node: int) -> str:
        """A NIC of a host, or a port of an attachment."""
        if self.topology.role[node] != Role.HOST:
            return f"port{index}"
        return self.topology.nic_label(index)

    def slot(self, port: int, node: int) -> PortSlot | None:
        """Cage and lanes of a switch port."""
        chosen = self.topology.port_map[node]
        if chosen == NONE:
            return None
        return self.topology.port_maps[chosen].slots[port - self.topology.port_base[node]]

    def speed_mbps(self, port: int, peer: int) -> int | None:
        """Speed of a link, which is that of its switch port."""
        for end in (port, peer):
            slot = self.slot(end, self.owner(end))
            if slot is not None:
                return slot.speed_mbps
        return None

    def facts(self, node: int) -> DeviceFacts | HostFacts | None:
        """The inventory's facts of a node."""
        name, inventory = self.topology.names[node], self.intent.inventory
        return inventory.devices.get(name) or inventory.hosts.get(name)

    def platform(self, node: int) -> str | None:
        """The software of a switch."""
        if self.context is None or self.topology.port_map[node] == NONE:
            return None
        return self.context.kind_of(node).platform

    def model(self, node: int) -> str | None:
        """The catalogue's name of a switch."""
        chosen = self.topology.port_map[node]
        return None if chosen == NONE else self.topology.port_maps[chosen].model

    def links(self) -> Iterator[tuple[int, int, int, int]]:
        """Every link once: lower node, lower port, upper node, upper port, in order of nodes and ports."""
        topology = self.topology
        for node in (
            *topology.role_start[Role.HOST],
            *topology.role_start[Role.ATTACHMENT],
            *topology.switches,
        ):
            for port in range(topology.port_base[node], topology.port_base[node + 1]):
                peer = topology.peer[port]
                if peer == NONE:
                    continue
                other = self.owner(peer)
                if self._is_lower(node, port, other, peer):
                    yield node, port, other, peer

    def _is_lower(self, node: int, port: int, other: int, peer: int) -> bool:
        mine, theirs = depth(self.topology.role[node]), depth(self.topology.role[other])
        return mine < theirs or (mine == theirs and port < peer)

    def cable(self, node: int, other: int) -> Cable | None:
        """The intent's settings of the cables between two nodes; None for an attachment's."""
        cables, lower = self.network.cables, self.topology.role[node]
        if lower == Role.HOST:
            return cables.host_leaf
        if lower == Role.ATTACHMENT:
            return None
        if self.topology.role[other] == lower:
            near = self.topology.pod[node] == self.topology.pod[other]  # a torus has no groups: all are near
            return cables.local if near and lower == Role.LEAF else cables.zone
        return cables.leaf_spine if lower == Role.LEAF else cables.spine_superspine

    def cable_m(self, node: int, other: int) -> int:
        """Upper bound of the length of a cable."""
        cable = self.cable(node, other)
        if cable is not None:
            return int(cable.length_m)
        return int(self.intent.site.attachments[self.topology.names[node]].cable_m)

    def cable_kind(self, node: int, other: int) -> str:
        """`dac`, `mmf`, `smf`, ...: as written, or by length where it is `auto`."""
        cable = self.cable(node, other)
        if cable is not None and cable.kind != "auto":
            return cable.kind
        metres = self.cable_m(node, other)
        return "dac" if metres <= COPPER_M else "mmf" if metres <= MULTIMODE_M else "smf"


def depth(role: int) -> int:
    """How far a role is from the hosts."""
    return 0 if role >= Role.HOST else role + 1


def front_panel(slot: PortSlot) -> str:
    """A port by its cage: `17`, `3/17` on a chassis, `17/2` of a breakout."""
    cage = f"{slot.slot}/{slot.cage}" if slot.slot else f"{slot.cage}"
    return cage if slot.sub_ports == 1 else f"{cage}/{slot.sub_port + 1}"


def views(
    intent: Intent,
    topology: Topology,
    names: tuple[str, ...] = (),
    contexts: Iterable[NetworkContext] = (),
) -> tuple[View, ...]:
    """The networks of a site, or those named. `contexts`: what is derived of them already."""
    chosen: Mapping[str, NetworkTopology] = topology.networks
    known = {context.name: context for context in contexts}
    return tuple(
        View(intent, intent.site.networks[name], network, _context(intent, network, known.get(name)))
        for name, network in chosen.items()
        if not names or name in names
    )


def _context(intent: Intent, network: NetworkTopology, known: NetworkContext | None) -> NetworkContext | None:
    if network.technology == "infiniband":
        return None
    if known is not None:
        return known
    # Findings are those of `validate`; a list is shown as far as it can be made.
    return network_context(intent, network, registry, Report())

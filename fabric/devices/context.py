"""What all switches of a network share, resolved once: products, names of ports, shut ports, overrides."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from fabric.devices import codes
from fabric.devices.drains import drained
from fabric.devices.switch_kinds import Products, SwitchKind, switch_kinds
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.hardware import idle_slots
from fabric.intent.model import Intent, Network, Override
from fabric.topology.model import NetworkTopology
from fabric.topology.override_scope import covered
from fabric.topology.roles import NONE, Role

MOST_PORTS = 4
"""Of those that a hint lists."""


@dataclass(frozen=True, slots=True)
class NetworkContext:
    """One network."""

    name: str
    intent: Intent
    network: Network
    topology: NetworkTopology
    origin: Origin
    kinds: Sequence[SwitchKind]
    """By port map."""
    shut: frozenset[int]
    """Port ids that an operator or an override took out."""
    shut_by: Mapping[Origin, frozenset[int]]
    """The same by the entry that does it, in the order of `state.yaml` and then of the overrides."""
    drained: Mapping[str, str]
    """Device to the step of its drain, `graceful` or `shut`, if it has sessions that the drain is done with."""
    overrides: Mapping[str, tuple[tuple[int, Override], ...]]
    """By device, with the position in the intent."""
    written_asns: Mapping[int, int]
    """AS numbers of overrides, by node."""
    products: Products
    """The platforms, for what follows from a switch's own release."""

    def asn_of(self, node: int) -> int:
        """AS number of a switch."""
        return self.written_asns.get(node, self.topology.asn[node])

    def kind_of(self, node: int) -> SwitchKind:
        """What a switch is."""
        return self.kinds[self.topology.port_map[node]]

    @property
    def platforms(self) -> dict[str, str]:
        """The platform of each switch, by name."""
        return {self.topology.names[node]: self.kind_of(node).platform for node in self.topology.switches}

    def node_of(self, port: int) -> int:
        """The node that a port belongs to."""
        return _node_of(self.topology, port)

    def port_label(self, port: int, node: int) -> str:
        """What a person calls a port: the product's name, or the NIC of a host."""
        topology = self.topology
        index = port - topology.port_base[node]
        chosen = topology.port_map[node]
        if chosen != NONE:
            return self.kinds[chosen].port_names[index]
        if topology.role[node] == Role.HOST:
            return topology.nic_label(index)
        return f"port{index}"


def network_context(
    intent: Intent, topology: NetworkTopology, products: Products, report: Report
) -> NetworkContext | None:
    """Resolve what the switches of a network share. None if a tier has no platform: nothing can be derived then."""
    network = intent.site.networks[topology.name]
    origin = Origin(("networks", topology.name))
    kinds = switch_kinds(intent, topology, products, report)
    if kinds is None:
        return None
    shut = _taken_out(intent, topology, kinds, products, report)
    written = {
        node: override.asn
        for override in intent.site.overrides
        if override.asn
        for node in covered(topology, override)
    }
    return NetworkContext(
        name=topology.name,
        intent=intent,
        network=network,
        topology=topology,
        origin=origin,
        kinds=kinds,
        shut=frozenset().union(*shut.values()),
        shut_by=shut,
        drained=drained(intent, topology),
        overrides=_overrides(intent, topology),
        written_asns=written,
        products=products,
    )


def _taken_out(
    intent: Intent,
    topology: NetworkTopology,
    kinds: Sequence[SwitchKind],
    products: Products,
    report: Report,
) -> Mapping[Origin, frozenset[int]]:
    """Port ids that are shut, by the entry of `state.yaml` or the override that does it."""
    to_shut = _wanted_shut(intent, topology)
    nodes = {name: node for node, name in enumerate(topology.names)} if to_shut else {}
    shut: dict[Origin, frozenset[int]] = {}
    for device, port, origin, peer in to_shut:
        node = nodes.get(device, NONE)
        if node == NONE or topology.port_map[node] == NONE:
            continue
        names = kinds[topology.port_map[node]].port_names
        if port not in names:
            kind, slots = kinds[topology.port_map[node]], topology.port_maps[topology.port_map[node]].slots
            idle = [
                products.port_name(kind.platform, slot, kind.model) for slot in idle_slots(kind.model, slots)
            ]
            report.add(_unknown_port(device, port, names, idle, origin))
            continue
        port_id = topology.port_base[node] + names.index(port)
        ends = {port_id}
        if peer is not None:
            found = topology.peer[port_id]
            leads_to = "" if found == NONE else topology.names[_node_of(topology, found)]
            if leads_to != peer:
                there = _ports_to(topology, node, nodes.get(peer, NONE), names)
                report.add(_wrong_peer(f"{device} {port}", leads_to, peer, there, origin))
                continue
            ends.add(found)
        entry = Origin(origin.path[:-1], origin.document)
        shut[entry] = shut.get(entry, frozenset()) | ends
    return shut


def _node_of(topology: NetworkTopology, port: int) -> int:
    return bisect_right(topology.port_base, port) - 1


def _ports_to(topology: NetworkTopology, node: int, peer: int, names: Sequence[str]) -> list[str]:
    """The ports of a switch that lead to one device."""
    base, end = topology.port_base[node], topology.port_base[node + 1]
    found = ((port, topology.peer[port]) for port in range(base, end))
    return [
        names[port - base] for port, other in found if other != NONE and _node_of(topology, other) == peer
    ]


def _wrong_peer(at: str, leads_to: str, peer: str, there: Sequence[str], origin: Origin) -> Diagnostic:
    """A link whose two descriptions differ: which of them is meant, only a person knows."""
    more = ", ..." if len(there) > MOST_PORTS else ""
    hints = [f"write `peer: {leads_to}`"] if leads_to else []
    hints += [f"write the port that leads to {peer}: {', '.join(there[:MOST_PORTS])}{more}"] if there else []
    rule = f"{at} leads to {leads_to or 'no device'}, not to {peer}"
    hint = ", or ".join(hints) or "remove it: there is no such link"
    return codes.WRONG_PEER.at(origin, rule, value=peer, hint=hint)


def _unknown_port(
    device: str, port: str, names: Sequence[str], idle: Sequence[str], origin: Origin
) -> Diagnostic:
    """A port that the fabric does not use, or that the switch does not have.

    Another port is named only if it is in the same cage: a guess of another cage may be a link that works.
    """
    if port in idle:
        rule = f"{port} of {device} is not used by the fabric: no link is taken out by it"
        return codes.PORT_UNKNOWN.at(origin, rule, value=port, hint="remove it: the port is unused as it is")
    near = [name for name in (*names, *idle) if _same_cage(name, port)]
    hint = did_you_mean(port, near) or f"remove it, or write one of `fabric show links --device {device}`"
    rule = f"{device} has no port {port}; those in use are {names[0]} to {names[-1]}"
    return codes.PORT_UNKNOWN.at(origin, rule, value=port, hint=hint)


def _same_cage(name: str, port: str) -> bool:
    """Whether two names differ in the part of the cage at most."""
    numbers, port_numbers = (re.findall(r"\d+", text) for text in (name, port))
    common = min(len(numbers), len(port_numbers))
    return common > 0 and numbers[:common] == port_numbers[:common]


def _wanted_shut(intent: Intent, topology: NetworkTopology) -> list[tuple[str, str, Origin, str | None]]:
    """Device, port, where it is written, and the device at the other end if that goes down too."""
    ports = [
        (e.device, e.port, Origin(("shut_ports", i, "port"), "state"), None)
        for i, e in enumerate(intent.state.shut_ports)
    ]
    links = [
        (e.device, e.port, Origin(("excluded_links", i, "port"), "state"), e.peer)
        for i, e in enumerate(intent.state.excluded_links)
    ]
    overridden = [
        (topology.names[node], port, Origin(("overrides", i, "shutdown_ports", k)), None)
        for i, override in enumerate(intent.site.overrides)
        for k, port in enumerate(override.shutdown_ports)
        for node in covered(topology, override)
    ]
    return [*ports, *links, *overridden]


def _overrides(intent: Intent, topology: NetworkTopology) -> dict[str, tuple[tuple[int, Override], ...]]:
    overrides: dict[str, tuple[tuple[int, Override], ...]] = {}
    for i, override in enumerate(intent.site.overrides):
        for node in covered(topology, override):
            name = topology.names[node]
            overrides[name] = (*overrides.get(name, ()), (i, override))
    return overrides


class MixedLink(msgspec.Struct, frozen=True):
    """One link as the example of all links between two kinds of switches that differ in product or model."""

    device: str
    port: str
    peer: str
    peer_port: str


def mixed_links(contexts: Sequence[NetworkContext]) -> Iterator[MixedLink]:
    """One link for every two kinds of switches that differ in product or model and are cabled to each other."""
    for context in contexts:
        if len({(kind.platform, kind.model.id) for kind in context.kinds}) > 1:
            yield from _mixed_links(context)


def _mixed_links(context: NetworkContext) -> Iterator[MixedLink]:
    topology = context.topology
    seen: set[tuple[int, int]] = set()
    for node in topology.switches:
        mine = topology.port_map[node]
        for port in range(topology.port_base[node], topology.port_base[node + 1]):
            peer = topology.peer[port]
            if peer <= port:  # each link once; NONE is negative
                continue
            other = context.node_of(peer)
            theirs = topology.port_map[other]
            if theirs == NONE or (mine, theirs) in seen:
                continue
            seen.add((mine, theirs))
            kind, peer_kind = context.kinds[mine], context.kinds[theirs]
            if (kind.platform, kind.model.id) != (peer_kind.platform, peer_kind.model.id):
                yield MixedLink(
                    topology.names[node],
                    context.port_label(port, node),
                    topology.names[other],
                    context.port_label(peer, other),
                )

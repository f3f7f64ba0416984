"""What all switches of a network share, resolved once: products, names of ports, shut ports, overrides."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fabric.devices import codes
from fabric.devices.queues import TierQueueing, tier_queueing
from fabric.diagnostics import Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.hardware import PortSlot, SwitchModel
from fabric.intent.model import Intent, Network, Override, Tier
from fabric.topology.model import NONE, NetworkTopology, Role


class Products(Protocol):
    """What derivation asks of the platforms, without knowing any: `fabric.platforms.registry` fits."""

    def names(self) -> Sequence[str]:
        """Known platforms."""

    def port_name(self, platform: str, slot: PortSlot, model: SwitchModel) -> str:
        """A port in the words of its product."""


@dataclass(frozen=True, slots=True)
class TierContext:
    """One tier of one network."""

    role: str
    platform: str
    release: str | None
    origin: Origin
    queueing: TierQueueing | None
    """None: the network has no policy."""


@dataclass(frozen=True, slots=True)
class NetworkContext:
    """One network."""

    name: str
    intent: Intent
    network: Network
    topology: NetworkTopology
    origin: Origin
    tiers: Mapping[Role, TierContext]
    port_names: Sequence[tuple[str, ...]]
    """By port map: the product's names in index order."""
    models: Sequence[SwitchModel]
    """By port map."""
    shut: frozenset[int]
    """Port ids that an operator or an override took out."""
    drained: frozenset[str]
    overrides: Mapping[str, tuple[tuple[int, Override], ...]]
    """By device, with the position in the intent."""
    written_asns: Mapping[int, int]
    """AS numbers of overrides, by node."""

    def asn_of(self, node: int) -> int:
        """AS number of a switch."""
        return self.written_asns.get(node, self.topology.asn[node])

    def node_of(self, port: int) -> int:
        """The node that a port belongs to."""
        return bisect_right(self.topology.port_base, port) - 1

    def port_label(self, port: int, node: int) -> str:
        """What a person calls a port: the product's name, or the NIC of a host."""
        topology = self.topology
        index = port - topology.port_base[node]
        chosen = topology.port_map[node]
        if chosen != NONE:
            return self.port_names[chosen][index]
        if topology.role[node] == Role.HOST:
            planes = self.network.planes.count
            return f"nic{index}" if planes == 1 else f"nic{index // planes}-port{index % planes}"
        return f"port{index}"


def network_context(
    intent: Intent, topology: NetworkTopology, products: Products, report: Report
) -> NetworkContext | None:
    """Resolve what the switches of a network share. None if a tier has no platform: nothing can be derived then."""
    network = intent.site.networks[topology.name]
    origin = Origin(("networks", topology.name))
    chosen = _platforms(intent, network, origin, products, report)
    if chosen is None:
        return None
    models = tuple(intent.hardware.switches[m.model] for m in topology.port_maps)
    platform_of_map = _platform_of_map(topology, chosen)
    port_names = tuple(
        tuple(products.port_name(platform_of_map[i], slot, models[i]) for slot in port_map.slots)
        for i, port_map in enumerate(topology.port_maps)
    )
    shut, drained = _taken_out(intent, topology, port_names, report)
    return NetworkContext(
        name=topology.name,
        intent=intent,
        network=network,
        topology=topology,
        origin=origin,
        tiers={
            role: TierContext(
                role=role.name.lower(),
                platform=platform,
                release=_tier(network, role).release,
                origin=origin.child("tiers", role.name.lower()),
                queueing=tier_queueing(intent, network, topology, role, origin, report),
            )
            for role, platform in chosen.items()
        },
        port_names=port_names,
        models=models,
        shut=shut,
        drained=drained,
        overrides=_overrides(intent, topology),
        written_asns={
            node: override.asn
            for override in intent.site.overrides
            if override.asn
            for node in _matching(override, topology)
        },
    )


def _tier(network: Network, role: Role) -> Tier:
    tiers = network.tiers
    tier = (tiers.leaf, tiers.spine, tiers.superspine)[role]
    assert tier is not None  # noqa: S101  # a switch of a role exists only if its tier does
    return tier


def _platforms(
    intent: Intent, network: Network, origin: Origin, products: Products, report: Report
) -> dict[Role, str] | None:
    """The platform of each tier; None, with findings, if one has none."""
    known = products.names()
    chosen: dict[Role, str] = {}
    tiers = (network.tiers.leaf, network.tiers.spine, network.tiers.superspine)
    for role, tier in zip((Role.LEAF, Role.SPINE, Role.SUPERSPINE), tiers, strict=True):
        if tier is None:
            continue
        runs = [software.name for software in intent.hardware.switches[tier.model].software]
        wanted = [tier.platform] if tier.platform else runs
        fit = next((name for name in wanted if name in known), None)
        if fit is None:
            report.add(
                codes.NO_PLATFORM.at(
                    origin.child("tiers", role.name.lower(), *(["platform"] if tier.platform else ["model"])),
                    f"{tier.model} runs {', '.join(runs) or 'nothing that the catalogue names'}; "
                    f"this tier asks for {', '.join(wanted) or 'no platform'}, known are {', '.join(known)}",
                    value=tier.platform or tier.model,
                    hint="set `platform`, or choose another model",
                )
            )
        else:
            chosen[role] = fit
    return chosen if len(chosen) == sum(t is not None for t in tiers) else None


def _platform_of_map(topology: NetworkTopology, chosen: Mapping[Role, str]) -> dict[int, str]:
    """The platform of each port map: that of the first node which uses it."""
    found: dict[int, str] = {}
    for role, platform in chosen.items():
        for node in topology.role_start[role]:
            found.setdefault(topology.port_map[node], platform)
    return found


def _taken_out(
    intent: Intent, topology: NetworkTopology, port_names: Sequence[tuple[str, ...]], report: Report
) -> tuple[frozenset[int], frozenset[str]]:
    """Port ids that are shut, and the devices that are drained: `state.yaml` and overrides."""
    wanted = _wanted_shut(intent, topology)
    nodes = {name: node for node, name in enumerate(topology.names)} if wanted else {}
    shut: set[int] = set()
    for device, port, origin, both_ends in wanted:
        node = nodes.get(device, NONE)
        if node == NONE or topology.port_map[node] == NONE:
            continue
        names = port_names[topology.port_map[node]]
        if port not in names:
            report.add(
                codes.PORT_UNKNOWN.at(
                    origin,
                    f"{device} has no port {port}; its ports are {names[0]} to {names[-1]}",
                    value=port,
                    hint=did_you_mean(port, names) or f"`fabric show links --device {device}` lists them",
                )
            )
            continue
        found = topology.port_base[node] + names.index(port)
        shut.add(found)
        if both_ends and topology.peer[found] != NONE:
            shut.add(topology.peer[found])
    return frozenset(shut), frozenset(entry.device for entry in intent.state.drained)


def _wanted_shut(intent: Intent, topology: NetworkTopology) -> list[tuple[str, str, Origin, bool]]:
    """Device, port, where it is written, and whether the other end goes down too."""
    ports = [
        (e.device, e.port, Origin(("shut_ports", i, "port"), "state"), False)
        for i, e in enumerate(intent.state.shut_ports)
    ]
    links = [
        (e.device, e.port, Origin(("excluded_links", i, "port"), "state"), True)
        for i, e in enumerate(intent.state.excluded_links)
    ]
    overridden = [
        (topology.names[node], port, Origin(("overrides", i, "shutdown_ports", k)), False)
        for i, override in enumerate(intent.site.overrides)
        for k, port in enumerate(override.shutdown_ports)
        for node in _matching(override, topology)
    ]
    return [*ports, *links, *overridden]


def _matching(override: Override, topology: NetworkTopology) -> list[int]:
    """The switches that an override names."""
    if override.network not in (None, topology.name):
        return []
    return [
        node
        for node in topology.switches
        if override.device in (None, topology.names[node])
        and override.role in (None, Role(topology.role[node]).name.lower())
    ]


def _overrides(intent: Intent, topology: NetworkTopology) -> dict[str, tuple[tuple[int, Override], ...]]:
    found: dict[str, tuple[tuple[int, Override], ...]] = {}
    for i, override in enumerate(intent.site.overrides):
        for node in _matching(override, topology):
            name = topology.names[node]
            found[name] = (*found.get(name, ()), (i, override))
    return found

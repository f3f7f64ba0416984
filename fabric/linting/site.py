"""What rules look at: a site that is valid, with everything that follows from it made when a rule asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from itertools import chain
from typing import Self

from fabric.analysis.routes.switch_classes import kinds
from fabric.devices.context import NetworkContext
from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Origin
from fabric.graph import Graph, graph_of
from fabric.intent import model
from fabric.intent.model import HostNics, Intent
from fabric.qos.model import PortQueueing
from fabric.qos.policy import LosslessPolicy
from fabric.topology.model import NetworkTopology, Topology
from fabric.topology.sizing.host_seats import nics_of


@dataclass(frozen=True)
class KindOfSwitch:
    """Switches that are derived alike but for numbers: names, addresses, which switch is at the other end."""

    example: Switch
    """The first of them."""
    nodes: tuple[int, ...]
    """All of them, as ids of the topology."""

    @property
    def profiles(self) -> tuple[PortQueueing, ...]:
        """The queueing of its kinds of ports."""
        return self.example.queueing.profiles if self.example.queueing else ()


@dataclass(frozen=True, eq=False)
class Network:
    """One network of a site."""

    site: Linted
    name: str

    @property
    def intent(self) -> model.Network:
        """As written."""
        return self.site.intent.site.networks[self.name]

    @property
    def at(self) -> Origin:
        """Where it is written."""
        return Origin(("networks", self.name))

    @property
    def topology(self) -> NetworkTopology:
        """Its columns."""
        return self.site.topology.networks[self.name]

    @cached_property
    def host_groups(self) -> Mapping[str, HostNics]:
        """The NICs of each host group that has any in it: as written, or those of the host model."""
        intent = self.site.intent
        found = {
            name: nics_of(group, self.name, intent.hardware) for name, group in intent.site.hosts.items()
        }
        return {name: nics for name, nics in found.items() if nics is not None}

    @property
    def is_ethernet(self) -> bool:
        """Whether its switches route IP; else it is an InfiniBand subnet."""
        return self.topology.technology == "ethernet"

    @property
    def policy(self) -> LosslessPolicy | None:
        """Its lossless policy; None: it has none."""
        name = self.intent.lossless
        return self.site.intent.policies.get(name) if isinstance(name, str) else None

    @cached_property
    def graph(self) -> Graph:
        """Its links as arrays, without what operators have taken out."""
        context = self.context
        return graph_of(self.topology, context.shut, context.drained) if context else graph_of(self.topology)

    @cached_property
    def intact(self) -> Graph:
        """Its links as arrays, all of them."""
        return graph_of(self.topology)

    @cached_property
    def context(self) -> NetworkContext | None:
        """What its switches are derived from; None for InfiniBand, and for layouts of which no switch is derived."""
        contexts = self.site.devices.contexts if self.site.devices is not None else ()
        return next((context for context in contexts if context.name == self.name), None)

    @cached_property
    def kinds(self) -> tuple[KindOfSwitch, ...]:
        """Its switches, one of each kind derived; none where `context` is None."""
        context, devices = self.context, self.site.devices
        if context is None or devices is None:
            return ()
        nodes: dict[object, list[int]] = {}
        for node, kind in zip(self.topology.switches, kinds(context), strict=True):
            nodes.setdefault(kind, []).append(node)
        made = []
        for of_kind in nodes.values():
            example = devices[self.topology.names[of_kind[0]]]
            assert isinstance(example, Switch)  # noqa: S101  # of an Ethernet network
            made.append(KindOfSwitch(example, tuple(of_kind)))
        return tuple(made)


@dataclass(frozen=True, eq=False)
class Linted:
    """A valid site."""

    intent: Intent
    topology: Topology
    devices: Devices | None
    """None: a layout that compiles to topology and cables only."""
    today: date
    """UTC."""

    @classmethod
    def of(cls, intent: Intent, topology: Topology, devices: Devices | None) -> Self:
        """A site as it is today."""
        return cls(intent, topology, devices, datetime.now(UTC).date())

    @cached_property
    def networks(self) -> Mapping[str, Network]:
        """By name."""
        return {name: Network(self, name) for name in self.topology.networks}

    @property
    def ethernet(self) -> Sequence[Network]:
        """Networks whose switches route IP."""
        return [network for network in self.networks.values() if network.is_ethernet]

    @property
    def infiniband(self) -> Sequence[Network]:
        """InfiniBand subnets."""
        return [network for network in self.networks.values() if not network.is_ethernet]

    @property
    def kinds(self) -> Iterator[KindOfSwitch]:
        """One switch of each kind of all networks."""
        return chain.from_iterable(network.kinds for network in self.networks.values())

    def written(self, at: Origin) -> bool:
        """Whether a file of the site says this; else it is a default."""
        return self.intent.sources.states(at)

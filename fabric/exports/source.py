"""What exports are made from, and what a kind of export is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from fabric.devices.infiniband.derive_subnet import PLANARIZED_MBPS
from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import SubnetManager
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic, Report
from fabric.exports import slurm
from fabric.exports.network_view import View, views
from fabric.intent.model import Intent
from fabric.platforms import registry
from fabric.platforms.base import Artifact
from fabric.topology.model import NetworkTopology, Topology

Lines = Callable[[], Iterable[str]]
"""The text of a file in parts, made anew on each access."""


class Export(msgspec.Struct, frozen=True):
    """One file for another tool."""

    kind: str
    path: str
    """Below the output folder."""
    lines: Lines

    @property
    def text(self) -> str:
        """All of it at once."""
        return "".join(self.lines())


class Exports(msgspec.Struct, frozen=True):
    """The requested exports, checked and not yet printed."""

    files: tuple[Export, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


class Source:
    """A compiled site, or some of its networks, as exports see it."""

    def __init__(
        self,
        intent: Intent,
        topology: Topology,
        devices: Callable[[], Devices],
        networks: Sequence[str] = (),
        artifacts: Callable[[], Mapping[str, Artifact]] = dict,
        serial: int | None = None,
    ) -> None:
        self.intent, self.topology, self.networks = intent, topology, tuple(networks)
        self._devices, self._artifacts = devices, artifacts
        self.report = Report()
        self.serial = serial
        """Of DNS zones; None: it follows from the records."""

    @cached_property
    def views(self) -> tuple[View, ...]:
        """The networks with their words for ports."""
        return views(self.intent, self.topology, self.networks)

    @property
    def with_hosts(self) -> tuple[NetworkTopology, ...]:
        """Chosen networks that have hosts, `compute` first."""
        return tuple(network for network in slurm.with_hosts(self.topology) if network.name in self.names(""))

    @cached_property
    def artifacts(self) -> Mapping[str, Artifact]:
        """What is printed for each device."""
        return self._artifacts()

    def part(self, device: str, platform: str, part: str = "") -> str:
        """The text of a device, or of one of its files, with secrets as placeholders; empty if it has no such file."""
        artifact = self.artifacts[device]
        if not part:
            return artifact.text
        paths = {known.name: known.path for known in registry.platform(platform).parts}
        return artifact.files.get(paths[part].format(name=device), "")

    @property
    def is_printable(self) -> bool:
        """Whether configurations follow: there are Ethernet switches, and none in a layout that is drawn only."""
        networks = [view.network for view in self.views if view.context]
        return bool(networks) and all(network.layout is None for network in networks)

    def names(self, technology: str) -> tuple[str, ...]:
        """Chosen networks of a technology; of any, if it is empty."""
        return tuple(
            name
            for name, network in self.topology.networks.items()
            if (not self.networks or name in self.networks) and technology in ("", network.technology)
        )

    @cached_property
    def subnets(self) -> tuple[Subnet, ...]:
        """The subnet of each chosen InfiniBand network. Only managers are derived for it."""
        devices = self._devices()
        subnets: dict[str, Subnet] = {}
        for name in self._managers():
            device = devices.get(name)
            if isinstance(device, SubnetManager) and device.network in self.names("infiniband"):
                subnets.setdefault(device.network, device.subnet)
        return tuple(subnets[name] for name in sorted(subnets))

    def _managers(self) -> Iterator[str]:
        """Attachments and hosts that may manage a subnet."""
        yield from sorted(self.intent.site.attachments)
        for name in self.names("infiniband"):
            for manager in self.intent.site.networks[name].infiniband.managers:
                yield manager.host or manager.attachment or ""

    @property
    def planarized(self) -> tuple[str, ...]:
        """Chosen networks of XDR: their inner ports are in no export with GUIDs and port numbers."""
        return tuple(
            name
            for name in self.names("infiniband")
            for port_maps in (self.topology.networks[name].port_maps,)
            if any(slot.speed_mbps >= PLANARIZED_MBPS for port_map in port_maps for slot in port_map.slots)
        )


class Kind(msgspec.Struct, frozen=True):
    """One kind of export."""

    name: str
    what: str
    applies: Callable[[Source], bool]
    make: Callable[[Source], Iterator[tuple[str, Lines]]]
    """Paths below the kind's own folder, and texts."""

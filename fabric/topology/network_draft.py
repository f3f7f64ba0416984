"""What the passes of `expand` fill: one network, its sizes, and its columns so far."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property

from fabric.diagnostics import Origin, Report
from fabric.intent.model import Attachment, Intent
from fabric.intent.model.lock import LockedLink, NetworkLock
from fabric.topology.model import NetworkTopology, Sizing
from fabric.topology.port_maps import Cage, Panel, named_cages
from fabric.topology.roles import NONE, Facing, Role
from fabric.topology.sizing.host_seats import SiteSize
from fabric.topology.sizing.sizes import Sizes


class Attached:
    """An attachment with the switches that its links land on, and later the ports."""

    def __init__(
        self,
        name: str,
        attachment: Attachment,
        switches: list[int],
        held: list[LockedLink | None],
        at: Origin,
    ) -> None:
        self.name, self.attachment, self.switches, self.at = name, attachment, switches, at
        self.held = held
        """Where `fabric.lock` has each link; None: a new one."""
        self.blocks: list[int] = []
        """Of each link: the block of the host pools that its addresses come from, counted from the end; or NONE."""
        self.ports: list[int] = []
        """Port ids of the switches, link by link."""
        self.cables: list[int] = []
        """Numbers of the cables from the first of all attachments, link by link; NONE: that of a host position."""


class Draft:
    """One network while it is being expanded."""

    def __init__(
        self,
        intent: Intent,
        name: str,
        site: SiteSize,
        sizes: Sizes,
        choices: tuple[Sizing, ...],
        panels: dict[str, Panel],
        report: Report,
    ) -> None:
        self.intent, self.name, self.site, self.sizes = intent, name, site, sizes
        self.network = intent.site.networks[name]
        self.panels, self.report = panels, report
        self.at = Origin(("networks", name))
        self.attached: list[Attached] = []
        self.first_host: list[int] = []
        """Node id of the first host of each unit, and one more entry."""
        self.seat_hosts: list[dict[int, int]] = []
        """Of each unit: host slot to node id."""
        self.is_short = False
        """Whether a switch lacks ports: nothing can be cabled then."""
        self.port_map_texts: dict[str, str] = {}
        self.width: dict[str, int] = {}
        """Digits of each number in names."""
        self.asn_bases: dict[str, int] = {}
        self.net = NetworkTopology()
        self.net.name = name
        self.net.technology = self.network.technology
        self.net.sizing = choices
        self.net.host_group = {}

    @property
    def locked(self) -> NetworkLock | None:
        """The sizes of the network in `fabric.lock`."""
        return self.intent.lock.networks.get(self.name) if self.intent.lock else None

    @property
    def routed(self) -> bool:
        """Whether the network runs IP between its switches."""
        return self.network.technology == "ethernet"

    def leaf(self, unit: int, position: int, plane: int) -> int:
        """Node id of a leaf."""
        sizes = self.sizes
        return (unit * sizes.rails.leaves + position) * sizes.planes + plane

    def leaves(self) -> Iterator[tuple[int, int, int, int]]:
        """Node id, unit, position in the unit and plane of every leaf, in id order."""
        return self.sizes.leaves()

    def spine_group(self, pod: int, rail: int, plane: int) -> int:
        """Number of a spine group by capacity."""
        return self.sizes.spine_group(pod, rail, plane)

    def spine_groups(self) -> Iterator[tuple[int, int, int, int]]:
        """Number, pod, rail group and plane of every spine group that is installed."""
        return self.sizes.installed_spine_groups()

    def spine(self, group: int, index: int) -> int:
        """Node id of a spine."""
        return self.net.role_start[Role.SPINE].start + group * self.sizes.leaf.installed + index

    def superspine(self, group: int, index: int) -> int:
        """Node id of a superspine; groups are counted with their planes."""
        return self.net.role_start[Role.SUPERSPINE].start + group * self.sizes.spine.installed + index

    @cached_property
    def ways(self) -> tuple[dict[Facing, range], ...]:
        """Of each port map, the block of indices that faces each way."""
        return tuple({way: port_map.range_of(way) for way in Facing} for port_map in self.net.port_maps)

    def way(self, node: int, facing: Facing) -> range:
        """Port ids of a switch that face one way."""
        block, base = self.ways[self.net.port_map[node]][facing], self.net.port_base[node]
        return range(base + block.start, base + block.stop)

    @cached_property
    def named_cages(self) -> dict[Role, frozenset[Cage]]:
        """Cages of each tier that attachments name: nothing else uses them on any switch of the tier."""
        cages: dict[Role, frozenset[Cage]] = dict.fromkeys(Role, frozenset())
        for attached in self.attached:
            to = attached.attachment.to
            cages[Role[to.tier.upper()]] |= set(named_cages(to.cages))
        return cages

    def switch_ordinal(self, node: int) -> int:
        """Position of a switch among all switches by capacity."""
        role, sizes = self.net.role[node], self.sizes
        before = (0, sizes.leaf_capacity, sizes.leaf_capacity + sizes.spine_capacity)
        return before[role] + self.net.ordinal[node]

    def blank(self, code: str, count: int) -> array[int]:
        """A column of NONE."""
        return array(code, [NONE]) * count

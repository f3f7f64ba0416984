"""`fabric.lock`: the sizes that capacity decided. Committed, so that growth moves nothing."""

from __future__ import annotations

from msgspec import field

from fabric.documents.words import Name, Part
from fabric.intent.layouts import Dragonfly, DragonflyPlus, Torus


class NetworkLock(Part, frozen=True, kw_only=True):
    """What is fixed for one network. All numbers are capacities, not what is installed."""

    units: int
    """Units."""
    units_per_pod: int
    """Units of one pod, zone or group; all of them where there are none."""
    layout: Torus | Dragonfly | DragonflyPlus | None = None
    """Another layout than a tree, as the intent says it."""
    host_slots: int
    """Host positions of a unit."""
    group_slots: dict[str, int] = field(default_factory=dict)
    """First host position of each host group."""
    auto_per_unit: dict[str, int] = field(default_factory=dict)
    """Hosts of a unit, of groups whose `per_unit` is `auto`: what the search found on the first day."""
    rails: int
    """Rails."""
    leaves_per_unit: int
    """Per plane."""
    planes: int
    """Planes."""
    leaf_downlinks: int = 0
    leaf_uplinks: int
    """Uplinks of one leaf."""
    spines: int
    """Of one group."""
    spine_groups: int
    """Of one plane."""
    links_per_leaf_spine: int
    """Parallel links from a leaf to a spine."""
    spine_uplinks: int = 0
    """Uplinks of one spine."""
    superspines: int = 0
    """Superspines of one group."""
    superspine_groups: int = 0
    """Groups of superspines."""
    links_per_spine_superspine: int = 0
    """Parallel links from a spine to a superspine."""
    name_widths: dict[str, int] = field(default_factory=dict)
    """Digits of each number in host names."""
    asn_bases: dict[str, int] = field(default_factory=dict)
    """First AS number of each role."""
    attachment_slots: dict[str, int] = field(default_factory=dict)
    """InfiniBand: where the LIDs of each attachment start, counted in ports."""
    port_maps: dict[str, str] = field(default_factory=dict)
    """Per tier: the cages of each direction in order, as a digestible text."""


class Lock(Part, frozen=True, kw_only=True):
    """The content of `fabric.lock`."""

    format: int = 1
    """Version of this file's format."""
    networks: dict[Name, NetworkLock] = field(default_factory=dict)
    """Sizes of each network."""

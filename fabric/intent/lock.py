"""`fabric.lock`: sizes by capacity, and where attachments land. Committed, so that growth moves nothing."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from fabric.documents.words import CageList, CountOrZero, Name, Part
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
    attachment_slots_end: CountOrZero = 0
    """Where the LIDs of all attachments end, those of removed ones too: new ones start there."""
    spares_have_uplinks: bool = False
    """Whether uplinks were sized for spare hosts too. Those of format 1 were not."""
    pools: dict[str, str] = field(default_factory=dict)
    """Address pools that the intent leaves out, by key."""
    port_maps: dict[str, str] = field(default_factory=dict)
    """Per tier: the cages of each direction in order, as a digestible text."""


class LockedLink(Part, frozen=True, kw_only=True, omit_defaults=True):
    """The switch port that one link of an attachment lands on."""

    tier: Literal["leaf", "spine", "superspine"]
    """Tier of the switch."""
    unit: CountOrZero | None = None
    """Unit of a leaf."""
    pod: CountOrZero | None = None
    """Pod, zone or group of a spine, where each has its own spines."""
    rail: CountOrZero | None = None
    """First rail of a spine, where each rail has its own spines."""
    group: CountOrZero | None = None
    """Group of a superspine."""
    plane: CountOrZero | None = None
    """Plane, if the switch belongs to one."""
    index: CountOrZero
    """Position of a leaf within its unit, of a spine or superspine within its group."""
    cage: CageList
    """Cage of the port; behind the slot, where the switch has line cards."""
    part: CountOrZero = 0
    """Which port of the cage."""


class LockedAttachment(Part, frozen=True, kw_only=True):
    """Where the links of one attachment land."""

    network: Name
    """The network it hangs on."""
    links: tuple[LockedLink, ...]
    """Of each link in order."""
    blocks: tuple[int, ...] = ()
    """Of each link: its block of the host pool, counted from the end; -1: it has addresses of its own."""
    cables: tuple[int, ...] = ()
    """Of each link: the number of its cable, counted from the first of all attachments; -1: that of a host position."""


FORMAT = 2
"""The format that is written. 1: without `attachments`."""


class Lock(Part, frozen=True, kw_only=True):
    """The content of `fabric.lock`."""

    format: int = 1
    """Version of this file's format."""
    networks: dict[Name, NetworkLock] = field(default_factory=dict)
    """Sizes of each network."""
    attachments: dict[Name, LockedAttachment] = field(default_factory=dict)
    """Where each attachment lands."""

"""`fabric.lock`: sizes by capacity, and where attachments land. Committed, so that growth moves nothing."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field

from fabric.documents.schema.scalar_types import Asn, CageList, Count, CountOrZero, Name, Part
from fabric.intent.model.attachment_links import DEFAULT_SUBNET_LENGTH, AttachmentLink, SubnetLength, VlanId
from fabric.intent.model.layouts import Dragonfly, DragonflyPlus, Torus
from fabric.units import END

Width = Annotated[int, Meta(ge=1, le=7)]
"""Digits of a number in a name: capacities end at a million."""
CountOrNone = Annotated[int, Meta(ge=-1, le=1_000_000)]
"""-1: none."""
LockDigest = Annotated[
    str,
    Meta(pattern=rf"^[0-9a-f]{{16}}{END}", description="First 16 hexadecimal digits of a SHA-256 digest."),
]


class NetworkLock(Part, frozen=True, kw_only=True):
    """What is fixed for one network. All numbers are capacities, not what is installed."""

    units: Count
    """Units."""
    units_per_pod: Count
    """Units of one pod, zone or group; all of them where there is none."""
    layout: Torus | Dragonfly | DragonflyPlus | None = None
    """Another layout than a tree, as the intent says it."""
    host_slots: Count
    """Host positions of a unit."""
    group_slots: dict[Name, CountOrZero] = field(default_factory=dict)
    """First host position of each host group."""
    auto_per_unit: dict[Name, Count] = field(default_factory=dict)
    """Hosts of a unit, of groups whose `per_unit` is `auto`: what the search found on the first day."""
    rails: Count
    """Rails."""
    leaves_per_unit: Count
    """Per plane."""
    planes: Count
    """Planes."""
    leaf_downlinks: CountOrZero = 0
    leaf_uplinks: CountOrZero
    """Uplinks of one leaf."""
    spines: CountOrZero
    """Of one group."""
    spine_groups: CountOrZero
    """Of one plane."""
    links_per_leaf_spine: CountOrZero
    """Parallel links from a leaf to a spine."""
    spine_uplinks: CountOrZero = 0
    """Uplinks of one spine."""
    superspines: CountOrZero = 0
    """Superspines of one group."""
    superspine_groups: CountOrZero = 0
    """Groups of superspines."""
    links_per_spine_superspine: CountOrZero = 0
    """Parallel links from a spine to a superspine."""
    name_widths: dict[str, Width] = field(default_factory=dict)
    """Digits of each number in host names."""
    asn_bases: dict[str, Asn] = field(default_factory=dict)
    """First AS number of each role."""
    attachment_slots: dict[Name, CountOrZero] = field(default_factory=dict)
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


class LockedAttachment(Part, frozen=True, kw_only=True, omit_defaults=True):
    """Where the links of one attachment land, and what their addresses follow from: `resize` compares with that."""

    network: Name
    """The network it hangs on."""
    links: tuple[LockedLink, ...]
    """Of each link in order."""
    blocks: tuple[CountOrNone, ...] = ()
    """Of each link: its block of the host pool, counted from the end; -1: it has addresses of its own."""
    cables: tuple[CountOrNone, ...] = ()
    """Of each link: the number of its cable, counted from the first of all attachments; -1: that of a host position."""
    vlan: VlanId | None = None
    """VLAN of its ports; left out: routed links."""
    prefix_length: SubnetLength = DEFAULT_SUBNET_LENGTH
    """IPv4 prefix length of the subnets of the VLAN."""
    lacp: bool = False
    """Whether its links are one LACP bundle."""
    addresses: tuple[AttachmentLink, ...] = ()
    """Addresses that the intent writes, of each link."""


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
    digest: LockDigest | None = None
    """Of all that the file says beside it: a number that was changed by hand or lost in a merge is noticed."""


def digest_of(written: dict[str, Any]) -> str:
    """The digest of a lock from its plain values, as they stand in the file."""
    content = {key: value for key, value in written.items() if key != "digest"}
    return sha256(msgspec.json.encode(content, order="sorted")).hexdigest()[:16]

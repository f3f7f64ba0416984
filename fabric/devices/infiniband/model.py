"""An InfiniBand subnet as its manager must know it: GUIDs, LIDs, cables, partitions, service levels.

Switches here have no configuration of their own that matters to traffic: the subnet manager programs them. So the
device of this technology is the subnet manager, and it knows the whole subnet.
"""

from __future__ import annotations

import enum
import hashlib

import msgspec

from fabric.diagnostics import Origin

LAST_LID = 0xBFFF
"""The last unicast LID (InfiniBand Architecture 1.4, 4.1.3)."""


RATES_MBPS = frozenset(
    {2_500, 5_000, 10_000, 14_000, 20_000, 25_000, 28_000, 30_000, 40_000, 50_000, 56_000, 60_000, 80_000}
    | {100_000, 112_000, 120_000, 168_000, 200_000, 300_000, 400_000, 600_000, 800_000}
)
"""Rates that a path or multicast group may have (InfiniBand Architecture 1.6, PathRecord; ib_types.h of OpenSM)."""


class EndKind(enum.StrEnum):
    """What an HCA port belongs to."""

    COMPUTE = "compute"
    STORAGE = "storage"
    SUBNET_MANAGER = "subnet_manager"
    OTHER = "other"


class SubnetSwitch(msgspec.Struct, frozen=True, gc=False):
    """One switch of the subnet."""

    name: str
    role: str
    """`leaf`, `spine` or `superspine`."""
    guid: int
    """Node GUID, which is also the GUID of its port 0."""
    ports: int
    """External ports that it has, used or not."""
    lid: int
    model: str
    unit: int = -1
    rail: int = -1
    plane: int = -1
    pod: int = -1


class EndPort(msgspec.Struct, frozen=True, gc=False):
    """One port of one HCA."""

    name: str
    """As the fabric calls it: `dgx-0-03 mlx5_2`. Its NodeDescription."""
    host: str
    nic: int
    port: int
    """Of the HCA, counted from 1 as InfiniBand does."""
    node_guid: int
    port_guid: int
    lid: int
    """The first of 2**LMC."""
    kind: EndKind
    group: str = ""
    """Host group; empty for attachments."""
    unit: int = -1
    rail: int = -1
    plane: int = -1


class SubnetLink(msgspec.Struct, frozen=True, gc=False):
    """One link. Ends are node GUIDs; the lower end is an HCA or the switch nearer to the hosts."""

    lower: int
    lower_port: int
    upper: int
    upper_port: int
    speed_mbps: int


class PartitionMember(msgspec.Struct, frozen=True, gc=False):
    """One port in one partition."""

    port_guid: int
    full: bool


class SubnetPartition(msgspec.Struct, frozen=True):
    """One partition with all its members, by port GUID."""

    name: str
    pkey: int
    """15 bits."""
    members: tuple[PartitionMember, ...]
    ipoib: bool
    index0: bool
    service_level: int
    rate_mbps: int
    """Of its IPoIB group."""
    origin: Origin


class SubnetMembership(msgspec.Struct, frozen=True, gc=False):
    """A port in a tenant's partition of an InfiniBand subnet."""

    tenant: str
    pkey: int
    """15 bits."""
    full: bool
    index0: bool
    """The key is the first of the port's table."""
    service_level: int


class SubnetPort(msgspec.Struct, frozen=True, gc=False):
    """What a port is in its InfiniBand subnet."""

    memberships: tuple[SubnetMembership, ...]
    divided: bool
    """The subnet has tenants: who is in none reaches the managers only."""
    service_level: int
    """Of packets that name no class."""
    engine: str
    """How the subnet computes routes."""
    adaptive_routing: bool
    sharp: bool


class Lane(msgspec.Struct, frozen=True):
    """One class of traffic."""

    name: str
    service_level: int
    virtual_lane: int
    weight: int
    high_weight: int


class Keys(msgspec.Struct, frozen=True):
    """References to the keys of the subnet."""

    management: str
    protection_level: int
    lease_s: int
    administration: str
    manager: str = ""
    """Of managers among each other; empty: OpenSM's own, which every OpenSM has."""


class TorusSeed(msgspec.Struct, frozen=True):
    """Where the engine of a torus may begin to recognise it: one switch and its neighbours along each axis."""

    links: tuple[tuple[str, int, int], ...]
    """Lines `xp_link GUID GUID`: keyword, the seed's switch, its neighbour. Both directions (`xm_link` too) where
    the axis has four switches."""
    datelines: tuple[tuple[str, int], ...]
    """Lines `x_dateline NUMBER`: where the origin of the coordinates lies, counted from the seed's switch. Of every
    axis, so that all seeds mean the same origin, and path SLs do not depend on the seed."""


class Torus(msgspec.Struct, frozen=True):
    """The contents of torus-2QoS.conf."""

    dimensions: tuple[int, int, int]
    """The line `torus X Y Z`; 1 where the torus has fewer axes."""
    seeds: tuple[TorusSeed, ...]
    """In this order, with `next_seed` between them. They share no switch, where the torus is large enough."""
    most_ports: int = 0
    """The line `portgroup_max_ports NUMBER`: parallel links, or hosts and the switch's own port; 0: not needed."""


class Subnet(msgspec.Struct, frozen=True, kw_only=True):
    """One InfiniBand network, complete."""

    network: str
    prefix: int
    engine: str
    """Never `auto`."""
    fallbacks: tuple[str, ...] = ()
    """Engines that route what `engine` cannot, in this order."""
    layout: str
    """`fat_tree`, `dragonfly`, `dragonfly_plus` or `torus`."""
    torus: Torus | None = None
    adaptive_routing: bool = False
    sharp: bool = False
    lmc: int = 0
    mtu_bytes: int = 4096
    rate_mbps: int = 400_000
    """Of the slowest HCA port."""
    switches: tuple[SubnetSwitch, ...]
    ends: tuple[EndPort, ...]
    links: tuple[SubnetLink, ...]
    roots: tuple[int, ...]
    """Node GUIDs of the switches at the top, where there is one."""
    partitions: tuple[SubnetPartition, ...]
    lanes: tuple[Lane, ...]
    high_limit: int = 0
    keys: Keys | None = None
    lids_planned: bool = True
    """Whether the manager gives the LIDs of this plan; else it chooses, and keeps, its own."""
    enforce_cabling: str | None = None
    """Links that are not of this design shall not even be discovered, if this is its `cabling_digest`."""
    placeholders: bool = False
    """Whether some GUID is invented: good for a design, never for a fabric."""
    planarized: bool = False
    """XDR: a port is several inner ports (`plane_port`), one on each of its box's ASICs. How a subnet manager sees
    these is not described well enough anywhere: cables and partitions hold, GUIDs, LIDs and routes do not."""


def has_classes(subnet: Subnet) -> bool:
    """Whether anything but service level 0 on lane 0 is used."""
    return [(lane.service_level, lane.virtual_lane) for lane in subnet.lanes] != [(0, 0)]


def cabling_digest(subnet: Subnet) -> str:
    """16 digits that identify every link of a subnet, ends by GUID and port: two cablings differ in them."""
    ends = sorted((link.lower, link.lower_port, link.upper, link.upper_port) for link in subnet.links)
    cables = "".join(f"{a:016x} {m} {b:016x} {n}\n" for a, m, b, n in ends)
    return hashlib.sha256(cables.encode()).hexdigest()[:16]

"""A Linux switch with FRR in the shape of its files."""

from __future__ import annotations

import msgspec

from fabric.devices.model import DISCARD_DISTANCE, Neighbor
from fabric.devices.routing_model import PeerGroup
from fabric.platforms.routing.route_maps import RouteMaps


class Port(msgspec.Struct, frozen=True, gc=False):
    """`iface swp1` of ifupdown2."""

    name: str
    description: str
    down: bool
    mtu: int | None
    speed_mbps: int
    reed_solomon: bool
    addresses: tuple[str, ...]
    vlan: int
    """VLAN that it switches in; 0: routed."""
    tagged: bool
    """It carries the VLAN with a tag, and drops what has none."""


class Bridge(msgspec.Struct, frozen=True):
    """The VLAN-aware bridge. Its MTU is that of its ports."""

    ports: tuple[str, ...]
    vlans: tuple[int, ...]


class Vlan(msgspec.Struct, frozen=True):
    """A gateway: `iface vlan10`."""

    name: str
    number: int
    mtu: int
    addresses: tuple[str, ...]


class Management(msgspec.Struct, frozen=True):
    """`iface eth0`, and its VRF."""

    name: str
    vrf: str
    """Empty: the default one."""
    addresses: tuple[str, ...]
    gateway: str


class Family(msgspec.Struct, frozen=True):
    """An address family of BGP."""

    name: str
    aggregates: tuple[str, ...]
    groups: tuple[PeerGroup, ...]


class Bgp(msgspec.Struct, frozen=True):
    """`router bgp`."""

    asn: int
    router_id: str
    timers: str
    """`5 15`; nothing for the profile's own 3 and 9."""
    max_paths: int | None
    """None: as many as FRR is built for, which it does not show."""
    groups: tuple[PeerGroup, ...]
    peers: tuple[tuple[Neighbor, str], ...]
    """Sessions with the names of their groups."""
    families: tuple[Family, ...]
    allow_own: str
    """Behind `allowas-in`; nothing for FRR's own number."""
    drained: bool
    """Every route carries GRACEFUL_SHUTDOWN (RFC 8326), which FRR takes from others with local preference 0."""


class Bfd(msgspec.Struct, frozen=True):
    """`bfd` profile; None where FRR's own value is meant, which it does not show."""

    multiplier: int | None
    interval_ms: int | None


class Marking(msgspec.Struct, frozen=True):
    """A RED qdisc below the ETS one."""

    queue: int
    handle: str
    """`1:5`, the band."""
    limit: int
    kmin: int
    kmax: int
    probability: str
    nodrop: bool


class Limit(msgspec.Struct, frozen=True):
    """A TBF qdisc below the ETS one: what a strict queue may take at most."""

    queue: int
    handle: str
    """`1:2`, the band."""
    rate_mbps: int


class Profile(msgspec.Struct, frozen=True):
    """The queueing of one kind of port: a function of the script."""

    name: str
    strict: int
    quanta: tuple[int, ...]
    priomap: tuple[int, ...]
    default_priority: int
    dscp: tuple[str, ...]
    """`26:3`."""
    lossless: tuple[int, ...]
    """Paused priorities, which are their buffers."""
    lossless_queues: tuple[int, ...]
    lossy_buffers: tuple[int, ...]
    lossy_queues: tuple[int, ...]
    ingress_threshold: int
    """Of a lossless priority's share of the pool, in devlink's numbers."""
    prio_buffer: str
    prio_pfc: str
    buffer_size: str
    limits: tuple[Limit, ...]
    marking: tuple[Marking, ...]


class FrrConfig(msgspec.Struct, frozen=True):
    """All files of a switch."""

    hostname: str
    bgp: Bgp
    bfd: Bfd | None
    policies: RouteMaps
    loopbacks: tuple[str, ...]
    ports: tuple[Port, ...]
    bridge: Bridge | None
    vlans: tuple[Vlan, ...]
    offers: tuple[tuple[str, str], ...]
    """Interface and the prefix that is advertised to hosts there."""
    management: Management
    sysctls: tuple[tuple[str, str], ...]
    cages: tuple[tuple[str, int], ...]
    """A cage, and into how many ports it is split."""
    profiles: tuple[Profile, ...]
    queued: tuple[tuple[str, str], ...]
    """Profile and port."""
    discards: tuple[str, ...]
    """`ip route 10.0.0.0/10`: prefixes whose packets are dropped where nothing else leads to them."""
    extra: dict[str, tuple[str, ...]]
    discard_distance: int = DISCARD_DISTANCE
    """Verbatim lines by file."""

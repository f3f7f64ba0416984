"""A Linux switch with FRR in the shape of its files."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from fabric.devices.addresses import IpInterface
from fabric.devices.model import DISCARD_DISTANCE, HostGateway, ManagementPort, SwitchPort
from fabric.platforms.routing.vtysh_bgp import Bgp


class Port(NamedTuple):
    """`iface swp1` of ifupdown2."""

    port: SwitchPort
    reed_solomon: bool


class Bridge(NamedTuple):
    """The VLAN-aware bridge. Its MTU is that of its ports."""

    ports: tuple[str, ...]
    vlans: tuple[int, ...]


class Defaults(NamedTuple):
    """What of BGP and BFD is written; empty or None where FRR's own value is meant, which it does not show."""

    timers: str
    """`5 15`; FRR's own are 3 and 9."""
    max_paths: int | None
    """None: as many as FRR is built for."""
    allow_own: str
    """Behind `allowas-in`."""
    bfd_multiplier: int | None
    bfd_interval_ms: int | None


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


class FrrConfig(msgspec.Struct, frozen=True, kw_only=True):
    """All files of a switch."""

    bgp: Bgp
    written: Defaults
    loopbacks: tuple[IpInterface, ...]
    ports: tuple[Port, ...]
    bridge: Bridge | None
    gateways: tuple[HostGateway, ...]
    offers: tuple[tuple[str, str], ...]
    """Interface and the prefix that is advertised to hosts there."""
    management: ManagementPort
    sysctls: tuple[tuple[str, str], ...]
    cages: tuple[tuple[str, int], ...]
    """A cage, and into how many ports it is split."""
    profiles: tuple[Profile, ...]
    queued: tuple[tuple[str, str], ...]
    """Profile and port."""
    extra: dict[str, tuple[str, ...]]
    """Verbatim lines by file."""
    discard_distance: int = DISCARD_DISTANCE

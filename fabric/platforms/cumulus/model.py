"""An NVUE file in the shape of its object model, ready to print in either dialect. What is neutral stays as it is."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from fabric.devices.addresses import Ip
from fabric.devices.model import DISCARD_DISTANCE, Neighbor, Routing, SwitchPort
from fabric.devices.routing_model import CommunitySet, PeerGroup
from fabric.intent.model import Services
from fabric.platforms.cumulus.releases import Words
from fabric.platforms.routing.route_maps import Entry, PrefixList
from fabric.qos.model import TrimmedPackets, WatchdogTimers


class User(NamedTuple):
    """`system aaa user`."""

    name: str
    role: str
    password: str
    """A hash, or the placeholder of one."""
    keys: tuple[list[str], ...]
    """Of SSH: type and key."""


class Addresses(msgspec.Struct, frozen=True, gc=False):
    """`ip`, or `ipv4` and `ipv6`."""

    four: tuple[str, ...]
    six: tuple[str, ...]
    prefixes: tuple[str, ...] = ()
    """Of router advertisements, for hosts that make their own addresses."""


class Management(NamedTuple):
    """`interface eth0`."""

    vrf: str
    """`default`: none of its own."""
    addresses: tuple[Ip, ...]
    """Without the length of their prefixes."""
    ip: Addresses
    gateway4: Ip | None
    gateway6: Ip | None


class Names(NamedTuple):
    """The profiles that ports of one kind name; empty: none of that sort."""

    scheduler: str
    curves: str
    shaper: str
    pauses: str


class Share(NamedTuple):
    """`egress-scheduler` of one queue."""

    queue: int
    is_strict: bool
    percent: int


class Curve(NamedTuple):
    """`congestion-control` of one queue."""

    queue: int
    min_bytes: int
    max_bytes: int
    percent: int


class Pauses(NamedTuple):
    """`pfc` profile."""

    priorities: tuple[int, ...]
    cable_m: int


class Qos(msgspec.Struct, frozen=True):
    """`qos`: each sort of profile by name."""

    dscp: tuple[tuple[int, int], ...]
    queues: tuple[tuple[int, int], ...]
    """Of all eight switch priorities."""
    schedulers: tuple[tuple[str, tuple[Share, ...]], ...]
    curves: tuple[tuple[str, tuple[Curve, ...]], ...]
    shapers: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
    """Queue and its largest rate in kb/s."""
    pauses: tuple[tuple[str, Pauses], ...]
    watchdog: WatchdogTimers | None
    """None: there is nothing to watch."""
    robustness: int
    """Polls until it acts."""


class Kind(msgspec.Struct, frozen=True):
    """What ports of one role and speed share."""

    speed: str
    """Empty: it is not in use."""
    negotiate: str
    """Of auto-negotiation; empty: its default, on."""
    reed_solomon: bool
    adaptive: bool
    profiles: Names | None
    """None: no queueing."""
    watched: bool
    trimmed: tuple[int, ...]
    """Traffic classes whose packets are cut, not dropped."""


class Port(NamedTuple):
    """`interface swpN`."""

    port: SwitchPort
    description: str
    kind: Kind
    ip: Addresses


class Relay(NamedTuple):
    """`service dhcp-relay default`."""

    servers: tuple[Ip, ...]
    downstream: tuple[str, ...]
    upstream: tuple[str, ...]


class Breakout(NamedTuple):
    """The cage of split ports, or one that is disabled."""

    name: str
    mode: str
    lanes: int
    """Lanes of each part; 0: it has none."""


class Policies(NamedTuple):
    """`router policy`."""

    prefix_lists: tuple[PrefixList, ...]
    maps: tuple[tuple[str, tuple[Entry, ...]], ...]
    """What a rule sets are communities."""
    communities: tuple[CommunitySet, ...]


class NvueConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in the file."""

    words: Words
    has_service: bool
    """Whether anything stands under `service`."""
    hostname: str
    services: Services
    users: tuple[User, ...]
    hash_fields: tuple[tuple[str, bool], ...]
    trimming: TrimmedPackets | None
    severity: str
    """Of the selector that all log servers have; empty: everything is sent."""
    idle_minutes: int
    banner: str
    listens: tuple[Ip, ...]
    """The only addresses at which the REST API listens; empty: all."""
    management: Management
    loopback: Addresses
    breakouts: tuple[Breakout, ...]
    ports: tuple[Port, ...]
    vlans: tuple[int, ...]
    gateways: tuple[tuple[int, Addresses], ...]
    """By VLAN."""
    relay: Relay | None
    qos: Qos | None
    routing: Routing
    timers_s: tuple[int, int]
    """Keepalive and hold time."""
    families: tuple[tuple[int, tuple[str, ...]], ...]
    """Address families and their aggregates."""
    groups: tuple[PeerGroup, ...]
    sessions: tuple[tuple[Neighbor, PeerGroup], ...]
    drained: bool
    """Every route carries GRACEFUL_SHUTDOWN (RFC 8326), which FRR takes from others with local preference 0."""
    policies: Policies
    extra: tuple[str, ...]
    discard_distance: int = DISCARD_DISTANCE

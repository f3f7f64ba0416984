"""A Junos configuration, ready to print: what Junos shapes or names in its own way, beside the neutral records."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from fabric.devices.addresses import Ip, IpInterface
from fabric.devices.model import DISCARD_DISTANCE, HostGateway, Neighbor, Routing, SwitchPort
from fabric.devices.routing_model import PeerGroup
from fabric.intent.model import Services, SnmpUser, User
from fabric.platforms.junos.buffers import Buffers
from fabric.qos.model import ClassQueueing, WatchdogTimers


class Family(NamedTuple):
    """`family` of a unit. Without an address it is unnumbered, or holds a filter alone."""

    word: str
    """`inet` or `inet6`."""
    addresses: tuple[IpInterface, ...]
    filter: str = ""
    """Of what comes in; empty: none."""


class Binding(NamedTuple):
    """What ports of one speed and cable do with queues."""

    scheduler_map: str
    pauses: str
    """The congestion notification profile; empty: nothing is paused."""


class Port(NamedTuple):
    """An `et-` interface."""

    port: SwitchPort
    speed: str
    """Empty on a part of a cage, which has it, and where nobody chose one."""
    families: tuple[Family, ...]
    binding: Binding | None


class Relay(NamedTuple):
    """`dhcp-relay` of one address family."""

    servers: tuple[Ip, ...]
    interfaces: tuple[str, ...]


class Advertiser(NamedTuple):
    """An interface that sends router advertisements."""

    interface: str
    prefixes: tuple[IpInterface, ...] = ()
    """In which hosts make their own addresses: ours, whose network is advertised."""
    is_managed: bool = False
    """Hosts shall ask a DHCP server."""


class Term(NamedTuple):
    """A term of a policy statement."""

    name: str
    conditions: tuple[str, ...]
    actions: tuple[str, ...]


class Group(NamedTuple):
    """A BGP group."""

    peers: PeerGroup
    families: tuple[str, ...]
    import_policy: str
    export_policy: str
    members: tuple[Neighbor, ...]
    """In Junos's order."""


class ForwardingClass(NamedTuple):
    """`forwarding-classes class`, and the code points that go there."""

    name: str
    queueing: ClassQueueing
    code_points: str
    """Bits, separated by spaces."""


class DropProfile(NamedTuple):
    """`drop-profiles`; its name says all of it, and of how many bytes its percents are."""

    name: str
    fill: str
    probability: int


class Scheduler(NamedTuple):
    """`schedulers`."""

    percent: int | None
    strict: bool
    max_percent: int | None
    """`shaping-rate percent`; None: none."""
    drop_profile: DropProfile | None = None
    """None: the queue does not mark."""


class Profile(NamedTuple):
    """`congestion-notification-profile`, of lossless classes."""

    cable_m: int
    points: tuple[str, ...]
    """Bits of the code points that are paused."""
    pauses: tuple[tuple[str, int], ...]
    """Bits of a priority and its queue."""


SchedulerMap = tuple[str, tuple[tuple[str, str], ...]]
"""Its name, and forwarding classes with the names of their schedulers."""


class Cos(msgspec.Struct, frozen=True, kw_only=True):
    """`class-of-service`. What has a name stands behind it."""

    classes: tuple[ForwardingClass, ...]
    own_class: str
    """Where the switch's own packets go, without a class of the policy."""
    profiles: tuple[tuple[str, Profile], ...]
    maps: tuple[SchedulerMap, ...]
    schedulers: tuple[tuple[str, Scheduler], ...]
    drop_profiles: tuple[DropProfile, ...]
    watchdog: WatchdogTimers | None
    polls: int
    """After which the watchdog detects."""
    buffers: Buffers


class AccessFilter(NamedTuple):
    """A firewall filter in front of SSH and NETCONF, for one address family."""

    family: str
    name: str
    protocol: str
    """Word of the match on TCP."""
    sources: tuple[str, ...]
    ports: str
    """`[ 22 830 ]`."""


class Management(msgspec.Struct, frozen=True, kw_only=True):
    """The services of a switch, with what Junos orders or quotes, and how it is reached."""

    services: Services
    instance: str
    """Of the management network; empty: the default one."""
    in_instance: str
    users: tuple[tuple[str, User, tuple[tuple[str, str], ...]], ...]
    """By name, with the word of the kind of each key, and the key."""
    snmp_users: tuple[tuple[str, SnmpUser, str], ...]
    """By name, with the word of the cipher."""
    trap_servers: tuple[str, ...]
    location: str
    contact: str
    banner: str
    syslog_level: str
    idle_minutes: int
    filters: tuple[AccessFilter, ...]
    gateway: Ip | None


class JunosConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one switch runs."""

    hostname: str
    management: Management
    routing: Routing
    loops: int
    """A path is refused if our own AS number stands in it this often: once more than is allowed; 0: by default."""
    hold_s: int
    max_paths: int
    cages: tuple[tuple[int, int, str], ...]
    """Those that are split: number, parts, and the speed of each."""
    ports: tuple[Port, ...]
    gateways: tuple[tuple[HostGateway, tuple[Family, ...]], ...]
    vlans: tuple[int, ...]
    own_interfaces: tuple[tuple[str, tuple[Family, ...]], ...]
    """The loopback, and that of management if it has an address or a filter."""
    frame_bytes: int
    """Largest frame of all interfaces; without it gateways could not have more than 1500 bytes."""
    community: str
    """The mark of routes from above; empty: no policy sets or asks for it."""
    as_lists: tuple[int, ...]
    """AS numbers of unnumbered neighbours."""
    policies: tuple[tuple[str, tuple[Term, ...]], ...]
    """By name."""
    cos: Cos | None
    groups: tuple[Group, ...]
    tells_peer_as: bool
    """Routes are also advertised to neighbours in the fabric of the AS number that they came from."""
    drained: bool
    """Routes are sent with GRACEFUL_SHUTDOWN (RFC 8326). Junos prefers others to those that it receives by default."""
    guarded: tuple[str, ...]
    """Switched ports to hosts: no BPDU may come in, and floods are limited."""
    advertisers: tuple[Advertiser, ...]
    relay: Relay | None
    relay6: Relay | None
    extra: tuple[str, ...]
    discard_distance: int = DISCARD_DISTANCE

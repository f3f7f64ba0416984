"""A Junos configuration, shaped like its hierarchy and ready to print: names, quoted texts, Junos's units."""

from __future__ import annotations

import msgspec

from fabric.devices.model import DISCARD_DISTANCE
from fabric.devices.routing_model import PeerGroup
from fabric.platforms.junos.buffers import Buffers


class Cage(msgspec.Struct, frozen=True, gc=False):
    """A cage that is split."""

    name: str
    sub_ports: int
    speed: str


class Kind(msgspec.Struct, frozen=True, gc=False):
    """What ports of one use have in common."""

    disable: bool
    mtu: int | None
    speed: str
    """Empty on a part of a cage: the cage has it."""
    routed: bool
    vlan: str
    vlan_mode: str
    """`access`, or `trunk` where the VLAN has its tag."""
    family_mtu: int
    inet: bool
    """Also without an address: unnumbered."""
    inet6: bool
    scheduler_map: str
    """Empty: no queueing."""
    pauses: str
    """Its congestion notification profile; empty: nothing is paused."""


class Port(msgspec.Struct, frozen=True, gc=False):
    """An `et-` interface."""

    name: str
    description: str
    kind: Kind
    addresses: tuple[str, ...]
    addresses6: tuple[str, ...]


class Irb(msgspec.Struct, frozen=True):
    """A gateway: `irb.VLAN`."""

    vlan: int
    mtu: int
    addresses: tuple[str, ...]
    addresses6: tuple[str, ...]


class Relay(msgspec.Struct, frozen=True):
    """`dhcp-relay` of one address family."""

    servers: tuple[str, ...]
    interfaces: tuple[str, ...]


class Advertiser(msgspec.Struct, frozen=True, gc=False):
    """An interface that sends router advertisements."""

    interface: str
    prefixes: tuple[str, ...]
    """In which hosts make their own addresses."""
    managed: bool
    """Hosts shall ask a DHCP server."""


class Term(msgspec.Struct, frozen=True):
    """A term of a policy statement."""

    name: str
    conditions: tuple[str, ...]
    actions: tuple[str, ...]


class Policy(msgspec.Struct, frozen=True):
    """`policy-statement`."""

    name: str
    terms: tuple[Term, ...]


class BgpNeighbor(msgspec.Struct, frozen=True, gc=False):
    """A numbered neighbour."""

    address: str
    description: str
    asn: int


class Group(msgspec.Struct, frozen=True):
    """A BGP group."""

    peers: PeerGroup
    families: tuple[str, ...]
    import_policy: str
    export_policy: str
    key: str
    neighbors: tuple[BgpNeighbor, ...]
    interfaces: tuple[str, ...]
    as_list: str
    advertise_peer_as: bool
    """Routes are also told to neighbours of the AS number that they came from."""


class ForwardingClass(msgspec.Struct, frozen=True):
    """`forwarding-classes class`, and the code points that go there."""

    name: str
    queue: int
    priority: int | None
    code_points: str
    """Bits, separated by spaces."""


class DropProfile(msgspec.Struct, frozen=True):
    """`drop-profiles`; its name says all of it, and of how many bytes its percents are."""

    name: str
    fill: str
    probability: int


class Scheduler(msgspec.Struct, frozen=True):
    """`schedulers`."""

    name: str
    percent: int | None
    strict: bool
    max_percent: int | None
    """`shaping-rate percent`; None: none."""
    drop_profile: DropProfile | None = None
    """None: the queue does not mark."""


class SchedulerMap(msgspec.Struct, frozen=True):
    """`scheduler-maps`: forwarding class and the name of its scheduler."""

    name: str
    rows: tuple[tuple[str, str], ...]


class Profile(msgspec.Struct, frozen=True):
    """`congestion-notification-profile`, of lossless classes."""

    name: str
    cable_m: int
    points: tuple[str, ...]
    """Bits of the code points that are paused."""
    pauses: tuple[tuple[str, int], ...]
    """Bits of a priority and its queue."""


class Watchdog(msgspec.Struct, frozen=True):
    """`pfc-watchdog`."""

    poll_ms: int
    polls: int
    recovery_ms: int
    action: str


class Cos(msgspec.Struct, frozen=True):
    """`class-of-service`."""

    classes: tuple[ForwardingClass, ...]
    own_class: str
    """Where the switch's own packets go, without a class of the policy."""
    profiles: tuple[Profile, ...]
    maps: tuple[SchedulerMap, ...]
    schedulers: tuple[Scheduler, ...]
    drop_profiles: tuple[DropProfile, ...]
    watchdog: Watchdog | None
    buffers: Buffers
    mru: int


class User(msgspec.Struct, frozen=True):
    """`login user`."""

    name: str
    role: str
    password: str
    keys: tuple[tuple[str, str], ...]
    """Word of the kind of key, and the key."""


class SnmpUser(msgspec.Struct, frozen=True):
    """`snmp v3 usm local-engine user`."""

    name: str
    auth: str
    auth_password: str
    privacy: str
    privacy_password: str


class Snmp(msgspec.Struct, frozen=True):
    """`snmp`."""

    location: str
    contact: str
    users: tuple[SnmpUser, ...]
    traps: tuple[tuple[str, str], ...]
    """Receiver and user."""


class AccessFilter(msgspec.Struct, frozen=True):
    """A firewall filter in front of SSH and NETCONF, for one address family."""

    family: str
    name: str
    protocol: str
    """Word of the match on TCP."""
    sources: tuple[str, ...]
    ports: str
    """`[ 22 830 ]`."""


class Services(msgspec.Struct, frozen=True):
    """`system`, `snmp`, and management access."""

    instance: str
    """Of the management network; empty: the default one."""
    in_instance: str
    domain: str
    dns: tuple[str, ...]
    ntp: tuple[str, ...]
    """The preferred one is followed by ` prefer`."""
    syslog: tuple[str, ...]
    syslog_level: str
    users: tuple[User, ...]
    idle_minutes: int
    banner: str
    tacacs: tuple[str, ...]
    tacacs_secret: str
    accounting: bool
    gnmi_port: int
    certificate: str
    """Name in the PKI of the switch."""
    client_ca: str
    """CA profile that clients must be signed by; empty: they log in by user and password."""
    """0: off."""
    snmp: Snmp | None
    lldp: bool
    filters: tuple[AccessFilter, ...]
    loopback_filters: tuple[AccessFilter, ...]
    """Of what comes in by other ports than that of management."""
    every_filter: tuple[AccessFilter, ...]
    """Who may connect; empty: everybody who can reach the switch."""
    port: str
    addresses: tuple[str, ...]
    addresses6: tuple[str, ...]
    gateway: str
    gateway6: str


class JunosConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one switch runs."""

    hostname: str
    services: Services
    max_paths: int
    cages: tuple[Cage, ...]
    ports: tuple[Port, ...]
    irbs: tuple[Irb, ...]
    irb_mtu: int
    """Largest frame of all gateways; without it families could not have more than 1500 bytes."""
    vlans: tuple[int, ...]
    loopbacks: tuple[str, ...]
    loopbacks6: tuple[str, ...]
    balancing: str
    """`flowlet`, `per-packet`, or empty."""
    community: str
    """The mark of routes from above; empty: no policy sets or asks for it."""
    as_lists: tuple[tuple[str, int], ...]
    policies: tuple[Policy, ...]
    cos: Cos | None
    asn: int
    loops: int
    """How often our own AS number must stand in a path to be refused; 0: Junos's own, once."""
    router_id: str
    aggregates: tuple[str, ...]
    aggregates6: tuple[str, ...]
    discards: tuple[str, ...]
    """Prefixes whose packets are dropped where nothing else leads to them."""
    discards6: tuple[str, ...]
    groups: tuple[Group, ...]
    hold_s: int
    bfd_interval_ms: int | None
    bfd_multiplier: int
    drained: bool
    """Routes are sent with GRACEFUL_SHUTDOWN (RFC 8326). Junos prefers others to those that it receives by default."""
    guarded: tuple[str, ...]
    """Switched ports to hosts: no BPDU may come in, and floods are limited."""
    advertisers: tuple[Advertiser, ...]
    relay: Relay | None
    relay6: Relay | None
    extra: tuple[str, ...]
    discard_distance: int = DISCARD_DISTANCE

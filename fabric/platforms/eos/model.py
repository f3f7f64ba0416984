"""An EOS configuration, ready to print: one field for each section. Optional parts are empty.

`in_vrf` is ` vrf NAME`, or empty for the default VRF, which EOS leaves out too.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from fabric.devices.addresses import Ip, IpInterface
from fabric.devices.model import (
    DISCARD_DISTANCE,
    HostGateway,
    ManagementPort,
    Prefix,
    Routing,
    SwitchPort,
)
from fabric.devices.routing_model import PeerGroup, Session
from fabric.intent.model import Services, SnmpUser, User
from fabric.platforms.access_lists import AccessList
from fabric.platforms.ports import HostSide
from fabric.platforms.routing.route_maps import RouteMaps
from fabric.qos.model import ClassQueueing


class QosProfile(NamedTuple):
    """`qos profile`."""

    name: str
    priorities: tuple[int, ...]
    """No-drop priorities."""
    classes: tuple[ClassQueueing, ...]
    """By queue: each class has its own (FAB303)."""


class Watchdog(NamedTuple):
    """`priority-flow-control pause watchdog`; times as EOS prints them, in seconds."""

    timeout: str
    recovery: str
    polling: str
    action: str


class Ethernet(NamedTuple):
    """`interface Ethernet`."""

    port: SwitchPort
    speed: str
    """`400g-4`; empty: nobody chose one."""
    has_fec: bool
    """Reed-Solomon."""
    hosts: HostSide
    counted_queues: tuple[int, ...]
    """Queues whose ECN marks are counted."""


class StaticRoutes(NamedTuple):
    """Those of one address family."""

    word: str
    """`ip` or `ipv6`."""
    discards: tuple[Prefix, ...]
    """Prefixes whose packets are dropped where nothing else leads to them."""
    default: str
    gateway: Ip | None
    """Of the management network."""


class Management(msgspec.Struct, frozen=True, kw_only=True):
    """The services of a switch, with what EOS shows in an order of its own, and how it is reached."""

    services: Services
    users: tuple[tuple[str, User, int], ...]
    """By name, with the privilege level."""
    log_servers: tuple[str, ...]
    name_servers: tuple[str, ...]
    ntp_servers: tuple[tuple[str, bool], ...]
    """Each with whether it is preferred."""
    snmp_users: tuple[tuple[str, SnmpUser], ...]
    trap_servers: tuple[str, ...]
    port: ManagementPort
    interface: str
    vrf: str
    """Empty: the default one."""
    in_vrf: str
    banner: str
    idle_minutes: int
    ssh_vrfs: tuple[tuple[str, bool], ...]
    """In which the SSH server is on, and in which it is off; empty: EOS's default, on in the default VRF."""
    api_lists: tuple[AccessList, ...]
    """`API-ALLOW`."""
    ssh_lists: tuple[AccessList, ...]
    """`SSH-ALLOW`."""
    access_lists: tuple[AccessList, ...]
    """All of them, in EOS's order."""


class Bgp(msgspec.Struct, frozen=True, kw_only=True):
    """`router bgp`."""

    routing: Routing
    aggregates: tuple[str, ...]
    has_host_routes: bool
    """Host routes of learned ARP entries are advertised, by the route-map of connected ones."""
    groups: tuple[PeerGroup, ...]
    neighbors: tuple[Session, ...]
    unnumbered: tuple[Session, ...]
    """Neighbours over an interface."""
    families: tuple[tuple[int, tuple[PeerGroup, ...]], ...]
    """Groups that are active in each."""


class EosConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one switch runs."""

    hostname: str
    management: Management
    bond_system: int
    """Which leaf of a pair this is: 1 or 2; 0: no bonds."""
    spanning_tree: str
    """`none` where no port switches; else it guards the ports to hosts."""
    queue_word: str
    profiles: tuple[QosProfile, ...]
    classes: tuple[ClassQueueing, ...]
    """Of the maps, which all profiles share."""
    watchdog: Watchdog | None
    vlans: tuple[int, ...]
    channels: tuple[tuple[SwitchPort, str, str], ...]
    """A host's bond over two independent leaves, or the bundle of an attachment: its first port, its description, and
    its LACP system, which is empty for that of the switch."""
    ports: tuple[Ethernet, ...]
    loopbacks: tuple[IpInterface, ...]
    gateways: tuple[tuple[HostGateway, HostSide, bool], ...]
    """Each with whether it answers ARP requests for hosts: those of one subnet reach each other over either leaf."""
    virtual_mac: str
    """MAC of the gateways that two leaves share; empty without bonds."""
    has_ipv6: bool
    policies: RouteMaps
    static_routes: tuple[StaticRoutes, ...]
    bgp: Bgp
    extra: tuple[str, ...]
    """Verbatim blocks of the overrides."""
    discard_distance: int = DISCARD_DISTANCE

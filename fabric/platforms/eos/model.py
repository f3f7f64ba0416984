"""An EOS configuration, shaped like the manual: one field for each section, in the order of the running-config.

Everything here is ready to print: numbers are in the units of the command, texts are checked. Optional parts that
EOS leaves out are empty. `in_vrf` is ` vrf NAME`, or empty for the default VRF, as EOS leaves that out too.
"""

from __future__ import annotations

import msgspec

from fabric.devices.model import DISCARD_DISTANCE
from fabric.devices.routing_model import PeerGroup, Session
from fabric.platforms.eos.model_services import (
    AccessList,
    Api,
    Dns,
    Gnmi,
    Lldp,
    Logging,
    Management,
    Part,
    Snmp,
    Ssh,
    SslProfile,
    Tacacs,
    User,
)
from fabric.platforms.routing.route_maps import RouteMaps


class Queue(Part, frozen=True, gc=False):
    """A transmit queue in a `qos profile`."""

    number: int
    priority: str
    """`priority strict` or `no priority`."""
    bandwidth_percent: int | None
    shape_percent: int | None
    """`shape rate`; None: none."""
    ecn: str
    """Thresholds and probability as the command takes them; empty: no marking."""


class QosProfile(Part, frozen=True, gc=False):
    """`qos profile`."""

    name: str
    priorities: tuple[int, ...]
    """No-drop priorities."""
    watchdog: bool
    queues: tuple[Queue, ...]


class Kind(Part, frozen=True, gc=False):
    """What Ethernet ports of one use and speed have in common."""

    shutdown: bool
    mtu: int | None
    speed: str
    reed_solomon: bool
    access_vlan: int | None
    trunk_vlan: int | None
    """VLAN that it carries with a tag."""
    guarded: bool
    """A switched port to hosts: no BPDU may come in, and broadcasts are limited."""
    routed: bool
    helpers: tuple[str, ...]
    link_local: bool
    quiet: bool
    """No router advertisements."""
    managed: bool
    """Router advertisements point to DHCPv6."""
    relays: tuple[str, ...]
    """DHCPv6 servers."""
    profile: str
    queue_word: str
    counted_queues: tuple[int, ...]
    """Queues whose ECN marks are counted."""


class Ethernet(Part, frozen=True, gc=False):
    """`interface Ethernet`."""

    name: str
    description: str
    kind: Kind
    addresses: tuple[str, ...] = ()
    addresses6: tuple[str, ...] = ()
    channel: int = 0


class PortChannel(Part, frozen=True, gc=False):
    """`interface Port-Channel`: a host's bond over two independent leaves, or the bundle of an attachment."""

    number: int
    description: str
    shutdown: bool
    access_vlan: int | None
    trunk_vlan: int | None
    """VLAN that it carries with a tag."""
    system_id: str
    """Empty: the switch's own."""
    profile: str


class Loopback(Part, frozen=True, gc=False):
    """`interface Loopback0`."""

    addresses: tuple[str, ...]
    addresses6: tuple[str, ...]


class Svi(Part, frozen=True, gc=False):
    """`interface Vlan`: the gateway of a VLAN."""

    vlan: int
    description: str
    mtu: int
    addresses: tuple[str, ...]
    addresses6: tuple[str, ...]
    helpers: tuple[str, ...]
    relays: tuple[str, ...]
    quiet: bool
    managed: bool
    export_hosts: bool
    """Learned ARP entries become host routes."""
    virtual_addresses: tuple[str, ...] = ()
    """Addresses that answer with the virtual MAC: another leaf has them too."""
    virtual_addresses6: tuple[str, ...] = ()
    answers_for_hosts: bool = False
    """Local proxy ARP: hosts of one subnet reach each other through the gateway, over either leaf."""


class Bfd(Part, frozen=True, gc=False):
    """`router bfd`."""

    interval_ms: int
    multiplier: int


class Bgp(Part, frozen=True, gc=False):
    """`router bgp`."""

    asn: int
    router_id: str
    keepalive_s: int
    hold_s: int
    max_paths: int
    groups: tuple[PeerGroup, ...]
    neighbors: tuple[Session, ...]
    interfaces: tuple[Session, ...]
    """Unnumbered."""
    aggregates: tuple[str, ...]
    attached_hosts: bool
    """Host routes of learned ARP entries are told, by the same route-map."""
    families: tuple[tuple[int, tuple[PeerGroup, ...]], ...]
    """Groups that are active in each."""


class Watchdog(Part, frozen=True, gc=False):
    """`priority-flow-control pause watchdog`; times as EOS prints them, in seconds."""

    timeout: str
    recovery: str
    polling: str
    action: str


class QosMaps(Part, frozen=True, gc=False):
    """`qos map`."""

    dscp: tuple[tuple[str, int], ...]
    """Code points, separated by spaces, and their traffic class."""
    queues: tuple[tuple[int, int], ...]
    """Traffic class and its queue."""


class EosConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one switch runs."""

    hostname: str
    users: tuple[User, ...]
    lacp_range: str
    """`1 32767`; empty without bonds."""
    spanning_tree: str
    """`none` where no port switches; else it guards the ports to hosts."""
    lldp: Lldp
    logging: Logging | None
    dns: Dns
    profiles: tuple[QosProfile, ...]
    queue_word: str
    snmp: Snmp | None
    vlans: tuple[int, ...]
    vrf: str
    """Of the management network; empty: the default one."""
    in_vrf: str
    banner: str
    api: Api
    gnmi: Gnmi | None
    ssl_profile: SslProfile | None
    tacacs: Tacacs | None
    port_channels: tuple[PortChannel, ...]
    ports: tuple[Ethernet, ...]
    loopback: Loopback
    management: Management
    gateways: tuple[Svi, ...]
    virtual_mac: str
    """MAC of the gateways that two leaves share; empty without bonds."""
    access_lists: tuple[AccessList, ...]
    access_lists6: tuple[AccessList, ...]
    ip_routing: str
    """`ip routing`, or `ip routing ipv6 interfaces` where links have no IPv4 address."""
    flowlets: bool
    ipv6: bool
    policies: RouteMaps
    discards: tuple[str, ...]
    """Prefixes whose packets are dropped where nothing else leads to them."""
    discards6: tuple[str, ...]
    default_gateway: str
    default_gateway6: str
    ntp_servers: tuple[str, ...]
    """The preferred one is followed by ` prefer`."""
    maps: QosMaps | None
    watchdog: Watchdog | None
    bfd: Bfd | None
    bgp: Bgp
    ssh: Ssh
    extra: tuple[str, ...]
    """Verbatim blocks of the overrides."""
    discard_distance: int = DISCARD_DISTANCE

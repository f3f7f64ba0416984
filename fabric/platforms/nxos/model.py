"""An NX-OS configuration, ready to print: one field for each section. Optional parts are empty."""

from __future__ import annotations

import msgspec

from fabric.devices.model import DISCARD_DISTANCE
from fabric.devices.routing_model import PeerGroup
from fabric.platforms.routing.route_maps import RouteMaps


class Part(msgspec.Struct, frozen=True, gc=False):
    """Base of all sections."""


class QosClass(Part, frozen=True, gc=False):
    """`class` of the classifying policy; without code points `class-default`."""

    name: str
    dscp: str
    group: int


class QueueClass(Part, frozen=True, gc=False):
    """`class type queuing`."""

    name: str
    lines: tuple[str, ...]


class QueuingPolicy(Part, frozen=True, gc=False):
    """`policy-map type queuing`."""

    name: str
    queues: tuple[QueueClass, ...]


class NetworkClass(Part, frozen=True, gc=False):
    """`class type network-qos`: paused or not, jumbo frames pass."""

    number: int
    paused: bool


class Qos(Part, frozen=True, gc=False):
    """All classes and policies."""

    name: str
    """Of the policy-map that classes packets on ports."""
    whole_name: str
    """Of the one that says what is paused on the whole switch."""
    classes: tuple[QosClass, ...]
    policies: tuple[QueuingPolicy, ...]
    network: tuple[NetworkClass, ...]
    """Of every qos-group but 0, which is the default one."""
    watchdog: bool


class Kind(Part, frozen=True, gc=False):
    """What Ethernet ports of one use have in common: lines before and after its addresses."""

    lines: tuple[str, ...]
    relays: tuple[str, ...]
    shutdown: bool


class Ethernet(Part, frozen=True, gc=False):
    """`interface Ethernet`."""

    name: str
    description: str
    kind: Kind
    addresses: tuple[str, ...]
    """`ip address A` or `ipv6 address A`."""


class Svi(Part, frozen=True, gc=False):
    """`interface Vlan`."""

    vlan: int
    lines: tuple[str, ...]


class Family(Part, frozen=True, gc=False):
    """`address-family` of `router bgp`."""

    version: int
    suffix: str
    """Of its route-maps."""
    aggregates: tuple[str, ...]


class Template(Part, frozen=True, gc=False):
    """`template peer`."""

    group: PeerGroup
    families: tuple[tuple[int, str], ...]
    """With the suffix of its route-maps."""
    repeats_asn: bool
    """Neighbours that have one AS number must hear of each other."""


class Neighbor(Part, frozen=True, gc=False):
    """`neighbor`, by address or interface."""

    name: str
    template: str
    asn: int
    description: str


class Bgp(Part, frozen=True, gc=False):
    """`router bgp`."""

    asn: int
    router_id: str
    keepalive_s: int
    hold_s: int
    max_paths: int
    families: tuple[Family, ...]
    templates: tuple[Template, ...]
    neighbors: tuple[Neighbor, ...]


class NxosConfig(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    hostname: str
    features: tuple[str, ...]
    breakouts: tuple[str, ...]
    """`module 1 port 5 map 400g-2x`."""
    balancing: tuple[str, ...]
    """Load sharing, with indentation."""
    system: tuple[str, ...]
    """Management lines at the left margin."""
    access_lists: tuple[tuple[str, tuple[str, ...]], ...]
    vlans: tuple[int, ...]
    vrf: tuple[str, ...]
    """Below `vrf context management`."""
    qos: Qos | None
    policies: RouteMaps
    ports: tuple[Ethernet, ...]
    gateways: tuple[Svi, ...]
    management: tuple[str, ...]
    loopback: tuple[str, ...]
    bgp: Bgp
    aaa_group: tuple[str, ...]
    """Below `aaa group server tacacs+ TACACS`."""
    aaa: tuple[str, ...]
    terminal: tuple[str, ...]
    """Below `line vty`."""
    banner: str
    discards: tuple[str, ...]
    """`ip route 10.0.0.0/10`: prefixes whose packets are dropped where nothing else leads to them."""
    extra: tuple[str, ...]
    discard_distance: int = DISCARD_DISTANCE

"""An NVUE file in the shape of its object model, ready to print in either dialect."""

from __future__ import annotations

import msgspec

from fabric.devices.model import DISCARD_DISTANCE
from fabric.devices.routing_model import CommunitySet, PeerGroup
from fabric.platforms.cumulus.model_services import Management, System
from fabric.platforms.cumulus.releases import Words
from fabric.platforms.routing.route_maps import Entry, PrefixList


class Kind(msgspec.Struct, frozen=True):
    """What ports of one kind share."""

    mtu: int | None
    speed: str
    negotiate: str
    """Of auto-negotiation; empty: its default, on."""
    reed_solomon: bool
    state: str
    adaptive: bool
    vlan: int
    tagged: bool
    """The VLAN has its tag, and what has none is dropped."""
    """Access VLAN; 0: routed."""
    profiles: Names | None
    """None: no queueing."""
    watched: bool
    trimmed: tuple[int, ...]
    """Traffic classes whose packets are cut, not dropped."""


class Port(msgspec.Struct, frozen=True, gc=False):
    """`interface swpN`."""

    name: str
    description: str
    kind: Kind
    four: tuple[str, ...]
    six: tuple[str, ...]
    prefixes: tuple[str, ...]
    """Told by router advertisements, for hosts that make their own addresses."""


class Gateway(msgspec.Struct, frozen=True):
    """`interface vlanN`: the gateway of a VLAN of hosts."""

    name: str
    vlan: int
    four: tuple[str, ...]
    six: tuple[str, ...]
    prefixes: tuple[str, ...]


class Relay(msgspec.Struct, frozen=True):
    """`service dhcp-relay default`."""

    servers: tuple[str, ...]
    downstream: tuple[str, ...]
    upstream: tuple[str, ...]


class Breakout(msgspec.Struct, frozen=True, gc=False):
    """The cage of split ports, or one that is disabled."""

    name: str
    mode: str
    lanes: int
    """Lanes of each part; 0: it has none."""


class Curve(msgspec.Struct, frozen=True):
    """`congestion-control` of one queue."""

    queue: int
    low: int
    high: int
    probability: int


class Share(msgspec.Struct, frozen=True):
    """`egress-scheduler` of one queue."""

    queue: int
    mode: str
    percent: int
    max_kbps: int = 0
    """`egress-shaper`; 0: none."""


class Names(msgspec.Struct, frozen=True):
    """The profiles that ports of one kind name; empty: none of that sort."""

    scheduler: str
    curves: str
    shaper: str
    pauses: str


class Pauses(msgspec.Struct, frozen=True):
    """`pfc` profile."""

    priorities: tuple[int, ...]
    cable: int


class Qos(msgspec.Struct, frozen=True):
    """`qos`."""

    dscp: tuple[tuple[int, int], ...]
    queues: tuple[tuple[int, int], ...]
    """Of all eight switch priorities."""
    schedulers: tuple[tuple[str, tuple[Share, ...]], ...]
    """Each sort by name."""
    curves: tuple[tuple[str, tuple[Curve, ...]], ...]
    shapers: tuple[tuple[str, tuple[Share, ...]], ...]
    pauses: tuple[tuple[str, Pauses], ...]
    lossless: bool
    marking: bool
    poll: int
    """Of the watchdog; 0: it does not run."""
    robustness: int


class Policies(msgspec.Struct, frozen=True):
    """`router policy`."""

    prefix_lists: tuple[PrefixList, ...]
    maps: tuple[tuple[str, tuple[Entry, ...]], ...]
    """What a rule sets are communities."""
    communities: tuple[CommunitySet, ...]


class Neighbor(msgspec.Struct, frozen=True, gc=False):
    """`neighbor`."""

    key: str
    group: str
    asn: int
    kind: str
    description: str


class Family(msgspec.Struct, frozen=True):
    """`vrf default router bgp address-family`."""

    version: int
    aggregates: tuple[str, ...]


class Bgp(msgspec.Struct, frozen=True):
    """`router bgp` and `vrf default router bgp`."""

    asn: int
    router_id: str
    keepalive: int
    hold: int
    bfd: int
    """Interval in milliseconds; 0: none."""
    multiplier: int
    paths: int
    families: tuple[Family, ...]
    groups: tuple[PeerGroup, ...]
    neighbors: tuple[Neighbor, ...]
    drained: bool
    """Every route carries GRACEFUL_SHUTDOWN (RFC 8326), which FRR takes from others with local preference 0."""


class NvueConfig(msgspec.Struct, frozen=True):
    """Everything in the file."""

    words: Words
    has_service: bool
    """Whether anything stands under `service`."""
    system: System
    management: Management
    loopback4: tuple[str, ...]
    loopback6: tuple[str, ...]
    breakouts: tuple[Breakout, ...]
    ports: tuple[Port, ...]
    vlans: tuple[int, ...]
    gateways: tuple[Gateway, ...]
    relay: Relay | None
    adaptive: bool
    qos: Qos | None
    bgp: Bgp
    policies: Policies
    discards: tuple[tuple[str, int], ...]
    """Prefix and IP version of what is dropped where nothing else leads to it."""
    extra: tuple[str, ...]
    discard_distance: int = DISCARD_DISTANCE

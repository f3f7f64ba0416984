"""An NVUE file in the shape of its object model, ready to print in either dialect."""

from __future__ import annotations

import msgspec


class Words(msgspec.Struct, frozen=True):
    """What differs by dialect. `on` is quoted: bare, YAML 1.1 readers take it for a boolean."""

    new: bool
    enable: str
    on: str
    off: str
    ecn: str


OLD = Words(new=False, enable="enable", on="'on'", off="'off'", ecn="enable")
NEW = Words(new=True, enable="state", on="enabled", off="disabled", ecn="enabled")


class Kind(msgspec.Struct, frozen=True):
    """What ports of one kind share."""

    mtu: int | None
    speed: str
    reed_solomon: bool
    state: str
    adaptive: bool
    profile: str
    """Of scheduling; empty: none."""
    pauses: bool
    marks: bool
    watched: bool


class Port(msgspec.Struct, frozen=True, gc=False):
    """`interface swpN`."""

    name: str
    description: str
    kind: Kind
    four: tuple[str, ...]
    six: tuple[str, ...]


class Breakout(msgspec.Struct, frozen=True, gc=False):
    """The cage of split ports."""

    name: str
    mode: str
    lanes: int
    """Lanes of each part; 0: all of the cage are used."""


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


class Profile(msgspec.Struct, frozen=True):
    """The profiles of one kind of port, all by one name."""

    name: str
    priorities: tuple[int, ...]
    cable: int
    curves: tuple[Curve, ...]
    shares: tuple[Share, ...]


class Qos(msgspec.Struct, frozen=True):
    """`qos`."""

    dscp: tuple[tuple[int, int], ...]
    queues: tuple[tuple[int, int], ...]
    profiles: tuple[Profile, ...]
    lossless: bool
    marking: bool
    poll: int
    """Of the watchdog; 0: it does not run."""
    robustness: int


class Clause(msgspec.Struct, frozen=True):
    """`route-map NAME rule N`."""

    rule: int
    action: str
    prefix_list: str = ""
    family: str = ""
    community_list: str = ""
    community: str = ""


class PrefixRule(msgspec.Struct, frozen=True):
    """`prefix-list NAME rule N`."""

    rule: int
    prefix: str
    shortest: int
    """0: exactly this prefix."""
    longest: int


class PrefixList(msgspec.Struct, frozen=True):
    """`router policy prefix-list`."""

    name: str
    family: str
    rules: tuple[PrefixRule, ...]


class Policies(msgspec.Struct, frozen=True):
    """`router policy`."""

    prefix_lists: tuple[PrefixList, ...]
    maps: tuple[tuple[str, tuple[Clause, ...]], ...]
    community_list: str
    community: str


class GroupFamily(msgspec.Struct, frozen=True):
    """`peer-group NAME address-family`."""

    name: str
    active: bool
    inbound: str
    outbound: str


class PeerGroup(msgspec.Struct, frozen=True):
    """`peer-group`."""

    name: str
    drained: bool
    bfd: bool
    own_asn: int
    password: str
    families: tuple[GroupFamily, ...]


class Neighbor(msgspec.Struct, frozen=True, gc=False):
    """`neighbor`."""

    key: str
    group: str
    asn: int
    kind: str
    description: str


class Family(msgspec.Struct, frozen=True):
    """`vrf default router bgp address-family`."""

    name: str
    paths: int
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
    families: tuple[Family, ...]
    groups: tuple[PeerGroup, ...]
    neighbors: tuple[Neighbor, ...]
    connected: str


class Key(msgspec.Struct, frozen=True):
    """An SSH key of a user."""

    name: str
    kind: str
    key: str


class User(msgspec.Struct, frozen=True):
    """`system aaa user`."""

    name: str
    role: str
    password: str
    logins: tuple[Key, ...]


class System(msgspec.Struct, frozen=True):
    """`system` and, up to 5.14, `service`."""

    hostname: str
    users: tuple[User, ...]
    hash_fields: tuple[tuple[str, bool], ...]
    dns: tuple[str, ...]
    domain: str
    ntp: tuple[str, ...]
    syslog: tuple[str, ...]
    vrf: str
    idle_minutes: int
    banner: str
    lldp: bool
    tacacs: tuple[str, ...]
    tacacs_secret: str
    accounting: bool


class Management(msgspec.Struct, frozen=True):
    """`interface eth0`."""

    vrf: str
    four: tuple[str, ...]
    six: tuple[str, ...]
    gateway4: str
    gateway6: str


class NvueConfig(msgspec.Struct, frozen=True):
    """Everything in the file."""

    words: Words
    system: System
    management: Management
    loopback4: tuple[str, ...]
    loopback6: tuple[str, ...]
    breakouts: tuple[Breakout, ...]
    ports: tuple[Port, ...]
    adaptive: bool
    qos: Qos | None
    bgp: Bgp
    policies: Policies
    extra: tuple[str, ...]

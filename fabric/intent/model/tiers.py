"""One network: its rails, planes, pods, and the tiers of switches."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.schema.scalar_types import (
    Auto,
    CageList,
    Count,
    CountOrZero,
    FilePath,
    Name,
    NameTemplate,
    Part,
    Ratio,
    Release,
    Text,
)
from fabric.intent.model.addressing import Addressing
from fabric.intent.model.infiniband import InfiniBand
from fabric.intent.model.layouts import Dragonfly, DragonflyPlus, Torus
from fabric.intent.model.routing import Routing
from fabric.units import Length, Speed


class Rails(Part, frozen=True, kw_only=True):
    """How the NICs of a host spread over the leaves of its unit. NIC k lands on rail k."""

    count: Annotated[int, Meta(ge=1, le=64)] | Auto = "auto"
    """Rails of the network; `auto`: as many as the NICs of the best-equipped host."""
    leaves: Annotated[int, Meta(ge=1, le=64)] | Auto = "auto"
    """Leaves of one unit and plane. Fewer than rails: several rails are folded on one leaf."""
    fold: Literal["block", "interleaved"] = "block"
    """`block`: rails 0 and 1 share leaf 0. `interleaved`: even rails on leaf 0, odd ones on leaf 1."""


class Planes(Part, frozen=True, kw_only=True):
    """Disjoint copies of the tiers. Port p of each NIC lands on plane p."""

    count: Annotated[int, Meta(ge=1, le=16)] = 1
    """Number of planes; each NIC has one port for each."""
    meet_at: Literal["none", "spine", "superspine"] = "none"
    """The lowest tier whose switches belong to all planes. `spine` with two planes is a dual-ToR."""
    subnets: Literal["joined", "separate"] = "joined"
    """`separate`, on InfiniBand: each plane is a subnet of its own, the network `NAME-pK`, with its own prefix, LIDs
    and managers. Port k of each NIC is in subnet k; NICs of one port are shared out equally. Attachments that name no
    plane stand in each, as `ATTACHMENT-pK`."""


class Pods(Part, frozen=True, kw_only=True):
    """Units are gathered in pods; superspines join the pods."""

    units: Count
    """Units of one pod."""


class Zones(Part, frozen=True, kw_only=True):
    """Two-tier fabrics side by side, joined spine to spine by a few links."""

    units: Count
    """Units of one zone."""
    links: CountOrZero = 1
    """Links from spine j of one zone to spine j of each other zone."""


class PortGroup(Part, frozen=True, kw_only=True):
    """The ports of a switch that face one way."""

    ports: Count | Auto = "auto"
    """How many ports face this way; `auto`: what hosts and sizing need."""
    speed_mbps: Speed | None = field(name="speed", default=None)
    """Default: the speed of the NICs, or of the tier below."""
    breakout: Annotated[int, Meta(ge=1, le=8)] | Auto = "auto"
    """Ports of one cage. Default: the most that the speed allows on this model."""
    cages: CageList | None = None
    """The explicit port map: cages in the order in which they are used."""
    fill: Literal["cage", "sub_port"] = "cage"
    """`cage`: all ports of a cage, then the next cage. `sub_port`: the first port of each cage, then the second."""


class Tier(Part, frozen=True, kw_only=True):
    """What leaves, spines and superspines have in common."""

    model: Annotated[Name, Meta(examples=["arista-7060x6-64pe"])]
    """A switch model of the hardware catalogue."""
    platform: Name | None = None
    """The software; default: the first that the catalogue lists for the model and that we have."""
    release: Release | None = None
    down: PortGroup = field(default_factory=PortGroup)
    """Ports towards hosts or the tier below."""
    up: PortGroup = field(default_factory=PortGroup)
    """Ports towards the tier above; in a torus or dragonfly towards other leaves."""
    reserved_ports: Annotated[
        CountOrZero,
        Meta(
            description="Downward ports of each switch that stay free for later. They get no uplinks: what storage "
            "brings there later counts in the ratio, so allow for it by `max_oversubscription`, or by `up.ports` now."
        ),
    ] = 0
    max_oversubscription: Ratio = "1:1"
    """Ceiling of downlink by uplink bandwidth; more is an error."""
    name: NameTemplate | None = None
    """Host names of the tier; default: role, pod, unit, rail, plane and index, as far as they differ."""
    role_name: Name | None = None
    """How people call the tier: `tor`, `agg`, `core`."""


class Leaf(Tier, frozen=True, kw_only=True):
    """The switches that hosts are cabled to."""


class Spine(Tier, frozen=True, kw_only=True):
    """The switches that join the leaves of a group."""

    count: Count | Auto = "auto"
    """Spines of one group: one plane of one pod, of one rail, or of the whole fabric (see `group_by`)."""
    installed: CountOrZero | None = None
    """Spines of each group that are there today; the leaf ports of the others stay free."""
    links_per_pair: Count | Auto = "auto"
    """Parallel links from a leaf to a spine."""
    group_by: Literal["auto", "none", "pod", "rail", "pod+rail"] = "auto"
    """Which leaves share a group of spines. Default: `pod` if there are pods, else `none`."""
    order: Literal["spine", "link"] = "spine"
    """Leaf uplinks in order: all links to spine 0 first, or the first link to each spine first."""


class Superspine(Tier, frozen=True, kw_only=True):
    """The switches that join the pods."""

    count: Count | Auto = "auto"
    """Superspines of one group."""
    installed: CountOrZero | None = None
    """Superspines of each group that are there today; the spine ports of the others stay free."""
    groups: Count | Auto = "auto"
    """Spine j of each pod and plane joins group j modulo the number of groups. Default: as many groups as spines."""
    links_per_pair: Count | Auto = "auto"
    """Parallel links from a spine to a superspine."""
    order: Literal["spine", "link"] = "spine"
    """Spine uplinks in order: all links to superspine 0 first, or the first link to each first."""


class Tiers(Part, frozen=True, kw_only=True):
    """The tiers of a network, bottom up. Without a spine the leaves stand alone (rail-only)."""

    leaf: Leaf
    """Switches that hosts are cabled to."""
    spine: Spine | None = None
    """Switches that join the leaves; without them the leaves stand alone."""
    superspine: Superspine | None = None
    """Switches that join the pods."""


class Cable(Part, frozen=True, kw_only=True):
    """The cables between two tiers."""

    length_m: Length = field(name="length")
    """Upper bound of the length. Headroom is computed from it."""
    kind: Literal["auto", "dac", "acc", "aec", "aoc", "mmf", "smf"] = "auto"
    """Passive or active copper, active optical, or optics with multi-mode or single-mode fibre."""
    links: Annotated[int, Meta(ge=1, le=8, description="Links that one cable carries.")] = 1
    split_at: Literal["upper", "lower"] = "upper"
    """The end at which the links of one cable share a cage; at the other they may go to several devices."""


class Cables(Part, frozen=True, kw_only=True):
    """Cables by the pair of tiers that they join."""

    host_leaf: Cable = field(default_factory=lambda: Cable(length_m=Length(5)))
    """From hosts to leaves."""
    leaf_spine: Cable = field(default_factory=lambda: Cable(length_m=Length(40)))
    """From leaves to spines."""
    spine_superspine: Cable = field(default_factory=lambda: Cable(length_m=Length(300)))
    """From spines to superspines."""
    zone: Cable = field(default_factory=lambda: Cable(length_m=Length(300)))
    """From one zone, or group of a dragonfly, to another."""
    local: Cable = field(default_factory=lambda: Cable(length_m=Length(20)))
    """Between leaves of one group of a dragonfly, or neighbours in a torus."""


class Network(Part, frozen=True, kw_only=True):
    """One fabric: hosts' NICs of one kind and the switches that join them."""

    technology: Literal["ethernet", "infiniband"] = "ethernet"
    """What the switches speak."""
    description: Text | None = None
    """For people."""
    rails: Rails | Literal["auto", "none"] = "auto"
    """Default: as many as the NICs of the hosts. `none`: all NICs of a host on the same leaf (rack ToR)."""
    planes: Planes = field(default_factory=Planes)
    """Disjoint copies of the tiers."""
    pods: Pods | None = None
    """How units are gathered in pods; default: no pods."""
    zones: Zones | None = None
    """Two-tier fabrics side by side; default: one."""
    layout: Torus | Dragonfly | DragonflyPlus | None = None
    """Another layout than a tree. On Ethernet: topology and cables only. Default: a tree of the `tiers`."""
    tiers: Tiers
    """Leaf, spine, superspine."""
    cables: Cables = field(default_factory=Cables)
    """Length and kind of the cables."""
    addressing: Addressing = field(default_factory=Addressing)
    """Addresses and AS numbers."""
    routing: Routing = field(default_factory=Routing)
    """BGP, BFD, ECMP, hashing."""
    lossless: FilePath | None = "roce-lossless"
    """A ready policy (`roce-lossless`, `roce-lossy`), or the path of a policy file beside the intent."""
    ip_mtu_bytes: Annotated[int, Meta(ge=1280, le=9214)] = field(name="ip_mtu", default=9000)
    """What IP sees, the same at both ends of every link."""
    infiniband: InfiniBand = field(default_factory=InfiniBand)
    """The subnet, where `technology` is `infiniband`."""
    prefix: (
        Annotated[
            str,
            Meta(
                pattern=r"^(?:[a-z][a-z0-9-]{0,30})?$(?!\n)",
                description="The beginning of a DNS label, or nothing.",
                examples=["st-"],
            ),
        ]
        | None
    ) = None
    """Put before the names of its switches. Default: nothing for `compute`, `NAME-` for the others."""

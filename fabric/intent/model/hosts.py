"""Hosts and the other things that hang on a fabric."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.schema.scalar_types import (
    Asn,
    CageList,
    Count,
    CountOrZero,
    Name,
    NameTemplate,
    Part,
    Prefix,
    SecretRef,
    Text,
)
from fabric.intent.model.attachment_links import DEFAULT_SUBNET_LENGTH, AttachmentLink, SubnetLength, VlanId
from fabric.intent.model.infiniband import Partition
from fabric.intent.model.systems import HostSystem
from fabric.units import Length, Speed


class HostNics(Part, frozen=True, kw_only=True):
    """The NICs that a host of one group has in one network."""

    count: Annotated[int, Meta(ge=1, le=64, description="NICs of one host in this network.")]
    ports: Annotated[int, Meta(ge=1, le=16, description="Ports of one NIC; port p lands on plane p.")] = 1
    speed_mbps: Speed = field(name="speed")
    """Speed of one port."""
    first_rail: Literal["zero", "alternate"] = "zero"
    """Where NIC 0 lands if a host has fewer NICs than the network has rails: always on rail 0, or hosts
    take turns so that all rails fill evenly."""


class HostGroup(Part, frozen=True, kw_only=True):
    """Hosts of one kind. Every unit holds the same number of them."""

    model: Annotated[
        Name | None,
        Meta(
            description="A host model of the catalogue; gives GPUs, scale-up domain and NICs.",
            examples=["dgx-h100-h200"],
        ),
    ] = None
    per_unit: Annotated[
        Count | Literal["auto"],
        Meta(
            description="Hosts of this group in a full unit. `auto` with `total` searches the fewest switches."
        ),
    ]
    total: Annotated[Count | None, Meta(description="All hosts of the group, with `per_unit: auto`.")] = None
    last_unit: Annotated[
        CountOrZero | None,
        Meta(
            description="Hosts installed in the last unit, if it is only partly filled. Its cabling is complete."
        ),
    ] = None
    spare_per_unit: Annotated[
        CountOrZero,
        Meta(
            description="Spare hosts of a unit: cabled, addressed and given uplinks like all others, outside the count."
        ),
    ] = 0
    gpus: (
        Annotated[int, Meta(ge=0, le=1024, description="GPUs of one host; the model's by default.")] | None
    ) = None
    scale_up_domain_gpus: Annotated[
        Count | None, Meta(description="GPUs joined by NVLink or its like; the model's by default.")
    ] = None
    name: NameTemplate | None = None
    """Default: the group's name, unit and position, such as `gpu-03-017`."""
    nics: dict[Name, HostNics] = field(default_factory=dict)
    """By network. Default: the model's back-end NICs in `compute`, its storage NICs in `storage`."""
    system: HostSystem | None = None
    """How the hosts name their NICs, and who sets them. Default: no files are made for hosts."""


class ExternalBgp(Part, frozen=True, kw_only=True):
    """An eBGP session with a router that is not ours."""

    asn: Asn
    """AS number of the other side."""
    password: SecretRef | None = None
    """TCP MD5 secret of the session."""
    bfd: bool = False
    """Watch the session by BFD, with the timers of the network's `routing.bfd`. The other side must do so too."""
    ttl_security: bool = False
    """GTSM (RFC 5082): refuse packets of the session that come from further than the link. The other side must
    send with a TTL of 255."""
    max_prefixes: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    """Tear the session down when it sends more prefixes than that; default: no limit."""
    prefixes: tuple[Prefix, ...] = ()
    """What we accept from it. Nothing else is imported. Where one of them covers a pool of the network, the switch
    drops what is for that pool and has no better route, so that it does not leave by this router."""
    default_route: bool = False
    """Accept the default route of each family of the session, beside `prefixes`, and drop what is for the network's
    own pools and has no better route."""
    advertise: tuple[Prefix, ...] = ()
    """What is advertised to it: every route of the network that lies in one of these prefixes. Default: nothing."""


class AttachTo(Part, frozen=True, kw_only=True):
    """Where the links of an attachment land: one port on each of the chosen switches in turn.

    Chosen of those that are installed when it is first compiled; `fabric.lock` keeps switch and port from then on.
    """

    tier: Literal["leaf", "spine", "superspine"] = "leaf"
    """Switches that it is cabled to."""
    unit: Annotated[
        CountOrZero | Literal["last"] | None,
        Meta(
            description="Unit of the leaves. `last`: the last one when it is first compiled; it stays there."
        ),
    ] = None
    rails: tuple[CountOrZero, ...] = ()
    """Only leaves of these rails; default: all."""
    planes: tuple[CountOrZero, ...] = ()
    """Only switches of these planes; default: all."""
    pod: CountOrZero | None = None
    """Only switches of this pod; default: all."""
    index: tuple[CountOrZero, ...] = ()
    """Indices within the group, for spines and superspines; within the unit, for leaves without rails."""
    host_slot: Annotated[
        CountOrZero | None, Meta(description="Take the ports of this host position, which must be empty.")
    ] = None
    cages: CageList | None = None
    """The very cages, the same on each switch. Default: the first reserved ports."""


class Attachment(Part, frozen=True, kw_only=True):
    """A thing on the fabric that is not a GPU host: storage, a border router, a subnet manager."""

    network: Name
    """The network it hangs on."""
    kind: Literal["storage", "router", "subnet_manager", "other"]
    """What it is; decides which classes its ports carry and whether it may speak BGP."""
    links: Count
    """Number of its links, spread over the switches of `to` in turn."""
    speed_mbps: Speed = field(name="speed")
    to: AttachTo = field(default_factory=AttachTo)
    """Where its links land."""
    cable_m: Length = field(name="cable", default_factory=lambda: Length(30))
    ip_mtu_bytes: Annotated[int, Meta(ge=1280, le=9214)] | None = field(name="ip_mtu", default=None)
    """What IP sees on its links, the same at both ends; default: that of the network."""
    bgp: ExternalBgp | None = None
    """Only for `router`."""
    addresses: tuple[AttachmentLink, ...] = ()
    """Addresses of each link in order; default: from the end of the host pool, of every family that hosts have. They
    are advertised and accepted in the whole network, as those of hosts. With `vlan`, `ours` is the gateway, the same
    for all links of a switch; with `lacp` one pair is enough, for the bundle has one address."""
    vlan: VlanId | None = None
    """Its ports switch in this VLAN, whose gateway is on the leaf: each leaf that it lands on has a subnet of its own.
    Default: its links are routed."""
    tagged: bool = False
    """Its ports carry the VLAN with a tag, and nothing else; default: untagged."""
    lacp: bool = False
    """Its links are one LACP bundle, all to one leaf. On a `host_slot` of a network whose hosts are bonded over two
    leaves it is bonded as they are, without this key."""
    prefix_length: SubnetLength = DEFAULT_SUBNET_LENGTH
    """IPv4 prefix length of the subnets of `vlan`, if `addresses` does not say; those of IPv6 are a /64."""
    lossless: bool | None = None
    """Whether its ports carry the lossless classes; default: storage yes, the rest no."""
    description: Text | None = None

    @property
    def is_queued(self) -> bool:
        """Whether the network's policy holds on its ports."""
        return self.kind == "storage" if self.lossless is None else self.lossless


class Tenant(Part, frozen=True, kw_only=True):
    """Some hosts that may talk to each other. Becomes a VRF on Ethernet, a partition on InfiniBand."""

    hosts: tuple[Name, ...] = ()
    """Hosts by name."""
    units: tuple[CountOrZero, ...] = ()
    """All hosts of these units, counted from 0."""
    rails: tuple[CountOrZero, ...] = ()
    """Only the NICs of these rails, counted from 0; default: all."""
    groups: tuple[Name, ...] = ()
    """Host groups."""
    tags: tuple[Name, ...] = ()
    """Hosts that the inventory gives one of these tags."""
    attachments: tuple[Name, ...] = ()
    """Attachments by name, beside the hosts."""
    vrf: Name | None = None
    """Name of its VRF; default: the tenant's name."""
    partition: Partition | None = None
    """Its partition, on InfiniBand."""
    networks: tuple[Name, ...] = ()
    """Networks in which the tenant is kept apart; default: all."""


__all__ = [
    "AttachTo",
    "Attachment",
    "AttachmentLink",
    "ExternalBgp",
    "HostGroup",
    "HostNics",
    "Tenant",
]

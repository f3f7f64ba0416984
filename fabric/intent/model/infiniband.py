"""InfiniBand: the subnet of a network, its managers, its service levels, and what tenants become there."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.schema.scalar_types import Count, CountOrZero, Name, Part, SecretRef
from fabric.units import END

Engine = Literal[
    "auto", "ftree", "updn", "dnup", "minhop", "dor", "lash", "torus-2qos", "nue", "dfsssp", "sssp", "file"
]
"""Routing engines of OpenSM. `auto` chooses by layout."""
Fallback = Literal["ftree", "updn", "dnup", "minhop", "dor", "lash", "torus-2qos", "nue", "dfsssp", "sssp"]
"""Routing engines that may take over from another one."""

SubnetPrefix = Annotated[
    str,
    Meta(
        pattern=rf"^0x[0-9a-f]{{16}}{END}",
        description="64 bits in hexadecimal.",
        examples=["0xfe80000000000000"],
    ),
]
PKey = Annotated[
    str,
    Meta(
        pattern=rf"^0x[0-9a-f]{{1,4}}{END}",
        description="A partition key of 15 bits in hexadecimal, without the membership bit.",
        examples=["0x1001"],
    ),
]

Digest = Annotated[
    str,
    Meta(
        pattern=rf"^[0-9a-f]{{16}}{END}",
        description="The digest of a cabling, as `fabric verify` and the error about a wrong one say it.",
        examples=["3b0c44298fc1c149"],
    ),
]


class ServiceLevel(Part, frozen=True, kw_only=True):
    """A class of traffic: the service level that packets carry, and the virtual lane that it is sent on."""

    service_level: Annotated[int, Meta(ge=0, le=15)]
    """SL in the packet's header."""
    virtual_lane: Annotated[int, Meta(ge=0, le=7)]
    """VL on every link: its own buffer and credits."""
    weight: Annotated[int, Meta(ge=0, le=255)] = 64
    """Share of the lane among the low-priority ones, in units of 64 bytes."""
    high_weight: Annotated[int, Meta(ge=0, le=255)] = 0
    """Share of the lane in the high-priority table; 0: not in it."""


class SubnetKeys(Part, frozen=True, kw_only=True):
    """Keys that guard the management of the subnet. Needed as soon as tenants are kept apart by partitions."""

    management_key: SecretRef
    """Reference to the M_Key, 64 bits in hexadecimal: who does not know it cannot set a port."""
    protection_level: Annotated[int, Meta(ge=0, le=3)] = 2
    """What a port answers to somebody without the M_Key: 0 everything read, 2 and 3 nothing."""
    lease_s: Annotated[int, Meta(ge=0, le=65535)] = 0
    """After so many seconds without the master a port drops the M_Key; 0: never."""
    administration_key: SecretRef
    """Reference to the SA_Key: who does not know it sees only its own records."""
    manager_key: SecretRef | None = None
    """Reference to the SM_Key, the same for all managers of the subnet: OpenSM ignores a manager that has another
    one, so that a stranger's never becomes the master. Change it on all of them at once. OpenSM only."""


class SubnetManagerHost(Part, frozen=True, kw_only=True):
    """Who runs a subnet manager: an attachment, or a host of the fabric."""

    attachment: Name | None = None
    """An attachment of kind `subnet_manager`."""
    host: Name | None = None
    """A host, in place of an attachment. The manager uses its first NIC."""
    priority: Annotated[int, Meta(ge=0, le=15)]
    """The highest becomes the master. Each has its own."""
    plane: Annotated[int, Meta(ge=0, le=15)] | None = None
    """The plane whose subnet it manages, where `planes.subnets` is `separate`. Default for attachments: each plane."""


class InfiniBand(Part, frozen=True, kw_only=True):
    """The subnet that an InfiniBand network is."""

    platform: Name | None = None
    """The product that manages it. Default: the first that the catalogue lists for the leaves and that we have."""
    managers: tuple[SubnetManagerHost, ...] = ()
    """Default: the attachments of kind `subnet_manager` in the order of their names, priority 14 and downwards."""
    prefix: SubnetPrefix = "0xfe80000000000000"
    """Upper half of all GIDs."""
    engine: Engine = "auto"
    """How routes are computed."""
    fallback: tuple[Fallback, ...] | None = None
    """Engines that take over, in this order, when the first cannot route what is connected: a cable at the wrong
    place or a host at a spine may be enough. Default: those that make no loops of credits in the layout, whatever
    is connected. `[]`: none, and nothing is routed anew until the cause is removed. OpenSM only."""
    adaptive_routing: bool | None = None
    """Switches choose among the routes packet by packet. UFM only, and its default where the switches do it."""
    sharp: bool = False
    """Switches reduce for collectives. UFM only."""
    enforce_cabling: Digest | None = None
    """Links that are not of the design are not even discovered: the digest of the cabling that was verified.
    UFM only."""
    lmc: Annotated[int, Meta(ge=0, le=7)] = 0
    """Each HCA port gets 2**LMC LIDs, and as many routes."""
    first_lid: Annotated[int, Meta(ge=1, le=0xBFFF)] = 1
    """LIDs are given by position from here on; 48K is the end."""
    mtu_bytes: Literal[2048, 4096] = field(name="mtu", default=4096)
    """Largest packet of the subnet."""
    service_levels: dict[Name, ServiceLevel] = field(
        default_factory=lambda: {"default": ServiceLevel(service_level=0, virtual_lane=0)}
    )
    """Classes of traffic by name; `default` is what nobody asked for."""
    high_limit: Annotated[int, Meta(ge=0, le=255)] = 10
    """Packets of high priority before one of low priority must be let through, in units of 4 KiB; 255: no limit."""
    keys: SubnetKeys | None = None
    """Who may manage the subnet."""


class Members(Part, frozen=True, kw_only=True):
    """HCA ports of a network; what is given must all hold, and nothing given is nobody."""

    hosts: tuple[Name, ...] = ()
    """Hosts by name."""
    groups: tuple[Name, ...] = ()
    """Host groups."""
    tags: tuple[Name, ...] = ()
    """Hosts that the inventory gives one of these tags."""
    units: tuple[CountOrZero, ...] = ()
    """All hosts of these units, counted from 0."""
    rails: tuple[CountOrZero, ...] = ()
    """Only the NICs of these rails, counted from 0; default: all."""
    attachments: tuple[Name, ...] = ()
    """Attachments by name, beside the hosts."""


class Partition(Part, frozen=True, kw_only=True):
    """What a tenant becomes on InfiniBand. Its hosts are full members."""

    pkey: PKey
    """Partition key, the same for the tenant's life."""
    limited: Members = field(default_factory=Members)
    """Ports that may talk to full members only, not to each other: clients of a storage."""
    ipoib: bool = True
    """IP over InfiniBand runs on it."""
    index0: bool = False
    """The key stands first in the ports' tables, where programs that know of no partitions look."""
    service_level: Name = "default"
    """A class of `infiniband.service_levels`."""
    rate_limit_gbps: Count | None = None
    """Of its IPoIB group. Default: the slowest port's."""


__all__ = [
    "Engine",
    "InfiniBand",
    "Members",
    "Partition",
    "ServiceLevel",
    "SubnetKeys",
    "SubnetManagerHost",
]

"""What a switch or host model can do. One file a model under `models/`, each number with its source."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field

from fabric.units import Length, Speed


class Fact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the catalogue's records."""


class CageGroup(Fact, frozen=True, kw_only=True):
    """Cages of one kind on the front panel."""

    cages: Annotated[str, Meta(description="`1-64`, or `3/1-36` on a chassis (slot/cage).")]
    form: str
    lanes: int
    """Electrical lanes of one cage."""
    lane_mbps: Speed = field(name="lane_speed")
    """Fastest rate of one lane."""
    max_mbps: Speed = field(name="max_speed")
    """Of a whole cage."""
    breakouts: tuple[str, ...]
    """Allowed modes, as `2x400G`."""
    role: Literal["fabric", "service"] = "fabric"
    source: str


class Limit(Fact, frozen=True, kw_only=True):
    """What the list of breakouts does not say."""

    rule: str
    source: str
    modes: tuple[str, ...] = ()
    """Modes concerned, as `8x100G`."""
    only_cages: Literal["odd", "even"] | None = None
    """The mode works only there, and the neighbouring cage must stay empty."""


class Buffer(Fact, frozen=True, kw_only=True):
    """Packet buffer."""

    total_bytes: int
    """For all ports, or per core if `scope` says so. A lower bound where only that is published."""
    scope: Literal["switch", "core"] = "switch"
    source: str


class Software(Fact, frozen=True, kw_only=True):
    """A network operating system that runs on the model, by the name of our platform."""

    name: str
    queue_model: str | None = None
    """What the platform must know of the ASIC family to pick its syntax."""
    hwsku: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    """What the hardware decides for the platform: lanes, aliases, breakout strings. Only it reads them."""
    adaptive_routing: bool = False
    """Whether its subnet manager lets these switches route adaptively unless told otherwise."""
    source: str


class SwitchModel(Fact, frozen=True, kw_only=True):
    """A switch of the catalogue."""

    id: str
    vendor: str
    model: str
    technology: Literal["ethernet", "infiniband"] = "ethernet"
    asic: str
    bandwidth_mbps: Speed | None = field(name="bandwidth", default=None)
    """One direction, fabric cages only."""
    cages: tuple[CageGroup, ...]
    max_ports: int | None = None
    """Most logical ports of the whole switch."""
    limits: tuple[Limit, ...] = ()
    buffer: Buffer | None = None
    software: tuple[Software, ...] = ()
    """The preferred one first."""
    headroom_tables: tuple[str, ...] = ()
    """Published tables of this model, by sku."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What else is published, as found: features, roles, traps. Nothing is decided by it."""
    source: str


class Asic(Fact, frozen=True, kw_only=True):
    """Buffer constants of an ASIC family."""

    name: str
    cell_bytes: int
    pipeline_latency_bytes: int | None = None
    mac_phy_delay_bytes: int | None = None
    peer_response_bytes: int | None = None
    """The vendor's peer response time; null: 802.3 pause quanta."""
    extra_latency_ns: int = 0
    source: str


class NicSet(Fact, frozen=True, kw_only=True):
    """NICs of a host that serve one purpose."""

    count: int
    ports: int = 1
    speed_mbps: Speed = field(name="speed")
    """Of one port."""
    nic: str | None = None


class HostModel(Fact, frozen=True, kw_only=True):
    """A GPU host of the catalogue."""

    id: str
    model: str
    gpus: int
    scale_up_domain_gpus: int
    nics: dict[Literal["compute", "storage"], NicSet]
    facts: dict[str, Any] = field(default_factory=dict)
    """Port maps and device names, as published."""
    source: str


class HeadroomRow(Fact, frozen=True, kw_only=True):
    """One published row of a vendor's headroom table."""

    speed_mbps: Speed = field(name="speed")
    cable_m: Length = field(name="cable")
    size_bytes: int
    resume_bytes: int
    headroom_bytes: int
    """The vendor's `xoff`: a size, in spite of its name."""
    threshold: int = 0
    """Exponent of the dynamic alpha, as published."""
    resume_offset_bytes: int | None = None
    """The vendor's `xon_offset`; None: the table has no such column."""


class PortSlot(msgspec.Struct, frozen=True, gc=False):
    """A logical port of a switch: which part of which cage, at what speed. Names of products come from it."""

    slot: int
    """Line card of a chassis, 0 on a fixed switch."""
    cage: int
    """As printed on the front panel."""
    sub_port: int
    """0 to `sub_ports` - 1."""
    sub_ports: int
    """Ports into which the cage is split; 1: not split."""
    first_lane: int
    """0-based, within the cage."""
    lanes: int
    """Lanes that this port uses."""
    cage_lanes: int
    """Lanes that the cage has."""
    speed_mbps: int


class HeadroomTable(Fact, frozen=True, kw_only=True):
    """One published headroom table."""

    sku: str
    model: str
    asic: str
    cell_bytes: int | None = None
    """Where the table's own files state it."""
    extra_latency_ns: int | None = None
    """What stands between the ASIC and the ports of this model, both ways: a gearbox."""
    is_reported: bool = False
    """Told by somebody, without the file at hand: holds for its own model, and not for others with the same ASIC."""
    same_rows_on_another_asic: tuple[str, ...] = ()
    """Tables with the same numbers on other silicon: a sign that they were copied, not measured."""
    rows: tuple[HeadroomRow, ...]
    source: str

"""Lossless-queue policy: classes, ECN, PFC, watchdog. A file of its own, to be copied and reviewed."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.schema.scalar_types import Auto, Dscp, Name, Part, Percent, Text, Three
from fabric.units import Bytes, Duration

SMALLEST_FRAME_BYTES = 64
"""802.3 minimum. Source of its use as worst case: cfgmgr/buffer_headroom_mellanox.lua, sonic-swss @18913fa."""


class EcnCurve(Part, frozen=True, kw_only=True):
    """Marking: none below kmin, pmax percent at kmax, all above."""

    kmin_bytes: Bytes = field(name="kmin")
    """Queue length below which nothing is marked."""
    kmax_bytes: Bytes = field(name="kmax")
    """Queue length from which all is marked."""
    pmax_percent: Annotated[int, Meta(ge=1, le=100)] = field(name="pmax", default=100)
    """Share of packets that is marked at kmax."""


class TrafficClass(Part, frozen=True, kw_only=True):
    """One class of traffic, the same on every hop and NIC."""

    dscp: tuple[Dscp, ...] | Literal["rest"]
    """`rest`: every code point that no other class has. Exactly one class has it."""
    traffic_class: Three
    """Internal class that the code points map to."""
    priority: Annotated[Three | None, Meta(description="802.1Qbb priority that PFC pauses; none: lossy.")] = (
        None
    )
    queue: Three
    """Egress queue."""
    share: Annotated[
        Percent | None, Meta(description="Percent of the bandwidth that the strict queues leave.")
    ] = None
    strict: bool = False
    """Served before all classes that have a share."""
    max_rate_percent: Annotated[
        Annotated[int, Meta(ge=1, le=99)] | None,
        Meta(
            description="Percent of the port's speed that a strict class may take at most, so that whoever marks "
            "packets with its code points cannot starve the others."
        ),
    ] = field(name="max_rate", default=None)
    ecn: EcnCurve | Auto | Literal["none"] = "none"
    """Marking curve; `auto`: computed from speed and round trip."""
    description: Text | None = None


class Watchdog(Part, frozen=True, kw_only=True):
    """Stops a queue that is paused for too long from stopping the fabric."""

    action: Literal["drop", "forward", "notify"] = "drop"
    """What happens to the queue: its packets are dropped, or forwarded, or the event is only reported."""
    detect_ms: Duration = field(name="detect", default_factory=lambda: Duration(200))
    """Time of being paused after which the queue counts as stuck."""
    restore_ms: Duration = field(name="restore", default_factory=lambda: Duration(200))
    """Time without pause frames after which the queue works again."""
    poll_ms: Duration | None = field(name="poll", default=None)
    """Default: half of the shorter one, as far as the product allows."""


class Trimming(Part, frozen=True, kw_only=True):
    """Packets that a full queue would drop are cut to their first bytes and sent on.

    The receiver learns of each loss at once, and asks for that packet again.
    """

    size_bytes: Bytes = field(name="size", default_factory=lambda: Bytes(256))
    """What is left of a packet, a multiple of 4."""
    classes: tuple[Name, ...]
    """Lossy classes whose packets are cut."""
    into: Name
    """The strict, lossy class that cut packets travel in, marked by its first code point."""


HeadroomMode = Literal["safe", "formula", "vendor-table"]


class HeadroomRule(Part, frozen=True, kw_only=True):
    """How headroom is computed where the lossless classes carry nothing but RoCE."""

    mode: HeadroomMode = "safe"
    """As the single word."""
    smallest_frame_bytes: Bytes = field(name="smallest_frame")
    """The smallest frame that fills the buffer at worst, from the first byte of Ethernet to the last of its check
    sequence. RDMA data of 1024 bytes is a frame of 1086."""


class LosslessPolicy(Part, frozen=True, kw_only=True):
    """What happens to each class of traffic on every port of a network."""

    description: Text | None = None
    classes: dict[Name, TrafficClass]
    """Traffic classes by name."""
    cnp: Name | None = None
    """The class of the congestion notification packets."""
    watchdog: Watchdog | Literal["none"] = field(default_factory=Watchdog)
    """PFC watchdog; `none` switches it off."""
    trim: Trimming | Literal["none"] = "none"
    """Packet trimming of lossy classes."""
    headroom: HeadroomMode | HeadroomRule = "safe"
    """`safe`: the larger of the 802.3 formula and the vendor's table, for frames of 64 bytes."""
    marking_depth_bytes: Bytes | None = field(name="marking_depth", default=None)
    """A full queue on products that mark at percent of one (Junos). Default: as docs/lossless.md says."""
    round_trip_us: (
        Annotated[int, Meta(ge=1, le=1000, description="Base round-trip time, microseconds.")] | Auto
    ) = "auto"
    """Default: from the cables and a forwarding delay per hop."""
    incast: Annotated[
        int, Meta(ge=2, le=4096, description="Senders to one port for which ECN shall act before PFC.")
    ] = 8

    @property
    def headroom_mode(self) -> HeadroomMode:
        """The mode of headroom, whichever way it is written."""
        return self.headroom.mode if isinstance(self.headroom, HeadroomRule) else self.headroom

    @property
    def smallest_frame_bytes(self) -> int:
        """The smallest frame that headroom counts with."""
        rule = self.headroom
        return int(rule.smallest_frame_bytes) if isinstance(rule, HeadroomRule) else SMALLEST_FRAME_BYTES

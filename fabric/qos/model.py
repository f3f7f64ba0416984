"""Queueing of one kind of port in numbers: what the arithmetic of this package makes of a policy.

Words: *pause threshold* is where PFC pauses the sender (xoff), *resume threshold* where it lets it go on
(xon), *headroom* what must still fit after the pause was sent. All sizes in bytes.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec


class EcnMarking(msgspec.Struct, frozen=True):
    """The marking curve of one queue on one kind of port."""

    kmin_bytes: int
    kmax_bytes: int
    pmax_percent: int
    computed: bool
    """Made from speed and round trip (`ecn: auto`), not written by the user."""

    def in_units(self, unit_bytes: int) -> tuple[int, int]:
        """Both thresholds in whole units, the nearest ones; at least 1, and the second not below the first."""
        low = max(1, (self.kmin_bytes + unit_bytes // 2) // unit_bytes)
        return low, max(low, (self.kmax_bytes + unit_bytes // 2) // unit_bytes)


class ClassQueueing(msgspec.Struct, frozen=True):
    """One traffic class, with all numbers of this kind of port."""

    name: str
    dscp: tuple[int, ...]
    """`rest` is resolved: every code point stands in exactly one class."""
    is_rest: bool
    traffic_class: int
    priority: int | None
    """802.1Qbb priority that is paused; None: lossy."""
    queue: int
    share_percent: int | None
    strict: bool
    ecn: EcnMarking | None
    is_cnp: bool
    max_rate_percent: int | None = None
    """Of the port's speed, that a strict class may take at most; None: all of it."""

    def max_rate_mbps(self, speed_mbps: int) -> int | None:
        """The same in Mb/s on a port of this speed, rounded down."""
        return None if self.max_rate_percent is None else speed_mbps * self.max_rate_percent // 100


class Headroom(msgspec.Struct, frozen=True):
    """Headroom of one lossless priority of one port, and where it comes from."""

    headroom_bytes: int
    resume_bytes: int
    """What `size` adds to the headroom in tables that have one; 0 where none is published."""
    formula_bytes: int
    table_bytes: int | None
    reason: str
    """One line for people: which one won and why."""
    safe_bytes: int = 0
    """What `headroom: safe` would give: for frames of 64 bytes, and not below a published row."""


class WatchdogTimers(msgspec.Struct, frozen=True):
    """PFC watchdog: consistent with its own polling."""

    action: str
    """`drop`, `forward` or `notify`."""
    detect_ms: int
    restore_ms: int
    poll_ms: int


class PortQueueing(msgspec.Struct, frozen=True):
    """Everything about queues that a port of a given speed and cable needs. Shared by all such ports."""

    name: str
    """Stable and short: `lossless-400g-40m`."""
    speed_mbps: int
    cable_m: int
    classes: tuple[ClassQueueing, ...]
    """Ordered by traffic class."""
    headroom: Headroom | None
    """None: no lossless class."""
    cable_is_assumed: bool = False
    """Nobody stated the length: it is the default."""

    @property
    def priorities(self) -> tuple[int, ...]:
        """The paused priorities, ascending."""
        return tuple(sorted(c.priority for c in self.classes if c.priority is not None))


class TrimmedPackets(msgspec.Struct, frozen=True):
    """Packet trimming: what becomes of packets that would be dropped."""

    size_bytes: int
    """Left of each."""
    dscp: int
    """That they are marked with."""
    traffic_class: int
    queue: int
    """That they are sent from."""
    queues: tuple[int, ...]
    """Whose packets are cut."""


class BufferBudget(msgspec.Struct, frozen=True):
    """What the headroom of all ports takes of an ASIC's buffer."""

    buffer_bytes: int
    headroom_bytes: int
    share: Fraction
    ecn_first_below_bytes: int | None
    """ECN acts before PFC on all ports at once iff kmin is below this; None where that cannot hold."""
    statement: str
    """What may be claimed: for which incast and occupancy ECN acts first, or that it does not."""


class Queueing(msgspec.Struct, frozen=True):
    """The queueing of one switch."""

    policy: str
    profiles: tuple[PortQueueing, ...]
    """One for each kind of port, ordered by name."""
    watchdog: WatchdogTimers | None
    budget: BufferBudget | None
    """None where the catalogue knows no buffer."""
    trimming: TrimmedPackets | None = None
    """None: packets are dropped."""
    marking_depth_bytes: int | None = None
    """What counts as a full queue where a product marks at percent of one; None: as the product's own pages say."""


class PortKind(msgspec.Struct, frozen=True, order=True):
    """Ports of a switch that need the same queueing."""

    speed_mbps: int
    cable_m: int
    count: int = 0


class BufferTiming(msgspec.Struct, frozen=True, kw_only=True):
    """What the headroom formula must know of an ASIC. The catalogue's numbers, passed by `fabric.devices`."""

    cell_bytes: int
    mac_phy_delay_bytes: int
    peer_response_bytes: int | None
    """None: the pause quanta of 802.3 annex 31B."""
    extra_latency_ns: int
    pipeline_latency_bytes: int | None


class TableRow(msgspec.Struct, frozen=True):
    """One published headroom row."""

    speed_mbps: int
    cable_m: int
    headroom_bytes: int
    resume_bytes: int

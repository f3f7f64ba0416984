"""What a device says of itself while it runs, in neutral words: the form in which drivers answer.

Every number that a product does not tell is None, never a guess: a gate that looks at it says that it could not.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec


class PendingCommit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit that waits for its confirmation on a device."""

    change: str
    """The name that it was given (`Driver.name_change`); of somebody else's, whatever the device calls it."""
    owner: str = ""
    """User who made it, as far as the device tells."""
    left_s: float | None = None
    """Until the device takes it back, by the device's own clock; None: it does not tell."""


class OpenCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate that was loaded and neither committed nor dropped: on many products it locks others out."""

    change: str
    """Its name, or what the device calls it."""
    owner: str = ""
    since_s: float | None = None
    """How long ago it was opened; None: the device does not tell."""


class BgpSession(msgspec.Struct, frozen=True, kw_only=True):
    """One BGP session, in the default VRF or the fabric's."""

    is_up: bool
    remote_asn: int | None = None
    port: str = ""
    """Of an unnumbered session."""
    hold_s: float | None = None
    """Hold time as negotiated: so long a dead session may look alive."""
    bfd_is_up: bool | None = None
    """None: no BFD on it, or the device does not tell."""
    received: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Prefixes by family (`ipv4`, `ipv6`) as the neighbour sent them."""
    installed: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Those of them that were accepted."""


EVERY_PRIORITY = -1
"""Where a product counts PFC frames of all priorities together."""


class PortState(msgspec.Struct, frozen=True, kw_only=True):
    """One port, and its counters since whenever the device began to count."""

    is_up: bool
    speed_mbps: int | None = None
    fec: str | None = None
    """In the product's own word: only changes of it are judged."""
    mtu_bytes: int | None = None
    received_bytes: int | None = None
    sent_bytes: int | None = None
    errors: int | None = None
    """Frames received with errors, those that FEC could not correct among them."""
    discards: int | None = None
    """Packets dropped in either direction for want of room."""
    pause_received: Mapping[int, int] = msgspec.field(default_factory=dict)
    """PFC frames by priority, or of `EVERY_PRIORITY`."""
    pause_sent: Mapping[int, int] = msgspec.field(default_factory=dict)
    marked: int | None = None
    """Packets marked with ECN."""


class PortQueues(msgspec.Struct, frozen=True, kw_only=True):
    """What one port really does to packets, which may be other than what is configured. None: it is not told."""

    has_pfc: bool | None = None
    """Whether priority flow control works at all."""
    pfc_priorities: tuple[int, ...] | None = None
    """Those that it pauses and obeys, ascending."""
    has_watchdog: bool | None = None
    """Whether the PFC watchdog looks at the port."""
    detect_ms: int | None = None
    """How long a queue is paused until the watchdog acts."""
    marks: Mapping[int, bool] | None = None
    """Queue to whether it marks with ECN."""
    ecn: Mapping[int, tuple[int, int, int] | None] | None = None
    """Queue to kmin, kmax in bytes and pmax in percent; None there: it marks nothing."""
    ecn_step_bytes: int | None = None
    """The hardware keeps thresholds in steps of so many bytes: one that is less than a step away is the same."""
    trusts_dscp: bool | None = None
    """Whether it classes packets by their code points."""
    dscp_to_traffic_class: Mapping[int, int] | None = None
    is_scheduled: bool | None = None
    """Whether a scheduler that somebody has configured shares the port out, and not the product's own."""
    shares: Mapping[int, int | None] | None = None
    """Queue to its share in percent; None there: it is strict."""


class DeviceAnswers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that one device says of itself and of its neighbours, at one moment."""

    device: str
    when: datetime
    neighbors: tuple[tuple[str, str, str], ...] = ()
    """Port, and system name and port that LLDP hears there."""
    sessions: Mapping[str, BgpSession] = msgspec.field(default_factory=dict)
    """By neighbour."""
    ports: Mapping[str, PortState] = msgspec.field(default_factory=dict)
    widths: Mapping[str, int] = msgspec.field(default_factory=dict)
    """BGP's routes in use: prefix to number of next hops."""
    queues: Mapping[str, PortQueues] = msgspec.field(default_factory=dict)
    """By port; empty where the product's driver cannot tell."""
    running: str = ""
    """What it runs, in plain form and masked."""

"""PFC headroom: what is still on its way to a port after it has decided to pause its sender.

    headroom = frame + occupancy * (frame + cable, both ways + MAC and PHY + peer's response + latency)

The port's own largest frame may just have started when the pause must go out; the pause crosses the cable;
the peer may answer late (802.3 annex 31B) and may just have started a largest frame; all that travels back.
In the buffer bytes take more room than on the wire: `occupancy` is the worst case. All is exact until the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil

from fabric.qos.model import BufferTiming, Headroom, TableRow
from fabric.qos.policy import SMALLEST_FRAME_BYTES
from fabric.units import Length, Speed

SIGNAL_M_PER_S = 198_000_000
"""Signal speed in the cable. Source: cfgmgr/buffer_headroom_mellanox.lua, sonic-net/sonic-swss @18913fa."""

QUANTUM_BYTES = 64
"""One pause quantum: 512 bit times (802.3 annex 31B.2)."""

PAUSE_QUANTA = {
    10_000: 67,
    25_000: 80,
    40_000: 118,
    50_000: 147,
    100_000: 394,
    200_000: 453,
    400_000: 905,
    800_000: 905,
}
"""Longest response to a pause frame by speed (802.3 31B.3.7), as SONiC's script lists it (same source)."""

ROUNDING_BYTES = 1024
"""Headroom is given in whole KiB, rounded up. Source: same script."""

UNKNOWN = BufferTiming(
    cell_bytes=420,
    mac_phy_delay_bytes=820,
    peer_response_bytes=None,
    extra_latency_ns=120,
    pipeline_latency_bytes=None,
)
"""For an ASIC without published constants: the largest cell (Tomahawk 6) and latencies (Spectrum-4) known."""


def pause_quanta(speed_mbps: int) -> int:
    """Pause quanta that a peer may take to respond, for any speed.

    A speed that is not listed takes those of the next faster one; beyond the list a peer is allowed the time
    that it has at 400G, 1158 ns.
    """
    for listed, quanta in PAUSE_QUANTA.items():
        if speed_mbps <= listed:
            return quanta
    return ceil(Fraction(PAUSE_QUANTA[400_000] * speed_mbps, 400_000))


def cell_occupancy(cell_bytes: int, smallest_frame_bytes: int = SMALLEST_FRAME_BYTES) -> Fraction:
    """Buffer bytes taken by one byte on the wire, at worst: cells that are filled only in part.

    Either by the smallest frame, or by one that is a byte longer than so many whole cells.
    """
    cells = ceil(Fraction(smallest_frame_bytes, cell_bytes))
    smallest = Fraction(cells * cell_bytes, smallest_frame_bytes)
    return max(smallest, Fraction((cells + 1) * cell_bytes, cells * cell_bytes + 1))


def cable_bytes(speed_mbps: int, cable_m: int) -> Fraction:
    """Bytes on the cable, there and back."""
    return Fraction(2 * cable_m * speed_mbps * 10**6, 8 * SIGNAL_M_PER_S)


def latency_bytes(speed_mbps: int, latency_ns: int) -> Fraction:
    """Bytes that arrive during a latency."""
    return Fraction(speed_mbps * latency_ns, 8000)


def headroom_bytes(
    speed_mbps: int,
    cable_m: int,
    timing: BufferTiming,
    *,
    frame_bytes: int,
    lossless_frame_bytes: int | None = None,
    smallest_frame_bytes: int = SMALLEST_FRAME_BYTES,
) -> int:
    """Headroom of one lossless priority of one port, in whole KiB.

    `frame_bytes` is the largest frame of the port, `lossless_frame_bytes` that of the lossless class, by
    default the same. The peer's response is what `timing` says, or else the pause quanta.
    """
    response = timing.peer_response_bytes
    if response is None:
        response = pause_quanta(speed_mbps) * QUANTUM_BYTES
    on_the_way = (
        frame_bytes
        + cable_bytes(speed_mbps, cable_m)
        + timing.mac_phy_delay_bytes
        + latency_bytes(speed_mbps, timing.extra_latency_ns)
        + response
    )
    last = frame_bytes if lossless_frame_bytes is None else lossless_frame_bytes
    exact = last + cell_occupancy(timing.cell_bytes, smallest_frame_bytes) * on_the_way
    return ceil(exact / ROUNDING_BYTES) * ROUNDING_BYTES


def standard_headroom_bytes(
    speed_mbps: int,
    cable_m: int,
    timing: BufferTiming,
    frame_bytes: int,
    smallest_frame_bytes: int = SMALLEST_FRAME_BYTES,
) -> int:
    """Headroom by 802.3: the peer takes all the time that the standard allows, whoever made it."""
    quanta_bytes = pause_quanta(speed_mbps) * QUANTUM_BYTES
    slower = max(quanta_bytes, timing.peer_response_bytes or 0)
    allowed = BufferTiming(
        cell_bytes=timing.cell_bytes,
        mac_phy_delay_bytes=timing.mac_phy_delay_bytes,
        peer_response_bytes=slower,
        extra_latency_ns=timing.extra_latency_ns,
        pipeline_latency_bytes=timing.pipeline_latency_bytes,
    )
    return headroom_bytes(
        speed_mbps, cable_m, allowed, frame_bytes=frame_bytes, smallest_frame_bytes=smallest_frame_bytes
    )


def table_row(rows: Iterable[TableRow], speed_mbps: int, cable_m: int) -> TableRow | None:
    """The published row of this speed with the next longer cable, or a shorter one that needs more.

    None if no row is as long: what a table does not say is not interpolated. Where rows of several tables meet,
    a larger one for a shorter cable holds for the longer cable all the more.
    """
    same_speed = [row for row in rows if row.speed_mbps == speed_mbps]
    reach_m = min((row.cable_m for row in same_speed if row.cable_m >= cable_m), default=None)
    if reach_m is None:
        return None
    fitting = [row for row in same_speed if row.cable_m <= reach_m]
    return max(fitting, key=lambda row: (row.headroom_bytes, row.cable_m))


def choose_headroom(mode: str, formula_bytes: int, row: TableRow | None, resume_bytes: int) -> Headroom:
    """The headroom of a port by the policy's mode: `safe`, `formula` or `vendor-table`.

    `resume_bytes` is what the ASIC needs to resume where no row says it. Without a row, the formula decides.
    """
    table_bytes = None if row is None else row.headroom_bytes
    chosen, reason = formula_bytes, "802.3 formula; no published row for this speed and length"
    if row is not None and table_bytes is not None:
        named = f"table row {Speed(row.speed_mbps)} {Length(row.cable_m)}"
        if mode == "formula":
            reason = f"802.3 formula, as the policy says; {named} has {table_bytes}"
        elif mode == "vendor-table":
            chosen, reason = table_bytes, f"{named}, as the policy says; 802.3 formula {formula_bytes}"
        elif table_bytes > formula_bytes:
            chosen, reason = table_bytes, f"{named}, above the 802.3 formula ({formula_bytes})"
        else:
            reason = f"802.3 formula, not below {named} ({table_bytes})"
    return Headroom(
        headroom_bytes=chosen,
        resume_bytes=resume_bytes if row is None else row.resume_bytes,
        formula_bytes=formula_bytes,
        table_bytes=table_bytes,
        reason=reason,
    )

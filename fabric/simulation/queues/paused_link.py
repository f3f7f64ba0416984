"""One paused link, event by event: what still arrives after a port has decided to pause its sender.

Time is counted in bytes of the link's speed, so that all of it is exact. The events, in order: the port decides to
pause, but has just begun to send its own largest frame; the pause frame leaves and crosses the cable; the peer has
begun its answer when its response time is over; until then it began frames, and the last of them is a largest one.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from fabric.qos.headroom import QUANTUM_BYTES, cable_bytes, latency_bytes, pause_quanta
from fabric.qos.model import BufferTiming
from fabric.qos.policy import SMALLEST_FRAME_BYTES

ON_THE_WIRE_BYTES = 20
"""Preamble, start of frame and gap between frames, beside each frame (802.3, clauses 3 and 4)."""


def pause_takes_effect_bytes(
    speed_mbps: int, cable_m: int, timing: BufferTiming, frame_bytes: int
) -> Fraction:
    """From the decision to pause until what the peer begins no longer arrives, in bytes at the link's speed."""
    response = max(pause_quanta(speed_mbps) * QUANTUM_BYTES, timing.peer_response_bytes or 0)
    latency = latency_bytes(speed_mbps, timing.extra_latency_ns)
    leaves = frame_bytes + timing.mac_phy_delay_bytes + latency  # behind the port's own frame
    return leaves + cable_bytes(speed_mbps, cable_m) + response


def most_in_buffer_bytes(
    speed_mbps: int,
    cable_m: int,
    timing: BufferTiming,
    *,
    frame_bytes: int,
    smallest_frame_bytes: int = SMALLEST_FRAME_BYTES,
    between_frames_bytes: int = ON_THE_WIRE_BYTES,
) -> int:
    """Most bytes of buffer that are taken after the decision, over all sizes of the frames that fill the link.

    `between_frames_bytes`: what the wire carries beside each frame; 0 takes the link to be denser than it can be.
    """
    until = pause_takes_effect_bytes(speed_mbps, cable_m, timing, frame_bytes)
    cell = timing.cell_bytes
    sizes = _worst_sizes(smallest_frame_bytes, frame_bytes, cell)
    # The frame that crosses the threshold has arrived: the next begins at 0, and each begun before `until` arrives.
    begun = -(-until.numerator // (until.denominator * (sizes + between_frames_bytes)))
    cells = -(-sizes // cell)
    last = ceil(Fraction(frame_bytes, cell))
    return int(((begun - 1) * cells + last).max()) * cell


def _worst_sizes(smallest_bytes: int, largest_bytes: int, cell_bytes: int) -> NDArray[np.int64]:
    """Sizes of frames that fill cells worst: the smallest, and each that is a byte longer than whole cells."""
    first = ceil(Fraction(smallest_bytes, cell_bytes)) * cell_bytes + 1
    return np.array([smallest_bytes, *range(first, largest_bytes + 1, cell_bytes)], np.int64)

"""The buffer of a switch: what headroom takes of it, where ports pause, and whether ECN acts before that.

Symbols as in section 4 of the DCQCN paper (SIGCOMM 2015), with p lossless classes in place of its 8: B is the
buffer, H the headroom of all ports and classes, n the ports, s the shared buffer in use, f the dynamic factor
(the paper's beta, alpha to switch vendors). A queue counts where it leaves, a pause where it came in.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

import msgspec

DYNAMIC_FACTOR = Fraction(1)
"""Share of the free buffer that one priority of one port may take. Source: threshold 0 = 2^0 in the headroom
tables of SN2700 to SN5600 and of Tomahawk 5 boxes (sonic-buildimage); a smaller factor pauses sooner."""


class Shared(msgspec.Struct, frozen=True, kw_only=True):
    """What a switch has to share, and among how many."""

    buffer_bytes: int
    headroom_bytes: int
    """Of all ports and lossless classes."""
    ports: int
    lossless_classes: int
    factor: Fraction = DYNAMIC_FACTOR

    @property
    def free_bytes(self) -> int:
        """What the headroom leaves."""
        return self.buffer_bytes - self.headroom_bytes


def static_threshold_bytes(shared: Shared) -> Fraction:
    """Pause threshold if the free buffer is divided in advance: (B - H) / (p n)."""
    return Fraction(shared.free_bytes, shared.lossless_classes * shared.ports)


def dynamic_threshold_bytes(shared: Shared, used_bytes: Fraction | int) -> Fraction:
    """Pause threshold of one priority of one port while `used_bytes` are in use: f (B - H - s) / p."""
    return shared.factor * (shared.free_bytes - used_bytes) / shared.lossless_classes


def pause_threshold_bytes(shared: Shared) -> int:
    """Where a single port pauses its sender if nothing else is in the buffer: s is its own queue."""
    f, p = shared.factor, shared.lossless_classes
    return floor(f * shared.free_bytes / (p + f))


def longest_lossy_queue_bytes(free_bytes: int, factor: Fraction = DYNAMIC_FACTOR) -> int:
    """Longest queue of a class that is not paused, if nothing else is in the buffer: what comes beyond it is dropped.

    It may hold f (B - H - s), and s is its own queue: f (B - H) / (1 + f).
    """
    return max(0, floor(factor * free_bytes / (1 + factor)))


def ecn_first_below_bytes(shared: Shared) -> int | None:
    """ECN acts before PFC whatever the traffic iff kmin is below this: f (B - H) / (p n (f + 1)).

    The worst traffic comes in by one port and fills all n queues to kmin. None if no buffer is left.
    """
    f = shared.factor
    bound = f * shared.free_bytes / (shared.lossless_classes * shared.ports * (f + 1))
    return floor(bound) if bound >= 1 else None


def incast_bytes(senders: int, kmin_bytes: int, in_flight_bytes: int) -> int:
    """Queue of one port when the answer to its first mark arrives: all senders went on for a round trip."""
    return kmin_bytes + (senders - 1) * in_flight_bytes


def room_beside_incast_bytes(shared: Shared, senders: int, queue_bytes: int) -> int:
    """Bytes that other queues may hold while such an incast still pauses no sender; negative: it pauses anyway.

    Each sender's port holds queue / senders. That must stay below f (B - H - s) / p; s is all in use.
    """
    each = Fraction(queue_bytes, senders)
    return floor(shared.free_bytes - queue_bytes - shared.lossless_classes * each / shared.factor)


def most_senders(shared: Shared, kmin_bytes: int, in_flight_bytes: int, limit: int) -> int:
    """The largest incast, up to `limit`, that ECN answers before PFC in an empty buffer; 0: none."""
    holds = 0
    for senders in range(2, limit + 1):
        queue = incast_bytes(senders, kmin_bytes, in_flight_bytes)
        if room_beside_incast_bytes(shared, senders, queue) < 0:
            break
        holds = senders
    return holds

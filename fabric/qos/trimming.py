"""Packet trimming: what cut packets need."""

from __future__ import annotations

from fractions import Fraction
from math import ceil


def trimmed_percent(senders: int, trimmed_bytes: int, frame_bytes: int) -> int:
    """Percent of a port's speed that cut packets need in an incast, rounded up.

    All senders send frames of `frame_bytes` at the speed of the port; one of them gets through, and of each frame of
    the others `trimmed_bytes` are left.
    """
    return ceil(Fraction(100 * (senders - 1) * trimmed_bytes, frame_bytes))

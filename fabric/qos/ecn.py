"""ECN marking curves from link speed and base round trip."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from fabric.qos.headroom import SIGNAL_M_PER_S
from fabric.qos.model import EcnMarking

SWITCH_DELAY_NS = 1000
"""One unloaded switch: pipeline and one frame. An assumption, on the safe side of 51.2T switches."""

HOST_DELAY_NS = 1500
"""One NIC, from the wire to the answer. An assumption; `round_trip_us` of the policy replaces both."""

DCTCP_DIVISOR = 7
"""K > C x RTT / 7 keeps a link busy (DCTCP, SIGCOMM 2010, section 3.4)."""

KMAX_RATIO = 4
"""Kmax by Kmin: 400G 800/3200 KB, 100G 400/1600 KB in SimAI.conf (aliyun/SimAI)."""

PMAX_PERCENT = 100
"""At kmax every packet is marked, as above it: the curve has no step. Cumulus Linux's RoCE default."""

STEP_BYTES = 1000
"""Thresholds are whole kilobytes: the unit in which most products take them."""


def round_trip_ns(cables_m: Sequence[int]) -> int:
    """Base round trip between two hosts over these cables in turn, a switch between any two of them."""
    if not cables_m:
        message = "a path has at least one cable"
        raise ValueError(message)
    on_cables = Fraction(sum(cables_m) * 10**9, SIGNAL_M_PER_S)
    return ceil(2 * (on_cables + (len(cables_m) - 1) * SWITCH_DELAY_NS + HOST_DELAY_NS))


def in_flight_bytes(speed_mbps: int, trip_ns: int) -> int:
    """Bandwidth-delay product, rounded up: what one sender sends before the first answer can arrive."""
    return ceil(Fraction(speed_mbps * trip_ns, 8000))


def least_kmin_bytes(speed_mbps: int, trip_ns: int) -> int:
    """The smallest kmin that keeps a link busy: a seventh of what is in flight, rounded up."""
    return ceil(Fraction(in_flight_bytes(speed_mbps, trip_ns), DCTCP_DIVISOR))


def auto_marking(
    speed_mbps: int, trip_ns: int, *, first_below_bytes: int | None, pause_bytes: int | None
) -> EcnMarking:
    """The curve of `ecn: auto`.

    Kmin is what one sender has in flight, lowered below `first_below_bytes` (where ECN stops being first) but
    never under a seventh of it; kmax is four times that, below `pause_bytes`. None: not known, or no bound.
    """
    in_flight = _up(in_flight_bytes(speed_mbps, trip_ns))
    least = _up(least_kmin_bytes(speed_mbps, trip_ns))
    kmin = in_flight
    if first_below_bytes is not None and kmin >= first_below_bytes:
        kmin = max(_down(first_below_bytes - 1), least)
    kmax = KMAX_RATIO * kmin
    if pause_bytes is not None and kmax >= pause_bytes:
        kmax = max(_down(pause_bytes - 1), kmin + STEP_BYTES)
    return EcnMarking(kmin_bytes=kmin, kmax_bytes=kmax, pmax_percent=PMAX_PERCENT, computed=True)


def _up(amount_bytes: int) -> int:
    return ceil(Fraction(amount_bytes, STEP_BYTES)) * STEP_BYTES


def _down(amount_bytes: int) -> int:
    return amount_bytes // STEP_BYTES * STEP_BYTES

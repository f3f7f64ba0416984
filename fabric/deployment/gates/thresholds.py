"""What a gate lets pass, and how long it watches: decided in the intent, by whoever runs the fabric."""

from __future__ import annotations

import msgspec

LLDP_S = 121
"""So long a neighbour that has gone is still shown: four intervals of 30 s, and a second (IEEE 802.1AB, 9.2.5.22)."""


class Thresholds(msgspec.Struct, frozen=True, kw_only=True):
    """None: it is not judged."""

    watch_s: float = 0
    """The gate watches for so long at least; longer where what changed may die later than that."""
    hold_s: float = 0
    """The longest hold time of the site, where a device does not tell what it has negotiated."""
    lldp_s: float = LLDP_S
    lost_prefixes_percent: float | None = 0
    """Of what a session had sent, where the wave gives nothing up."""
    errors: int | None = 0
    """Frames received with errors on a port, while the gate watches."""
    discards: int | None = None
    """Packets dropped at a port, while the gate watches."""
    pause_frames: int | None = None
    """PFC frames of any priority, received or sent, while the gate watches."""
    marked: int | None = None
    """Packets marked with ECN, while the gate watches."""
    drained_below_mbps: float | None = 10
    """Of each port towards other switches, in each direction: a drained device that carries less has been left by its
    traffic. Keep-alives of BGP, BFD and LLDP stay, whatever a port's speed."""
    commands: tuple[str, ...] = ()
    """Programs of the site: the gate stays closed while one of them fails."""
    hidden: frozenset[str] = frozenset()
    """Environment variables that hold secrets: the programs do not see them."""

"""What a change does to traffic, on the one scale that platforms, plans and waves share."""

from __future__ import annotations

from typing import Literal, get_args

Impact = Literal["none", "hitless", "buffer", "flap", "reload", "isolating", "lockout"]
"""The words of the scale, mildest first.

`buffer` (queues or buffers are set up anew, packets are lost on the way) stands below `flap` (a link or a session goes
down and comes back): of a change that does both, the second takes a path, and only what takes a path is looked at for
hosts that have no other one.
"""

SCALE: tuple[Impact, ...] = get_args(Impact)
_RANKS = {impact: rank for rank, impact in enumerate(SCALE)}


def rank(impact: str) -> int:
    """Where an impact stands on the scale; 0 for the mildest. `KeyError` if it is none."""
    return _RANKS[impact]  # type: ignore[index]  # a word of planning's enumeration is one of these

"""How the network is changed: what a gate lets pass."""

from __future__ import annotations

from msgspec import field

from fabric.documents.schema.scalar_types import CountOrZero, Part, Percent, Text
from fabric.units import Duration


class Gate(Part, frozen=True, kw_only=True):
    """What must hold after a wave before it is confirmed; else it is taken back. `null`: it is not judged."""

    settle_ms: Duration = field(name="settle", default_factory=lambda: Duration(60_000))
    """So long what was up may take to come back."""
    watch_ms: Duration = field(name="watch", default_factory=lambda: Duration(0))
    """For so long everything must stay sound; longer where the wave touches what dies later: sessions by their hold
    time, neighbours by that of LLDP."""
    lost_prefixes: Percent | None = 0
    """Percent of a session's or a device's prefixes that may be missing where the wave gives nothing up."""
    errors: CountOrZero | None = 0
    """Frames with errors that a port may receive while the gate watches."""
    discards: CountOrZero | None = None
    """Packets that a port may drop while the gate watches."""
    pause_frames: CountOrZero | None = None
    """PFC frames that a port may send and receive while the gate watches."""
    commands: tuple[Text, ...] = ()
    """Programs that must exit with 0. They run in the site's folder, without a shell, and find `FABRIC_RUN`,
    `FABRIC_WAVE`, `FABRIC_SITE` and `FABRIC_DEVICES` in their environment."""


class Deployment(Part, frozen=True, kw_only=True):
    """How `fabric apply` changes the network."""

    gate: Gate = field(default_factory=Gate)
    """What must hold after each wave."""

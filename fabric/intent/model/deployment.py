"""How the network is changed: when, what a gate lets pass, and what is asked of others."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.schema.scalar_types import CountOrZero, Part, Percent, Text
from fabric.units import END, Duration, Speed


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
    marked: CountOrZero | None = None
    """Packets that a port may mark with ECN while the gate watches."""
    drained_below_mbps: Speed | None = field(name="drained_below", default_factory=lambda: Speed(10))
    """A switch is drained when each of its ports towards other switches carries less than this, in each direction.
    A drain that is not done within `settle` is taken back. Keep-alives of BGP, BFD and LLDP stay: far below `1M`."""
    commands: tuple[Text, ...] = ()
    """Programs that must exit with 0. They run in the site's folder, without a shell, and find `FABRIC_RUN`,
    `FABRIC_WAVE`, `FABRIC_SITE` and `FABRIC_DEVICES` in their environment. They are ended after 300 s, and in any case
    before the devices' timers fire."""


Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
Hour = Annotated[
    str,
    Meta(
        pattern=rf"^(?:[01][0-9]|2[0-3]):[0-5][0-9]{END}",
        description="A time of day on a clock of 24 hours, in quotes.",
        examples=["22:00"],
    ),
]


class Window(Part, frozen=True, kw_only=True):
    """A maintenance window: waves begin within one only."""

    days: Annotated[tuple[Weekday, ...], Meta(min_length=1)] = (
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
    )
    """On which it opens."""
    begins: Hour
    ends: Hour
    """At or before `begins`: on the next day."""
    zone: Text = "UTC"
    """Time zone by its name in the tz database, as `Europe/Berlin`."""


class Cordon(Part, frozen=True, kw_only=True):
    """Programs around each wave that isolates a host: they take the hosts out of service before, and bring them back.

    They run in the site's folder, without a shell, and get JSON on their standard input: `site`, `run`, `wave`,
    `impact`, and the names of `devices` and `hosts`.
    """

    before: Text | None = None
    """The wave begins when it has exited with 0; with anything else it does not begin, and the run ends."""
    after: Text | None = None
    """Run however the wave, or `before`, has ended; not if `before` could not be run at all (no such file, exit code
    126 or 127): then nothing was cordoned. For hosts that the wave has left without a path it runs after a later run
    that gives them one."""
    timeout_ms: Duration = field(name="timeout", default_factory=lambda: Duration(3_600_000))
    """So long each of them may take; then it is ended with all that it has started in its session."""


class Deployment(Part, frozen=True, kw_only=True):
    """How `fabric apply` changes the network."""

    gate: Gate = field(default_factory=Gate)
    """What must hold after each wave."""
    soak_ms: Duration = field(name="soak", default_factory=lambda: Duration(0))
    """So long the gate goes on watching after a wave is confirmed, and before the next one begins."""
    windows: tuple[Window, ...] = ()
    """When waves may begin; none: at any time."""
    cordon: Cordon = field(default_factory=Cordon)
    """What is asked of others before a host loses a path."""

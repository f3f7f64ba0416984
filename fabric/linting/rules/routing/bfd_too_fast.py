"""BFD leaves processors of switches time for the rest."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import Duration

LEAST_MS = 100
"""Where the switch's processor sends and takes the packets."""


def _interval(interval: str) -> Example:
    return Example("two-tier", f"networks: {{compute: {{routing: {{bfd: {{interval: {interval}}}}}}}}}")


@rule(
    "FAB1509",
    "bfd-too-fast",
    "BFD is faster than the processor of a switch keeps up with",
    why="Where BFD is not done in hardware, a busy processor sends or takes a packet late, and a session is declared "
    "down over a link that works. All sessions of the switch are late together.",
    fix="Write 100ms or more in `routing.bfd.interval`, or accept the finding where all products of the network do BFD "
    "in hardware.",
    source="Juniper, BFD on internal BGP sessions: below 100 ms for sessions of the Routing Engine, below 10 ms for "
    "distributed ones, sessions may flap; Dell SmartFabric OS10 10.5.0, User Guide, `ip ospf bfd all-neighbors`: more "
    "than 100 ms is recommended",
    fails=_interval("50ms"),
    passes=_interval("100ms"),
)
def bfd_too_fast(site: Linted) -> Iterator[Found]:
    """`routing.bfd.interval` is below 100 ms."""
    for network in site.ethernet:
        bfd = network.intent.routing.bfd
        if bfd != "none" and bfd.interval_ms < LEAST_MS:
            sessions = max(
                (sum(peer.bfd for peer in kind.example.routing.neighbors) for kind in network.kinds),
                default=0,
            )
            yield Found(
                network.at.child("routing", "bfd", "interval"),
                f"a packet every {Duration(bfd.interval_ms)} on each of up to {sessions} sessions of a switch",
                value=str(Duration(bfd.interval_ms)),
                fix=f"{LEAST_MS}ms",
            )

"""Planes that stay apart give each flow one choice of path."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Severity
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _meet(tier: str) -> Example:
    return Example("two-tier", f"networks: {{compute: {{planes: {{count: 2, meet_at: {tier}}}}}}}")


@rule(
    "FAB1408",
    "planes-meet",
    "Planes meet above the leaves",
    severity=Severity.INFO,
    why="Towards a NIC with two ports the spines choose once more, by the same hash, which of its leaves to take: the "
    "two ports of a NIC are loaded unequally, and the queue at one of them grows.",
    fix="Write `planes.meet_at: none`, where cabling and spines can be shared out to planes.",
    source="HPN (SIGCOMM 2024): 3 times the load on one of two ports, and queues of 267 KB, 20 KB with two planes",
    fails=_meet("spine"),
    passes=_meet("none"),
)
def planes_meet(site: Linted) -> Iterator[Found]:
    """In an Ethernet network `planes.count` is above 1 and `planes.meet_at` is not `none`."""
    for network in site.ethernet:
        planes = network.intent.planes
        if planes.count > 1 and planes.meet_at != "none":
            yield Found(
                network.at.child("planes", "meet_at"),
                f"{planes.count} planes of network {network.name} meet at the {planes.meet_at}s",
                value=planes.meet_at,
            )

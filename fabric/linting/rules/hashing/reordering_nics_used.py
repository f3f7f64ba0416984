"""NICs that reorder are made use of."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Severity
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.linting.uplinks import stages


@rule(
    "FAB1305",
    "reordering-nics-used",
    "NICs place packets out of order, and flows are hashed all the same",
    severity=Severity.INFO,
    why="Hashed flows collide: at one queue pair for each connection the fullest uplink of a large fabric has several "
    "times its share, and the collective runs at a fraction of line rate. Sprayed packets fill all uplinks alike.",
    fix="Write `load_balancing: per_packet` where the switches support it, or `nics_reorder: false` if the NICs do "
    "not.",
    source="computed for 16,384 GPUs in rings of random order on 60 uplinks: 0.20 of line rate with hashed flows and "
    "one queue pair, 0.63 with 32, 0.94 sprayed; NVIDIA Spectrum-X: adaptive routing with NICs that place packets out "
    "of order",
    fails=Example("two-tier", "networks: {compute: {routing: {nics_reorder: true}}}"),
    passes=Example("two-tier", "networks: {compute: {routing: {nics_reorder: false}}}"),
)
def reordering_nics_used(site: Linted) -> Iterator[Found]:
    """`nics_reorder: true` with `load_balancing: ecmp`, in a network whose leaves have two uplinks or more."""
    for network in site.ethernet:
        routing, widths = network.intent.routing, stages(network.intact)
        if routing.nics_reorder and routing.load_balancing == "ecmp" and widths and widths[0] > 1:
            yield Found(
                network.at.child("routing", "nics_reorder"),
                f"leaves of network {network.name} choose among {widths[0]} uplinks by hash",
                value=True,
            )

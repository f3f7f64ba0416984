"""There are flows enough for the uplinks."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.hash_stages import expected_peak, flows_for_peak
from fabric.diagnostics import Severity
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.linting.uplinks import leaf_width
from fabric.units import counted

MOST_QUEUE_PAIRS = 16
"""Per peer. Meta's QP scaling for large models."""

PEAK = 2.0

MANY_UPLINKS = """
units: 1
hosts: {gpu: {per_unit: 1}}
networks: {compute: {tiers: {leaf: {up: {ports: 32}}, spine: {count: 8}}}}
"""


@rule(
    "FAB1303",
    "queue-pairs-fill-uplinks",
    "Hosts have too few flows to fill the uplinks of a leaf evenly",
    severity=Severity.INFO,
    why="A synchronous collective runs at the speed of its fullest link. With few flows to many links some links get "
    "several and others none, even at 16 queue pairs for each NIC.",
    fix="Use `load_balancing: flowlet`, or `per_packet` with NICs that reorder; fold rails on fewer leaves; or raise "
    "the queue pairs of each connection.",
    source="fullest by mean link = 1 + sqrt(2 U ln U / m) for m flows on U links; Meta (SIGCOMM 2024): over 1.2 for "
    "1,000 flows on 16 links, and 16 queue pairs for large models",
    fails=Example("two-tier", MANY_UPLINKS),
    passes=Example("two-tier"),
)
def queue_pairs_fill_uplinks(site: Linted) -> Iterator[Found]:
    """With `ecmp`, 1 + sqrt(2 U ln U / m) is above 2 on a leaf, for m of 16 flows for each host port on U uplinks."""
    for network in site.ethernet:
        width = leaf_width(network.intact)
        if width is None or network.intent.routing.load_balancing != "ecmp":
            continue
        peak = expected_peak(MOST_QUEUE_PAIRS * width.host_ports, width.uplinks)
        if peak > PEAK:
            needed = -(-flows_for_peak(PEAK, width.uplinks) // width.host_ports)
            yield Found(
                network.at.child("tiers", "leaf"),
                f"a leaf has {counted(width.host_ports, 'host port')} and "
                f"{counted(width.uplinks, 'uplink')}: with {MOST_QUEUE_PAIRS} queue "
                f"pairs each, the fullest carries {peak:.1f} times the mean; {needed} would make it {PEAK:.0f}",
            )

"""Switches along a path mark alike."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import Bytes, Speed

RATIO = 2
"""Our choice: published curves differ by as much from one speed to the next (see `why`)."""


@rule(
    "FAB1106",
    "marking-even-between-tiers",
    "Switches mark ports of one speed at very different queues",
    why="A flow is slowed where it is marked first. Ports of one speed that mark at half the queue of others take "
    "their share away, and the queue of the others grows until they pause. "
    "Twice is our choice: published curves differ by as much from 50G to 100G (SimAI: kmin 200 KB and 400 KB), so more "
    "at one speed is another curve.",
    fix="Use models with like buffers on a path, fewer lossless classes, or write one curve that suits both.",
    source="DCQCN (SIGCOMM 2015): rates converge because the flows of one queue see the same marking",
    fails=Example("two-tier", "networks: {compute: {cables: {leaf_spine: {length: 2km, kind: smf}}}}"),
    passes=Example("two-tier"),
)
def marking_even_between_tiers(site: Linted) -> Iterator[Found]:
    """In a network, computed curves of one class and speed have a kmin more than twice that of another switch."""
    for network in site.ethernet:
        marks: dict[tuple[str, int], list[tuple[int, str, str]]] = {}
        for kind in network.kinds:
            for profile in kind.profiles:
                for each in profile.classes:
                    if each.ecn is not None and each.ecn.computed:
                        row = (each.ecn.kmin_bytes, kind.example.role, kind.example.name)
                        marks.setdefault((each.name, profile.speed_mbps), []).append(row)
        for (name, speed), rows in marks.items():
            low, high = min(rows), max(rows)
            if high[0] > RATIO * low[0]:
                yield Found(
                    Origin(("networks", network.name, "tiers", low[1], "model")),
                    f"{name} at {Speed(speed)} marks from {Bytes(low[0])} on {low[2]}, from {Bytes(high[0])} on "
                    f"{high[2]}",
                    about=f"{name} {speed}",
                )

"""Headroom rests on cable lengths that somebody has stated."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Severity
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.topology.roles import Role

PAIRS = {"host_leaf": Role.LEAF, "leaf_spine": Role.SPINE, "spine_superspine": Role.SUPERSPINE}
"""The keys of `cables`, and the upper end of each."""


@rule(
    "FAB1102",
    "cable-lengths-stated",
    "Headroom rests on a cable length that nobody has stated",
    severity=Severity.INFO,
    why="Headroom must hold what is on the cable, both ways. A cable that is longer than the default loses packets of "
    "a lossless class; one that is much shorter takes buffer from bursts.",
    fix="Write the longest cable between the two tiers: `cables: {leaf_spine: {length: 30m}}`.",
    source="docs/lossless.md: headroom grows by 2 x length x speed / 198,000 km/s; SONiC needs the cable length for "
    "the same reason (buffer_headroom_mellanox.lua, sonic-swss @18913fa)",
    fails=Example("two-tier", "networks: {compute: {cables: {leaf_spine: null}}}"),
    passes=Example("two-tier", "networks: {compute: {cables: {leaf_spine: {length: 35m}}}}"),
)
def cable_lengths_stated(site: Linted) -> Iterator[Found]:
    """A network with lossless classes has cables between two tiers whose `length` stands in no file."""
    for network in site.ethernet:
        policy = network.policy
        if policy is None or all(c.priority is None for c in policy.classes.values()):
            continue
        for pair, role in PAIRS.items():
            at = network.at.child("cables", pair, "length")
            if len(network.intact.nodes(role)) and not site.written(at):
                length = getattr(network.intent.cables, pair).length_m
                yield Found(
                    at,
                    f"network {network.name}: {pair} counts as {length}, the default",
                    hint=f"write `cables: {{{pair}: {{length: METRES}}}}` with the longest of them",
                )

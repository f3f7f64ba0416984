"""Leaves that are nearly empty could carry several rails each."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Severity
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.topology.roles import Role
from fabric.units import counted

FACTOR = 4
"""Rails that one leaf could carry at least."""


def _leaves(leaves: str) -> Example:
    return Example("two-tier", f"networks: {{compute: {{rails: {{leaves: {leaves}}}}}}}")


@rule(
    "FAB1405",
    "unfolded-rails",
    "There are four times as many leaves as the ports need",
    severity=Severity.INFO,
    why="A leaf of its own for each rail keeps a rail on one switch only where a unit fills the leaf. Small units "
    "leave most ports of every leaf empty: switches, cables and power for nothing.",
    fix="Fold rails by `rails.leaves`, or put more hosts in a unit.",
    source="docs/layouts.md; docs/intent.md, `rails.leaves`: fewer leaves than rails fold several rails on one leaf",
    fails=_leaves("8"),
    passes=_leaves("2"),
)
def unfolded_rails(site: Linted) -> Iterator[Found]:
    """Each rail has a leaf of its own in each unit, and a leaf uses at most a quarter of its model's bandwidth."""
    for network in site.networks.values():
        sizes, net = network.topology.sizes, network.topology
        leaves = net.role_start[Role.LEAF]
        if (
            sizes.leaves_per_unit < max(sizes.rails, FACTOR)
            or not leaves
            or network.intent.layout is not None
        ):
            continue
        port_map = net.port_maps[net.port_map[leaves.start]]
        model = site.intent.hardware.switches.get(port_map.model)
        used_mbps = sum(slot.speed_mbps for slot in port_map.slots)
        if model is None or model.bandwidth_mbps is None or used_mbps * FACTOR > model.bandwidth_mbps:
            continue
        share = used_mbps / model.bandwidth_mbps
        yield Found(
            network.at.child("rails"),
            f"each of {counted(len(leaves), 'leaf')} uses {share:.0%} of the bandwidth of "
            f"{port_map.model}: one could carry "
            f"{int(1 / share)} rails",
            value=str(network.intent.rails),
        )

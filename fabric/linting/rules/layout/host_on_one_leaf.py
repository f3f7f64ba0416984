"""A failed leaf does not take whole hosts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabric.graph import Tier
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.topology.roles import Role


def _rails(rails: str) -> Example:
    return Example(
        "two-tier",
        f"hosts: {{gpu: {{nics: {{compute: {{ports: 1}}}}}}}}\nnetworks: {{compute: {{planes: null, rails: {rails}}}}}",
    )


@rule(
    "FAB1403",
    "host-on-one-leaf",
    "One failed leaf takes whole hosts out of a network",
    why="All NIC ports of a host are on one switch: with it every host below is gone, not a rail or a half of the "
    "bandwidth. And GPUs of one rank but different racks always meet above the leaves.",
    fix="Spread the NICs over rails (`rails: auto`), or give each NIC two ports and the network two planes.",
    source="HPN (SIGCOMM 2024), sections 2.3 and 9.3; NVIDIA DGX SuperPOD: rail-optimised leaves",
    fails=_rails("none"),
    passes=_rails("auto"),
)
def host_on_one_leaf(site: Linted) -> Iterator[Found]:
    """A host with several ports in a network has all of them on one leaf."""
    for network in site.networks.values():
        graph = network.intact
        links = graph.links(Tier.HOST)
        hosts, ports = np.unique(graph.lower[links], return_counts=True)
        pairs = np.unique(np.stack((graph.lower[links], graph.upper[links]), axis=1), axis=0)
        _, leaves = np.unique(pairs[:, 0], return_counts=True)
        alone = int(np.count_nonzero((leaves == 1) & (ports > 1)))
        if alone:
            yield Found(
                network.at.child("rails"),
                f"{alone} of {len(hosts)} hosts have all ports on one of {len(graph.nodes(Role.LEAF))} leaves of "
                f"network {network.name}",
                value=str(network.intent.rails),
            )

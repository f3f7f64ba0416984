"""Leaves are joined by more than one spine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabric.graph import Tier
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _count(count: int) -> Example:
    return Example("two-tier", f"networks: {{compute: {{tiers: {{spine: {{count: {count}}}}}}}}}")


@rule(
    "FAB1402",
    "one-spine",
    "One switch joins the leaves of a plane",
    why="While it is upgraded, drained or broken, hosts of different leaves cannot reach each other in that plane at "
    "all: no job of more than one leaf goes on there.",
    fix="Write `tiers.spine.count: 2` or more.",
    source="HPN (SIGCOMM 2024), section 2.3: single points of failure; RFC 7938: the Clos topology",
    fails=_count(1),
    passes=_count(2),
)
def one_spine(site: Linted) -> Iterator[Found]:
    """All links of a leaf to spines lead to one spine, and there is more than one leaf."""
    for network in site.networks.values():
        graph = network.intact
        links = graph.links(Tier.LEAF)
        pairs = np.unique(np.stack((graph.lower[links], graph.upper[links]), axis=1), axis=0)
        leaves, spines = np.unique(pairs[:, 0], return_counts=True)
        alone = int(np.count_nonzero(spines == 1))
        if alone and len(leaves) > 1:
            tier = network.intent.tiers.spine
            yield Found(
                network.at.child("tiers", "spine", "count"),
                f"{alone} of {len(leaves)} leaves of network {network.name} have links to one spine only",
                value=tier.count if tier is not None else None,
            )

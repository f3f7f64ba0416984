"""Sessions between switches are limited too."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1505",
    "fabric-without-limit",
    "Sessions between switches take any number of prefixes",
    why="A switch that leaks a table, by a defect or by lines of somebody else, fills the tables of all others: the "
    "fault of one becomes that of the fabric.",
    fix="Leave `routing.bgp.max_prefixes` out: `auto` is twice what the network has at full capacity.",
    source="RFC 7454 (BCP 194), section 8: maximum prefixes on a peering",
    fails=Example("two-tier", "networks: {compute: {routing: {bgp: {max_prefixes: none}}}}"),
    passes=Example("two-tier"),
)
def fabric_without_limit(site: Linted) -> Iterator[Found]:
    """`routing.bgp.max_prefixes` is `none`."""
    for network in site.ethernet:
        if network.intent.routing.bgp.max_prefixes == "none":
            yield Found(
                network.at.child("routing", "bgp", "max_prefixes"),
                f"no session of the {len(network.topology.switches)} switches of network {network.name} has a limit",
                value="none",
                fix="auto",
            )

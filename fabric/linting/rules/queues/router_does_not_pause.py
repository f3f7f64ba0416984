"""A router is not let pause the fabric."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import counted

ROUTER = """
attachments:
  border:
    {network: compute, kind: router, links: 2, speed: 400G, bgp: {asn: 64999, prefixes: [203.0.113.0/24]}CLASS}
networks: {compute: {tiers: {leaf: {reserved_ports: 2, max_oversubscription: "2:1"}}}}
"""


@rule(
    "FAB1011",
    "router-does-not-pause",
    "A border router carries lossless classes",
    why="A router that may pause its port stops the leaf, and by that all hosts that send through it: congestion of a "
    "network outside becomes congestion of the fabric. Headroom is computed for the cable to it, not for what is "
    "beyond.",
    fix="Remove `lossless: true`: towards the outside the classes are lossy.",
    source="DCQCN (SIGCOMM 2015): pauses spread hop by hop to ports that are not congested",
    fails=Example("two-tier", ROUTER.replace("CLASS", ", lossless: true")),
    passes=Example("two-tier", ROUTER.replace("CLASS", "")),
)
def router_does_not_pause(site: Linted) -> Iterator[Found]:
    """An attachment of kind `router` has `lossless: true`, and its network's policy has a class with `priority`."""
    for name, attachment in site.intent.site.attachments.items():
        network = site.networks.get(attachment.network)
        policy = network.policy if network is not None and network.is_ethernet else None
        if policy is None or attachment.kind != "router" or not attachment.lossless:
            continue
        lossless = [key for key, c in policy.classes.items() if c.priority is not None]
        if lossless:
            yield Found(
                Origin(("attachments", name, "lossless")),
                f"router {name} may pause {', '.join(lossless)} on {counted(attachment.links, 'link')}",
                value=True,
                fix=False,
            )

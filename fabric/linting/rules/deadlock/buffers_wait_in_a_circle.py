"""No buffer waits for itself."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.deadlock import is_valley_free_safe, minimal_circle
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted, Network

RING = """
units: 4
hosts: {gpu: {gpus: 2, nics: {compute: {count: 2, ports: 1}}}}
networks:
  compute:
    rails: none
    planes: null
    layout: {kind: torus, dimensions: [DIMENSIONS]}
    tiers: {leaf: {platform: null}, spine: null}
"""


@rule(
    "FAB1201",
    "buffers-wait-in-a-circle",
    "Buffers of a lossless class may wait for each other in a circle",
    why="Pause frames hold each buffer until the next one empties. In a circle none ever does: a burst at the wrong "
    "moment stops the class for good, and only a watchdog that drops packets ends it. In a tree whose routes never go "
    "up after they went down there is no circle, with all links and after every set of failures.",
    fix="Give the network `lossless: roce-lossy` or null, or a layout of tiers. Ethernet switches that keep hops apart "
    "by classes (as virtual lanes do) are not in the catalogue.",
    source="Hu et al., Deadlocks in Datacenter Networks (HotNets 2016); Dally and Seitz, Deadlock-Free Message Routing "
    "(IEEE ToC 1987)",
    fails=Example("two-tier", RING.replace("DIMENSIONS", "4")),
    passes=Example("two-tier", RING.replace("DIMENSIONS", "4") + "    lossless: roce-lossy\n"),
)
def buffers_wait_in_a_circle(site: Linted) -> Iterator[Found]:
    """A class of the policy has a `priority`, and buffers of directed links wait for each other in a circle.

    Of a tree and of zones every route is looked at that never goes up or aside after it went down or aside: what BGP
    chooses from, intact and after every set of failures. Of a torus or dragonfly every shortest route.
    """
    for network in site.ethernet:
        policy = network.policy
        if policy is None or all(chosen.priority is None for chosen in policy.classes.values()):
            continue
        around = _circle(network)
        if around:
            names = [network.topology.names[node] for node in around]
            yield Found(
                network.at.child("layout" if network.intent.layout else "tiers"),
                f"each of {len(names)} buffers waits for the next: {' > '.join((*names[:8], names[0]))}",
                subjects=tuple(names),
            )


def _circle(network: Network) -> tuple[int, ...]:
    if network.intent.layout is None and is_valley_free_safe(network.intact):
        return ()
    return minimal_circle(network.intact)

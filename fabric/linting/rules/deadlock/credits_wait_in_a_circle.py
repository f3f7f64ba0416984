"""No credit of an InfiniBand link waits for itself."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.deadlock import minimal_circle
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

SHORTEST = frozenset({"minhop", "sssp"})
"""They take any shortest route, on one virtual lane."""
STORAGE = """
networks:
  compute:
    infiniband: {engine: ENGINE}
    tiers: {spine: {reserved_ports: 1}}
attachments:
  store: {network: compute, kind: storage, links: 2, speed: 400G, to: {tier: spine}}
"""


@rule(
    "FAB1202",
    "credits-wait-in-a-circle",
    "Credits of an InfiniBand subnet may wait for each other in a circle",
    why="A link sends when the next buffer of the lane has credits. In a circle none ever gets them: the subnet stops "
    "until packets die of age. `minhop` and `sssp` take any shortest route, also one that goes down from a spine and "
    "up again, where storage hangs on spines or groups are joined sideways.",
    fix="Leave `infiniband.engine` to `auto`, or use `nue` or `dfsssp`, which keep such routes apart by lanes.",
    source="OpenSM, doc/current-routing.txt: minhop does not prevent credit loops; Domke et al., HPDC 2016 (Nue)",
    fails=Example("infiniband", STORAGE.replace("ENGINE", "minhop")),
    passes=Example("infiniband", STORAGE.replace("ENGINE", "nue")),
)
def credits_wait_in_a_circle(site: Linted) -> Iterator[Found]:
    """`engine` or one of `fallback` is `minhop` or `sssp`, whose routes make buffers wait in a circle.

    Looked at are all shortest routes to switches that have hosts or attachments.
    """
    for network in site.infiniband:
        wanted = network.intent.infiniband
        asked = [
            ("engine", wanted.engine),
            *((f"fallback.{i}", name) for i, name in enumerate(wanted.fallback or ())),
        ]
        risky = [(place, name) for place, name in asked if name in SHORTEST]
        around = minimal_circle(network.intact) if risky else ()
        if around:
            names = [network.topology.names[node] for node in around]
            place, name = risky[0]
            first, _, index = place.partition(".")
            at = network.at.child("infiniband", first, *([int(index)] if index else []))
            yield Found(
                at,
                f"with {name} {len(names)} buffers may wait for each other: {' > '.join((*names[:8], names[0]))}",
                value=name,
                subjects=tuple(names),
            )

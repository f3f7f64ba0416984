"""BGP and BFD are not stopped by a pause."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import OWN, in_policy, own_policy, policies
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

CONTROL = (48, 56)
"""CS6 and CS7."""


@rule(
    "FAB1007",
    "control-not-paused",
    "Code points of network control are in a lossless class",
    why="BGP and BFD mark their packets with CS6. A switch that classes them as it does data stops them with the data "
    "while a neighbour pauses: three lost BFD packets later the link is taken out of routing, which moves the traffic "
    "onto the next one.",
    fix="Take 48 (CS6) and 56 (CS7) out of classes with `priority`.",
    source="RFC 4594 section 3.1: CS6 is for network control, CS7 is reserved; RFC 7938 fabrics run BGP and BFD in "
    "band",
    fails=Example(
        "two-tier",
        OWN,
        own_policy(
            roce="{dscp: [26, 56], traffic_class: 3, priority: 3, queue: 3, share: 50, ecn: auto}",
        ),
    ),
    passes=Example("two-tier", OWN, own_policy()),
)
def control_not_paused(site: Linted) -> Iterator[Found]:
    """A class with `priority` has DSCP 48 or 56."""
    for name, policy in policies(site):
        for key, traffic_class in policy.classes.items():
            if traffic_class.priority is None or traffic_class.dscp == "rest":
                continue
            for index, point in enumerate(traffic_class.dscp):
                if point in CONTROL:
                    yield Found(
                        in_policy(name, "classes", key, "dscp", index),
                        f"DSCP {point} (CS{point // 8}) is paused with priority {traffic_class.priority} of {key}",
                        value=point,
                    )

"""What nobody has marked can be dropped."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import OWN, in_policy, own_policy, policies
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1008",
    "unmarked-not-paused",
    "Unmarked traffic is in a lossless class",
    why="DSCP 0 is what every application sends that marks nothing. In a lossless class, TCP fills the buffer until "
    "it sees a loss that never comes, and pauses the RDMA data beside it.",
    fix="Take 0 out of the class, and let the hosts mark their RDMA data.",
    source="RFC 2474, default PHB: code point 000000 is the default behaviour, best effort",
    fails=Example(
        "two-tier",
        OWN,
        own_policy(roce="{dscp: [0, 26], traffic_class: 3, priority: 3, queue: 3, share: 50, ecn: auto}"),
    ),
    passes=Example("two-tier", OWN, own_policy()),
)
def unmarked_not_paused(site: Linted) -> Iterator[Found]:
    """A class with `priority` has DSCP 0."""
    for name, policy in policies(site):
        for key, traffic_class in policy.classes.items():
            points = () if traffic_class.dscp == "rest" else traffic_class.dscp
            if traffic_class.priority is not None and 0 in points:
                yield Found(
                    in_policy(name, "classes", key, "dscp", points.index(0)),
                    f"DSCP 0 is paused with priority {traffic_class.priority} of {key}",
                    value=0,
                )

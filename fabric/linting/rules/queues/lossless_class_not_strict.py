"""Bulk data shares, and is not served first."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import OWN, in_policy, own_policy, policies
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1006",
    "lossless-class-not-strict",
    "A lossless class is served strictly",
    why="With a maximum rate, a strict class never gets more, even on an idle port: the fabric pauses at that rate. "
    "Without one it starves every class with a share, those of congestion notifications included.",
    fix="Remove `strict` and `max_rate`, and give the class a `share`.",
    source="Juniper/jvd @005ab344, data_center/aidc, and Cumulus Linux, RDMA over Converged Ethernet: strict for "
    "notifications, a share for RDMA data",
    fails=Example(
        "two-tier",
        OWN,
        own_policy(
            roce="{dscp: [24, 26], traffic_class: 3, priority: 3, queue: 3, strict: true, max_rate: 80, ecn: auto}",
            rest="{dscp: rest, traffic_class: 0, queue: 0, share: 100}",
        ),
    ),
    passes=Example("two-tier", OWN, own_policy()),
)
def lossless_class_not_strict(site: Linted) -> Iterator[Found]:
    """A class has both `priority` and `strict: true`."""
    for name, policy in policies(site):
        for key, traffic_class in policy.classes.items():
            if traffic_class.priority is not None and traffic_class.strict:
                rate = traffic_class.max_rate_percent
                what = f"never gets more than {rate} percent of a port" if rate else "may take whole ports"
                yield Found(in_policy(name, "classes", key, "strict"), f"{key} {what}", value=True)

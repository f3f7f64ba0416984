"""Notifications are of something."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Severity
from fabric.linting.policies import OWN, in_policy, own_policy, policies
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1003",
    "cnp-used",
    "No class is marked, so nothing is ever notified",
    severity=Severity.INFO,
    why="A NIC sends a congestion notification when a packet arrives that a switch has marked. Where no queue marks, "
    "senders learn of congestion by loss or pause alone, and the strict queue stands empty.",
    fix="Write `ecn: auto` in the class of the RDMA data; or remove the class, and `cnp`, where the hosts have a "
    "congestion control without marks.",
    source="DCQCN (SIGCOMM 2015): the notification point acts on marked packets",
    fails=Example(
        "two-tier",
        OWN,
        own_policy(roce="{dscp: [24, 26], traffic_class: 3, priority: 3, queue: 3, share: 50}"),
    ),
    passes=Example("two-tier", OWN, own_policy()),
)
def cnp_used(site: Linted) -> Iterator[Found]:
    """`cnp` names a class, and every class has `ecn: none`."""
    for name, policy in policies(site):
        if policy.cnp is not None and all(c.ecn == "none" for c in policy.classes.values()):
            yield Found(
                in_policy(name, "cnp"),
                f"none of {len(policy.classes)} classes has a marking curve",
                value=policy.cnp,
            )

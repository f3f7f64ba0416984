"""What is served first is small, all of it together."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import OWN, in_policy, own_policy, policies
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

MOST_PERCENT = 50
"""Our choice: no source that we know names a share. Of a port that is full, data keeps half."""


@rule(
    "FAB1004",
    "strict-classes-leave-room",
    "Strict classes together may take most of a port",
    why="Strict queues are served before all others, and their limits add up: what they leave is all that RDMA data "
    "and the rest have to divide. Hosts choose the code points of their packets. "
    "Half is our choice, as no source names a share: the published design below gives its strict class 5 percent.",
    fix="Lower `max_rate`: congestion notifications need no more than 5 percent.",
    source="Juniper/jvd @005ab344, data_center/aidc: the one strict class has 5 percent of a port",
    fails=Example(
        "two-tier",
        OWN,
        own_policy(more="voice: {dscp: [46], traffic_class: 5, queue: 5, strict: true, max_rate: 60}"),
    ),
    passes=Example(
        "two-tier",
        OWN,
        own_policy(more="voice: {dscp: [46], traffic_class: 5, queue: 5, strict: true, max_rate: 10}"),
    ),
)
def strict_classes_leave_room(site: Linted) -> Iterator[Found]:
    """The `max_rate` of all strict classes of a policy add up to more than 50 percent.

    A strict class without one is FAB346.
    """
    for name, policy in policies(site):
        rates = {
            key: c.max_rate_percent for key, c in policy.classes.items() if c.strict and c.max_rate_percent
        }
        total = sum(rates.values())
        if total > MOST_PERCENT:
            largest = max(rates, key=lambda key: rates[key])
            parts = " + ".join(f"{rate} ({key})" for key, rate in rates.items())
            yield Found(
                in_policy(name, "classes", largest, "max_rate"),
                f"strict classes may take {parts} = {total} percent of a port, and leave "
                f"{max(0, 100 - total)} to all others",
                value=rates[largest],
            )

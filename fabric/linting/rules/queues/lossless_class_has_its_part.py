"""RDMA data is not what gives way."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import OWN, in_policy, own_policy, policies
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1005",
    "lossless-class-has-its-part",
    "A lossless class has a smaller share than a lossy one",
    why="A lossy class that gets too little loses packets, and its senders slow down. A lossless one that gets too "
    "little fills its buffer and pauses: the senders behind it, and those of ports that have room.",
    fix="Raise `share` of the lossless class to at least that of each lossy one; what a class does not use is lent.",
    source="Cumulus Linux, RDMA over Converged Ethernet: RoCE has 50 percent beside one other class; DCQCN (SIGCOMM "
    "2015): pauses spread to flows that are not part of the congestion",
    fails=Example(
        "two-tier",
        OWN,
        own_policy(
            roce="{dscp: [24, 26], traffic_class: 3, priority: 3, queue: 3, share: 20, ecn: auto}",
            rest="{dscp: rest, traffic_class: 0, queue: 0, share: 80}",
        ),
    ),
    passes=Example("two-tier", OWN, own_policy()),
)
def lossless_class_has_its_part(site: Linted) -> Iterator[Found]:
    """A class with `priority` has a `share` that, times the lossless classes, is below a lossy `share`."""
    for name, policy in policies(site):
        lossless = {
            key: c for key, c in policy.classes.items() if c.priority is not None and c.share is not None
        }
        lossy = {
            key: c.share for key, c in policy.classes.items() if c.priority is None and c.share is not None
        }
        if not lossy:
            continue
        largest = max(lossy, key=lambda key: lossy[key])
        for key, traffic_class in lossless.items():
            share = traffic_class.share or 0
            if share * len(lossless) < lossy[largest]:
                yield Found(
                    in_policy(name, "classes", key, "share"),
                    f"{key} has {share} percent of a full port, {largest} has {lossy[largest]}",
                    value=share,
                )

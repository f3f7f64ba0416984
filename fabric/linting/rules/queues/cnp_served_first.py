"""Congestion notifications overtake what caused them."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import OWN, in_policy, own_policy, policies
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import counted


@rule(
    "FAB1001",
    "cnp-served-first",
    "Congestion notifications wait behind other traffic",
    why="A notification that waits in a queue reaches the sender a queue later: it goes on too fast for that time, "
    "and ports pause that would not have to.",
    fix="Give the notifications a class of their own, `strict: true` with `max_rate: 5`.",
    source="Cumulus Linux, RDMA over Converged Ethernet: DSCP 48 in switch priority 6, served strictly; DCQCN "
    "(SIGCOMM 2015): notifications are sent with high priority",
    fails=Example(
        "two-tier",
        OWN,
        own_policy(
            cnp="{dscp: [48], traffic_class: 6, queue: 6, share: 10}",
            rest="{dscp: rest, traffic_class: 0, queue: 0, share: 40}",
        ),
    ),
    passes=Example("two-tier", OWN, own_policy()),
)
def cnp_served_first(site: Linted) -> Iterator[Found]:
    """The class that `cnp` names has code points of its own and is not `strict`."""
    for name, policy in policies(site):
        notified = policy.classes.get(policy.cnp or "")
        if notified is not None and notified.dscp != "rest" and not notified.strict:
            yield Found(
                in_policy(name, "cnp"),
                f"class {policy.cnp} has {notified.share} percent of what strict classes leave: its packets wait "
                f"in turn with those of {counted(len(policy.classes) - 1, 'other class')}",
                value=policy.cnp,
            )

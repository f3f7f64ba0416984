"""Nothing but congestion notifications is in their queue."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import OWN, in_policy, own_policy, policies
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

ALL = (
    "classes:\n  roce: {dscp: [24, 26], traffic_class: 3, priority: 3, queue: 3, share: 50, ecn: auto}\n"
    "  best-effort: {dscp: rest, traffic_class: 0, queue: 0, share: 50}\ncnp: best-effort\n"
)


@rule(
    "FAB1002",
    "cnp-alone",
    "Congestion notifications share a queue with all unmarked traffic",
    why="Whatever nobody has marked is in the class with `dscp: rest`: a backup or a copy of a checkpoint fills that "
    "queue, and the notifications behind it come late or are dropped.",
    fix="Give the notifications a class of their own with their code point, `dscp: [48]`.",
    source="DCQCN (SIGCOMM 2015); Cumulus Linux, RDMA over Converged Ethernet: notifications in switch "
    "priority 6, unmarked traffic in 0",
    fails=Example("two-tier", OWN, {"own.yaml": ALL}),
    passes=Example("two-tier", OWN, own_policy()),
)
def cnp_alone(site: Linted) -> Iterator[Found]:
    """The class that `cnp` names has `dscp: rest`."""
    for name, policy in policies(site):
        notified = policy.classes.get(policy.cnp or "")
        if notified is not None and notified.dscp == "rest":
            yield Found(
                in_policy(name, "cnp"),
                f"class {policy.cnp} has every code point that no other class names",
                value=policy.cnp,
            )

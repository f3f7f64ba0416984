"""One mark means one thing on all NICs of a host."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from fabric.linting.policies import ROCE, own_policy
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.qos.check_classes import code_points
from fabric.qos.policy import LosslessPolicy

STORAGE = """
hosts: {gpu: {nics: {storage: {count: 2, ports: 2, speed: 400G}}}}
networks:
  storage:
    planes: {count: 2}
    rails: {leaves: 1}
    tiers:
      leaf: {model: arista-7060x6-64pe}
      spine: {model: arista-7060x6-64pe}
    cables: {host_leaf: {length: 3m, kind: dac}, leaf_spine: {length: 20m, kind: mmf}}
    lossless: own.yaml
"""


def paused(policy: LosslessPolicy) -> dict[int, int]:
    """The priority that pauses a code point, for each that is paused."""
    points = code_points(policy.classes)
    return {
        point: c.priority
        for key, c in policy.classes.items()
        if c.priority is not None
        for point in points[key]
    }


@rule(
    "FAB1009",
    "networks-pause-alike",
    "A code point is paused with another priority, or not at all, in another network of the same hosts",
    why="Applications mark a socket or a queue pair once, by the traffic class that they are configured with. On "
    "hosts with NICs in both networks, the same data is lossless on one and dropped or paused with another priority "
    "on the other, whichever way it leaves.",
    fix="Use one policy for all networks of the hosts, or let every code point have one priority in all of them.",
    source="RFC 2475: one differentiated services domain has one set of code points and what they mean; NVIDIA/nccl: "
    "NCCL_IB_TC is one number for all NICs",
    fails=Example("two-tier", STORAGE, own_policy(roce=ROCE.replace("priority: 3", "priority: 4"))),
    passes=Example("two-tier", STORAGE, own_policy()),
)
def networks_pause_alike(site: Linted) -> Iterator[Found]:
    """Two Ethernet networks of one host group have policies that pause a code point differently.

    The code point is named by `dscp` (not `rest`) in both, and its `priority` differs, or only one of them has it.
    """
    with_policy = [network for network in site.ethernet if network.policy is not None]
    for one, other in combinations(with_policy, 2):
        groups = [key for key in one.host_groups if key in other.host_groups]
        if not groups or one.policy is None or other.policy is None or one.policy is other.policy:
            continue
        first, second = paused(one.policy), paused(other.policy)
        named = {point for c in one.policy.classes.values() if c.dscp != "rest" for point in c.dscp}
        named &= {point for c in other.policy.classes.values() if c.dscp != "rest" for point in c.dscp}
        differ = sorted(point for point in named if first.get(point) != second.get(point))
        if differ:
            point = differ[0]
            yield Found(
                other.at.child("lossless"),
                f"DSCP {', '.join(map(str, differ))} on hosts of {', '.join(groups)}: {point} is "
                f"{_pause_text(first.get(point))} in {one.name} and {_pause_text(second.get(point))} in {other.name}",
                value=other.intent.lossless,
            )


def _pause_text(priority: int | None) -> str:
    return "not paused" if priority is None else f"paused with priority {priority}"

"""A storm is ended, not only seen."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import OWN, in_policy, own_policy, policies
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1108",
    "watchdog-acts",
    "The PFC watchdog only reports",
    why="A NIC that pauses for ever stops its leaf port, then every port that sends to it, in milliseconds. A report "
    "reaches somebody when the fabric has stopped.",
    fix="Write `action: drop`: the queue of the faulty port loses its packets, and nothing else does.",
    source="Juniper, PFC watchdog: drops by default; Guo et al., RDMA over Commodity Ethernet at Scale (SIGCOMM 2016): "
    "NIC pause storms, and watchdogs that disable lossless mode",
    fails=Example("two-tier", OWN, own_policy(tail="watchdog: {action: notify}")),
    passes=Example("two-tier", OWN, own_policy(tail="watchdog: {action: drop}")),
)
def watchdog_acts(site: Linted) -> Iterator[Found]:
    """A policy with a class that has `priority` has `watchdog.action: notify`."""
    for name, policy in policies(site):
        lossless = any(c.priority is not None for c in policy.classes.values())
        if lossless and policy.watchdog != "none" and policy.watchdog.action == "notify":
            at = in_policy(name, "watchdog", "action")
            yield Found(at, "a queue that is paused for ever stays so", value="notify", fix="drop")

"""The claim on ECN covers the incast that hosts produce."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import OWN, in_policy, is_own, own_policy
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import counted


@rule(
    "FAB1103",
    "incast-of-hosts",
    "ECN is held to a smaller incast than one host makes",
    why="In an all-to-all the GPUs of one host send to the same NIC of another at the same time. `incast` says for "
    "how many senders ECN must act before PFC; below the number of NICs of a host the check says nothing of the "
    "traffic there is.",
    fix="Write `incast` as the number of NICs of the largest host, or leave it at 8.",
    source="DCQCN (SIGCOMM 2015) section 4: queues grow until the first notification is answered; docs/lossless.md, "
    "ECN before PFC",
    fails=Example("two-tier", OWN, own_policy(tail="incast: 4")),
    passes=Example("two-tier", OWN, own_policy(tail="incast: 16")),
)
def incast_of_hosts(site: Linted) -> Iterator[Found]:
    """`incast` of the policy is less than the NICs that a host has in the network, and there are several hosts."""
    for network in site.ethernet:
        policy, groups = network.policy, network.host_groups
        if policy is None or not groups or all(c.priority is None for c in policy.classes.values()):
            continue
        largest = max(groups, key=lambda name: groups[name].count)
        if policy.incast < groups[largest].count:
            own = is_own(str(network.intent.lossless))
            yield Found(
                in_policy(str(network.intent.lossless), "incast") if own else network.at.child("lossless"),
                f"hosts of {largest} have {counted(groups[largest].count, 'NIC')} in network "
                f"{network.name}, and ECN is held to "
                f"{counted(policy.incast, 'sender')}",
                hint=""
                if own
                else "copy the policy beside the intent (`fabric init`), and write its `incast` there",
                value=policy.incast if own else network.intent.lossless,
                fix=groups[largest].count if own else None,
                about=network.name,
            )

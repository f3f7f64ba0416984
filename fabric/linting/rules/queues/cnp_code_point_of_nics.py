"""NICs that nobody configures send their notifications with DSCP 48."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import OWN, in_policy, own_policy
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

DEFAULT_DSCP = 48


@rule(
    "FAB1013",
    "cnp-code-point-of-nics",
    "NICs send congestion notifications with a code point of another class",
    why="Without settings, NICs mark notifications with DSCP 48. Where the policy has that in another class, they do "
    "not travel in the class that is kept free for them.",
    fix="Name 48 in the class of the notifications, or describe the hosts (`hosts.GROUP.system`), so that their NICs "
    "are given the code point of the policy.",
    source="NVIDIA and Broadcom NICs: DSCP 48 for notifications by default (Cumulus Linux, RDMA over Converged "
    "Ethernet; Juniper/jvd @005ab344)",
    fails=Example(
        "two-tier", OWN, own_policy(cnp="{dscp: [46], traffic_class: 6, queue: 6, strict: true, max_rate: 5}")
    ),
    passes=Example("two-tier", OWN, own_policy()),
)
def cnp_code_point_of_nics(site: Linted) -> Iterator[Found]:
    """The class that `cnp` names lacks DSCP 48, a class is marked, and NICs are not set by us.

    Not set by us: a host group with NICs in the network has no `system`, or `none` for the network in it.
    """
    for network in site.ethernet:
        policy = network.policy
        if policy is None or policy.cnp is None or all(c.ecn == "none" for c in policy.classes.values()):
            continue
        points = policy.classes[policy.cnp].dscp
        if points == "rest" or DEFAULT_DSCP in points:
            continue
        groups = [name for name in network.host_groups if not _is_set(site, name, network.name)]
        if groups:
            yield Found(
                in_policy(str(network.intent.lossless), "classes", policy.cnp, "dscp"),
                f"class {policy.cnp} has DSCP {', '.join(map(str, points))}; NICs of {', '.join(groups)} are not set "
                f"by us, and send {DEFAULT_DSCP}",
                value=", ".join(map(str, points)),
            )


def _is_set(site: Linted, group: str, network: str) -> bool:
    system = site.intent.site.hosts[group].system
    return system is not None and system.nics.get(network, "none") != "none"

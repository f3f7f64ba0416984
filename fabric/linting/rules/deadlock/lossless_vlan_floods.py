"""Lossless packets are not flooded."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _mode(mode: str) -> Example:
    return Example("two-tier", f"networks: {{compute: {{addressing: {{host_links: {{mode: {mode}}}}}}}}}")


@rule(
    "FAB1203",
    "lossless-vlan-floods",
    "Lossless packets may be flooded to all hosts of a leaf",
    why="A leaf that knows a host's address but no longer its port, because the host is down, sends the packets to "
    "every port of the VLAN. Lossless ones wait there until the slowest, or a paused, port has taken its copy.",
    fix="Use `host_links.mode: routed`: what is for a host that is down is dropped at its own port.",
    source="Guo et al., RDMA over Commodity Ethernet at Scale (SIGCOMM 2016): deadlock by flooding of "
    "lossless packets whose ARP entry outlived the MAC entry",
    fails=_mode("vlan"),
    passes=_mode("routed"),
)
def lossless_vlan_floods(site: Linted) -> Iterator[Found]:
    """`addressing.host_links.mode` is `vlan`, and a class of the network's policy has a `priority`."""
    for network in site.ethernet:
        policy, links = network.policy, network.intent.addressing.host_links
        if links.mode != "vlan" or policy is None:
            continue
        if any(chosen.priority is not None for chosen in policy.classes.values()):
            yield Found(
                network.at.child("addressing", "host_links", "mode"),
                f"hosts of each leaf of network {network.name} share VLAN {links.vlan}, and get lossless packets of "
                "others that are down",
                value=links.mode,
            )

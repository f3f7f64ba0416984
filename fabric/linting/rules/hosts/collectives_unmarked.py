"""Collectives mark their packets for their class."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.host_examples import described
from fabric.linting.rule import Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1701",
    "collectives-unmarked",
    "Nobody tells collectives which class they belong to",
    why="Without NCCL_IB_TC packets of collectives carry traffic class 0: they travel as best effort, are dropped "
    "where the lossless class would be paused, and its queues and headroom stay empty.",
    fix="Remove `nccl: none`, or accept the finding where jobs set NCCL_IB_TC themselves.",
    source="NCCL, environment variables: NCCL_IB_TC, default 0",
    fails=described(nccl="none"),
    passes=described(),
)
def collectives_unmarked(site: Linted) -> Iterator[Found]:
    """A host group with GPUs has `system` with `nccl: none`, and NICs in an Ethernet network with a lossless class."""
    for name, group in site.intent.site.hosts.items():
        if group.system is None or group.system.nccl != "none" or group.gpus == 0:
            continue
        lossless = [
            network.name
            for network in site.ethernet
            if network.name in group.system.nics
            and network.policy is not None
            and any(chosen.priority is not None for chosen in network.policy.classes.values())
        ]
        if lossless:
            yield Found(
                Origin(("hosts", name, "system", "nccl")),
                f"collectives of {name} travel as best effort in network {', '.join(lossless)}",
                value="none",
            )

"""Subnets are managed from hosts that do nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

HOSTS = """
networks: {compute: {infiniband: {managers: [{host: gpu-0-0, priority: 14}, {host: gpu-1-0, priority: 13}]}}}
attachments: null
"""


@rule(
    "FAB1602",
    "manager-on-compute-host",
    "A subnet manager runs on a host with GPUs",
    why="A job that takes all processors or memory of the host delays sweeps, and a host that is drained, restarted or "
    "taken over by its user takes the manager, and its keys, with it.",
    fix="Attach hosts of kind `subnet_manager`, or accept the finding where no other host is there.",
    source="NVIDIA DGX SuperPOD reference architecture: UFM runs on appliances of its own; docs/subnet-managers.md",
    fails=Example("infiniband", HOSTS),
    passes=Example("infiniband"),
)
def manager_on_compute_host(site: Linted) -> Iterator[Found]:
    """An entry of `infiniband.managers` names a `host`, and there are hosts with GPUs."""
    has_gpus = any(group.gpus != 0 for group in site.intent.site.hosts.values())
    for network in site.infiniband:
        for index, manager in enumerate(network.intent.infiniband.managers):
            if manager.host is not None and has_gpus:
                yield Found(
                    network.at.child("infiniband", "managers", index, "host"),
                    f"{manager.host} runs jobs and manages network {network.name}",
                    value=manager.host,
                )

"""A subnet is managed by those who know its key."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1603",
    "subnet-without-keys",
    "Anybody on the subnet may manage it",
    why="Without an M_Key whoever is root on one host can change LIDs, routes and partitions of every port, or shut "
    "them: by intent, or with a tool that was meant for another subnet.",
    fix="Write `infiniband.keys` with references to secrets.",
    source="InfiniBand Architecture, management key; manual of OpenSM, MKEY CONFIGURATION",
    fails=Example("infiniband", "networks: {compute: {infiniband: {keys: null}}}"),
    passes=Example("infiniband"),
)
def subnet_without_keys(site: Linted) -> Iterator[Found]:
    """`infiniband.keys` is not there."""
    for network in site.infiniband:
        if network.intent.infiniband.keys is None:
            yield Found(
                network.at.child("infiniband", "keys"),
                f"ports of network {network.name} obey every management packet",
            )

"""Ports keep their key while no manager runs."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _lease(lease_s: int) -> Example:
    return Example("infiniband", f"networks: {{compute: {{infiniband: {{keys: {{lease_s: {lease_s}}}}}}}}}")


SHORTEST_S = 60
"""Six sweeps of OpenSM, one each 10 s."""


@rule(
    "FAB1605",
    "keys-expire-soon",
    "Ports drop their M_Key after a minute without the manager",
    why="Once the lease has run out a port obeys anybody until a manager comes back. A manager that hands over or "
    "restarts in a large subnet may need longer than that.",
    fix="Write `lease_s: 0` (never), or some minutes.",
    source="InfiniBand Architecture, management key: lease period; OpenSM sweeps each 10 s by default",
    fails=_lease(30),
    passes=_lease(600),
)
def keys_expire_soon(site: Linted) -> Iterator[Found]:
    """`infiniband.keys.lease_s` is above 0 and below 60."""
    for network in site.infiniband:
        keys = network.intent.infiniband.keys
        if keys is not None and 0 < keys.lease_s < SHORTEST_S:
            yield Found(
                network.at.child("infiniband", "keys", "lease_s"),
                f"the key lasts for {keys.lease_s} s after the last sweep",
                value=keys.lease_s,
                fix=0,
            )

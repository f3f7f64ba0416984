"""A key that ports tell is not a secret."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _level(level: int) -> Example:
    return Example(
        "infiniband", f"networks: {{compute: {{infiniband: {{keys: {{protection_level: {level}}}}}}}}}"
    )


@rule(
    "FAB1604",
    "keys-can-be-read",
    "Ports tell their M_Key to whoever asks",
    why="At level 0 a query without the key is answered with all of PortInfo, the key included: whoever wants to "
    "manage the subnet reads it first. At level 1 the key is left out; at 2 nothing is answered.",
    fix="Leave `protection_level` out: 2.",
    source="InfiniBand Architecture, management key: protection bits; manual of OpenSM, m_key_protection_level",
    fails=_level(0),
    passes=_level(2),
)
def keys_can_be_read(site: Linted) -> Iterator[Found]:
    """`infiniband.keys.protection_level` is 0."""
    for network in site.infiniband:
        keys = network.intent.infiniband.keys
        if keys is not None and keys.protection_level == 0:
            yield Found(
                network.at.child("infiniband", "keys", "protection_level"),
                f"ports of network {network.name} answer queries with their key",
                value=0,
                fix=2,
            )

"""Oversubscription of each tier, as it is checked and shown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from fabric.intent.model import Network
from fabric.topology.network_draft import Draft
from fabric.topology.port_maps import Demand
from fabric.topology.roles import Facing, Role

NO_CEILING = "999999:1"
"""Above any ratio."""


def without_ceilings(network: Network) -> Network:
    """The network with any oversubscription allowed: what is locked is there, whatever ceiling is set today."""
    tiers = network.tiers
    changes: dict[str, Any] = {
        role: msgspec.structs.replace(tier, max_oversubscription=NO_CEILING)
        for role, tier in (("leaf", tiers.leaf), ("spine", tiers.spine), ("superspine", tiers.superspine))
        if tier is not None
    }
    return msgspec.structs.replace(network, tiers=msgspec.structs.replace(tiers, **changes))


def bandwidths_of(draft: Draft) -> dict[Role, tuple[int, int]]:
    """Downward and upward Mb/s of one switch of each tier; tiers without uplinks are left out."""
    bandwidths: dict[Role, tuple[int, int]] = {}
    for role, demands in zip((Role.LEAF, Role.SPINE), draft.sizes.demands, strict=False):
        up = _bandwidth(demands[0], Facing.UP)
        if up:
            bandwidths[role] = (_down(draft, role, demands[0]) + _attached(draft, role), up)
    return bandwidths


def oversubscription_of(draft: Draft) -> dict[Role, Fraction]:
    """Downlink by uplink bandwidth of one switch of each tier; tiers without uplinks have none."""
    return {role: Fraction(down, up) for role, (down, up) in bandwidths_of(draft).items()}


def _bandwidth(demands: Sequence[Demand], facing: Facing) -> int:
    return sum(d.count * d.speed_mbps for d in demands if d.facing is facing)


def _down(draft: Draft, role: Role, demands: Sequence[Demand]) -> int:
    if role is Role.SPINE:
        sizes = draft.sizes
        speed = next(d.speed_mbps for d in demands if d.facing is Facing.DOWN)
        return sizes.leaves_per_group * sizes.leaf.links_per_pair * speed
    return draft.sizes.seat_mbps()


def _attached(draft: Draft, role: Role) -> int:
    """Most bandwidth that storage brings to one switch.

    What a router brings goes to and from outside, and a subnet manager sends next to nothing.
    """
    per_switch: dict[int, int] = {}
    for attached in draft.attached:
        to = attached.attachment.to
        if to.tier == role.name.lower() and to.host_slot is None and attached.attachment.kind == "storage":
            for node in attached.switches:
                speed = int(attached.attachment.speed_mbps)
                per_switch[node] = per_switch.get(node, 0) + speed
    return max(per_switch.values(), default=0)

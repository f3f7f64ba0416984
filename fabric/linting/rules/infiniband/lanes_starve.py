"""Lanes of high priority leave something to the others."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

UNLIMITED = 255


def _limit(limit: int) -> Example:
    levels = (
        "{default: {service_level: 0, virtual_lane: 0}, "
        "urgent: {service_level: 1, virtual_lane: 1, high_weight: 64}}"
    )
    return Example(
        "infiniband",
        f"networks: {{compute: {{infiniband: {{high_limit: {limit}, service_levels: {levels}}}}}}}",
    )


@rule(
    "FAB1608",
    "lanes-starve",
    "Lanes of high priority may keep all others from sending",
    why="With a limit of 255 low-priority lanes send only while those of the high-priority table are empty. One job in "
    "an urgent class then stops everybody else's, and the packets in their buffers die of age.",
    fix="Write a `high_limit` below 255: so many times 4 KiB are sent before one packet of low priority.",
    source="InfiniBand Architecture, VL arbitration: Limit of High-Priority",
    fails=_limit(255),
    passes=_limit(10),
)
def lanes_starve(site: Linted) -> Iterator[Found]:
    """`infiniband.high_limit` is 255, a class has a `high_weight`, and another one has none."""
    for network in site.infiniband:
        subnet = network.intent.infiniband
        high = {level.virtual_lane for level in subnet.service_levels.values() if level.high_weight}
        low = {level.virtual_lane for level in subnet.service_levels.values()} - high
        if subnet.high_limit == UNLIMITED and high and low:
            yield Found(
                network.at.child("infiniband", "high_limit"),
                f"{len(low)} of {len(low) + len(high)} lanes wait for as long as the others send",
                value=subnet.high_limit,
                fix=10,
            )

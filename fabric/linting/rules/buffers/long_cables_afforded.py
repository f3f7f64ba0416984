"""No tier's cables fill the buffer."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.cable_cost import cable_costs
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import Bytes, Length, Speed, counted

MOST_PERCENT = 15
"""Our choice: 128 ports of 400G at 300 m, the longest cable of SONiC's tables, hold 12 percent of 160 MB."""


@rule(
    "FAB1104",
    "long-cables-afforded",
    "The length of one kind of cable takes much of the buffer",
    why="What is on a cable when the port pauses must fit, for every port and lossless class, counted as frames of 64 "
    "bytes that fill their cells in part. What long cables take is missing for bursts of all ports. "
    "15 percent is our choice: 128 ports of 400G at 300 m, the longest cable of SONiC's own tables, hold 12 percent of "
    "160 MB.",
    fix="State the true length, place the switches nearer, make the classes on long links lossy, or let headroom "
    "count with frames of RDMA (`headroom: {smallest_frame: 1086B}`).",
    source="docs/lossless.md: 2 x length x speed / 198,000 km/s x occupancy; SONiC buffer_headroom_mellanox.lua "
    "@18913fa",
    fails=Example("two-tier", "networks: {compute: {cables: {leaf_spine: {length: 2km, kind: smf}}}}"),
    passes=Example("two-tier"),
)
def long_cables_afforded(site: Linted) -> Iterator[Found]:
    """On a switch, what the cables of one speed and length hold takes more than 15 percent of the buffer.

    It is their ports x lossless classes x bytes on the cable, both ways, without occupancy: what really is in flight.
    """
    for network in site.ethernet:
        worst: dict[tuple[int, int], tuple[int, str, int]] = {}
        for kind in network.kinds:
            for cost in cable_costs(kind.example):
                key = (cost.speed_mbps, cost.cable_m)
                if cost.percent > MOST_PERCENT and cost.percent > worst.get(key, (0, "", 0))[0]:
                    worst[key] = (
                        cost.percent,
                        f"{counted(cost.ports, 'port')} of {kind.example.name}",
                        cost.on_cables_bytes,
                    )
        for (speed, length), (percent, ports, on_cables) in worst.items():
            yield Found(
                network.at.child("cables"),
                f"{Length(length)} of cable at {Speed(speed)} hold {Bytes(on_cables)} on {ports}, {percent} percent of "
                "its buffer, before anything queues",
                about=f"{speed} {length}",
            )

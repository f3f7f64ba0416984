"""A measured round trip is not shorter than the cables."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import in_policy, own_policy
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.qos.headroom import SIGNAL_M_PER_S

LONG = "networks: {compute: {lossless: own.yaml, cables: {leaf_spine: {length: 200m, kind: smf}}}}"


@rule(
    "FAB1111",
    "round-trip-possible",
    "The stated round trip is shorter than light needs in the cables",
    why="`ecn: auto` puts kmin at what is in flight in a round trip. With one that is too short, queues are marked "
    "before a link can be full, and throughput is lost on every path of full length.",
    fix="Measure between hosts of different units without load, or write `round_trip_us: auto`.",
    source="docs/lossless.md: signals travel 198,000 km/s in the cable (SONiC buffer_headroom_mellanox.lua @18913fa); "
    "DCTCP (SIGCOMM 2010)",
    fails=Example("two-tier", LONG, own_policy(tail="round_trip_us: 3")),
    passes=Example("two-tier", LONG, own_policy(tail="round_trip_us: 12")),
)
def round_trip_possible(site: Linted) -> Iterator[Found]:
    """`round_trip_us` is less than signals need on the cables of the longest path, there and back."""
    for network in site.ethernet:
        policy, tiers = network.policy, network.intent.tiers
        if policy is None or policy.round_trip_us == "auto":
            continue
        cables = network.intent.cables
        lengths = [cables.host_leaf.length_m]
        lengths += [cables.leaf_spine.length_m] if tiers.spine else []
        lengths += [cables.spine_superspine.length_m] if tiers.superspine else []
        one_way_m = 2 * sum(map(int, lengths))
        least_us = 2 * one_way_m * 10**6 / SIGNAL_M_PER_S
        if policy.round_trip_us < least_us:
            yield Found(
                in_policy(str(network.intent.lossless), "round_trip_us"),
                f"{policy.round_trip_us} us, and {one_way_m} m of cable each way take {least_us:.1f} us in "
                f"network {network.name}",
                value=policy.round_trip_us,
                fix="auto",
                about=network.name,
            )

"""Classes of traffic have lanes of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _lane(lane: int, more: str = "") -> Example:
    levels = (
        "{default: {service_level: 0, virtual_lane: 0}, storage: {service_level: 1, virtual_lane: "
        f"{lane}{more}}}}}"
    )
    return Example("infiniband", f"networks: {{compute: {{infiniband: {{service_levels: {levels}}}}}}}")


@rule(
    "FAB1607",
    "classes-share-a-lane",
    "Two service levels share a virtual lane",
    why="Buffers and credits belong to the lane. Packets of both classes wait behind each other, and a weight for one "
    "of them holds for both: they are told apart on paper only.",
    fix="Give each class of `service_levels` a `virtual_lane` of its own.",
    source="InfiniBand Architecture: virtual lanes have buffers of their own; SL to VL mapping",
    fails=_lane(0),
    passes=_lane(1),
)
def classes_share_a_lane(site: Linted) -> Iterator[Found]:
    """Two classes of `infiniband.service_levels` have one `virtual_lane`."""
    for network in site.infiniband:
        by_lane: dict[int, list[str]] = defaultdict(list)
        for name, level in network.intent.infiniband.service_levels.items():
            by_lane[level.virtual_lane].append(name)
        for lane, names in by_lane.items():
            if len(names) > 1:
                yield Found(
                    network.at.child("infiniband", "service_levels", names[-1], "virtual_lane"),
                    f"{' and '.join(names)} share lane {lane}",
                    value=lane,
                )

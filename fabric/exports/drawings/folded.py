"""A site with as few boxes as a page holds: hosts of a unit are one, links between two boxes are one line."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fabric.exports import rows
from fabric.exports.network_view import View
from fabric.exports.printing import slug
from fabric.exports.rows import DeviceRow
from fabric.units import Speed


class Box(msgspec.Struct, frozen=True):
    """A switch, an attachment, or the hosts of one group in one unit."""

    key: str
    """Letters, digits and hyphens."""
    label: str
    role: str


class Line(msgspec.Struct, frozen=True):
    """All links between two boxes."""

    lower: str
    """A key."""
    upper: str
    links: tuple[tuple[str, str, str, str], ...]
    """Lower device, its port, upper device, its port."""
    speeds_mbps: tuple[int, ...]

    @property
    def label(self) -> str:
        """`8 x 400G`."""
        return (
            f"{len(self.links)} x {'/'.join(str(Speed(speed)) for speed in self.speeds_mbps)}".removesuffix(
                " x "
            )
        )


def boxes_and_lines(views: Iterable[View]) -> tuple[tuple[Box, ...], tuple[Line, ...]]:
    """The boxes in the order of their first device, the lines in that of their first cable."""
    views = tuple(views)
    box_of: dict[str, str] = {}
    boxes: dict[str, list[DeviceRow]] = {}
    for device in rows.device_rows(views):
        key = f"hosts-{slug(device.group)}-{device.unit}" if device.group else f"one-{device.name}"
        box_of[device.name] = key
        boxes.setdefault(key, []).append(device)
    links: dict[tuple[str, str], list[tuple[str, str, str, str]]] = {}
    speeds: dict[tuple[str, str], set[int]] = {}
    for cable in rows.cable_rows(views):
        for lower, upper in zip(cable.a, cable.b, strict=True):
            pair = (box_of[lower[0]], box_of[upper[0]])
            links.setdefault(pair, []).append((*lower, *upper))
            speeds.setdefault(pair, set()).update({cable.speed_mbps} if cable.speed_mbps else ())
    return (
        tuple(Box(key, _label(members), members[0].role) for key, members in boxes.items()),
        tuple(Line(*pair, tuple(found), tuple(sorted(speeds[pair]))) for pair, found in links.items()),
    )


def _label(members: list[DeviceRow]) -> str:
    first = members[0]
    if first.group is None or len(members) == 1:
        return first.name
    return f"{members[0].name} to {members[-1].name}"

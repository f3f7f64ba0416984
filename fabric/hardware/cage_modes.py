"""Cages and the modes into which they split: reading `2x400G`, `1-64`, `3/1-36`."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from fabric.hardware.model import PortSlot, SwitchModel
from fabric.units import END, Speed

MODE = re.compile(rf"^([1-9][0-9]?)x([1-9][0-9]{{0,3}}(?:\.[0-9])?[GM]){END}")
RANGE = re.compile(rf"^(?:([0-9]{{1,4}})/)?([0-9]{{1,4}})(?:-([0-9]{{1,4}}))?{END}")
MOST_CAGES = 4096
"""Of one range: more than any switch has."""


class Mode(msgspec.Struct, frozen=True, order=True):
    """A way to split a cage into equal ports."""

    ports: int
    speed_mbps: int
    """Of one port."""

    @property
    def total_mbps(self) -> int:
        """Of the whole cage."""
        return self.ports * self.speed_mbps

    def __str__(self) -> str:
        return f"{self.ports}x{Speed(self.speed_mbps)}"


def parse_mode(text: str) -> Mode:
    """Read `2x400G`. `ValueError` if it is not a mode."""
    match = MODE.match(text)
    if match is None:
        message = f"{text!r} is not a valid breakout mode: write it like 2x400G"
        raise ValueError(message)
    return Mode(int(match[1]), int(Speed.parse(match[2])))


def cage_count(model: SwitchModel) -> int:
    """Cages of the fabric, of the whole switch or chassis."""
    return sum(len(cage_numbers(group.cages)) for group in model.cages if group.role == "fabric")


def cage_numbers(text: str) -> tuple[tuple[int, int], ...]:
    """Slot and cage numbers of `1-64`, `65` or `3/1-36,4/1-36`, in the order written. Slot 0: no chassis.

    `ValueError` if it is not such a list, or a range runs backwards.
    """
    cages: list[tuple[int, int]] = []
    for part in text.split(","):
        match = RANGE.match(part)
        if match is None:
            message = f"{part!r} is not a valid range of cages: write it like 1-64, or 3/1-36 on a chassis"
            raise ValueError(message)
        slot, first, last = int(match[1] or 0), int(match[2]), int(match[3] or match[2])
        if not first <= last < first + MOST_CAGES:
            message = f"{part!r} runs backwards or is beyond {MOST_CAGES} cages"
            raise ValueError(message)
        cages += [(slot, cage) for cage in range(first, last + 1)]
    return tuple(cages)


def idle_slots(model: SwitchModel, used: Iterable[PortSlot]) -> tuple[PortSlot, ...]:
    """One whole-cage port for each cage of the model that no port of `used` stands in, in the catalogue's order.

    Its speed is 0: nobody chose one.
    """
    taken = {(slot.slot, slot.cage) for slot in used}
    return tuple(
        PortSlot(
            slot=slot,
            cage=cage,
            sub_port=0,
            sub_ports=1,
            first_lane=0,
            lanes=group.lanes,
            cage_lanes=group.lanes,
            speed_mbps=0,
        )
        for group in model.cages
        for slot, cage in cage_numbers(group.cages)
        if (slot, cage) not in taken
    )

"""The Ethernet ports that a model has, and what each can do: EOS shows each of them, and refuses others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from fabric.hardware import CageGroup, PortSlot, SwitchModel
from fabric.hardware.catalogue import load_catalogue
from fabric.platforms.eos.names import SPEEDS_MBPS, port_name


def product(hardware: str) -> str:
    """The name of a model as the product tells it: `DCS-7060X6-64PE`."""
    switches = load_catalogue().switches
    if hardware not in switches:
        return hardware or "emulated"
    return f"DCS-{switches[hardware].model.rpartition(' ')[2]}"


class Reach(NamedTuple):
    """What a port can be set to."""

    lanes: int
    """From its first lane to the end of its cage."""
    lane_mbps: int
    most_mbps: int
    """Of the whole cage."""


ANY = Reach(64, 10**9, 10**9)
"""Of a port that the catalogue does not know."""


@cache
def front_panel(hardware: str) -> frozenset[str]:
    """Names of a model's ports, every lane of every cage. Empty: a model that the catalogue does not have."""
    return frozenset(reaches(hardware))


@cache
def reaches(hardware: str) -> Mapping[str, Reach]:
    """What each port of a model can be set to. Empty: a model that the catalogue does not have."""
    switches = load_catalogue().switches
    if hardware not in switches:
        return {}
    model = switches[hardware]
    return {name: reach for group in model.cages for name, reach in _ports(group, model)}


def lacks(reach: Reach, speed: str) -> bool:
    """Whether a port lacks a speed, as the `speed` command has it: `400g-4`. Other words say nothing of hardware."""
    mbps = SPEEDS_MBPS.get(speed, 0)
    _, _, lanes = speed.partition("-")
    needed = int(lanes or -(-mbps // reach.lane_mbps))
    return needed > reach.lanes or mbps > min(needed * reach.lane_mbps, reach.most_mbps)


def _ports(group: CageGroup, model: SwitchModel) -> Iterator[tuple[str, Reach]]:
    card, slash, span = group.cages.rpartition("/")
    first, _, last = span.partition("-")
    for cage in range(int(first), int(last or first) + 1):
        for lane in range(group.lanes):
            slot = PortSlot(
                slot=int(card) if slash else 0,
                cage=cage,
                sub_port=lane,
                sub_ports=group.lanes,
                first_lane=lane,
                lanes=1,
                cage_lanes=group.lanes,
                speed_mbps=group.lane_mbps,
            )
            yield port_name(slot, model), Reach(group.lanes - lane, group.lane_mbps, group.max_mbps)

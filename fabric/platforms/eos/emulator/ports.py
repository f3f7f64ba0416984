"""The Ethernet ports that a model has: EOS shows each of them, and refuses others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from fabric.hardware import CageGroup, PortSlot, SwitchModel
from fabric.hardware.catalogue import load_catalogue
from fabric.platforms.eos.names import port_name


def product(hardware: str) -> str:
    """The name of a model as the product tells it: `DCS-7060X6-64PE`."""
    switches = load_catalogue().switches
    if hardware not in switches:
        return hardware or "emulated"
    return f"DCS-{switches[hardware].model.rpartition(' ')[2]}"


@cache
def front_panel(hardware: str) -> frozenset[str]:
    """Names of a model's ports, every lane of every cage. Empty: a model that the catalogue does not have."""
    switches = load_catalogue().switches
    if hardware not in switches:
        return frozenset()
    model = switches[hardware]
    return frozenset(name for group in model.cages for name in _ports(group, model))


def _ports(group: CageGroup, model: SwitchModel) -> Iterator[str]:
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
            yield port_name(slot, model)

"""The hardware catalogue."""

from fabric.hardware.cage_modes import Mode, cage_numbers, idle_slots, parse_mode
from fabric.hardware.catalogue import Catalogue, load_catalogue, next_longer
from fabric.hardware.model import (
    Asic,
    Buffer,
    CageGroup,
    HeadroomRow,
    HeadroomTable,
    HostModel,
    Limit,
    NicSet,
    PortSlot,
    Software,
    SwitchModel,
)

__all__ = [
    "Asic",
    "Buffer",
    "CageGroup",
    "Catalogue",
    "HeadroomRow",
    "HeadroomTable",
    "HostModel",
    "Limit",
    "Mode",
    "NicSet",
    "PortSlot",
    "Software",
    "SwitchModel",
    "cage_numbers",
    "idle_slots",
    "load_catalogue",
    "next_longer",
    "parse_mode",
]

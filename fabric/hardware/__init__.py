"""The hardware catalogue."""

from fabric.hardware.catalogue import Catalogue, load_catalogue
from fabric.hardware.model import (
    Asic,
    Buffer,
    CageGroup,
    HeadroomRow,
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
    "HostModel",
    "Limit",
    "NicSet",
    "PortSlot",
    "Software",
    "SwitchModel",
    "load_catalogue",
]

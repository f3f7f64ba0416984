"""The neutral switches of the tests, on a Spectrum-4 with Cumulus Linux."""

from __future__ import annotations

from typing import Any

import msgspec

from fabric.devices.model import Switch
from fabric.hardware import Software, SwitchModel
from fabric.platforms.cumulus.names import port_name
from tests.platforms.eos import devices as generic


def hardware() -> SwitchModel:
    """A switch of 64 cages with eight lanes of 100G."""
    return msgspec.structs.replace(
        generic.hardware(),
        id="nvidia-test",
        vendor="NVIDIA",
        model="NVIDIA test",
        asic="NVIDIA Spectrum-4",
        software=(Software(name="cumulus", source="test"),),
    )


def ported(device: Switch, release: str | None = "5.16.1", **changes: Any) -> Switch:
    """The same switch as Cumulus Linux calls it."""
    names = {port.name: port_name(port.slot, hardware()) for port in device.ports}
    ports = tuple(msgspec.structs.replace(port, name=names[port.name]) for port in device.ports)
    neighbors = tuple(
        msgspec.structs.replace(one, port=names.get(one.port, one.port)) for one in device.routing.neighbors
    )
    routing = msgspec.structs.replace(device.routing, neighbors=neighbors)
    values = {
        "platform": "cumulus",
        "release": release,
        "hardware": hardware(),
        "ports": ports,
        "routing": routing,
    }
    return msgspec.structs.replace(device, **(values | changes))

"""From a derived site to the devices of its sandbox."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.model import Switch
from fabric.platforms.emulation import Emulated, Wire
from fabric.platforms.registry import platform


def emulated(switches: Iterable[Switch], username: str, password: str) -> Iterator[Emulated]:
    """Every switch that can be played, as it leaves zero-touch provisioning, cabled as the intent says.

    Switches of a platform without emulator are left out.
    """
    for switch in switches:
        product, management = platform(switch.platform), switch.management
        if product.emulator:
            yield Emulated(
                name=switch.name,
                platform=switch.platform,
                hardware=switch.hardware.id,
                release=switch.release,
                management=str(management.addresses[0]) if management.addresses else "",
                management_vrf=management.vrf,
                management_port=product.management_port(switch.hardware),
                wires=tuple(_wires(switch)),
                username=username,
                password=password,
            )


def _wires(switch: Switch) -> Iterator[Wire]:
    for port in switch.ports:
        if port.peer:
            yield Wire(port.name, port.peer, port.peer_port)

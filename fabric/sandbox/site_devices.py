"""From a derived site to the devices of its sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fabric.devices.model import Device, Switch
from fabric.platforms.emulation import Emulated, Wire
from fabric.platforms.registry import platform


def emulated_switches(
    devices: Iterable[Device], login_of: Callable[[str], tuple[str, str]]
) -> Iterator[Emulated]:
    """Every switch that can be played, as it leaves zero-touch provisioning, cabled as in the intent.

    `login_of` tells user name and password of a device. Devices of a platform without emulator are left out.
    """
    for switch in devices:
        product = platform(switch.platform)
        if isinstance(switch, Switch) and product.emulator:
            management = switch.management
            username, password = login_of(switch.name)
            yield Emulated(
                name=switch.name,
                platform=switch.platform,
                hardware=switch.hardware.id,
                release=switch.release,
                management=str(management.addresses[0]) if management.addresses else "",
                management_vrf=management.vrf,
                management_port=product.management_port(switch.hardware),
                wires=tuple(Wire(port.name, port.peer, port.peer_port) for port in switch.ports if port.peer),
                username=username,
                password=password,
            )

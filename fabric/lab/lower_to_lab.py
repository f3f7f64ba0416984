"""Every Ethernet switch of a site as a switch of the lab's platform, whatever product it is.

Addresses, AS numbers, sessions, policies, timers and BFD stay as intended. Names of ports become those of the lab's
platform, by cage and part; what needs an ASIC or a product of its own (queues, services, lines of overrides) is
left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from fabric.devices.addresses import IpInterface
from fabric.devices.hosts.model import Host
from fabric.devices.model import Device, ManagementPort, Switch, SwitchPort
from fabric.devices.site_devices import Devices
from fabric.hardware import load_catalogue
from fabric.platforms.base import AnyPlatform
from fabric.platforms.lab_box import LabBox
from fabric.platforms.registry import LAB_PLATFORM, platform

CARD = 1000
"""More cages than a line card has."""
Place = tuple[str, str]
"""A device and one of its ports, as its own product calls it."""


class LabProduct(NamedTuple):
    """The platform that plays every switch."""

    platform: AnyPlatform
    box: LabBox


def lab_product() -> LabProduct:
    """The platform of the lab, and how it runs in a box."""
    product = platform(LAB_PLATFORM)
    if product.lab_box is None:
        message = f"the platform {LAB_PLATFORM} has no `lab_box`"
        raise TypeError(message)
    return LabProduct(product, product.lab_box())


def switches_of(devices: Devices) -> Iterator[Switch]:
    """The Ethernet switches of a site: subnet managers have no place in a lab."""
    return (device for device in devices.values() if isinstance(device, Switch))


def lab_port_names(devices: Devices) -> dict[Place, str]:
    """What each port of each switch is called in the lab."""
    product = lab_product()
    return {
        (switch.name, port.name): _port_name(product, port)
        for switch in switches_of(devices)
        for port in switch.ports
    }


def lab_switches(devices: Devices, management: Mapping[str, IpInterface]) -> dict[str, Switch]:
    """The switches of a site as the lab has them, by name. `management`: each one's address in the lab."""
    product, names, switches = lab_product(), lab_port_names(devices), switches_of(devices)
    return {switch.name: _lowered(switch, product, names, management.get(switch.name)) for switch in switches}


def _port_name(product: LabProduct, port: SwitchPort) -> str:
    """By cage and part; a cage of line card 3 gets 3,000 added."""
    slot = msgspec.structs.replace(port.slot, slot=0, cage=port.slot.slot * CARD + port.slot.cage)
    return product.platform.port_name(slot, load_catalogue().switches[product.box.hardware])


def _lowered(
    switch: Switch, product: LabProduct, names: Mapping[Place, str], address: IpInterface | None
) -> Switch:
    """One switch in the lab's words, with its access to management in the lab."""
    neighbors = tuple(
        msgspec.structs.replace(neighbor, port=names.get((switch.name, neighbor.port), neighbor.port))
        for neighbor in switch.routing.neighbors
    )
    return product.box.adapted(
        msgspec.structs.replace(
            switch,
            platform=product.platform.name,
            release=None,
            hardware=load_catalogue().switches[product.box.hardware],
            ports=tuple(_lowered_port(switch.name, port, names) for port in switch.ports),
            routing=msgspec.structs.replace(switch.routing, neighbors=neighbors),
            management=ManagementPort((address,) if address else (), None, "default"),
        )
    )


def _lowered_port(name: str, port: SwitchPort, names: Mapping[Place, str]) -> SwitchPort:
    return msgspec.structs.replace(
        port,
        name=names[name, port.name],
        peer_port=names.get((port.peer, port.peer_port), port.peer_port),
        queueing=None,
        bond=0,
        peer_platform=port.peer_platform and LAB_PLATFORM,
    )


class LabHosts(Mapping[str, Host]):
    """The hosts of a site, plugged into the ports of the lab's switches; each made when asked for."""

    def __init__(self, hosts: Mapping[str, Host], names: Mapping[Place, str]) -> None:
        self._hosts, self._names = hosts, names

    def __getitem__(self, name: str) -> Host:
        host = self._hosts[name]
        ports = (
            msgspec.structs.replace(p, peer_port=self._names.get((p.peer, p.peer_port), p.peer_port))
            for p in host.ports
        )
        return msgspec.structs.replace(host, ports=tuple(ports))

    def __iter__(self) -> Iterator[str]:
        return iter(self._hosts)

    def __len__(self) -> int:
        return len(self._hosts)

    def __contains__(self, name: object) -> bool:
        return name in self._hosts


def lab_devices(devices: Devices, management: Mapping[str, IpInterface]) -> Devices:
    """The site as the lab has it: what plans and applies for the lab are made from."""
    switches, names = lab_switches(devices, management), lab_port_names(devices)

    def device(name: str) -> Device:
        return switches[name]

    def fingerprint(name: str) -> str:
        return f"lab {management.get(name)} {devices.fingerprint(name)}"

    return Devices(tuple(switches), device, fingerprint, LabHosts(devices.hosts, names), devices.diagnostics)

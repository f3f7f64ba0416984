"""Switches that SONiC can say, made from the shipped catalogue's models."""

from __future__ import annotations

from functools import cache

import msgspec

from fabric.devices.model import Switch
from fabric.hardware import SwitchModel
from fabric.hardware.catalogue import load_catalogue
from fabric.platforms.sonic import PLATFORM
from fabric.rendering.render import print_switch
from tests.platforms.eos import cases as generic
from tests.platforms.eos import devices as make

TH5, SPECTRUM = "arista-7060x6-64pe", "nvidia-sn5600"


@cache
def model(name: str) -> SwitchModel:
    """A model of the shipped catalogue."""
    return load_catalogue().switches[name]


def on(device: Switch, name: str = TH5, release: str = "202511") -> Switch:
    """The same switch as a model that runs SONiC, its ports called as there."""
    hardware = model(name)
    called = {port.name: PLATFORM.port_name(port.slot, hardware) for port in device.ports}
    ports = tuple(msgspec.structs.replace(port, name=called[port.name]) for port in device.ports)
    sessions = tuple(
        msgspec.structs.replace(one, port=called.get(one.port, one.port)) for one in device.routing.neighbors
    )
    return msgspec.structs.replace(
        device,
        platform="sonic",
        release=release,
        hardware=hardware,
        ports=ports,
        routing=msgspec.structs.replace(device.routing, neighbors=sessions),
    )


def printed(device: Switch) -> str:
    """Both files of a switch. `Invalid` if SONiC cannot say it."""
    return print_switch(device, PLATFORM).text


def plain(device: Switch) -> Switch:
    """Without the services that SONiC does not say yet."""
    kept = msgspec.structs.replace(
        device.services, snmp=None, ssh=msgspec.structs.replace(device.services.ssh, allow=())
    )
    return msgspec.structs.replace(device, services=kept)


CASES = {
    "leaf": lambda: on(make.leaf()),
    "leaf on Spectrum": lambda: on(make.leaf(), SPECTRUM, "master"),
    "spine": lambda: on(make.spine(4, 2)),
    "spine on Spectrum": lambda: on(make.spine(4, 2), SPECTRUM),
    "superspine": lambda: on(generic.superspine()),
    "ipv6": lambda: on(generic.ipv6()),
    "dual stack": lambda: on(generic.dual()),
    "unnumbered": lambda: on(generic.unnumbered(), SPECTRUM),
    "vlan gateway": lambda: on(generic.vlan_gateway()),
    "tacacs": lambda: on(plain(generic.tacacs())),
    "default vrf": lambda: on(plain(generic.default_vrf())),
    "lossy": lambda: on(generic.lossy()),
    "notifying watchdog": lambda: on(generic.notifying()),
    "no policy": lambda: on(generic.no_policy()),
    "drained": lambda: on(generic.drained()),
    "external": lambda: on(generic.external()),
    "zone": lambda: on(generic.zone()),
}
"""By what they prove."""

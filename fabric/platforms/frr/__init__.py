"""FRR on a Linux switch: one platform, in its three homes here, `templates/frr/` and `tests/platforms/frr/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Part, Platform, ReleaseForm, late
from fabric.platforms.frr.capabilities import capabilities
from fabric.platforms.frr.names import management_port, port_name

FILES = (
    "frr.conf",  # with the next two: /etc/frr/
    "vtysh.conf",
    "daemons",
    "interfaces",  # /etc/network/
    "sysctl.conf",  # /etc/sysctl.d/
    "qos.sh",  # /usr/local/sbin/fabric-qos, and its systemd unit
    "qos.service",
    "ports.rules",  # /etc/udev/rules.d/
)
"""What configures a switch; a line `#!part NAME` starts each."""

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.frr.model import FrrConfig

PLATFORM: Platform[Switch, FrrConfig] = Platform(
    name="frr",
    title="FRR on Linux",
    technology="ethernet",
    release_form=ReleaseForm(r"[0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?(?:[-+][A-Za-z0-9.~+-]+)?", "10.2.1"),
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=late("fabric.platforms.frr.lower:lower"),
    template="frr/switch.j2",
    path="configs/{name}/frr.conf",
    parts=tuple(Part(name, f"configs/{{name}}/{name}") for name in FILES),
    media_type="text/plain",
    read=late("fabric.platforms.frr.read:read"),
    port_facts=late("fabric.platforms.frr.facts:port_facts"),
    whole=True,
    override_rules=late("fabric.platforms.frr.override_rules:override_rules"),
    dialect=late("fabric.platforms.frr.dialect:dialect"),
    derived=late("fabric.platforms.frr.lower:derived"),
)

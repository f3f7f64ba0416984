"""Arista EOS: one platform, in its three homes here, `templates/eos/` and `tests/platforms/eos/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Platform, ReleaseForm, late
from fabric.platforms.eos.capabilities import capabilities
from fabric.platforms.eos.names import TITLE, management_port, port_name

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.eos.model import EosConfig

PLATFORM: Platform[Switch, EosConfig] = Platform(
    name="eos",
    title=TITLE,
    technology="ethernet",
    release_form=ReleaseForm(r"4\.[0-9]{1,2}(?:\.[0-9]{1,2}){0,2}[A-Z]{0,3}(?:-[A-Za-z0-9.]+)?", "4.34.1F"),
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=late("fabric.platforms.eos.lower:lower"),
    template="eos/switch.j2",
    path="configs/{name}.cfg",
    media_type="text/plain",
    read=late("fabric.platforms.eos.read:read"),
    port_facts=late("fabric.platforms.eos.facts:port_facts"),
    dialect=late("fabric.platforms.eos.dialect:dialect"),
    override_rules=late("fabric.platforms.eos.override_rules:override_rules"),
    derived=late("fabric.platforms.eos.lower:derived"),
    driver="eos",
    driver_options=late("fabric.platforms.eos.session:driver_options"),
    emulator="fabric.platforms.eos.emulator:make",
)

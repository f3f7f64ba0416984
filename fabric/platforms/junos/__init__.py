"""Juniper Junos Evolved on QFX: one platform, here, in `templates/junos/` and in `tests/platforms/junos/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Platform, ReleaseForm, filled_in_quotes, late
from fabric.platforms.junos.capabilities import capabilities
from fabric.platforms.junos.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.junos.model import JunosConfig

PLATFORM: Platform[Switch, JunosConfig] = Platform(
    name="junos",
    fill=filled_in_quotes,
    title="Juniper Junos Evolved",
    technology="ethernet",
    release_form=ReleaseForm(r"[0-9]{2}\.[1-4](?:[A-Z][0-9]+)?(?:[.-][A-Za-z0-9.-]+)?", "24.4R1-EVO"),
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=late("fabric.platforms.junos.lower:lower"),
    template="junos/switch.j2",
    path="configs/{name}.cfg",
    media_type="text/plain",
    read=late("fabric.platforms.junos.read:read"),
    port_facts=late("fabric.platforms.junos.facts:port_facts"),
    dialect=late("fabric.platforms.junos.dialect:dialect"),
    override_rules=late("fabric.platforms.junos.override_rules:override_rules"),
    derived=late("fabric.platforms.junos.derived:derived"),
    driver="",  # compiles and plans offline; no push of it has been proved yet
    schema_check=late("fabric.platforms.junos.schema:check"),
)

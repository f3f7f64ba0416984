"""NVIDIA Cumulus Linux through NVUE: one platform, in its homes here, in `templates/` and in `tests/platforms/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Platform, ReleaseForm, late
from fabric.platforms.cumulus.capabilities import capabilities
from fabric.platforms.cumulus.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.cumulus.model import NvueConfig

PLATFORM: Platform[Switch, NvueConfig] = Platform(
    name="cumulus",
    title="NVIDIA Cumulus Linux",
    technology="ethernet",
    release_form=ReleaseForm(r"[0-9]\.[0-9]{1,2}(?:\.[0-9]{1,2})?", "5.16.1"),
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=late("fabric.platforms.cumulus.lower:lower"),
    template="cumulus/switch.j2",
    path="configs/{name}.yaml",
    media_type="application/yaml",
    read=late("fabric.platforms.cumulus.read:read"),
    port_facts=late("fabric.platforms.cumulus.facts:port_facts"),
    override_rules=late("fabric.platforms.cumulus.override_rules:override_rules"),
    dialect=late("fabric.platforms.cumulus.dialect:dialect"),
    derived=late("fabric.platforms.cumulus.lower:derived"),
    fill=late("fabric.platforms.cumulus.secrets:fill"),
    schema_check=late("fabric.platforms.cumulus.schema:check"),
)

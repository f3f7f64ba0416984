"""Community SONiC: `config_db.json`, and `frr.conf` in the routing mode `split-unified`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Part, Platform, ReleaseForm, late
from fabric.platforms.sonic.capabilities import capabilities
from fabric.platforms.sonic.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.sonic.model import SonicConfig

PLATFORM: Platform[Switch, SonicConfig] = Platform(
    name="sonic",
    fill=late("fabric.platforms.sonic.secrets:fill"),
    title="SONiC",
    technology="ethernet",
    release_form=ReleaseForm(r"(?:20[0-9]{4}(?:\.[0-9]+)*|master)(?:-[a-z]+)?", "202511"),
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=late("fabric.platforms.sonic.lower:lower"),
    template="sonic/switch.j2",
    path="configs/{name}.sonic",
    media_type="text/plain",
    parts=(
        Part("config_db.json", "configs/{name}/config_db.json"),
        Part("frr.conf", "configs/{name}/frr.conf"),
    ),
    read=late("fabric.platforms.sonic.read:read"),
    port_facts=late("fabric.platforms.sonic.facts:port_facts"),
    override_rules=late("fabric.platforms.sonic.override_rules:override_rules"),
    dialect=late("fabric.platforms.sonic.dialect:dialect"),
    derived=late("fabric.platforms.sonic.lower_buffers:derived"),
    headroom=late("fabric.platforms.sonic.lower_buffers:derived_headroom"),
    schema_check=late("fabric.platforms.sonic.schema:check"),
)

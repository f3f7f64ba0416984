"""Nokia SR Linux: one platform, in its three homes here, `templates/srlinux/` and `tests/platforms/srlinux/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Platform, ReleaseForm, filled_in_quotes, late
from fabric.platforms.srlinux.capabilities import capabilities
from fabric.platforms.srlinux.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.srlinux.model import SrlConfig

PLATFORM: Platform[Switch, SrlConfig] = Platform(
    name="srlinux",
    fill=filled_in_quotes,
    title="Nokia SR Linux",
    technology="ethernet",
    release_form=ReleaseForm(r"v?[0-9]{2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?(?:-[0-9]+)?", "25.3.1"),
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=late("fabric.platforms.srlinux.lower:lower"),
    template="srlinux/switch.j2",
    path="configs/{name}.json",
    media_type="application/json",
    read=late("fabric.platforms.srlinux.read:read"),
    port_facts=late("fabric.platforms.srlinux.facts:port_facts"),
    dialect=late("fabric.platforms.srlinux.dialect:dialect"),
    derived=late("fabric.platforms.srlinux.buffers:derived"),
    driver="",  # compiles and plans offline; no push of it has been proved yet
    schema_check=late("fabric.platforms.srlinux.schema:check"),
)

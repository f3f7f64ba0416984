"""Cisco NX-OS on Nexus 9000: one platform, in its three homes here, `templates/nxos/` and `tests/platforms/nxos/`.

What is printed is configuration text, for `configure replace` or the dual-stage session. NAPALM's replace takes a file
in the form of `checkpoint file`: `fabric.platforms.nxos.checkpoint` makes one of it and of a checkpoint of the switch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Platform, ReleaseForm, late
from fabric.platforms.nxos.capabilities import capabilities
from fabric.platforms.nxos.names import TITLE, management_port, port_name

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.nxos.model import NxosConfig

PLATFORM: Platform[Switch, NxosConfig] = Platform(
    name="nxos",
    title=TITLE,
    technology="ethernet",
    release_form=ReleaseForm(
        r"[0-9]{1,2}\.[0-9]{1,2}(?:\([0-9]{1,2}[a-z]?\)|\.[0-9]{1,2})[A-Z]?[0-9]*", "10.5(3)F"
    ),
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=late("fabric.platforms.nxos.lower:lower"),
    template="nxos/switch.j2",
    path="configs/{name}.cfg",
    media_type="text/plain",
    read=late("fabric.platforms.nxos.read:read"),
    port_facts=late("fabric.platforms.nxos.facts:port_facts"),
    dialect=late("fabric.platforms.nxos.dialect:dialect"),
    override_rules=late("fabric.platforms.nxos.override_rules:override_rules"),
    derived=late("fabric.platforms.nxos.lower:derived"),
    driver="",  # compiles and plans offline; no push of it has been proved yet
)

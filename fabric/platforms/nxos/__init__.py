"""Cisco NX-OS on Nexus 9000: one platform, in its three homes here, `templates/nxos/` and `tests/platforms/nxos/`.

NAPALM's replace takes a file in the form of `checkpoint`. That form cannot be made offline: it has a header of the
device, and it states every implicit default of model and release as `!#` lines. What is printed here is configuration
text, for `configure replace`, the dual-stage session, or as the change of a checkpoint that was taken from the switch.
"""

from __future__ import annotations

from fabric.platforms.base import Platform, late
from fabric.platforms.nxos.capabilities import capabilities
from fabric.platforms.nxos.names import management_port, port_name

PLATFORM = Platform(
    name="nxos",
    title="Cisco NX-OS",
    technology="ethernet",
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=late("fabric.platforms.nxos.lower:lower"),
    template="nxos/switch.j2",
    path="configs/{name}.cfg",
    media_type="text/plain",
    read=late("fabric.platforms.nxos.read:read"),
    project=late("fabric.platforms.nxos.project:project"),
    canonical=late("fabric.platforms.nxos.canonical:canonical"),
    blocks=late("fabric.platforms.nxos.canonical:blocks"),
    block_impact=late("fabric.platforms.nxos.impact:block_impact"),
    derived=late("fabric.platforms.nxos.lower:derived"),
    driver="",  # compiles and plans offline; no push of it has been proved yet
    owns_way_in=late("fabric.platforms.nxos.impact:owns_way_in"),
)

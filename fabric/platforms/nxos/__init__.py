"""Cisco NX-OS on Nexus 9000: one platform, in its three homes here, `templates/nxos/` and `tests/platforms/nxos/`.

What is printed is configuration text. Our driver hands it to `configure replace`, with what the switch has of its own.
NAPALM's replace takes a file in the form of `checkpoint file`: `fabric.platforms.nxos.checkpoint` makes one of it and
of a checkpoint of the switch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Endpoint, Platform, ReleaseForm, late
from fabric.platforms.nxos.capabilities import TIMER
from fabric.platforms.nxos.names import OTHER_TOOLS, TITLE

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.nxos.model import NxosConfig

PLATFORM: Platform[Switch, NxosConfig] = Platform(
    package=__name__,
    other_tools=OTHER_TOOLS,
    title=TITLE,
    release_form=ReleaseForm(
        r"[0-9]{1,2}\.[0-9]{1,2}(?:\([0-9]{1,2}[a-z]?\)|\.[0-9]{1,2})[A-Z]?[0-9]*", "10.5(3)F"
    ),
    path="configs/{name}.cfg",
    derived=late("fabric.platforms.nxos.lower:derived"),
    driver="fabric.platforms.nxos.session:NxosDriver",
    endpoints=(Endpoint("https", 443), Endpoint("ssh", 22, takes_fingerprint=False)),
    timer=TIMER,
    emulator="fabric.platforms.nxos.emulator:make",
)

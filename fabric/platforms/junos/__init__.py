"""Juniper Junos Evolved on QFX: one platform, here, in `templates/junos/` and in `tests/platforms/junos/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import SSH_LOGINS, Endpoint, Platform, ReleaseForm, filled_in_quotes, late
from fabric.platforms.junos.capabilities import TIMER
from fabric.platforms.junos.names import OTHER_TOOLS

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.junos.model import JunosConfig

PLATFORM: Platform[Switch, JunosConfig] = Platform(
    package=__name__,
    other_tools=OTHER_TOOLS,
    fill=filled_in_quotes,
    title="Juniper Junos Evolved",
    release_form=ReleaseForm(r"[0-9]{2}\.[1-4](?:[A-Z][0-9]+)?(?:[.-][A-Za-z0-9.-]+)?", "24.4R1-EVO"),
    path="configs/{name}.cfg",
    derived=late("fabric.platforms.junos.derived:derived"),
    driver="fabric.platforms.junos.session:JunosDriver",
    endpoints=(Endpoint("ssh", 22),),
    logins=SSH_LOGINS,
    timer=TIMER,
    emulator="fabric.platforms.junos.emulator:make",
)

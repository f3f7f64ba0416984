"""Arista EOS: one platform, in its three homes here, `templates/eos/` and `tests/platforms/eos/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Endpoint, Platform, ReleaseForm, late
from fabric.platforms.eos.capabilities import TIMER
from fabric.platforms.eos.names import OTHER_TOOLS, TITLE

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.eos.model import EosConfig

PLATFORM: Platform[Switch, EosConfig] = Platform(
    package=__name__,
    other_tools=OTHER_TOOLS,
    title=TITLE,
    release_form=ReleaseForm(r"4\.[0-9]{1,2}(?:\.[0-9]{1,2}){0,2}[A-Z]{0,3}(?:-[A-Za-z0-9.]+)?", "4.34.1F"),
    path="configs/{name}.cfg",
    derived=late("fabric.platforms.eos.lower:derived"),
    driver="fabric.platforms.eos.session:EosDriver",
    endpoints=(Endpoint("https", 443),),
    logins=("password", "enable"),
    timer=TIMER,
    emulator="fabric.platforms.eos.emulator:make",
)

"""NVIDIA Cumulus Linux through NVUE: one platform, in its homes here, in `templates/` and in `tests/platforms/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Endpoint, Platform, ReleaseForm, late
from fabric.platforms.cumulus.capabilities import TIMER
from fabric.platforms.cumulus.names import OTHER_TOOLS

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.cumulus.model import NvueConfig

PLATFORM: Platform[Switch, NvueConfig] = Platform(
    package=__name__,
    other_tools=OTHER_TOOLS,
    title="NVIDIA Cumulus Linux",
    release_form=ReleaseForm(r"[0-9]\.[0-9]{1,2}(?:\.[0-9]{1,2})?", "5.16.1"),
    path="configs/{name}.yaml",
    media_type="application/yaml",
    derived=late("fabric.platforms.cumulus.lower:derived"),
    driver="fabric.platforms.cumulus.session:CumulusDriver",
    endpoints=(Endpoint("https", 8765),),
    timer=TIMER,
    emulator="fabric.platforms.cumulus.emulator:make",
    fill=late("fabric.platforms.cumulus.secrets:fill"),
)

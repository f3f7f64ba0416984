"""Nokia SR Linux: one platform, in its three homes here, `templates/srlinux/` and `tests/platforms/srlinux/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Endpoint, Platform, ReleaseForm, filled_in_quotes, late
from fabric.platforms.srlinux.capabilities import TIMER
from fabric.platforms.srlinux.names import OTHER_TOOLS

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.srlinux.model import SrlConfig

PLATFORM: Platform[Switch, SrlConfig] = Platform(
    package=__name__,
    other_tools=OTHER_TOOLS,
    fill=filled_in_quotes,
    title="Nokia SR Linux",
    release_form=ReleaseForm(r"v?[0-9]{2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?(?:-[0-9]+)?", "25.3.1"),
    path="configs/{name}.json",
    media_type="application/json",
    derived=late("fabric.platforms.srlinux.buffers:derived"),
    driver="fabric.platforms.srlinux.session:SrlinuxDriver",
    endpoints=(Endpoint("https", 443),),
    timer=TIMER,
    emulator="fabric.platforms.srlinux.emulator:make",
)

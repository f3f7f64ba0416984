"""Community SONiC: `config_db.json`, and `frr.conf` in the routing mode `split-unified`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import SSH_LOGINS, CommitTimer, Endpoint, Part, Platform, ReleaseForm, late
from fabric.platforms.sonic.names import OTHER_TOOLS

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.sonic.model import SonicConfig

PLATFORM: Platform[Switch, SonicConfig] = Platform(
    package=__name__,
    other_tools=OTHER_TOOLS,
    fill=late("fabric.platforms.sonic.secrets:fill"),
    title="SONiC",
    announced_port=late("fabric.platforms.sonic.names:announced_port"),
    release_form=ReleaseForm(r"(?:20[0-9]{4}(?:\.[0-9]+)*|master)(?:-[a-z]+)?", "202511"),
    path="configs/{name}.sonic",
    parts=(
        Part("config_db.json", "configs/{name}/config_db.json"),
        Part("frr.conf", "configs/{name}/frr.conf"),
    ),
    derived=late("fabric.platforms.sonic.lower_buffers:derived"),
    headroom=late("fabric.platforms.sonic.lower_buffers:derived_headroom"),
    shows_secrets=True,
    driver="fabric.platforms.sonic.session:SonicDriver",
    endpoints=(Endpoint("ssh", 22),),
    logins=SSH_LOGINS,
    timer=CommitTimer(longest_s=7 * 86400, after_reboot="before", locks=False),
    emulator="fabric.platforms.sonic.emulator:make",
)

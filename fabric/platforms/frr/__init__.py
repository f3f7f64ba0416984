"""FRR on a Linux switch: one platform, in its three homes here, `templates/frr/` and `tests/platforms/frr/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import SSH_LOGINS, CommitTimer, Endpoint, Part, Platform, ReleaseForm, late
from fabric.platforms.frr.names import OTHER_TOOLS

FILES = (
    "frr.conf",  # with the next two: /etc/frr/
    "vtysh.conf",
    "daemons",
    "interfaces",  # /etc/network/
    "sysctl.conf",  # /etc/sysctl.d/
    "qos.sh",  # /usr/local/sbin/fabric-qos, and its systemd unit
    "qos.service",
    "ports.rules",  # /etc/udev/rules.d/
)
"""What configures a switch; a line `#!part NAME` starts each."""

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.frr.model import FrrConfig

PLATFORM: Platform[Switch, FrrConfig] = Platform(
    package=__name__,
    other_tools=OTHER_TOOLS,
    title="FRR on Linux",
    release_form=ReleaseForm(r"[0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?(?:[-+][A-Za-z0-9.~+-]+)?", "10.2.1"),
    path="configs/{name}/frr.conf",
    parts=tuple(Part(name, f"configs/{{name}}/{name}") for name in FILES),
    whole=True,
    shows_secrets=True,
    driver="fabric.platforms.frr.session:FrrDriver",
    endpoints=(Endpoint("ssh", 22),),
    logins=SSH_LOGINS,
    timer=CommitTimer(longest_s=7 * 86400, after_reboot="before", locks=False),
    derived=late("fabric.platforms.frr.lower:derived"),
)

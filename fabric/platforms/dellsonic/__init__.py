"""Dell Enterprise SONiC (Broadcom's management framework): its command line, `sonic-cli`, not CONFIG_DB.

It compiles, reads back and plans offline. No push of it has been proved, and no public source shows a candidate, a
commit timer or a rollback: commands act at once, and `write memory` keeps them. Three lines are bound to a reboot, and
ask for a confirmation: `buffer init lossless` saves and reboots, `interface-naming standard` needs a new session of the
command line, and cages that are split after `buffer init lossless` work after the next reboot only. So split first.
`roce enable` is not used: it makes objects of its own (maps, schedulers, curves) that are not what a policy says, and
refuses to run beside ours.

Unverified, for want of a switch:
- the order in which 4.x prints, and how it prints numbers of AS with four bytes;
- whether `mtu` is that of IP, the header of the link beyond it, as the product's default of 9100 suggests;
- the FEC, which is left to the product (RS in published configurations of 400G);
- whether sessions over link-local addresses need `no ipv6 nd suppress-ra`, which public configurations do without;
- lossless traffic in other priorities than 3 and 4, and all of it on Tomahawk 4 and 5: the design names Trident 3 and
  Tomahawk 3; the product's headroom, which is known of community images alone; the largest shared headroom;
- `cable-length`, whose values are 5m, 40m and 300m, in print;
- which queue the switch's own packets leave by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Platform, Reason, ReleaseForm, late
from fabric.platforms.dellsonic.names import OTHER_TOOLS, TITLE

if TYPE_CHECKING:
    from fabric.devices.model import Switch
    from fabric.platforms.dellsonic.model import DellsonicConfig

PLATFORM: Platform[Switch, DellsonicConfig] = Platform(
    package=__name__,
    other_tools=OTHER_TOOLS,
    title=TITLE,
    release_form=ReleaseForm(r"[0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?", "4.4.0"),
    path="configs/{name}.cfg",
    derived=late("fabric.platforms.dellsonic.lower_qos:derived"),
    undriven=Reason(
        "no public source shows a candidate, a commit that reverts by itself, or a return to what ran before: each "
        "command of sonic-cli acts at once, and `buffer init lossless` reboots the switch",
        "plan it with `--offline` from its saved configuration, and push the file yourself in a window; or run the "
        "community's image on this hardware",
    ),
)

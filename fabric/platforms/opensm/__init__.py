"""OpenSM: the files of one subnet manager. Its device is the manager, and it knows the whole subnet.

Sources: OpenSM 3.3.23 (Debian 12), run under ibsim 0.10; opensm(8); doc/partition-config.txt,
doc/QoS_management_in_OpenSM.txt and doc/current-routing.txt of linux-rdma/opensm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import SSH_LOGINS, Endpoint, Part, Platform, ReleaseForm, late
from fabric.platforms.opensm.names import FILES

if TYPE_CHECKING:
    from fabric.devices.model import SubnetManager
    from fabric.platforms.opensm.model import OpensmConfig

PLATFORM: Platform[SubnetManager, OpensmConfig] = Platform(
    package=__name__,
    title="OpenSM",
    technology="infiniband",
    release_form=ReleaseForm(r"[0-9]\.[0-9]{1,2}(?:\.[0-9]{1,2})?(?:[-.][A-Za-z0-9.-]+)?", "3.3.23"),
    template="opensm/manager.j2",
    path="subnets/{name}.opensm",
    parts=tuple(Part(file, "subnets/{name}/" + file) for file in FILES),
    simulation=late("fabric.platforms.opensm.simulation_run:simulation"),
    proof=late("fabric.platforms.opensm.read:proof"),
    whole=True,
    shows_secrets=True,
    simulated_host=late("fabric.platforms.opensm.emulator:furnish"),
    driver="fabric.platforms.opensm.session:OpensmDriver",
    endpoints=(Endpoint("ssh", 22, takes_fingerprint=False),),
    logins=SSH_LOGINS,
)

"""OpenSM: the files of one subnet manager. Its device is the manager, and it knows the whole subnet.

Sources: OpenSM 3.3.23 (Debian 12), run under ibsim 0.10; opensm(8); doc/partition-config.txt,
doc/QoS_management_in_OpenSM.txt and doc/current-routing.txt of linux-rdma/opensm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Part, Platform, ReleaseForm, late
from fabric.platforms.opensm.capabilities import capabilities
from fabric.platforms.opensm.names import FILES, management_port, port_name

if TYPE_CHECKING:
    from fabric.devices.model import SubnetManager
    from fabric.platforms.opensm.model import OpensmConfig

PLATFORM: Platform[SubnetManager, OpensmConfig] = Platform(
    name="opensm",
    title="OpenSM",
    technology="infiniband",
    release_form=ReleaseForm(r"[0-9]\.[0-9]{1,2}(?:\.[0-9]{1,2})?(?:[-.][A-Za-z0-9.-]+)?", "3.3.23"),
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=late("fabric.platforms.opensm.lower:lower"),
    template="opensm/manager.j2",
    path="subnets/{name}.opensm",
    media_type="text/plain",
    parts=tuple(Part(file, "subnets/{name}/" + file) for file in FILES),
    read=late("fabric.platforms.opensm.read:read"),
    dialect=late("fabric.platforms.opensm.dialect:dialect"),
    simulation=late("fabric.platforms.opensm.simulation_run:simulation"),
    proof=late("fabric.platforms.opensm.read:proof"),
    whole=True,
    simulated_host=late("fabric.platforms.opensm.emulator:furnish"),
    driver="fabric.platforms.opensm.session:OpensmDriver",
    driver_options=late("fabric.platforms.opensm.session:driver_options"),
)

"""NVIDIA UFM Enterprise: partitions over its REST API, and the files of its server's disk.

UFM could not be run here. Sources: NVIDIA UFM Enterprise User Manual and REST API Guide, 6.9 to 6.23
(docs.nvidia.com/networking); the InfiniBand runbook and the UFM simulator (`crates/ufm-mock`) of
NVIDIA/infra-controller; the UFM mock of NVIDIA's config manager (behaviour of UFM 6.19).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Part, Platform, ReleaseForm, late
from fabric.platforms.ufm.capabilities import capabilities
from fabric.platforms.ufm.names import FILES, PKEYS, management_port, port_name

if TYPE_CHECKING:
    from fabric.devices.model import SubnetManager
    from fabric.platforms.ufm.model import UfmConfig

PLATFORM: Platform[SubnetManager, UfmConfig] = Platform(
    name="ufm",
    title="NVIDIA UFM",
    technology="infiniband",
    release_form=ReleaseForm(r"[0-9]\.[0-9]{1,2}(?:\.[0-9]{1,2})?(?:-[0-9]+)?", "6.22.1-4"),
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=late("fabric.platforms.ufm.lower:lower"),
    template="ufm/manager.j2",
    path="subnets/{name}.ufm",
    media_type="text/plain",
    parts=tuple(Part(file, "subnets/{name}/" + file, by_hand=file != PKEYS) for file in FILES),
    read=late("fabric.platforms.ufm.read:read"),
    dialect=late("fabric.platforms.ufm.dialect:dialect"),
    plans_lids=False,
    shares_database=True,
    driver="fabric.platforms.ufm.session:UfmDriver",
    driver_options=late("fabric.platforms.ufm.session:driver_options"),
    reverts=False,
)

"""NVIDIA UFM Enterprise: partitions over its REST API, and the files of its server's disk.

UFM could not be run here. Sources: NVIDIA UFM Enterprise User Manual and REST API Guide, 6.9 to 6.23
(docs.nvidia.com/networking); the InfiniBand runbook and the UFM simulator (`crates/ufm-mock`) of
NVIDIA/infra-controller; the UFM mock of NVIDIA's config manager (behaviour of UFM 6.19).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.base import Endpoint, Part, Platform, ReleaseForm
from fabric.platforms.ufm.names import FILES, PKEYS

if TYPE_CHECKING:
    from fabric.devices.model import SubnetManager
    from fabric.platforms.ufm.model import UfmConfig

PLATFORM: Platform[SubnetManager, UfmConfig] = Platform(
    package=__name__,
    title="NVIDIA UFM",
    technology="infiniband",
    release_form=ReleaseForm(r"[0-9]\.[0-9]{1,2}(?:\.[0-9]{1,2})?(?:-[0-9]+)?", "6.22.1-4"),
    template="ufm/manager.j2",
    path="subnets/{name}.ufm",
    parts=tuple(Part(file, "subnets/{name}/" + file, by_hand=file != PKEYS) for file in FILES),
    plans_lids=False,
    shares_database=True,
    driver="fabric.platforms.ufm.session:UfmDriver",
    endpoints=(Endpoint("https", 443),),
    reverts=False,
)

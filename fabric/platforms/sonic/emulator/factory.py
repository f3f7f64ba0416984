"""What the image leaves on a new switch: its sku, a management address, FRR configured by CONFIG_DB."""

from __future__ import annotations

from fabric.platforms.emulation import Emulated
from fabric.platforms.sonic.agent.tables import Tables


def factory(spec: Emulated) -> Tables:
    """Enough for SSH to answer."""
    local = {
        "hostname": spec.name,
        "type": "LeafRouter",
        "docker_routing_config_mode": "unified",
        "buffer_model": "traditional",
    }
    tables: Tables = {"DEVICE_METADATA": {"localhost": local}, "MGMT_PORT": {"eth0": {"admin_status": "up"}}}
    if spec.management:
        tables["MGMT_INTERFACE"] = {f"eth0|{spec.management}": {}}
    if spec.management_vrf != "default":
        tables["MGMT_VRF_CONFIG"] = {"vrf_global": {"mgmtVrfEnabled": "true"}}
    return tables

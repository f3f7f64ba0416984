"""InfiniBand sites to simulate, compiled from intents."""

from __future__ import annotations

from fabric import rendering
from fabric.devices.derive import derive
from fabric.devices.model import SubnetManager
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.topology.expand import expand

SUPERPOD = """site: superpod
units: {units}
hosts: {{dgx: {{model: dgx-h100, per_unit: 32, last_unit: 31}}}}
networks:
  compute:
    technology: infiniband
    infiniband: {{keys: {{management_key: "env:MKEY", administration_key: "env:SAKEY"}}}}
    tiers:
      leaf: {{model: qm9700}}
      spine: {{model: qm9700}}
attachments:
  sm-1:
    {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: last, rails: [0], host_slot: 31}}}}
  sm-2:
    {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: last, rails: [1], host_slot: 31}}}}
tenants:
  red: {{units: [0], rails: [0, 1, 2, 3], partition: {{pkey: "0x1001"}}}}
  blue: {{units: [0], rails: [4, 5, 6, 7], partition: {{pkey: "0x1002"}}}}
"""
"""NVIDIA DGX SuperPOD H100: 12 switches and 250 HCAs with one unit, 48 and 1,018 with four."""


def compiled(text: str) -> dict[str, tuple[SubnetManager, str]]:
    """Every subnet manager of a site with its files, the master first."""
    intent = load_text({"site.yaml": text})
    devices = derive(intent, expand(intent), registry)
    artifacts = rendering.render(devices)
    managers = [device for device in devices.values() if isinstance(device, SubnetManager)]
    return {manager.name: (manager, artifacts.of(manager).text) for manager in managers}

"""InfiniBand sites to simulate, compiled from intents."""

from __future__ import annotations

import re
from collections.abc import Mapping

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

FULL = (
    SUPERPOD.format(units=4)
    .replace("links: 1", "links: 4")
    .replace("rails: [0], host_slot", "rails: [0, 1, 2, 3], host_slot")
    .replace("rails: [1], host_slot", "rails: [4, 5, 6, 7], host_slot")
)
"""Four units with an HCA on every port of every leaf: the managers have the eight of the 128th host."""

LARGE = (
    SUPERPOD.format(units=16)
    .replace("    tiers:\n", "    pods: {units: 4}\n    tiers:\n")
    .replace("attachments:", "      superspine: {model: qm9700}\nattachments:")
)
"""Sixteen units in pods of four: 128 leaves, 128 spines, 64 superspines, 4,090 HCAs."""

SMALL_SWITCH = """id: small-16
vendor: Nobody
model: sixteen ports
technology: infiniband
asic: Quantum-2
bandwidth: 6400G
cages:
  - {cages: 1-8, form: OSFP, lanes: 8, lane_speed: 100G, max_speed: 800G, breakouts: [2x400G], source: invented}
software:
  - {name: opensm, source: invented}
source: invented, to have many small switches
"""

SMALL_HARDWARE = {"hardware/small-16.yaml": SMALL_SWITCH}

THREE_TIERS = """site: three
units: 4
hosts: {gpu: {gpus: 4, per_unit: 8, last_unit: 7, nics: {compute: {count: 4, speed: 400G}}}}
networks:
  compute:
    technology: infiniband
    pods: {units: 2}
    infiniband: {keys: {management_key: "env:MKEY", administration_key: "env:SAKEY"}}
    tiers:
      leaf: {model: small-16}
      spine: {model: small-16}
      superspine: {model: small-16}
attachments:
  sm-1: {network: compute, kind: subnet_manager, links: 2, speed: 400G, to: {unit: last, rails: [0, 1], host_slot: 7}}
  sm-2: {network: compute, kind: subnet_manager, links: 2, speed: 400G, to: {unit: last, rails: [2, 3], host_slot: 7}}
"""
"""16 leaves, 16 spines in two pods, 8 superspines, and 128 HCAs: every port is used."""

SMALL = """site: small
units: {units}
capacity: {{units: 4}}
hosts: {{gpu: {{gpus: 4, per_unit: 6, nics: {{compute: {{count: 4, speed: 400G}}}}}}}}
networks:
  compute:
    technology: infiniband
    infiniband:
      keys: {{management_key: "env:MKEY", administration_key: "env:SAKEY"}}
      service_levels:
        default: {{service_level: 0, virtual_lane: 0}}
        storage: {{service_level: 3, virtual_lane: 1}}
    tiers:
      leaf: {{model: small-16, reserved_ports: 2, up: {{ports: 8}}}}
      spine: {{model: small-16}}
attachments:
  sm-1: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{tier: leaf, unit: 0, rails: [0]}}}}
  sm-2: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{tier: leaf, unit: 1, rails: [0]}}}}
  nas: {{network: compute, kind: storage, links: 1, speed: 400G, to: {{tier: leaf, unit: 0, rails: [1]}}}}
tenants:
  red: {{hosts: [gpu-0-0, gpu-0-1, gpu-0-2], partition: {{pkey: "0x1001"}}}}
  blue: {{hosts: [gpu-0-3, gpu-1-3], partition: {{pkey: "0x1002"}}}}
  green: {{hosts: [gpu-0-4, gpu-1-4], partition: {{pkey: "0x1003"}}}}
  files:
    attachments: [nas]
    partition: {{pkey: "0x2001", service_level: storage, limited: {{hosts: [gpu-0-0, gpu-0-3]}}}}
"""
"""Up to four units of four leaves, three tenants, and a storage that clients of two of them use."""

TINY = """site: tiny
units: 2
hosts: {gpu: {gpus: 2, per_unit: 4, nics: {compute: {count: 2, speed: 400G}}}}
networks:
  compute:
    technology: infiniband
    infiniband: {keys: {management_key: "env:MKEY", administration_key: "env:SAKEY"}}
    tiers:
      leaf: {model: small-16, reserved_ports: 2, up: {ports: 4}, max_oversubscription: "3:2"}
      spine: {model: small-16, count: 2}
attachments:
  sm-1: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {tier: leaf, unit: 0, rails: [0]}}
  sm-2: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {tier: leaf, unit: 1, rails: [0]}}
  nas: {network: compute, kind: storage, links: 1, speed: 400G, to: {tier: leaf, unit: 0, rails: [1]}}
tenants:
  red: {hosts: [gpu-0-0, gpu-0-1, gpu-1-1], partition: {pkey: "0x1001"}}
  blue: {hosts: [gpu-0-2, gpu-1-2], partition: {pkey: "0x1002"}}
  files: {attachments: [nas], partition: {pkey: "0x2001", limited: {hosts: [gpu-0-0, gpu-0-2]}}}
"""
"""Four leaves and two spines, 19 HCAs: where every port must be asked, one by one."""


def routed_by(text: str, engine: str) -> str:
    """A manager's files with one routing engine alone, whatever was compiled."""
    found, count = re.subn(r"(?m)^routing_engine .*$", f"routing_engine {engine},no_fallback", text)
    assert count == 1
    return found


Compiled = dict[str, tuple[SubnetManager, str]]
"""By name: a subnet manager and its files, the master first."""


def compiled(text: str, files: Mapping[str, str] | None = None) -> Compiled:
    """Every subnet manager of a site with its files, the master first. `files` stand beside `site.yaml`."""
    intent = load_text({"site.yaml": text, **(files or {})})
    devices = derive(intent, expand(intent), registry)
    artifacts = rendering.render(devices)
    managers = [device for device in devices.values() if isinstance(device, SubnetManager)]
    return {manager.name: (manager, artifacts.of(manager).text) for manager in managers}

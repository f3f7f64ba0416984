"""Fabrics to measure on, as site files."""

from __future__ import annotations

from pathlib import Path

SERVICES = """
services:
  management: {vrf: MGMT, gateway: 192.0.2.1, dns: [192.0.2.53]}
  ntp: {servers: [192.0.2.20]}
  syslog: {servers: [192.0.2.10]}
"""


def pods(count: int, *, planes: int = 1) -> str:
    """Pods of 64 leaves and 64 spines with 64 ports down and 64 up, under superspines of 128 ports.

    160 switches a pod and plane, 4,096 GPUs a pod.
    """
    ports = f", ports: {planes}" if planes > 1 else ""
    return f"""
site: bench
units: {count * 8}
hosts:
  gpu: {{per_unit: 64, gpus: 8, nics: {{compute: {{count: 8{ports}, speed: 400G}}}}}}
networks:
  compute:
    planes: {{count: {planes}}}
    pods: {{units: 8}}
    tiers:
      leaf: {{model: arista-7060x6-64pe}}
      spine: {{model: arista-7060x6-64pe}}
      superspine: {{model: arista-7060x6-64pe}}
    addressing: {{fabric_pool: 10.128.0.0/9, host_pool: 10.0.0.0/9, loopback_pool: 172.16.0.0/12}}
{SERVICES}"""


def two_tiers(units: int) -> str:
    """The smallest shape: units of 8 leaves with 16 hosts, 16 ports down and 16 up."""
    return f"""
site: bench
units: {units}
hosts:
  gpu: {{per_unit: 16, gpus: 8, nics: {{compute: {{count: 8, speed: 400G}}}}}}
networks:
  compute:
    tiers:
      leaf: {{model: arista-7060x6-64pe}}
      spine: {{model: arista-7060x6-64pe}}
{SERVICES}"""


def write(folder: Path, text: str) -> Path:
    """Make a site folder of a site file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "site.yaml").write_text(text, encoding="utf-8")
    return folder

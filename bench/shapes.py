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


STORAGE_AND_BORDER = """
attachments:
  nas: {network: compute, kind: storage, links: 8, speed: 400G, to: {tier: leaf}}
  wan: {network: compute, kind: router, links: 4, speed: 400G, to: {tier: spine},
    bgp: {asn: 65010, default_route: true}}
"""


def attached(units: int) -> str:
    """Two tiers with storage at leaves and a border router at spines: `units` of 8 leaves."""
    model = "{model: arista-7060x6-64pe}"
    return two_tiers(units).replace(model, model.replace("}", ", reserved_ports: 2}")) + STORAGE_AND_BORDER


def infiniband(units: int) -> str:
    """Three tiers of 64-port switches: pods of four units with 32 hosts and 256 HCAs each, and two tenants."""
    red, blue = (list(range(half, units, 2)) for half in (0, 1))
    return f"""
site: bench
units: {units}
hosts: {{gpu: {{per_unit: 32, last_unit: 31, gpus: 8, nics: {{compute: {{count: 8, speed: 400G}}}}}}}}
networks:
  compute:
    technology: infiniband
    infiniband: {{keys: {{management_key: "env:MKEY", administration_key: "env:SAKEY"}}}}
    pods: {{units: 4}}
    tiers:
      leaf: {{model: qm9700}}
      spine: {{model: qm9700}}
      superspine: {{model: qm9700}}
attachments:
  sm-1: {{network: compute, kind: subnet_manager, links: 4, speed: 400G,
    to: {{unit: last, rails: [0, 1, 2, 3], host_slot: 31}}}}
  sm-2: {{network: compute, kind: subnet_manager, links: 4, speed: 400G,
    to: {{unit: last, rails: [4, 5, 6, 7], host_slot: 31}}}}
tenants:
  red: {{units: {red}, partition: {{pkey: "0x1001"}}}}
  blue: {{units: {blue}, partition: {{pkey: "0x1002"}}}}
"""


PLATFORMS = {
    "eos": "arista-7060x6-64pe",
    "nxos": "cisco-n9364e-sg2",
    "junos": "juniper-qfx5240-64od",
    "sonic": "arista-7060x6-64pe",
    "cumulus": "nvidia-sn5600",
    "srlinux": "nokia-ixr-h5-64d",
    "frr": "nvidia-sn5600",
}
"""Each platform on a switch of 64 cages and 128 ports of 400G."""

POLICY = """
classes:
  roce: {dscp: [26], traffic_class: 3, priority: 3, queue: 3, share: 50, ecn: auto}
  cnp: {dscp: [48], traffic_class: 6, queue: 6, strict: true, max_rate: 5}
  best-effort: {dscp: rest, traffic_class: 0, queue: 0, share: 50}
cnp: cnp
watchdog: none
"""


USERS = f"""  users:
    netops:
      role: admin
      password_hash: $6$bench${"0" * 86}
      password_hash_sha256: $5$bench${"0" * 43}
"""


def of_platform(name: str) -> str:
    """Two pods, 320 switches of 64+64 ports, of one product; cables of 40 m, no watchdog: what all can say."""
    model = f"{{model: {PLATFORMS[name]}, platform: {name}}}"
    text = pods(2).replace("{model: arista-7060x6-64pe}", model)
    cables = "    cables: {spine_superspine: {length: 40m}}\n    lossless: policy.yaml\n    pods:"
    return text.replace("    pods:", cables) + USERS


def write(folder: Path, text: str) -> Path:
    """Make a site folder of a site file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "policy.yaml").write_text(POLICY, encoding="utf-8")
    (folder / "site.yaml").write_text(text, encoding="utf-8")
    return folder

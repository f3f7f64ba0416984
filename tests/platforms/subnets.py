"""One small InfiniBand site for every product that manages subnets, and words that change its intent: YAML in."""

from __future__ import annotations

import json
from functools import lru_cache

from fabric.devices.derive import derive
from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import SubnetManager
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic, Report
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.platforms.base import split_parts
from fabric.rendering.render import print_switch
from fabric.topology.expand import expand
from tests.platforms.sites import Words, merged, network, read, without_nothing

SITE = """
site: test
units: 2
hosts: {h: {per_unit: 4, nics: {compute: {count: 1, speed: 400G}}}}
networks:
  compute:
    technology: infiniband
    rails: none
    infiniband: {}
    tiers:
      leaf: {model: qm9700, reserved_ports: 3, up: {ports: 4}, max_oversubscription: "2:1"}
      spine: {model: qm9700, count: 2}
attachments:
  sm-1: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 0}}
  sm-2: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 1}}
  nas: {network: compute, kind: storage, links: 1, speed: 400G, to: {unit: 1}}
"""
"""Two leaves below two spines, two links each; eight hosts, a storage, two managers."""
BASE: Words = {"site.yaml": read(SITE)}


def infiniband(text: str) -> Words:
    """Of the subnet."""
    return network(f"infiniband: {text}")


def tenants(text: str) -> Words:
    """Of the tenants."""
    return {"site.yaml": {"tenants": read(text)}}


KEYS = infiniband('{keys: {management_key: "env:MKEY", administration_key: "env:SAKEY"}}')
STORAGE = infiniband(
    """{service_levels: {
        default: {service_level: 0, virtual_lane: 0},
        storage: {service_level: 3, virtual_lane: 1, weight: 32, high_weight: 16}}}"""
)
TENANTS = tenants(
    """
red: {hosts: [h-0-1, h-1-1], partition: {pkey: "0x1001"}}
blue: {hosts: [h-0-2], partition: {pkey: "0x1002"}}
files:
  attachments: [nas]
  partition: {pkey: "0x2001", service_level: storage, limited: {hosts: [h-0-1, h-0-2]}}
"""
)
TENANTED: Words = merged(KEYS, STORAGE, TENANTS)
"""Two tenants and a storage with a class of its own."""
FTREE = infiniband("{engine: ftree}")
FREE: Words = {
    "site.yaml": read(
        "networks: {compute: {tiers: {spine: null, leaf: {up: null, max_oversubscription: null}}}}"
    )
}
"""Nothing above the leaves."""


def hosts(speed: str) -> Words:
    """Of everybody's ports."""
    ends = {name: {"speed": speed} for name in ("sm-1", "sm-2", "nas")}
    return {"site.yaml": {"hosts": {"h": {"nics": {"compute": {"speed": speed}}}}, "attachments": ends}}


def switches(model: str) -> Words:
    """Of both tiers."""
    return network(f"tiers: {{leaf: {{model: {model}}}, spine: {{model: {model}}}}}")


def units(count: int) -> Words:
    """So many leaves, or switches of a layout without spines; attachments are at the last two."""
    places = {"sm-1": 0, "sm-2": count - 1, "nas": count - 1}
    ends = {name: {"to": {"unit": unit}} for name, unit in places.items()}
    return {"site.yaml": {"units": count, "attachments": ends}}


def layout(text: str, count: int) -> Words:
    """Another one than a tree, of so many switches."""
    return merged(network(f"layout: {text}"), FREE, units(count))


SINGLE = merged(FREE, units(1))
"""One switch."""
HDR, XDR = merged(hosts("200G"), switches("qm8700")), merged(hosts("800G"), switches("q3400-ra"))
TORUS = layout("{kind: torus, dimensions: [3, 3]}", 9)
LARGE_TORUS = layout("{kind: torus, dimensions: [5, 5]}", 25)
DRAGONFLY = layout("{kind: dragonfly, units: 4, global_links: 2}", 8)
PLUS = merged(network("layout: {kind: dragonfly+, units: 2, links_per_pair: 4}"), units(4))


def known(port: int = 0, first: int = 0x0002_C903_0010_0000) -> Words:
    """GUIDs of all devices of the small site from `first` on: a port has its adapter's plus `port`."""
    names = [*(f"h-{unit}-{host}" for unit in (0, 1) for host in range(4)), "nas", "sm-1", "sm-2"]
    nodes = {name: first + 16 * i for i, name in enumerate(names)}
    adapters = {
        name: {"hcas": {"compute": [{"node_guid": f"{g:#018x}", "port_guids": [f"{g + port:#018x}"]}]}}
        for name, g in nodes.items()
    }
    chosen = ("leaf-0", "leaf-1", "spine-0", "spine-1")
    devices = {name: {"guid": f"{first + 0x10_0000 + 16 * i:#018x}"} for i, name in enumerate(chosen)}
    return {"inventory.yaml": {"hosts": adapters, "devices": devices}}


def renamed(adapters: str) -> Words:
    """The adapters of the hosts, as they call them."""
    nic = {"kind": "mlx5", "interface": "ib{nic}", "rdma": adapters}
    system = {"owner": "operator", "network_files": "none", "nccl": "none", "nics": {"compute": nic}}
    return {"site.yaml": {"hosts": {"h": {"system": system}}}}


def site_files(platform: str, *changes: Words) -> dict[str, str]:
    """The files of the small site (JSON is YAML too), managed by one product, with changes."""
    whole = without_nothing(merged(BASE, infiniband(f"{{platform: {platform}}}"), *changes))
    return {name: json.dumps(value) for name, value in whole.items()}


def compiled(platform: str, *changes: Words) -> Devices:
    """The managers of the small site with these changes. `Invalid` if the intent is wrong."""
    return _compiled(tuple(site_files(platform, *changes).items()))


@lru_cache(maxsize=64)
def _compiled(texts: tuple[tuple[str, str], ...]) -> Devices:
    intent = load_text(dict(texts))
    return derive(intent, expand(intent), registry)


def manager(platform: str, *changes: Words, name: str = "sm-1") -> SubnetManager:
    """One of its managers, with the whole subnet."""
    found = compiled(platform, *changes)[name]
    assert isinstance(found, SubnetManager)
    return found


def printed(made: SubnetManager) -> str:
    """Its files as one text. `Invalid` if its product cannot say it."""
    return print_switch(made, registry.platform(made.platform)).text


def files(made: SubnetManager) -> dict[str, str]:
    """Its files by name."""
    return split_parts(printed(made))


def findings(made: SubnetManager) -> tuple[Diagnostic, ...]:
    """What its product has to say. All of it has a hint."""
    report = Report()
    registry.platform(made.platform).lower(made, report)
    assert all(one.hint for one in report)
    return tuple(report)


def guids(subnet: Subnet) -> dict[str, int]:
    """Port GUIDs by host, and node GUIDs by switch."""
    return {e.host: e.port_guid for e in subnet.ends} | {s.name: s.guid for s in subnet.switches}

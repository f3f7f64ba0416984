"""One host of a small site, and words that change its intent: YAML in, files out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from fabric import api
from fabric.devices.hosts.model import Host
from fabric.devices.site_devices import Devices
from fabric.platforms.host import PrintedFile
from fabric.rendering import HostArtifact
from tests.platforms.sites import (
    POLICY,
    Words,
    derived,
    merged,
    network,
    read,
    site,
    without_nothing,
)

GROUP, NAME = "gpu", "gpu-0-0"
SITE = """
site: test
hosts:
  gpu:
    gpus: 4
    per_unit: 2
    nics: {compute: {count: 4, speed: 400G}}
    system:
      owner: script
      nics: {compute: {kind: mlx5, interface: "rail{rail}", rdma: "mlx5_{nic}"}}
networks:
  compute:
    tiers: {leaf: {model: juniper-qfx5240-64od, platform: junos}}
"""


def group(text: str) -> Words:
    """Of the host group."""
    return site(f"hosts: {{{GROUP}: {{{text}}}}}")


def system(text: str) -> Words:
    """Of how it is set up."""
    return group(f"system: {{{text}}}")


def nics(text: str, of: str = "compute") -> Words:
    """Of what the NICs of a network are to the operating system."""
    return system(f"nics: {{{of}: {{{text}}}}}")


def pci(*numbers: int) -> str:
    """Places on the bus."""
    places = ", ".join(f'{{busid: "0000:{0x1C + number:02x}:00.0"}}' for number in numbers)
    return f"pci: [{places}]"


def macs(**addresses: str) -> Words:
    """MAC addresses by network, with blanks between."""
    return {"inventory.yaml": {"hosts": {NAME: {"macs": {of: own.split() for of, own in addresses.items()}}}}}


def mac(*numbers: int) -> str:
    """MAC addresses of NICs."""
    return " ".join(f"b8:3f:d2:00:00:{number:02x}" for number in numbers)


def lossless(text: str) -> Words:
    """A policy of the network's own."""
    return merged(network(f"lossless: {POLICY}"), {POLICY: read(text)})


def another(name: str, text: str) -> Words:
    """One more NIC, in a network of its own."""
    return merged(
        group(f"nics: {{{name}: {{count: 1, speed: 400G}}}}"),
        nics(text, name),
        site(f"networks: {{{name}: {{tiers: {{leaf: {{model: juniper-qfx5240-64od, platform: junos}}}}}}}}"),
    )


def balanced(way: str, *networks: str) -> Words:
    """How the networks spread flows; the NICs take packets in any order."""
    return merged(
        *(
            site(f"networks: {{{one}: {{routing: {{load_balancing: {way}, nics_reorder: true}}}}}}")
            for one in networks or ("compute",)
        )
    )


UNKNOWN: tuple[Words, ...] = ()
"""Four NICs, of which neither the MAC address nor the place is known."""
FOUR = (nics(pci(0, 1, 2, 3)), macs(compute=mac(0, 1, 2, 3)))
ONE = (group("gpus: 1, nics: {compute: {count: 1}}"), nics(pci(0)))
"""A single NIC."""
BONDED = (
    group("gpus: 1, nics: {compute: {count: 1, ports: 2}}"),
    nics('interface: "nic{nic}p{port}", rdma: "mlx5_bond_{nic}"'),
    network("{planes: {count: 2}, addressing: {host_family: dual, family: dual}}"),
    network("addressing: {host_links: {mode: lacp, host_arp_duplication: true}}"),
    macs(compute=mac(10, 11)),
)
MIXED = (
    group("gpus: 2, nics: {compute: {count: 2}}"),
    nics(f"{pci(0, 1)}, dcqcn: {{rpg_ai_rate: 5}}"),
    another("storage", f"kind: pollara, interface: rail2, rdma: ionic_0, {pci(2)}"),
    another("user", f"kind: dcb, interface: rail3, rdma: roce3, {pci(3)}"),
    macs(compute=mac(0, 1), storage=mac(2), user=mac(3)),
)
"""Two of mlx5, one Pollara, one that the kernel's DCB sets."""
SPRAYED = (*MIXED, balanced("per_packet", "compute", "storage", "user"))


def texts(*changes: Words) -> dict[str, str]:
    """The files of the site (JSON is YAML too)."""
    whole = without_nothing(merged({"site.yaml": read(SITE)}, *changes))
    return {name: json.dumps(value) for name, value in whole.items()}


@lru_cache(maxsize=64)
def _made(files: tuple[tuple[str, str], ...]) -> tuple[Devices, Mapping[str, HostArtifact]]:
    devices = derived(dict(files))
    return devices, api.render_hosts(devices)


def devices(*changes: Words) -> Devices:
    """The devices of the site with these changes."""
    return _made(tuple(texts(*changes).items()))[0]


def host(*changes: Words) -> Host:
    """Its first host."""
    return devices(*changes).hosts[NAME]


def artifact(*changes: Words) -> HostArtifact:
    """Its files, and what is said of them. `Invalid` if its NICs cannot be told."""
    return _made(tuple(texts(*changes).items()))[1][NAME]


def printed(*changes: Words) -> dict[str, PrintedFile]:
    """The files by their path on the host."""
    return {file.path: file for file in artifact(*changes).files}


def files(*changes: Words) -> dict[str, str]:
    """Their texts."""
    return {path: file.text for path, file in printed(*changes).items()}

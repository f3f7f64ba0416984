"""Sites for the lab, as the program compiles them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from fabric import api
from fabric.devices.hosts.model import Host
from fabric.devices.model import Switch
from fabric.platforms.base import split_parts
from fabric.platforms.frr import PLATFORM
from fabric.platforms.registry import platform
from fabric.rendering.render import print_switch

SECRET = """it's-$HOME\\n"and"#1!"""
"""Of a lab: with everything but a space that a shell or a parser might take for its own."""
EIGHT = """
site: frr-lab
units: 2
hosts:
  gpu: {{per_unit: 2, gpus: 2, nics: {{compute: {{count: 2, ports: 2, speed: 400G}}}}}}
networks:
  compute:
    rails: {{leaves: 1}}
    planes: {{count: 2, meet_at: spine}}
    pods: {{units: 2}}
    addressing: {{family: {family}}}
    routing: {{bgp: {{password: env:BGP}}}}
    tiers:
      leaf: {{model: {model}, platform: {platform}}}
      spine: {{model: {model}, platform: {platform}, count: 2}}
      superspine: {{model: {model}, platform: {platform}, count: 2, groups: 1}}
    lossless: null
services: {{lldp: false}}
"""
"""Two planes of leaves, which meet at two spines, below two superspines: eight switches, each pair joined twice."""
TWENTY = """
site: frr-lab
units: 4
hosts:
  gpu: {per_unit: 1, gpus: 1, nics: {compute: {count: 1, ports: 2, speed: 400G}}}
networks:
  compute:
    rails: {leaves: 1}
    planes: {count: 2}
    pods: {units: 2}
    addressing: {family: unnumbered}
    tiers:
      leaf: {model: nvidia-sn5600, platform: frr}
      spine: {model: nvidia-sn5600, platform: frr, count: 2}
      superspine: {model: nvidia-sn5600, platform: frr, count: 1, groups: 2}
    lossless: null
services: {lldp: false}
"""
"""Two disjoint planes of two pods: eight leaves, eight spines, four superspines."""

STORED = """
site: frr-lab
units: 2
hosts:
  gpu: {per_unit: 1, gpus: 2, nics: {compute: {count: 2, speed: 400G}}}
networks:
  compute:
    addressing: {family: dual}
    tiers:
      leaf: {model: nvidia-sn5600, platform: frr, reserved_ports: 1, max_oversubscription: "4:1"}
      spine: {model: nvidia-sn5600, platform: frr, count: 2, reserved_ports: 1}
    lossless: null
attachments:
  filer: {network: compute, kind: storage, links: 2, speed: 400G, to: {tier: leaf, unit: 0}}
  border:
    network: compute
    kind: router
    links: 2
    speed: 400G
    to: {tier: spine}
    bgp:
      asn: 65010
      bfd: true
      ttl_security: true
      max_prefixes: 100
      default_route: true
      prefixes: [203.0.113.0/24, "2001:db8:1::/48"]
      advertise: [10.0.0.0/10, "fd00::/32"]
services: {lldp: false}
"""
"""Two rails of two units with two spines; storage on two leaves, a border router on both spines."""


class Site:
    """Switches, hosts, and the files of each switch with its secrets."""

    def __init__(self, text: str) -> None:
        with TemporaryDirectory() as folder:
            (Path(folder) / "site.yaml").write_text(text)
            compiled = api.compile(Path(folder))
            self.switches: dict[str, Switch] = {name: compiled.devices[name] for name in compiled.devices}
            self.hosts: list[Host] = [compiled.devices.hosts[name] for name in compiled.devices.hosts]
        self.files = {name: files_of(switch) for name, switch in self.switches.items()}

    def of_role(self, role: str) -> list[str]:
        """Names of the switches of a role."""
        return [name for name, switch in self.switches.items() if switch.role == role]


@cache
def eight(family: str, product: str = "frr", routing: str = "{bgp: {password: env:BGP}}") -> Site:
    """The eight switches."""
    text = EIGHT.format(family=family, platform=product, model="nvidia-sn5600")
    return Site(text.replace("routing: {bgp: {password: env:BGP}}", f"routing: {routing}"))


@cache
def twenty() -> Site:
    """The twenty switches."""
    return Site(TWENTY)


@cache
def stored() -> Site:
    """Four leaves and two spines with storage and a border router."""
    return Site(STORED)


@cache
def stored_in_vlans() -> Site:
    """The same with the storage in a VLAN on each of its leaves."""
    return Site(STORED.replace("to: {tier: leaf, unit: 0}", "to: {tier: leaf, unit: 0}, vlan: 120"))


def files_of(switch: Switch) -> dict[str, str]:
    """The files of a switch. What another product does not write of its own, it gets from a switch of ours."""
    text = print_switch(switch, platform(switch.platform)).text
    found = split_parts(text.replace("<secret:env:BGP>", SECRET))
    # SONiC's own build of FRR has the commands of its forwarding plane manager; Debian's has not.
    found["frr.conf"] = re.sub(r"(?m)^(?:no )?fpm .*\n", "", found.get("frr.conf", ""))
    return {**system_files(), **found}


@cache
def system_files() -> Mapping[str, str]:
    """All files but frr.conf, as any switch of ours has them."""
    from tests.platforms.frr.devices import leaf

    return split_parts(print_switch(leaf(), PLATFORM).text)

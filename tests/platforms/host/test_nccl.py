"""Laws of NCCL's settings, from the intent to the files of every host."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from fabric import api
from fabric.intent.load import load_text

SITE = """\
site: laws
hosts:
  gpu:
    gpus: 2
    per_unit: 2
    nics: {{compute: {{count: 2, speed: 400G}}}}
    system:
      owner: {owner}
      network_files: none
      nics: {{compute: {{kind: {kind}, interface: "rail{{rail}}", rdma: "dev_{{nic}}"{pci}}}}}
      nccl: {{}}
networks:
  compute:
    {network}
    tiers:
      {tiers}
"""
ETHERNET = """leaf: {model: arista-7060x6-64pe, platform: eos}
      spine: {model: arista-7060x6-64pe, platform: eos, count: 2}"""
INFINIBAND = """leaf: {model: qm9700, reserved_ports: 2, max_oversubscription: "3:2"}
      spine: {model: qm9700, count: 2}
attachments:
  sm-1: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 0, rails: [0]}}
  sm-2: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 0, rails: [1]}}"""
PLACES = {
    "none": "",
    "bus": ', pci: [{busid: "0000:06:00.0"}, {busid: "0000:86:00.0"}]',
}
KINDS = ("mlx5", "pollara", "dcb")
OWNERS = ("script", "ansible", "operator")
GOLDEN = Path(__file__).parents[2] / "golden"
BRIDGE = "0x0604"
"""PCI Code and ID Assignment: bridges between PCI buses, the ports of switches among them."""


def site(**parts: str) -> str:
    usual = {"owner": "script", "kind": "mlx5", "pci": "", "network": "addressing: {}", "tiers": ETHERNET}
    return SITE.format(**(usual | parts))


def hosts(text: str) -> Iterator[dict[str, str]]:
    """The files of every host of a site, by their path."""
    intent = load_text({"site.yaml": text})
    for host in api.render_hosts(api.derive(intent, api.expand(intent))).values():
        yield {file.path: file.text for file in host.files}


def settings(files: dict[str, str], path: str = "etc/nccl.conf") -> dict[str, str]:
    return dict(line.split("=", 1) for line in files[path].splitlines() if line[:1] != "#")


def without_chain(files: dict[str, str]) -> list[str]:
    """NICs that a topology named by NCCL_TOPO_FILE hangs at their CPU: NCCL takes GPUDirect RDMA from them."""
    found = []
    for path, text in files.items():
        for line in text.splitlines():
            name, _, value = line.removeprefix("export ").partition("=")
            if name.strip() != "NCCL_TOPO_FILE":
                continue
            root = ET.fromstring(files.get(value.strip().lstrip("/"), "<system><net/></system>"))  # noqa: S314
            parents = {child: parent for parent in root.iter() for child in parent}
            for net in root.iter("net"):
                above, chain = parents.get(net), []
                while above is not None:
                    chain.append(above.get("class", ""))
                    above = parents.get(above)
                if not any(one.startswith(BRIDGE) for one in chain):
                    found.append(f"{path}: {net.get('name')}")
    return found


@pytest.mark.parametrize(("kind", "owner", "pci"), list(product(KINDS, OWNERS, PLACES)))
def test_no_host_names_a_topology_that_hides_the_switch_above_a_nic(kind, owner, pci):
    for files in hosts(site(kind=kind, owner=owner, pci=PLACES[pci])):
        assert "NCCL_IB_HCA" in settings(files)
        assert [] == without_chain(files)


@pytest.mark.parametrize("pci", PLACES)
def test_no_infiniband_host_names_such_a_topology(pci):
    text = site(
        network="technology: infiniband\n    infiniband: {}",
        tiers=INFINIBAND,
        pci=PLACES[pci],
        owner="operator",
    )
    for files in hosts(text):
        assert "NCCL_IB_HCA" in settings(files)
        assert [] == without_chain(files)


@pytest.mark.parametrize("case", sorted(path.parent.name for path in GOLDEN.glob("*/hosts.txt")))
def test_no_host_of_the_golden_sites_names_such_a_topology(case):
    for host in api.compile(GOLDEN / case).host_artifacts.values():
        assert [] == without_chain({file.path: file.text for file in host.files})


def test_a_nic_at_the_cpu_is_found_and_one_below_a_switch_is_not():
    nic = '<pci busid="0000:06:00.0" class="0x020000"><nic><net name="dev_0"/></nic></pci>'
    below = f'<pci busid="0000:05:00.0" class="0x060400">{nic}</pci>'
    for inside, found in ((nic, ["etc/nccl.conf: dev_0"]), (below, [])):
        text = f'<system version="1"><cpu numaid="0">{inside}</cpu></system>'
        assert found == without_chain({"etc/nccl.conf": "NCCL_TOPO_FILE=/etc/t.xml\n", "etc/t.xml": text})


HOST_FAMILIES = (None, "ipv4", "ipv6", "dual")
FAMILIES = ("ipv4", "ipv6", "dual", "unnumbered")
ASSIGNMENTS = {
    "static": "",
    "vlan": "mode: vlan",
    "slaac": "mode: vlan, assignment: slaac, prefix6_length: 64",
    "routed slaac": "assignment: slaac, prefix6_length: 64",
}


def host_family(family: str, own: str | None) -> str:
    return own or {"unnumbered": "ipv4"}.get(family, family)


@pytest.mark.parametrize(
    ("family", "own", "links"),
    [
        (family, own, links)
        for family, own, links in product(FAMILIES, HOST_FAMILIES, ASSIGNMENTS)
        if "slaac" not in links or host_family(family, own) != "ipv4"  # it gives no IPv4 address
    ],
)
def test_nccl_is_told_of_ipv6_exactly_where_hosts_have_nothing_else(family, own, links):
    words = [f"family: {family}", *([f"host_family: {own}"] if own else [])]
    addressing = ", ".join([*words, f"host_links: {{{ASSIGNMENTS[links]}}}"])

    for files in hosts(site(network=f"addressing: {{{addressing}}}")):
        for path in ("etc/nccl.conf", "etc/fabric/environment"):
            told = settings(files, path).get("NCCL_IB_ADDR_FAMILY")
            assert told == ("AF_INET6" if host_family(family, own) == "ipv6" else None)

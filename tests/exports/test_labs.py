"""Labs and snapshots: every link between nodes that are there, with the configuration that is compiled."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import yaml

from fabric import api
from fabric.exports.network_view import views
from fabric.exports.rows import device_rows
from fabric.platforms import registry
from tests.exports.sites import ethernet, links_of, of_reference, reference, refused, site_text, superpod
from tests.programs import needed_module, run

PRINTABLE = ("lab-8", "superpod-b300-spectrumx")
KNOWN_KINDS = {
    "arista_ceos", "cisco_n9kv", "juniper_vjunosevolved", "linux", "nokia_srlinux", "nvidia_cumulusvx", "sonic-vm",
}  # fmt: skip
"""Kinds of containerlab's manual."""
ETHERNET = sorted(name for name in registry.names() if registry.platform(name).technology == "ethernet")


def mixed(platform: str) -> str:
    """A small site whose switches all run one product, on hardware that it runs on."""
    model = {"nxos": "cisco-n9364e-sg2", "junos": "juniper-qfx5240-64od", "srlinux": "nokia-ixr-h5-64d"}.get(
        platform, "nvidia-sn5600" if platform in ("cumulus", "frr", "sonic") else "dell-z9864f"
    )
    model = "arista-7060x6-32pe" if platform == "eos" else model
    tier = f"{{model: {model}, platform: {platform}, "
    return (
        ethernet(leaf=tier + "up: {speed: 400G, ports: 4}}", spine=tier + "count: 2}")
        + "    lossless: null\n"
    )


def made(text: str, kind: str):
    exports = api.export(*site_text(text), [kind])
    return {file.path.removeprefix(f"{kind}/"): file for file in exports.files}, exports.diagnostics


@pytest.mark.parametrize("name", PRINTABLE)
def test_a_lab_has_every_link_once_between_its_nodes(name):
    files = of_reference(name, "containerlab")
    lab = yaml.safe_load(files[f"{name}.clab.yml"])["topology"]
    ends = [(end["node"], end["interface"]) for link in lab["links"] for end in link["endpoints"]]

    assert len(links_of(name)) == len(lab["links"])
    assert len(ends) == len(set(ends))
    assert {node for node, _ in ends} <= set(lab["nodes"])
    pairs = sorted(sorted(end["node"] for end in link["endpoints"]) for link in lab["links"])
    assert sorted(sorted(device for device, _ in link) for link in links_of(name)) == pairs
    assert all(len(interface) <= 15 for _, interface in ends)
    assert {node["kind"] for node in lab["nodes"].values()} <= set(lab["kinds"]) | {"linux"}


@pytest.mark.parametrize("platform", ETHERNET)
def test_every_product_has_a_node_with_the_files_that_it_names(platform):
    files, findings = made(mixed(platform), "containerlab")
    lab = yaml.safe_load(files["test.clab.yml"].text)["topology"]
    leaf = lab["nodes"]["leaf-0-0"]

    assert leaf["kind"] in KNOWN_KINDS
    named = [
        *filter(None, [leaf.get("startup-config")]),
        *(bind.split(":")[0] for bind in leaf.get("binds", ())),
    ]
    assert set(named) <= set(files)
    for path in named:
        assert files[path].text.strip()
    kind = registry.platform(platform).other_tools.lab
    assert (kind is None or kind.most_ports is not None) == any(f.code == "FAB247" for f in findings)


def test_names_of_interfaces_are_mapped_back_to_those_of_the_product():
    files = of_reference("lab-8", "containerlab")
    lab = yaml.safe_load(files["lab-8.clab.yml"])["topology"]
    own = json.loads(files["interfaces/leaf-0-0-0.json"])["EthernetIntf"]

    used = {e["interface"] for link in lab["links"] for e in link["endpoints"] if e["node"] == "leaf-0-0-0"}
    assert used == set(own)
    ports = {port for link in links_of("lab-8") for device, port in link if device == "leaf-0-0-0"}
    assert ports == set(own.values())


def test_a_lab_of_a_product_without_an_image_says_so():
    _, findings = made(mixed("dellsonic"), "containerlab")

    assert {"FAB247"} == {finding.code for finding in findings if finding.code.startswith("FAB24")}


def test_a_virtual_machine_with_fewer_ports_says_so():
    _, findings = made(mixed("junos"), "containerlab")

    (message,) = {finding.rule for finding in findings if finding.code == "FAB247"}
    assert "ports are cabled, the image has 12" in message


def test_a_snapshot_has_the_cabling_of_what_is_in_it():
    files = of_reference("lab-8", "batfish")
    edges = json.loads(files["batfish/layer1_topology.json"])["edges"]
    found = [
        frozenset((edge[node]["hostname"], edge[node]["interfaceName"]) for node in ("node1", "node2"))
        for edge in edges
    ]

    assert links_of("lab-8") == set(found)
    assert len(found) == len(set(found))
    inside = {
        path.split("/")[-1].rsplit(".", 1)[0] for path in files if path.startswith(("configs/", "hosts/"))
    }
    assert {device for link in found for device, _ in link} == inside


@pytest.mark.parametrize("platform", ETHERNET)
def test_a_snapshot_has_each_product_in_the_form_that_is_read(platform):
    files, findings = made(mixed(platform), "batfish")
    form = registry.platform(platform).other_tools.snapshot

    if form is None:
        assert {"FAB248"} == {f.code for f in findings if f.code.startswith("FAB24")}
        assert not any(path.startswith(("configs", "sonic_configs")) for path in files)
        assert json.loads(files["batfish/layer1_topology.json"].text) == {"edges": []}
        return
    own = [path for path in files if path.startswith(form.folder)]
    assert own
    if form.files:
        assert {path.split("/")[-1] for path in own} == set(form.files)
    else:
        assert all(files[path].text.startswith(f"{form.first_line}\n") for path in own)
    compiled = api.render(api.derive(*site_text(mixed(platform))))["leaf-0-0"]
    first = files[own[0]].text.removeprefix(f"{form.first_line}\n")
    assert first in {compiled.text, *compiled.files.values()}


def test_netlab_has_the_same_nodes_and_links():
    topology = yaml.safe_load(of_reference("lab-8", "netlab")["topology.yml"])
    pairs = sorted(sorted(end["node"] for end in link["interfaces"]) for link in topology["links"])

    assert sorted(sorted(device for device, _ in link) for link in links_of("lab-8")) == pairs
    assert {device for link in links_of("lab-8") for device, _ in link} == set(topology["nodes"])


def test_netlab_itself_joins_the_same_ports(tmp_path):
    needed_module("netsim")
    (tmp_path / "topology.yml").write_text(of_reference("lab-8", "netlab")["topology.yml"])
    program = Path(sys.executable).with_name("netlab")
    run(program, "create", "topology.yml", "-q", "-o", "json=made.json", cwd=tmp_path)
    lab = json.loads((tmp_path / "made.json").read_text())
    pairs = sorted(sorted(end["node"] for end in link["interfaces"]) for link in lab["links"])

    assert sorted(sorted(device for device, _ in link) for link in links_of("lab-8")) == pairs
    ports = [(end["node"], end["ifname"]) for link in lab["links"] for end in link["interfaces"]]
    assert len(ports) == len(set(ports))
    numbers = {name: node["bgp"]["as"] for name, node in lab["nodes"].items() if "bgp" in node}
    assert {row.name: row.asn for row in device_rows(views(*reference("lab-8"))) if row.asn} == numbers


@pytest.mark.parametrize("kind", ["containerlab", "netlab", "batfish"])
def test_infiniband_has_no_configurations_to_lay_out(kind):
    ((code, _, rule, _),) = refused(superpod(1), kind)

    assert "FAB241" == code
    assert f"{kind}: compute has no Ethernet switches" in rule


def test_secrets_stay_placeholders(monkeypatch):
    monkeypatch.setenv("FABRIC_SNMP_AUTH", "hunter2hunter2")
    for kind in ("containerlab", "batfish"):
        joined = "".join(of_reference("lab-8", kind).values())

        assert "<secret:env:FABRIC_SNMP_AUTH>" in joined
        assert "hunter2" not in joined

"""Hosts of whole sites: the leaf at the other end has the same classes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from fabric import api
from fabric.devices.site_devices import Devices
from tests.platforms.sites import derived, merged, read, site

GOLDEN = Path(__file__).parents[2] / "golden"
EQUIPPED = site("""
hosts:
  gpu:
    system:
      owner: script
      nics: {compute: {kind: mlx5, interface: "r{nic}p{port}", rdma: "mlx5_{nic}"}}
""")


def equipped(name: str) -> Devices:
    """The site, with hosts that have a system."""
    whole = merged({"site.yaml": read((GOLDEN / name / "site.yaml").read_text())}, EQUIPPED)
    return derived({file: json.dumps(words) for file, words in whole.items()})


def first(found: Devices) -> tuple[str, dict[str, str]]:
    """The first host, and its files."""
    name = found.described_hosts[0]
    return name, {file.path: file.text for file in api.render_hosts(found)[name].files}


@pytest.mark.parametrize("name", ["dual-stack", "dual-tor-lacp", "flowlet-balancing"])
def test_a_host_and_its_leaf_put_each_code_point_into_the_same_queue(name):
    found = equipped(name)
    host, own = first(found)
    expected = json.loads(own["etc/fabric/expected.json"])

    for port in found.hosts[host].ports:
        leaf = next(one for one in found[port.peer].ports if one.name == port.peer_port)
        maps = expected[f"r{port.nic}p{port.port}"]
        queues = {d: one.queue for one in leaf.queueing.classes for d in one.dscp}
        assert queues == {d: maps["priority_to_class"][p] for d, p in enumerate(maps["dscp_to_priority"])}
        assert leaf.queueing.priorities == tuple(n for n, on in enumerate(maps["pfc"]) if on)
        assert leaf.ip_mtu_bytes == port.ip_mtu_bytes


def test_a_bond_over_two_leaves_has_the_address_once():
    found = equipped("dual-tor-lacp")
    host, own = first(found)
    ports = found.hosts[host].ports

    network = yaml.safe_load(own["etc/netplan/60-fabric.yaml"])["network"]

    assert {p.nic for p in ports} == set(range(len(network["bonds"])))
    assert [str(ports[0].addresses[0])] == network["bonds"]["bond0"]["addresses"]
    assert all("addresses" not in member for member in network["ethernets"].values())

"""Hosts of whole sites: the leaf at the other end has the same classes."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
import yaml

import fabric
from fabric.devices.model import Host, NicFacts
from fabric.intent.model import HostSystem
from tests.platforms.host.hosts import files, named

GOLDEN = Path(__file__).parents[2] / "golden"


def equipped(of: Host) -> Host:
    nics = (
        NicFacts(kind="mlx5", interface=f"r{index}", rdma=f"mlx5_{p.nic}") for index, p in enumerate(of.ports)
    )
    system = HostSystem(owner="script", nics={})
    return named(msgspec.structs.replace(of, system=system), *nics)


def devices(site: str) -> fabric.Devices:
    intent = fabric.load(GOLDEN / site / "site.yaml")
    return fabric.derive(intent, fabric.expand(intent))


@pytest.mark.parametrize("site", ["dual-stack", "dual-tor-lacp", "flowlet-balancing"])
def test_a_host_and_its_leaf_put_each_code_point_into_the_same_queue(site):
    found = devices(site)
    host = found.hosts[next(iter(found.hosts))]
    expected = json.loads(files(equipped(host))["etc/fabric/expected.json"])

    for index, own in enumerate(host.ports):
        leaf = next(port for port in found[own.peer].ports if port.name == own.peer_port)
        maps = expected[f"r{index}"]
        queues = {d: one.queue for one in leaf.queueing.classes for d in one.dscp}
        assert queues == {d: maps["priority_to_class"][p] for d, p in enumerate(maps["dscp_to_priority"])}
        assert leaf.queueing.priorities == tuple(n for n, on in enumerate(maps["pfc"]) if on)
        assert leaf.ip_mtu_bytes == own.ip_mtu_bytes


def test_a_bond_over_two_leaves_has_the_address_once():
    found = devices("dual-tor-lacp")
    host = found.hosts[next(iter(found.hosts))]
    own = files(equipped(host))

    network = yaml.safe_load(own["etc/netplan/60-fabric.yaml"])["network"]

    assert {p.nic for p in host.ports} == set(range(len(network["bonds"])))
    assert [str(host.ports[0].addresses[0])] == network["bonds"]["bond0"]["addresses"]
    assert all("addresses" not in member for member in network["ethernets"].values())

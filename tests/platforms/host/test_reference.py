"""The hosts of published fabrics get their files, one per interface that the fabric has for them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import yaml

from fabric import api
from fabric.intent.model import HostSystem, Intent, NicSystem
from fabric.topology.model import Role, Topology
from tests.platforms.host.test_golden import said, written

REFERENCE = Path(__file__).parents[3] / "inventories" / "reference"
SITES = ("lab-8", "apstra-64-h100", "hpn7-pod", "rail-only", "superpod-b300-spectrumx")


def described(intent: Intent, topology: Topology) -> Intent:
    """Every host group with a system, whatever its networks."""
    groups = {
        group: HostSystem(
            owner="script",
            nccl="none",
            nics={
                name: NicSystem(
                    kind="mlx5", interface=f"{name[:4]}{{nic}}p{{port}}", rdma=f"{name[:4]}{{nic}}"
                )
                for name, network in topology.networks.items()
                if group in {network.host_group[node] for node in network.role_start[Role.HOST]}
            },
        )
        for group in intent.site.hosts
    }
    hosts = {
        name: msgspec.structs.replace(group, system=groups[name]) for name, group in intent.site.hosts.items()
    }
    return msgspec.structs.replace(intent, site=msgspec.structs.replace(intent.site, hosts=hosts))


@pytest.mark.live
@pytest.mark.parametrize("site", SITES)
def test_netplan_takes_the_files_of_a_published_fabric(site, tmp_path):
    intent = api.load(REFERENCE / site)
    topology = api.expand(intent)
    devices = api.derive(described(intent, topology), topology)
    made = api.render_hosts(devices)
    name = list(made)[-1]
    folder = written(made[name], tmp_path)
    network = yaml.safe_load((folder / "etc/netplan/60-fabric.yaml").read_text())["network"]

    assert (0, "") == said("netplan", "generate", "--root-dir", folder)
    assert len(made) == len(devices.hosts)
    assert len(network["ethernets"]) == len(devices.hosts[name].ports)

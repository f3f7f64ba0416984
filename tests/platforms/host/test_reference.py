"""The hosts of published fabrics get their files, one per interface that the fabric has for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabric import api
from tests.platforms.host.test_golden import said, written
from tests.platforms.sites import derived, merged, read

REFERENCE = Path(__file__).parents[3] / "inventories" / "reference"
SITES = ("lab-8", "apstra-64-h100", "hpn7-pod", "rail-only", "superpod-b300-spectrumx")


def described(site: dict[str, Any]) -> dict[str, Any]:
    """Every host group with a system, whatever its networks."""
    nics = {
        name: {"kind": "mlx5", "interface": f"{name[:4]}{{nic}}p{{port}}", "rdma": f"{name[:4]}{{nic}}"}
        for name in site["networks"]
    }
    system = {"owner": "script", "nccl": "none", "nics": nics}
    return dict(merged(site, {"hosts": {group: {"system": system} for group in site["hosts"]}}))


@pytest.mark.live
@pytest.mark.parametrize("name", SITES)
def test_netplan_takes_the_files_of_a_published_fabric(name, tmp_path):
    files = {path.name: path.read_text() for path in (REFERENCE / name).iterdir()}
    devices = derived(files | {"site.yaml": json.dumps(described(read(files["site.yaml"])))})
    made = api.render_hosts(devices)
    host = list(made)[-1]
    folder = written(made[host], tmp_path)
    network = yaml.safe_load((folder / "etc/netplan/60-fabric.yaml").read_text())["network"]

    assert (0, "") == said("netplan", "generate", "--root-dir", folder)
    assert len(made) == len(devices.hosts)
    assert len(network["ethernets"]) == len(devices.hosts[host].ports)

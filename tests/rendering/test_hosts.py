"""The files of hosts: made for those that are described, when asked for, and once where hosts are alike."""

from __future__ import annotations

import pytest

from fabric import api
from fabric.diagnostics import Invalid, Report
from fabric.intent.load import load_text
from fabric.rendering import HostArtifacts

SITE = """
site: lab
hosts:
  gpu:
    per_unit: 3
    nics: {{compute: {{count: 2, speed: 400G}}}}
    system:
      owner: {owner}
      nics: {{compute: {{kind: {kind}, interface: "rail{{rail}}", rdma: "mlx5_{{nic}}"}}}}
  cpu:
    per_unit: 2
    nics: {{compute: {{count: 2, speed: 400G}}}}
networks:
  compute:
    tiers: {{leaf: {{model: arista-7060x6-64pe}}}}
"""


def hosts(owner: str = "script", kind: str = "mlx5", **files: str) -> HostArtifacts:
    intent = load_text({"site.yaml": SITE.format(owner=owner, kind=kind), **files})
    return HostArtifacts(api.derive(intent, api.expand(intent)))


def test_only_hosts_whose_group_has_a_system_have_files():
    made = hosts()

    assert ["gpu-0-0", "gpu-0-1", "gpu-0-2"] == list(made)
    assert 3 == len(made)
    assert "cpu-0-0" not in made
    with pytest.raises(KeyError):
        made["cpu-0-0"]


def test_what_hosts_have_in_common_is_one_text():
    made = hosts()
    texts = [{file.path: file.text for file in made[name].files} for name in made]

    shared = {path for path in texts[0] if texts[0][path] is texts[1][path]}

    assert {"usr/local/sbin/fabric-roce-qos", "etc/nccl.conf", "etc/fabric/expected.json"} <= shared
    assert {"etc/netplan/60-fabric.yaml", "etc/fabric/environment"} == set(texts[0]) - shared


def test_hosts_differ_in_their_addresses():
    made = hosts()

    assert 3 == len({host.digest for host in made.values()})


def test_the_digest_knows_text_and_mode():
    assert hosts()["gpu-0-0"].digest == hosts()["gpu-0-0"].digest
    assert hosts()["gpu-0-0"].digest != hosts(owner="ansible")["gpu-0-0"].digest


def test_a_nic_that_cannot_be_told_is_one_finding_for_all_hosts():
    report = Report()
    printed = list(hosts(kind="bnxt").collect(report))

    assert ([], ["FAB590"]) == (printed, [finding.code for finding in report])


def test_mac_addresses_of_the_inventory_give_names():
    inventory = 'hosts: {gpu-0-1: {macs: {compute: ["b8:3f:d2:00:00:01", "b8:3f:d2:00:00:02"]}}}\n'
    made = hosts(**{"inventory.yaml": inventory})
    netplan = {name: next(f.text for f in made[name].files if "netplan" in f.path) for name in made}

    assert 'match: {macaddress: "b8:3f:d2:00:00:02"}' in netplan["gpu-0-1"]
    assert "match" not in netplan["gpu-0-0"]


def test_mac_addresses_come_as_a_table_too():
    table = "name,macs-compute,bmc\ngpu-0-2,b8:3f:d2:00:00:01 b8:3f:d2:00:00:02,192.0.2.9\n"
    made = hosts(**{"inventory.yaml": "hosts_csv: hosts.csv\n", "hosts.csv": table})

    (text,) = (file.text for file in made["gpu-0-2"].files if "netplan" in file.path)

    assert 'match: {macaddress: "b8:3f:d2:00:00:01"}' in text


def test_a_template_that_asks_for_too_much_is_told_by_name(tmp_path):
    own = tmp_path / "host"
    own.mkdir()
    (own / "nccl.conf.j2").write_text("{{ config.nothing }}\n")
    intent = load_text({"site.yaml": SITE.format(owner="script", kind="mlx5")})
    made = HostArtifacts(api.derive(intent, api.expand(intent)), tmp_path)

    with pytest.raises(Invalid, match="nothing"):
        made["gpu-0-0"]

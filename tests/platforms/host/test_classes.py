"""Several lossless RoCE classes, from the intent to what each kind of NIC is told."""

from __future__ import annotations

import json

import pytest

from fabric.devices.derive import derive
from fabric.diagnostics import Invalid
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.rendering.render_hosts import HostArtifacts
from fabric.topology.expand import expand

SITE = """site: s
units: 1
hosts:
  gpu:
    gpus: 2
    per_unit: 2
    nics: {{compute: {{count: 2, speed: 400G}}}}
    system:
      owner: script
      network_files: none
      nics: {{compute: {{kind: {kind}, interface: "rail{{rail}}", rdma: "rdma_{{nic}}"}}}}
      nccl: {{ucx: true{nccl}}}
networks:
  compute:
    lossless: policy.yaml
    tiers: {{leaf: {{model: nvidia-sn5600, platform: sonic}}}}
"""
POLICY = """classes:
  storage: {dscp: [18], traffic_class: 2, priority: 2, queue: 2, share: 30, ecn: auto}
  training: {dscp: [26], traffic_class: 3, priority: 3, queue: 3, share: 30, ecn: auto}
  cnp: {dscp: [48], traffic_class: 6, queue: 6, strict: true, max_rate: 5}
  best-effort: {dscp: rest, traffic_class: 0, queue: 0, share: 40}
cnp: cnp
watchdog: none
"""


def files(kind: str, nccl: str = "") -> dict[str, str]:
    intent = load_text({"site.yaml": SITE.format(kind=kind, nccl=nccl), "policy.yaml": POLICY})
    made = HostArtifacts(derive(intent, expand(intent), registry))["gpu-0-0"]
    return {one.path: one.text for one in made.files}


def lines(text: str, word: str) -> list[str]:
    return [line for line in text.splitlines() if word in line]


def test_mlx5_is_told_of_both_classes():
    own = files("mlx5")
    script = own["usr/local/sbin/fabric-roce-qos"]

    assert 2 == len(lines(script, "--pfc 0,0,1,1,0,0,0,0 "))
    for way in ("roce_np", "roce_rp"):
        assert ["2", "3", "2", "3"] == [line[-1] for line in lines(script, f"ecn/{way}/enable/")]
    assert [] == lines(script, "tc/1/traffic_class")  # it would force all traffic into one class
    assert "18:2 " in script
    assert "26:3 " in script


def test_dcb_is_told_of_both_classes():
    script = files("dcb")["usr/local/sbin/fabric-roce-qos"]

    assert 2 == len(lines(script, "prio-pfc 0:off 1:off 2:on 3:on"))


def test_a_controller_is_told_of_both_classes():
    maps = json.loads(files("mlx5")["etc/fabric/expected.json"])["rail0"]

    assert [2, 3] == maps["roce_priorities"]
    assert [["training", 26 * 4 + 2], ["storage", 18 * 4 + 2]] == maps["roce_classes"]


@pytest.mark.parametrize(("words", "dscp"), [("", 26), (", traffic_class: storage", 18)])
def test_collectives_are_sent_in_the_class_that_is_named(words, dscp):
    conf = files("mlx5", words)["etc/nccl.conf"].splitlines()

    assert f"NCCL_IB_TC={dscp * 4 + 2}" in conf


def test_only_a_nic_that_cannot_be_told_refuses():
    with pytest.raises(Invalid) as refused:
        files("pollara")

    found = [d for d in refused.value.diagnostics if d.is_error]
    assert ["FAB450"] == [d.code for d in found]
    assert "storage" in found[0].rule
    assert found[0].hint


def test_collectives_in_a_class_without_roce_are_refused():
    with pytest.raises(Invalid) as refused:
        files("mlx5", ", traffic_class: best-effort")

    assert ["FAB451"] == [d.code for d in refused.value.diagnostics if d.is_error]

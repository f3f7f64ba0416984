"""A switch is told its name, that it manages nothing, and which of its ports are split; nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import api

SITE = """site: setup
units: 2
hosts:
  dgx: {{gpus: 2, per_unit: 4, nics: {{compute: {{count: 2, speed: {speed}}}}}}}
networks:
  compute:
    technology: infiniband
    tiers:
      leaf: {{model: {model}, reserved_ports: 2{split}}}
      spine: {{model: {model}, count: 2}}
attachments:
  sm-1: {{network: compute, kind: subnet_manager, links: 1, speed: {speed}, to: {{tier: leaf, unit: 0, rails: [0]}}}}
  sm-2: {{network: compute, kind: subnet_manager, links: 1, speed: {speed}, to: {{tier: leaf, unit: 1, rails: [0]}}}}
"""


def exported(folder: Path, model: str, speed: str, split: str = "") -> tuple[dict[str, list[str]], list[str]]:
    (folder / "site.yaml").write_text(SITE.format(model=model, speed=speed, split=split))
    made = api.compile(folder)
    found = api.export(made.intent, made.topology, ["switch-setup"])
    return {one.path.removeprefix("switch-setup/"): one.text.splitlines() for one in found.files}, [
        finding.code for finding in found.diagnostics
    ]


def test_a_switch_gets_its_name_and_no_manager_of_its_own(tmp_path):
    files, told = exported(tmp_path, "qm9700", "400G")

    assert ["hostname leaf-0-0", "no ib sm"] == files["compute/leaf-0-0.cli"]
    assert 6 == len(files)
    assert [] == told


@pytest.mark.parametrize(
    ("model", "speed", "expected"),
    [
        ("qm8700", "100G", "interface ib 1/1 module-type qsfp-split-2 force"),
        ("qm9700", "200G", "interface ib 1/1/1 port-type split-2 force"),
    ],
)
def test_split_ports_are_split_as_the_generation_of_the_switch_wants(tmp_path, model, speed, expected):
    files, told = exported(tmp_path, model, speed)
    leaf = files["compute/leaf-0-0.cli"]

    assert expected in leaf
    assert len(leaf) == len(set(leaf))
    assert ["FAB246"] == told

"""`fabric compile` writes the files of hosts beside the configurations of devices."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

MIXED = Path(__file__).parents[1] / "golden" / "host-mixed"


@pytest.fixture
def mixed(tmp_path) -> Path:
    shutil.copytree(MIXED, tmp_path / "mixed")
    return tmp_path / "mixed"


def test_devices_and_hosts_are_counted_apart(fabric, mixed):
    first, second = (fabric("-C", mixed, "compile") for _ in range(2))

    assert "4 devices: 4 written, 0 unchanged; 4 hosts: 4 written, 0 unchanged (" in first.err
    assert "4 devices: 0 written, 4 unchanged; 4 hosts: 0 written, 4 unchanged (" in second.err


def test_files_have_the_modes_that_they_need_on_a_host(fabric, mixed):
    fabric("-C", mixed, "compile")
    home = mixed / "out/hosts/nv-0-0"
    netplan = home / "etc/netplan/60-fabric.yaml"

    assert 0o755 == (home / "usr/local/sbin/fabric-roce-qos").stat().st_mode & 0o777
    assert 0o600 == netplan.stat().st_mode & 0o777

    netplan.chmod(0o644)
    fabric("-C", mixed, "compile")
    assert 0o600 == netplan.stat().st_mode & 0o777


def test_a_pattern_chooses_hosts_and_devices(fabric, mixed):
    done = fabric("-C", mixed, "compile", "--only", "nv-*", "--only", "spine-0", "--format", "json")
    told = json.loads(done.out)

    assert (1, 2) == (told["devices"], told["hosts"])
    assert {"nv-0-0", "nv-0-1"} == {path.name for path in (mixed / "out/hosts").iterdir()}
    assert ["spine-0.cfg"] == [path.name for path in (mixed / "out/configs").iterdir()]


def test_a_pattern_that_fits_nothing_is_refused(fabric, mixed):
    done = fabric("-C", mixed, "compile", "--only", "nvv-*")

    assert 1 == done.code
    assert "there is no device or described host 'nvv-*'" in done.err


def test_nothing_is_written_if_a_host_cannot_be_told(fabric, mixed):
    site = mixed / "site.yaml"
    site.write_text(site.read_text().replace("kind: mlx5", "kind: bnxt").replace("          dcqcn", "#"))

    compiled, validated = fabric("-C", mixed, "compile"), fabric("-C", mixed, "validate")

    assert (1, 1) == (compiled.code, validated.code)
    assert "site.yaml:12:17: FAB590" in compiled.err
    assert "FAB590" in validated.out + validated.err
    assert [] == [path for path in (mixed / "out").rglob("*") if path.is_file()]


def test_a_plan_says_nothing_of_hosts(fabric, mixed, tmp_path):
    (tmp_path / "backups").mkdir()
    done = fabric("-C", mixed, "plan", "--offline", tmp_path / "backups", "--adopt")

    assert "leaf" in done.out  # the control: of switches it speaks
    assert "nv-0-0" not in done.out

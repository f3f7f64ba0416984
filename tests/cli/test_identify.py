"""`fabric identify` writes what it is sure of, and tells the rest."""

from __future__ import annotations

import json

import pytest

from tests.devices.test_guids import SITE, discovered, end, made


@pytest.fixture
def infiniband(site):
    (site / "site.yaml").write_text(SITE)
    (site / "inventory.yaml").unlink()
    (site / "found.txt").write_text(discovered(made()))
    return site


def test_what_it_writes_is_the_inventory(fabric, infiniband):
    ran = fabric("identify", "found.txt", "--csv", "guids.csv", "-o", "inventory.yaml")

    compiled = fabric("compile")

    assert ran.code == 0, ran.err
    assert "guids_csv: guids.csv\n" in (infiniband / "inventory.yaml").read_text()
    assert (compiled.code, "FAB438" in compiled.err) == (0, False)


def test_without_a_table_the_adapters_stand_in_the_inventory(fabric, infiniband):
    before = fabric("compile").err
    ran = fabric("identify", "found.txt")
    (infiniband / "inventory.yaml").write_text(ran.out)

    assert "FAB438" in before
    assert "FAB438" not in fabric("compile").err


def test_no_file_is_overwritten(fabric, infiniband):
    (infiniband / "inventory.yaml").write_text("{}\n")

    ran = fabric("identify", "found.txt", "-o", "inventory.yaml")

    assert (ran.code, "FAB905" in ran.err) == (1, True)
    assert (infiniband / "inventory.yaml").read_text() == "{}\n"


def test_a_doubt_is_told_and_left_out(fabric, infiniband):
    plan = made()
    one, two = end(plan, "gpu-0-0", 0), end(plan, "gpu-0-1", 0)
    (infiniband / "found.txt").write_text(discovered(plan, swap=((one.node_guid, 1), (two.node_guid, 1))))

    ran = fabric("identify", "found.txt", "--format", "json")

    said = json.loads(ran.out)
    assert ran.code == 1
    assert (len(said["doubts"]), said["missing"]) == (2, ["gpu-0-0 mlx5_0", "gpu-0-1 mlx5_0"])
    assert {(a["host"], a["nic"]) for a in said["adapters"]}.isdisjoint({("gpu-0-0", 0), ("gpu-0-1", 0)})
    assert "doubt: " in ran.err


def test_a_site_without_infiniband_is_told_so(fabric, site):
    (site / "found.txt").write_text("")

    ran = fabric("identify", "found.txt")

    assert (ran.code, "InfiniBand networks of this site: none" in ran.err) == (1, True)

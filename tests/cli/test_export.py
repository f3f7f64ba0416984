"""`fabric export`: kinds, folders, one file to a pipe, and nothing written when something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabric.exports import NAMES


def files(folder: Path) -> list[str]:
    """What is below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


WANTING = {"ibdiagnet", "node-names", "ibsim", "switch-setup", "dns-zones"}
"""Kinds that the site of these tests does not have: no subnet, no domain."""


def test_without_a_kind_those_that_the_site_has_are_listed(fabric):
    ran = fabric("export", "--format", "json")

    assert [name for name in NAMES if name not in WANTING] == [
        row["kind"] for row in json.loads(ran.out)["exports"]
    ]


def test_all_kinds_of_the_site_are_written_below_out(fabric, site):
    ran = fabric("export", "all")
    made = files(site / "out" / "exports")

    assert 0 == ran.code
    assert set(NAMES) - WANTING == {path.split("/")[0] for path in made}
    assert [
        "cables/cables.csv",
        "labels/labels.csv",
        "labels/labels.txt",
        "slurm-block/topology.conf",
        "slurm-tree/topology.conf",
        "slurm-yaml/topology.yaml",
    ] == [path for path in made if path.startswith(("cables", "labels", "slurm"))]
    assert f"{len(made)} files: {len(made)} written, 0 unchanged" in ran.err


def test_a_second_export_changes_nothing(fabric, site):
    fabric("export", "cables", "slurm-tree", "-o", "there")
    before = {path: path.stat().st_mtime_ns for path in (site / "there").rglob("*.*")}

    ran = fabric("export", "cables", "slurm-tree", "-o", "there")

    assert "2 files: 0 written, 2 unchanged" in ran.err
    assert before == {path: path.stat().st_mtime_ns for path in (site / "there").rglob("*.*")}


def test_one_file_goes_to_a_pipe(fabric):
    ran = fabric("export", "slurm-tree", "-o", "-")

    assert 0 == ran.code
    assert "SwitchName=unit-0 Nodes=gpu-0-[0-3]\n" in ran.out


def test_the_cable_list_is_the_one_that_is_shown(fabric):
    assert fabric("show", "cables", "--format", "csv").out == fabric("export", "cables", "-o", "-").out


def test_several_files_do_not_go_to_a_pipe(fabric):
    ran = fabric("export", "labels", "-o", "-")

    assert (1, "") == (ran.code, ran.out)
    assert "`-o -` prints one file" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("slurm",), "there is no kind of export 'slurm'"),
        (("cables", "--network", "compte"), "there is no network 'compte'"),
        (("ibdiagnet",), "ibdiagnet: compute has no InfiniBand subnet"),
    ],
)
def test_what_there_is_not_is_refused_and_nothing_is_written(fabric, site, words, said):
    ran = fabric("export", *words)

    assert 1 == ran.code
    assert said in ran.out + ran.err
    assert not (site / "out").exists()


def test_what_was_written_is_told_to_programs(fabric, site):
    made = json.loads(fabric("export", "slurm-tree", "--format", "json").out)

    assert [{"kind": "slurm-tree", "path": "slurm-tree/topology.conf", "written": True}] == made["files"]
    assert made["folder"].endswith("out/exports")
    assert "kind,path,written\nslurm-tree,slurm-tree/topology.conf,false\n" == (
        fabric("export", "slurm-tree", "--format", "csv").out
    )


def test_a_finding_has_its_place_in_the_intent(fabric, site):
    path = site / "site.yaml"
    path.write_text(
        path.read_text().replace(
            "gpus: 4\n    scale_up_domain_gpus: 4", "gpus: 4\n    scale_up_domain_gpus: 12"
        )
    )

    ran = fabric("export", "slurm-block")

    assert 1 == ran.code
    assert "site.yaml:5:" in ran.out + ran.err
    assert "FAB242" in ran.out + ran.err
    assert not (site / "out").exists()

"""`fabric size` from the command line: a table, a document, a site."""

from __future__ import annotations

import json

import pytest

ASKED = ("size", "--gpus", "1016", "--nic", "400G", "--technology", "infiniband", "--models", "qm9700")


def test_the_cheapest_layout_stands_first(fabric):
    ran = fabric(*ASKED, "--format", "json")

    first = json.loads(ran.out)["layouts"][0]
    assert (32, 16, 1016, 1024) == (
        first["leaf"],
        first["spine"],
        first["host_cables"],
        first["fabric_cables"],
    )
    assert (first["worst_failure"], first["left_percent"], first["free_gpus"]) == ("leaf", 75.0, 8)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (("--rails", "none", "--keep-leaf", "50%"), "8 ports of a host on 1 leaf keep 0 %"),
        (("--keep-leaf", "90%"), "8 ports of a host on 8 leaves keep 87.5 %"),
        (("--keep-plane", "50%"), "8 ports of a host on 1 plane keep 0 %"),
    ],
)
def test_what_no_layout_can_keep_is_told_as_that(fabric, wrong, says):
    ran = fabric(*ASKED, *wrong)

    assert (ran.code, "FAB883" in ran.err, says in ran.err) == (1, True, True), ran.err


def test_models_that_make_the_same_layout_stand_in_one_row(fabric):
    rows = json.loads(fabric("size", "--gpus", "1000", "--nic", "400G", "--format", "json").out)["layouts"]

    own = [
        {key: value for key, value in row.items() if "model" not in key and key != "choice"} for row in rows
    ]
    assert len(rows) == len({json.dumps(row, sort_keys=True) for row in own})


FEW = ("--models", "arista-7060x6-32pe,arista-7060x6-64pe,nvidia-sn4700")
"""Boxes of several sizes: the order of their layouts is not that of their models."""


@pytest.mark.parametrize(
    ("order", "key"), [("switches", "switches"), ("optics", "optics"), ("capacity", "capacity_mbps")]
)
def test_layouts_are_in_the_order_that_is_asked_for(fabric, order, key):
    rows = json.loads(
        fabric("size", "--gpus", "1000", "--nic", "400G", *FEW, "--order", order, "--format", "json").out
    )

    numbers = [row[key] for row in rows["layouts"]]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 1


def test_a_layout_is_written_as_a_site_that_is_valid_and_has_its_counts(fabric, tmp_path):
    folder = tmp_path / "pod1"

    written = fabric(*ASKED, "--write", str(folder))

    assert (written.code, (folder / "site.yaml").read_text().splitlines()[1]) == (0, "site: pod1")
    assert fabric("validate", "-C", str(folder)).code == 0
    shown = json.loads(fabric("show", "topology", "-C", str(folder), "--format", "json").out)
    assert [("leaf", 32), ("spine", 16), ("host", 127)] == [
        (row["tier"], row["count"]) for row in shown["tiers"]
    ]


def test_a_site_is_never_written_over_files(fabric, tmp_path):
    (tmp_path / "mine").write_text("mine")

    ran = fabric(*ASKED, "--write", str(tmp_path))

    assert (ran.code, "FAB905" in ran.err) == (1, True)


def test_what_cannot_be_joined_is_told_with_what_to_change(fabric):
    ran = fabric(*ASKED, "--tiers", "1")

    assert (ran.code, "FAB880" in ran.err, "Allow larger models" in ran.err) == (1, True, True)


def test_an_unknown_model_is_told_with_the_nearest(fabric):
    ran = fabric("size", "--gpus", "8", "--nic", "400G", "--models", "qm970")

    assert (ran.code, "FAB881" in ran.err, "did you mean 'qm9700'" in ran.err) == (1, True, True)


def test_planes_that_nics_have_no_ports_for_are_refused(fabric):
    ran = fabric("size", "--gpus", "64", "--nic", "2x200G", "--planes", "4")

    assert (ran.code, "FAB882" in ran.err) == (1, True)


def test_what_a_failure_must_leave_is_kept(fabric):
    ran = fabric(*ASKED, "--keep-leaf", "87.5%", "--keep-spine", "93%", "--format", "json")

    assert {"full"} == {
        "full" if row["rails"] == "8" and row["left_percent"] >= 87.5 else "less"
        for row in json.loads(ran.out)["layouts"]
    }


def test_values_that_are_none_are_mistakes_of_usage(fabric):
    for wrong in (
        ("--nic", "fast"),
        ("--oversubscription", "0:1"),
        ("--keep-leaf", "120%"),
        ("--uplinks", "x"),
    ):
        ran = fabric("size", "--gpus", "8", "--nic", "400G", *wrong)
        assert (ran.code, "FAB901" in ran.err) == (1, True), wrong

"""`fabric impact`: what it prints, for people and for programs."""

from __future__ import annotations

import json


def test_every_failure_is_in_a_class(fabric):
    document = json.loads(fabric("impact", "--format", "json").out)
    counts = {}
    for row in document["failures"]:
        counts[row["failure"]] = counts.get(row["failure"], 0) + row["count"]

    assert document["format_version"] == "1.0"
    assert counts == {"host link": 16, "leaf-spine link": 16, "leaf": 4, "spine": 2, "rack": 2, "optic": 24}


def test_a_leaf_without_a_second_plane_isolates_its_rail(fabric):
    rows = json.loads(fabric("impact", "--format", "json").out)["failures"]
    leaf = next(row for row in rows if row["failure"] == "leaf")

    assert (leaf["hosts_cut_off"], leaf["rails_isolated"], leaf["allreduce_percent"]) == (0, 4, 75.0)


def test_only_the_worst_are_shown_if_so_asked(fabric):
    ran = fabric("impact", "--top", "1")

    assert len(ran.out.splitlines()) == 2
    assert "64 failures in" in ran.err


def test_an_unknown_network_is_refused(fabric):
    ran = fabric("impact", "--network", "storage")

    assert ran.code == 1
    assert "FAB902" in ran.err


def test_pairs_are_all_there(fabric):
    rows = json.loads(fabric("impact", "--pairs", "--format", "json").out)["failures"]
    of_links = [row for row in rows if row["failure"].count("link") == 2]

    assert sum(row["count"] for row in of_links) == 32 * 31 // 2
    assert sum(row["count"] for row in rows) == 40 * 39 // 2  # four leaves, two spines and two racks beside


def test_nothing_to_take_is_not_allowed_by_itself(fabric):
    for names in ("", ",", " "):
        ran = fabric("impact", "--take", names)
        assert (ran.code, "yes" in ran.err) == (1, False)


def test_maintenance_is_allowed_by_the_exit_code(fabric):
    spine, leaf = fabric("impact", "--take", "spine-0"), fabric("impact", "--take", "leaf-0-0")

    assert (spine.code, leaf.code) == (0, 1)
    assert "yes: " in spine.err
    assert "no: compute: 4 rails of hosts are isolated" in leaf.err


def test_jobs_that_feel_it_are_listed(fabric, site):
    (site / "jobs.csv").write_text("name,hosts\ntrain,gpu-0-0 gpu-0-1\n")
    ran = fabric("impact", "--take", "leaf-0-0", "--jobs-file", "jobs.csv", "--format", "json")
    document = json.loads(ran.out)

    assert document["is_allowed"] is False
    assert [(job["job"], job["hosts"], job["rails_isolated"]) for job in document["jobs"]] == [
        ("train", 2, 2)
    ]


def test_names_that_the_site_has_not_are_refused(fabric, site):
    (site / "jobs.csv").write_text("name,hosts\ntrain,gpu-9-9\n")
    (site / "other.csv").write_text("job;nodes\n")
    for options in (
        ("--take", "leaf-0-9"),
        ("--take", "leaf-0-0:leaf-0-1"),
        ("--take", "leaf-0-0", "--jobs-file", "jobs.csv"),
        ("--take", "leaf-0-0", "--jobs-file", "other.csv"),
        ("--jobs-file", "jobs.csv"),
        ("--take", "leaf-0-0", "--pairs"),
    ):
        ran = fabric("impact", *options)
        assert ran.code == 1, options
        assert "FAB90" in ran.err

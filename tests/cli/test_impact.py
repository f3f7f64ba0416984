"""`fabric impact`: what it prints, for people and for programs."""

from __future__ import annotations

import json


def test_every_failure_is_in_a_class(fabric):
    document = json.loads(fabric("impact", "--format", "json").out)
    counts = {}
    for row in document["failures"]:
        counts[row["failure"]] = counts.get(row["failure"], 0) + row["count"]

    assert document["format_version"] == "1.0"
    assert counts == {"host link": 16, "leaf-spine link": 16, "leaf": 4, "spine": 2, "rack": 2}


def test_a_leaf_without_a_second_plane_isolates_its_rail(fabric):
    rows = json.loads(fabric("impact", "--format", "json").out)["failures"]
    leaf = next(row for row in rows if row["failure"] == "leaf")

    assert (leaf["hosts_cut_off"], leaf["rails_isolated"], leaf["allreduce_percent"]) == (0, 4, 75.0)


def test_only_the_worst_are_shown_if_so_asked(fabric):
    ran = fabric("impact", "--top", "1")

    assert len(ran.out.splitlines()) == 2
    assert "40 failures in" in ran.err


def test_an_unknown_network_is_refused(fabric):
    ran = fabric("impact", "--network", "storage")

    assert ran.code == 1
    assert "FAB902" in ran.err

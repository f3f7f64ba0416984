"""ECN at percent of a queue: what the steps shift is told, with the depth that mends it."""

from __future__ import annotations

from fabric import rendering
from tests.platforms.test_every_platform import CURVES, joint_findings, site_with


def test_a_product_that_marks_in_percent_shifts_a_small_threshold():
    assert "FAB345" in {finding.code for finding in joint_findings(site_with("junos", CURVES[1]))}


def test_a_stated_queue_depth_makes_the_percent_of_the_validated_design():
    """55 and 90 percent (JVD) are what 800 and 1309 KB come to if a queue is full at 1.455 MB."""
    made = site_with("junos", "ecn: {kmin: 800KB, kmax: 1309KB}", "marking_depth: 1454545B\n")

    assert "fill-level [ 55 90 ]" in rendering.render(made)["leaf-0-0"].text
    assert not [finding for finding in joint_findings(made) if finding.code == "FAB345"]

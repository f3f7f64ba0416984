"""Planes that are subnets of their own are planes to the rules too."""

from __future__ import annotations

from fabric.intent.separate_planes import planes_of
from fabric.linting import Example, lint, rule_named
from tests.linting.test_rules import of_example

TWO = """
hosts: {gpu: {nics: {compute: {count: 8, ports: 2}}}}
networks: {compute: {planes: {count: 2, subnets: separate, meet_at: null}}}
attachments:
  sm-1: {links: 2}
  sm-2: {links: 2}
"""


def test_a_nic_with_a_port_in_each_subnet_does_not_hang_on_one_leaf() -> None:
    rule = rule_named("one-leaf-per-rail")

    assert lint(of_example(Example("infiniband", TWO)), [rule]) == ()


def test_networks_are_planes_of_one_by_their_names_in_turn() -> None:
    names = {"compute-p0", "compute-p1", "storage", "x-p1"}

    assert planes_of("compute-p1", names) == ("compute-p0", "compute-p1")
    assert planes_of("storage", names) == ("storage",)
    assert planes_of("x-p1", names) == ("x-p1",)


def test_numbers_per_pod_without_pods_are_shared_by_nobody() -> None:
    site = of_example(
        Example("two-tier", "networks: {compute: {addressing: {asn: {leaf_numbers: per_pod}}}}")
    )

    assert lint(site, [rule_named("leaf-numbers-reused")]) == ()

"""Pools: every one that lies in another is named, however deep they are nested, and however they are ordered."""

from __future__ import annotations

from ipaddress import ip_network
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.diagnostics import Origin, Report
from fabric.topology.check_pools import Pool, check_pools


def pool(prefix: str) -> Pool:
    return Pool(ip_network(prefix), 1, f"links of {prefix}", Origin(("pools", prefix)))


def overlapping(prefixes: tuple[str, ...]) -> set[str]:
    """The prefixes that are told to move."""
    report = Report()
    check_pools([pool(prefix) for prefix in prefixes], report)
    return {str(finding.value) for finding in report if finding.code == "FAB217"}


@pytest.mark.parametrize(
    ("prefixes", "wrong"),
    [
        (("10.0.0.0/8", "10.1.0.0/16", "10.2.0.0/16"), {"10.1.0.0/16", "10.2.0.0/16"}),
        (
            ("10.0.0.0/8", "10.1.0.0/16", "10.1.2.0/24", "10.9.0.0/16"),
            {"10.1.0.0/16", "10.1.2.0/24", "10.9.0.0/16"},
        ),
        (("10.0.0.0/9", "10.128.0.0/9"), set()),
        (("10.0.0.0/24", "10.0.0.255/32"), {"10.0.0.255/32"}),
        (("10.0.0.0/24", "10.0.1.0/32"), set()),
        (("fd00::/48", "fd00:0:0:1::/64", "fd00:0:0:2::/64"), {"fd00:0:0:1::/64", "fd00:0:0:2::/64"}),
    ],
)
def test_every_nested_pool_is_named(prefixes: tuple[str, ...], wrong: set[str]) -> None:
    for ordered in permutations(prefixes):
        assert wrong == overlapping(ordered)


@given(st.sets(st.tuples(st.integers(0, 255), st.integers(24, 32)), min_size=1, max_size=8))
def test_pools_are_apart_iff_nothing_is_said(found: set[tuple[int, int]]) -> None:
    prefixes = {str(ip_network((f"10.0.0.{last}", length), strict=False)) for last, length in found}
    networks = [ip_network(prefix) for prefix in prefixes]
    apart = not any(a.overlaps(b) for a in networks for b in networks if a is not b)

    assert apart == (not overlapping(tuple(sorted(prefixes))))

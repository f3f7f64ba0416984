"""Paths and BFD timers that a product does not take are refused where they are written, with what it takes."""

from __future__ import annotations

import re

import pytest

from tests.platforms.everywhere import ANY, EXPECTATIONS, MODELS
from tests.platforms.sites import LEAF, compiled, leaf, network, override, refusals

MANY = 1000
WRITTEN = {
    "networks.compute.routing.max_paths": network(f"routing: {{max_paths: {MANY}}}"),
    "overrides[0].max_paths": override(f"[{{device: {LEAF}, max_paths: {MANY}}}]"),
}


@pytest.mark.parametrize("place", WRITTEN)
@pytest.mark.parametrize("name", MODELS)
def test_too_many_paths_are_refused_where_they_are_written(name, place):
    [found] = [one for one in refusals(leaf(name, WRITTEN[place])) if one.value == MANY]

    assert place == str(found.origin)
    assert re.fullmatch(r"write \d+ or less", found.hint)


@pytest.mark.parametrize("name", MODELS)
def test_the_most_paths_that_are_named_are_taken(name):
    [found] = [one for one in refusals(leaf(name, WRITTEN["overrides[0].max_paths"])) if one.value == MANY]
    most = re.search(r"\d+", found.hint)[0]
    mended = leaf(name, override(f"[{{device: {LEAF}, max_paths: {most}}}]"))

    assert int(most) == mended.routing.max_paths
    assert "max_paths" not in {one.origin.path[-1] for one in refusals(mended) if one.origin.path}


@pytest.mark.parametrize(
    ("name", "key", "value", "nearest"),
    [(name, *timer) for name, expected in EXPECTATIONS.items() for timer in expected.timers],
)
def test_a_timer_that_a_product_does_not_take_is_refused_at_its_key(name, key, value, nearest):
    [found] = refusals(leaf(name, network(f"routing: {{bfd: {{{key}: {value}}}}}")))

    assert f"networks.compute.routing.bfd.{key}" == str(found.origin)
    assert f"write {nearest}" == found.hint
    assert () == refusals(leaf(name, network(f"routing: {{bfd: {{{key}: {nearest}}}}}")))


def test_other_switches_keep_the_paths_of_the_network():
    devices = compiled(ANY, WRITTEN["overrides[0].max_paths"])

    assert {MANY} != {one.routing.max_paths for one in devices.values()}
    assert {"networks", "overrides"} == {one.max_paths_origin.path[0] for one in devices.values()}

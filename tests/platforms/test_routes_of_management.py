"""Static routes of the table that management is reached in: whatever becomes of one may shut us out.

A route that is new may send our answers elsewhere, or nowhere, as well as one that is gone.
"""

from __future__ import annotations

import pytest

from fabric.devices.model import Switch
from tests.platforms.everywhere import EXPECTATIONS, devices, texts
from tests.platforms.expectations import StaticRoute
from tests.platforms.judging import lockouts_of_texts
from tests.platforms.sites import LEAF, compiled, services

OF_MANAGEMENT = {
    name: known.management_route for name, known in EXPECTATIONS.items() if known.management_route
}
OF_DEFAULT = {name: known.default_route for name, known in EXPECTATIONS.items() if known.default_route}


def changes(name: str, known: StaticRoute) -> tuple[Switch, list[tuple[str, str]]]:
    """A switch, and its texts before and after a route is added, changed, removed."""
    switch, bare = next(iter(texts(devices(name, "two tiers"))))
    first, second = (known.added(bare, route) for route in known.routes)
    return switch, [(bare, first), (first, second), (first, bare)]


@pytest.mark.parametrize("name", OF_MANAGEMENT)
def test_a_route_of_the_management_vrf_that_comes_changes_or_goes_may_lock_out(name: str) -> None:
    switch, changed = changes(name, OF_MANAGEMENT[name])

    for old, new in changed:
        assert lockouts_of_texts(switch, old, new)


@pytest.mark.parametrize("name", OF_DEFAULT)
def test_a_route_of_the_default_table_may_lock_out_only_where_management_is_in_it(name: str) -> None:
    switch, changed = changes(name, OF_DEFAULT[name])
    reached = compiled(name, services("management: {vrf: default}"))[LEAF]

    for old, new in changed:
        assert lockouts_of_texts(reached, old, new)
        assert not lockouts_of_texts(switch, old, new)


def test_every_product_says_how_it_writes_such_a_route() -> None:
    assert sorted(OF_MANAGEMENT) == sorted(EXPECTATIONS)

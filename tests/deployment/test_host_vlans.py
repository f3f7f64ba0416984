"""Hosts in a VLAN: every product runs what was pushed, with what it makes of its own beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.random_fabric import PRODUCTS
from tests.deployment.site_of_a_product import Site
from tests.platforms.everywhere import capabilities
from tests.platforms.sites import network

VLANS = network("{routing: {bgp: {keepalive: 1s, hold: 3s}}, addressing: {host_links: {mode: vlan}}}")


@pytest.mark.parametrize("product", [name for name in PRODUCTS if capabilities(name).vlan_gateways])
def test_a_first_apply_is_confirmed_and_leaves_nothing_to_do(product: str, tmp_path: Path) -> None:
    with Site(product, tmp_path, VLANS) as site:
        assert site.changed() == site.every
        assert site.applied() == "done"
        assert site.changed() == set()

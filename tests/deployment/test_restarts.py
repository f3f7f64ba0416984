"""A switch that restarts in the middle of its commit: some products come back with the old text, some with the new."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.random_fabric import PRODUCTS
from tests.deployment.site_of_a_product import Site
from tests.platforms.sites import LEAF, network, services

QUICK = network("{lossless: null, routing: {bgp: {keepalive: 1s, hold: 3s}}}")
TIME = services("{ntp: {servers: [192.0.2.9]}}")


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("product", PRODUCTS)
def test_a_wave_with_a_switch_that_restarts_in_its_commit_is_taken_back_as_a_whole(
    product: str, tmp_path: Path
) -> None:
    with Site(product, tmp_path, QUICK) as site:
        assert site.changed() == site.every
        assert site.applied() == "done"
        site.write(TIME)
        assert site.changed() == site.every

        site.sandbox.set_faults(LEAF, reboot_in_commit=True)
        assert site.applied() == "failed"
        assert LEAF in site.changed()
        assert site.applied() == "done"
        assert site.changed() == set()

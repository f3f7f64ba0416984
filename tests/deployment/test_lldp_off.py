"""An intent without LLDP reaches switches that have it: what they see no more is given up on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.deployment.played_site import PLAYED, ended, played_site
from tests.platforms.sites import services


@pytest.mark.covering(most=1, apart=True)
@pytest.mark.parametrize("product", PLAYED)
def test_lldp_is_turned_off_and_on_again(product: str, tmp_path: Path) -> None:
    with played_site(tmp_path, product) as site:
        assert ended(site.apply()) in ("done", "nothing")
        for is_on in ("false", "true"):
            assert ended(site.apply(services(f"lldp: {is_on}"))) == "done"

"""A first apply is taken back by what its rollback's plan says that it needs, and no less."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import api
from fabric.deployment.permissions import needed
from fabric.devices.model import Switch
from fabric.planning import Impact
from tests.deployment.played_site import PACE, PLAYED, ended, played_site


@pytest.mark.covering(most=1, apart=True)
@pytest.mark.parametrize("product", PLAYED)
def test_a_rollback_to_switches_that_carry_nothing_isolates_and_goes_to_its_end(
    product: str, tmp_path: Path
) -> None:
    with played_site(tmp_path, product, is_bare=True) as site:
        compiled, plan = site.planned()
        names = [device.name for device in compiled.devices.values() if isinstance(device, Switch)]
        bare = {name: site.running(name) for name in names}
        words = tuple(needed(plan.changed))
        assert "done" == ended(site.carry_out(compiled, allow=words))

        planned = api.plan_rollback(compiled, site.place)
        cut = {d.device for d in planned.plan.changed for c in d.changes if c.impact is Impact.ISOLATING}
        assert set(names) == cut
        back = api.rollback(
            compiled, site.place, planned, allow=tuple(needed(planned.plan.changed)), pace=PACE
        )

        assert "done" == ended(back)
        assert bare == {name: site.running(name) for name in names}

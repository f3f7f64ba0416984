"""One scalable unit of a SuperPOD, brought up by the real OpenSM on the compiled files."""

from __future__ import annotations

import re

import pytest

from tests.infiniband.simulator import Manager, Simulator, need_tools
from tests.infiniband.sites import SUPERPOD, compiled


@pytest.mark.live
def test_one_unit_comes_up_with_the_lids_that_were_planned(tmp_path):
    need_tools()
    manager, text = compiled(SUPERPOD.format(units=1))["sm-1"]
    subnet = manager.subnet

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, text) as running:
        running.wait()
        seen = simulator.tool("ibnetdiscover")

    assert (len(subnet.switches), len(subnet.ends)) == (12, 250)
    assert (seen.count("\nSwitch"), seen.count("\nCa")) == (12, 250)
    lids = {
        int(guid, 16): int(lid) for guid, lid in re.findall(r'"S-([0-9a-f]{16})"\s+#.* lid (\d+) lmc', seen)
    }
    assert lids == {switch.guid: switch.lid for switch in subnet.switches}

"""`fabric simulate` by tables of the real OpenSM: what is derived is what `ftree` computes, other engines differ."""

from __future__ import annotations

import pytest

from fabric import api
from fabric.compiler import open_site
from fabric.simulation import Question, Work
from tests.infiniband.simulator import DUMPS, Manager, Simulator, need_tools
from tests.infiniband.sites import SMALL_HARDWARE, THREE_TIERS, compiled, routed_by

pytestmark = pytest.mark.live

CASES = [(op, placement) for op in ("allreduce", "alltoall") for placement in ("contiguous", "random")]


def worst(site, operation, placement, *files):
    """The highest load of a link between switches."""
    work = Work(network="compute", placement=placement, table_files=files)
    answer = api.simulate(site, work, Question(operation=operation))
    assert answer.unsent_flows == 0
    return round(max(tier.worst_load for tier in answer.tiers if tier.tier != "host"), 3)


def read_from(simulator, guid):
    """The table of one switch."""
    return f"{guid:#x}", simulator.tool("ibroute", "-G", f"{guid:#x}")


def test_loads_by_the_tables_that_opensm_computes(tmp_path):
    """Three tiers: `ftree`, which is configured, loads them as derived; `updn` loads one link with twice as much."""
    need_tools()
    manager, text = compiled(THREE_TIERS, SMALL_HARDWARE)["sm-1"]
    (tmp_path / "site.yaml").write_text(THREE_TIERS)
    for name, model in SMALL_HARDWARE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(model)
    site, found = open_site(tmp_path), {}
    assert manager.subnet.engine == "ftree"
    with Simulator(manager.subnet, tmp_path) as simulator:
        for engine in ("ftree", "updn"):
            files = routed_by(text, engine)
            with Manager(simulator, manager, files, DUMPS) as running:
                running.wait()
                read = ("dump_lfts", simulator.tool("dump_lfts"))
                each = [read_from(simulator, switch.guid) for switch in manager.subnet.switches]
                written = ("lfts.dump", (running.folder / "opensm-lfts.dump").read_text())
            found[engine] = [worst(site, *case, read) for case in CASES]
            assert found[engine] == [worst(site, *case, written) for case in CASES]
            assert found[engine] == [worst(site, *case, *each) for case in CASES]

    assert [1.0, 3.0, 0.8, 0.8] == [worst(site, *case) for case in CASES]
    assert [1.0, 3.0, 0.8, 0.8] == found["ftree"]
    assert [1.0, 3.0, 1.767, 1.767] == found["updn"]

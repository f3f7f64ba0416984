"""`fabric simulate` by tables of the real OpenSM: what is derived of an engine is what it computes."""

from __future__ import annotations

import msgspec
import pytest

from fabric import api
from fabric.compiler import open_site
from fabric.graph import Tier, graph_of
from fabric.simulation import Question, SubnetTables, TableFile, Work
from fabric.simulation.engine_tables import BALANCED, tables_of
from fabric.simulation.forwarding import forwarding_of
from fabric.simulation.routes import routes_of
from fabric.verification.infiniband.reading.forwarding_tables import parse_lfts
from tests.infiniband.simulator import DUMPS, Manager, Simulator, need_tools
from tests.infiniband.sites import SMALL_HARDWARE, THREE_TIERS, TINY, compiled, routed_by

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


def laid_out(folder, text):
    """The site in a folder, and its first manager with its files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "site.yaml").write_text(text)
    for name, model in SMALL_HARDWARE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(model)
    return open_site(folder), *compiled(text, SMALL_HARDWARE)["sm-1"]


def hops_of(site, subnet, engine, dump):
    """What every switch does with what is for every host: as the real tables say, and as they are derived."""
    network = graph_of(site.topology.networks["compute"])
    hosts = network.links(Tier.HOST)
    parsed = parse_lfts(dump)
    file = TableFile(name="dump", tables=parsed.tables, owners=parsed.owners, lines={})
    real = forwarding_of(network, site.intent.hardware, SubnetTables(subnet=subnet, files=(file,)), hosts)
    planned = msgspec.structs.replace(subnet, engine=engine)
    derived = tables_of(routes_of(network), planned, site.intent.hardware)
    return real.hops[:, real.column[hosts]], derived.hops[:, derived.column[hosts]]


def test_loads_by_the_tables_that_opensm_computes(tmp_path):
    """Three tiers: what is derived of each engine that an intent may name is what OpenSM computes."""
    need_tools()
    found, expected = {}, {}
    site, manager, text = laid_out(tmp_path, THREE_TIERS)
    assert manager.subnet.engine == "ftree"
    with Simulator(manager.subnet, tmp_path) as simulator:
        for engine in ("ftree", *BALANCED):
            named = THREE_TIERS.replace("infiniband: {", f"infiniband: {{engine: {engine}, ")
            asked, _manager, _text = laid_out(tmp_path / engine, named)
            with Manager(simulator, manager, routed_by(text, engine), DUMPS) as running:
                running.wait()
                dump = simulator.tool("dump_lfts")
                read = ("dump_lfts", dump)
                switches = manager.subnet.switches if engine == "ftree" else ()
                each = [read_from(simulator, switch.guid) for switch in switches]
                written = ("lfts.dump", (running.folder / "opensm-lfts.dump").read_text())
            found[engine] = [worst(site, *case, read) for case in CASES]
            expected[engine] = [worst(asked, *case) for case in CASES]
            assert found[engine] == [worst(site, *case, written) for case in CASES]
            if engine == "ftree":
                assert found[engine] == [worst(site, *case, *each) for case in CASES]
            else:
                real, derived = hops_of(site, manager.subnet, engine, dump)
                assert (real == derived).all(), engine

    assert expected == found
    assert [1.0, 3.0, 0.8, 0.8] == found["ftree"]
    assert [1.0, 3.0, 1.767, 1.767] == found["updn"]


def test_on_two_tiers_derived_tables_are_those_that_opensm_computes(tmp_path):
    """With attachments among the hosts, and ports that are free."""
    need_tools()
    site, manager, text = laid_out(tmp_path, TINY)
    with Simulator(manager.subnet, tmp_path) as simulator:
        for engine in BALANCED:
            with Manager(simulator, manager, routed_by(text, engine), DUMPS) as running:
                running.wait()
                dump = simulator.tool("dump_lfts")
            real, derived = hops_of(site, manager.subnet, engine, dump)
            assert (real == derived).all(), engine

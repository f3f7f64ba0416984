"""Compiled trees of two and three tiers, brought up by the real OpenSM on the compiled files, seen from outside."""

from __future__ import annotations

import re

import pytest

from tests.infiniband import oracle
from tests.infiniband.simulator import DUMPS, Manager, Simulator, need_tools
from tests.infiniband.sites import FULL, SMALL_HARDWARE, SUPERPOD, THREE_TIERS, compiled
from tests.infiniband.verdicts import verdict

pytestmark = pytest.mark.live

TREES = {
    "one unit": (SUPERPOD.format(units=1), {}, (12, 250, 506)),
    "four units": (SUPERPOD.format(units=4), {}, (48, 1018, 2042)),
    "full four units": (FULL, {}, (48, 1024, 2048)),
    "three tiers": (THREE_TIERS, SMALL_HARDWARE, (40, 128, 384)),
}
"""Intent, hardware, and how many switches, HCAs and cables it must give."""


def checker(running):
    """ibdmchk's opinion of what OpenSM has dumped: it reads the files of OpenSM, and knows nothing of ours."""
    files = ("-s", "opensm-subnet.lst", "-f", "opensm.fdbs", "-m", "opensm.mcfdbs")
    words = [str(running.folder / word) if word.startswith("opensm") else word for word in files]
    return running.simulator.tool("ibdmchk", *words)


@pytest.mark.parametrize("tree", TREES)
def test_a_compiled_tree_comes_up_as_planned(tree, tmp_path):
    need_tools()
    text, hardware, sizes = TREES[tree]
    manager, files = compiled(text, hardware)["sm-1"]
    subnet = manager.subnet

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, files, DUMPS) as running:
        running.wait()
        seen = oracle.seen(simulator)
        routes = oracle.routes(subnet, simulator)
        opinion = checker(running)
        ours = verdict(subnet, simulator, keys=False)
        log = running.log()

    assert sizes == (seen.switches, seen.adapters, len(seen.cables))
    assert oracle.cables(subnet) == seen.cables
    assert oracle.lids(subnet) == seen.lids
    assert f"{subnet.engine} tables configured on all switches" in log
    assert [] == [line for line in log.splitlines() if " ERR " in line]
    assert () == routes.cut
    assert sizes[1] * (sizes[1] - 1) == routes.pairs
    assert f"Scanned:{routes.pairs} CA to CA paths" in opinion
    assert "no credit loops found" in opinion
    assert [] == [one.text for one in ours.findings]
    assert (routes.pairs, routes.pairs) == (ours.routes.pairs, ours.routes.reachable)
    assert routes.loads == ours.routes.load


@pytest.mark.parametrize("engine", ["ftree", "updn"])
def test_a_full_tree_is_perfectly_even(engine, tmp_path):
    need_tools()
    text = FULL.replace("infiniband: {", f"infiniband: {{engine: {engine}, ")
    manager, files = compiled(text)["sm-1"]

    with Simulator(manager.subnet, tmp_path) as simulator, Manager(simulator, manager, files, DUMPS) as run:
        run.wait()
        routes = oracle.routes(manager.subnet, simulator)
        opinion = checker(run)

    assert f"{engine} tables configured" in run.log()
    assert (31, 31) == routes.uplink_lids
    assert {992} == set(routes.loads.values())
    assert 2 * 1024 == len(routes.loads)
    # each uplink, and nothing else, leads to 31 LIDs; each downlink of a spine and port of an HCA to one at a time
    assert [("1", "1024"), ("31", "1024")] == re.findall(
        r"^ +(\d+) +(\d+)$", opinion.split("NUM-DLIDS")[1], re.MULTILINE
    )


def test_ibdmchk_sees_the_loop_of_minimal_routes_around_a_ring(tmp_path):
    """So its opinion of our trees is worth something."""
    need_tools()
    manager, files = compiled(SUPERPOD.format(units=1))["sm-1"]

    with Simulator(manager.subnet, tmp_path, _ring(manager.subnet)) as simulator:
        options = (*DUMPS, "routing_engine minhop")
        with Manager(simulator, manager, files, options) as running:
            running.wait()
            opinion = checker(running)

    assert "-E- credit loops in routing" in opinion
    assert "no credit loops found" not in opinion


def _ring(subnet):
    """A netlist of five switches, each with one HCA and a cable to the next one."""
    switches, ends = subnet.switches[:5], subnet.ends[-5:]
    lines = ["speed=7\nextspeed=7\nwidth=3\n"]
    for end, switch in zip(ends, switches, strict=True):
        lines.append(
            f'caguids={end.node_guid:#x}\nCa 1 "H-{end.node_guid:016x}"\n[1] "S-{switch.guid:016x}"[1]\n'
        )
    for i, switch in enumerate(switches):
        after, before = switches[(i + 1) % 5], switches[i - 1]
        lines.append(
            f'switchguids={switch.guid:#x}\nSwitch 3 "S-{switch.guid:016x}"\n'
            f'[1] "H-{ends[i].node_guid:016x}"[1]\n[2] "S-{after.guid:016x}"[3]\n[3] "S-{before.guid:016x}"[2]\n'
        )
    return "\n".join(lines)

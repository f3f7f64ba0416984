"""The SuperPOD of sixteen units under ibsim: 320 switches in three tiers. `make test-large` runs it."""

from __future__ import annotations

import os
import time

import pytest

from tests.infiniband import oracle
from tests.infiniband.simulator import QUICK_SWEEP, Manager, Simulator, need_tools
from tests.infiniband.sites import LARGE, SUPERPOD, compiled
from tests.infiniband.verdicts import verdict

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif("FABRIC_LARGE" not in os.environ, reason="large: `make test-large` runs it"),
]

LONGEST_S = 600
"""For what takes half a minute on two idle cores."""


def test_sixteen_units_come_up_as_planned_and_survive_a_superspine(tmp_path):
    need_tools()
    manager, files = compiled(LARGE)["sm-1"]
    subnet = manager.subnet
    pairs = 4090 * 4089

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, files, QUICK_SWEEP) as running:
        running.wait(seconds=LONGEST_S)
        seen = oracle.seen(simulator)
        routes = oracle.routes(subnet, simulator)
        ours = verdict(subnet, simulator, keys=False)
        mark = running.mark()
        simulator.unplug(subnet.roots[0])
        running.wait(seconds=LONGEST_S, after=mark)
        without = settled(subnet, simulator)
        log = running.log()

    assert (320, 4090, 12282) == (seen.switches, seen.adapters, len(seen.cables))
    assert oracle.cables(subnet) == seen.cables
    assert oracle.lids(subnet) == seen.lids
    assert "ftree tables configured on all switches" in log
    assert ((), pairs) == (routes.cut, routes.pairs)
    assert ((), pairs) == (without.cut, without.pairs)
    assert 64 == len(subnet.roots)
    assert [] == [one.text for one in ours.findings if one.kind != "unbalanced"]
    assert routes.loads == ours.routes.load
    # ftree is not even where a unit lacks a host; updn would put 57,344 pairs on its busiest link
    assert max(routes.loads.values()) < 10_000


def test_each_spine_of_four_units_may_die_in_turn(tmp_path):
    need_tools()
    manager, files = compiled(SUPERPOD.format(units=4))["sm-1"]
    subnet = manager.subnet

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, files, QUICK_SWEEP) as running:
        running.wait(seconds=LONGEST_S)
        for spine in subnet.roots:
            mark = running.mark()
            simulator.unplug(spine)
            running.wait(seconds=LONGEST_S, after=mark)
            routes = settled(subnet, simulator)
            assert ((), 1018 * 1017) == (routes.cut, routes.pairs)
            mark = running.mark()
            simulator.plug(spine)
            running.wait(seconds=LONGEST_S, after=mark)
        routes = settled(subnet, simulator)
        seen = oracle.seen(simulator)

    assert 16 == len(subnet.roots)
    assert ((), 1018 * 1017) == (routes.cut, routes.pairs)
    assert (48, oracle.lids(subnet)) == (seen.switches, seen.lids)


def settled(subnet, simulator):
    """The routes once all pairs are connected, or when patience ends."""
    end = time.monotonic() + LONGEST_S
    while (routes := oracle.routes(subnet, simulator)).cut and time.monotonic() < end:
        pass
    return routes

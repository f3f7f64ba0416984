"""What stays where it is when a running subnet grows, or gets new parts."""

from __future__ import annotations

import pytest

from fabric.cli.write_lock_file import lock_text
from fabric.intent.load import load_text
from fabric.topology.expand import expand
from tests.infiniband import oracle
from tests.infiniband.simulator import PATIENCE_S, QUICK_SWEEP, Manager, Simulator, need_tools
from tests.infiniband.sites import SMALL, SMALL_HARDWARE, compiled
from tests.waiting import until

pytestmark = pytest.mark.live

SMALLER, LARGER = SMALL.format(units=2), SMALL.format(units=3)


@pytest.fixture
def growing(tmp_path):
    """A running subnet of two units whose third is built and not cabled yet: simulator, manager, two compilations."""
    need_tools()
    lock = lock_text(expand(load_text({"site.yaml": SMALLER, **SMALL_HARDWARE})).lock)
    small = compiled(SMALLER, SMALL_HARDWARE)["sm-1"]
    large = compiled(LARGER, {**SMALL_HARDWARE, "fabric.lock": lock})["sm-1"]
    with Simulator(large[0].subnet, tmp_path) as simulator:
        for switch in new_switches(small, large):
            simulator.unplug(switch)
        with Manager(simulator, *small, QUICK_SWEEP) as running:
            running.wait()
            yield simulator, running, small, large


def new_switches(small, large):
    known = {switch.guid for switch in small[0].subnet.switches}
    return [switch.guid for switch in large[0].subnet.switches if switch.guid not in known]


def cable_the_rest(simulator, small, large):
    """Plug in the new leaves, and wait until all that they bring has LIDs."""
    for switch in new_switches(small, large):
        simulator.plug(switch)
    wanted = len(oracle.lids(large[0].subnet))

    def all_there():
        lids = oracle.seen(simulator).lids.values()
        return len(lids) == wanted and 0 not in lids

    until(all_there, PATIENCE_S, "the new unit")
    until(lambda: not oracle.routes(large[0].subnet, simulator).cut, PATIENCE_S, "routes to the new unit")


def test_a_new_unit_moves_no_lid_and_gets_the_planned_ones(growing):
    simulator, running, small, large = growing
    before, routes = oracle.seen(simulator), oracle.tables(simulator)

    running.manager = large[0]
    running.write(large[1], QUICK_SWEEP)
    running.restart()
    running.wait()
    cable_the_rest(simulator, small, large)

    after, now = oracle.seen(simulator), oracle.tables(simulator)
    assert oracle.lids(small[0].subnet) == before.lids
    assert oracle.lids(large[0].subnet) == after.lids
    assert before.lids.items() <= after.lids.items()
    assert before.cables <= after.cables
    assert (16, 20) == (before.switches, after.switches)
    # every way to an old LID still ends at the same port of its leaf
    assert {lid for table in routes.values() for lid in table} <= {
        lid for table in now.values() for lid in table
    }


def test_lids_are_read_at_the_start_only(growing):
    """SIGHUP gives a new unit other LIDs than planned, and moves no old one: growth needs a restart, standby first."""
    simulator, running, small, large = growing

    running.manager = large[0]
    mark = running.mark()
    running.write(large[1], QUICK_SWEEP)
    running.reload()
    running.wait(after=mark)
    cable_the_rest(simulator, small, large)
    unplanned = oracle.seen(simulator).lids
    running.write(large[1], QUICK_SWEEP)
    running.restart()
    running.wait()

    assert oracle.lids(small[0].subnet).items() <= unplanned.items()
    assert oracle.lids(large[0].subnet) != unplanned
    assert oracle.lids(large[0].subnet) == oracle.seen(simulator).lids


REPLACED = """
devices:
  leaf-0-1: {guid: "0xb83fd20300aa0100"}
  spine-3: {guid: "0xb83fd20300aa0200"}
hosts:
  gpu-0-0:
    hcas:
      compute:
        - {node_guid: "0xb83fd20300bb0000", port_guids: ["0xb83fd20300bb0000"]}
        - {node_guid: "0xb83fd20300bb0010", port_guids: ["0xb83fd20300bb0010"]}
        - {node_guid: "0xb83fd20300bb0020", port_guids: ["0xb83fd20300bb0020"]}
        - {node_guid: "0xb83fd20300bb0030", port_guids: ["0xb83fd20300bb0030"]}
"""
"""A leaf, a spine, and the adapters of a host: their ports have their own GUIDs, as those of ConnectX have."""


def test_replaced_parts_keep_the_lids_of_their_places(tmp_path):
    need_tools()
    old, new = (
        compiled(SMALLER, {**SMALL_HARDWARE, **more})["sm-1"] for more in ({}, {"inventory.yaml": REPLACED})
    )
    found = []
    for manager, files in (old, new):  # in the same folder: the second finds what the first has left
        with Simulator(manager.subnet, tmp_path) as simulator, Manager(simulator, manager, files) as running:
            running.wait()
            found.append(by_name(manager.subnet, oracle.seen(simulator).lids))
            keys = simulator.pkeys(manager.subnet.ends[0].node_guid)

    assert {"leaf-0-1", "spine-3", *(f"gpu-0-0 mlx5_{i}" for i in range(4))} == set(
        changed(old[0].subnet, new[0].subnet)
    )
    assert found[0] == found[1]
    assert {0x7FFF, 0x9001, 0x2001} == keys


def by_name(subnet, lids):
    switches = {switch.name: lids[switch.guid, 0] for switch in subnet.switches}
    return switches | {end.name: lids[end.node_guid, end.port] for end in subnet.ends}


def changed(old, new):
    """Names of what has another GUID."""
    for one, other in zip(old.switches, new.switches, strict=True):
        if one.guid != other.guid:
            yield one.name
    for one, other in zip(old.ends, new.ends, strict=True):
        if one.node_guid != other.node_guid:
            yield one.name

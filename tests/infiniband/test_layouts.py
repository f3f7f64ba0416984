"""Torus, dragonfly and dragonfly+, brought up by the real OpenSM on the compiled files: no path waits in a ring."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import NamedTuple

import pytest

from fabric.devices.infiniband.model import Subnet
from fabric.verification.infiniband.reading.evidence import evidence_of
from fabric.verification.infiniband.reading.query_tables import parse_sl2vl
from fabric.verification.infiniband.route_audit.audit_routes import audit_routes
from tests.infiniband import oracle, paths
from tests.infiniband.simulator import DUMPS, Manager, Simulator, need_tools
from tests.infiniband.sites import compiled, routed_by

pytestmark = pytest.mark.live

SITE = """site: lab
units: {units}
capacity: {{units: {capacity}}}
hosts: {{node: {{per_unit: {hosts}, nics: {{compute: {{count: 1, speed: 400G}}}}}}}}
networks:
  compute:
    technology: infiniband
    rails: none
    layout: {layout}
    infiniband: {{engine: {engine}}}
    tiers:
      leaf: {{model: qm9700, reserved_ports: 1}}
{spine}attachments:
  sm-1: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 1}}}}
  sm-2: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 2}}}}
"""
TORUS = "{kind: torus, dimensions: [4, 4, 4]}"
DRAGONFLY = "{kind: dragonfly, units: 4, global_links: 2}"
PLUS = "{kind: dragonfly+, units: 4, links_per_pair: 4}"
SPINE = "      spine: {model: qm9700, count: 4}\n"


def site(
    layout: str, units: int, hosts: int = 2, engine: str = "auto", spine: str = "", capacity: int = 0
) -> str:
    return SITE.format(
        layout=layout, units=units, hosts=hosts, engine=engine, spine=spine, capacity=capacity or units
    )


class Shape(NamedTuple):
    """A compiled layout, and what must come of it."""

    site: str
    engine: str
    """In OpenSM's words."""
    sizes: tuple[int, int, int]
    """Switches, HCAs, cables."""
    would_loop: bool
    """Whether the same routes would wait in rings if they all shared one lane."""


SHAPES = {
    "torus": Shape(site(TORUS, 64), "torus-2QoS", (64, 130, 192 + 130), would_loop=False),
    "flat torus": Shape(
        site("{kind: torus, dimensions: [5, 6]}", 30), "torus-2QoS", (30, 62, 60 + 62), would_loop=True
    ),
    "torus with pairs": Shape(
        site("{kind: torus, dimensions: [3, 2, 3]}", 18),
        "torus-2QoS",
        (18, 38, 18 + 9 + 18 + 38),
        would_loop=False,
    ),
    "torus by lash": Shape(site(TORUS, 64, 1, "lash"), "lash", (64, 66, 192 + 66), would_loop=True),
    "ring": Shape(site("{kind: torus, dimensions: [6]}", 6), "nue", (6, 14, 6 + 14), would_loop=True),
    "four dimensions": Shape(
        site("{kind: torus, dimensions: [3, 3, 3, 2]}", 54, 1),
        "nue",
        (54, 56, 3 * 54 + 27 + 56),
        would_loop=True,
    ),
    "torus half installed": Shape(
        site(TORUS, 32, 1, capacity=64), "nue", (32, 34, 16 + 32 + 32 + 34), would_loop=True
    ),
    "dragonfly": Shape(site(DRAGONFLY, 36), "nue", (36, 74, 54 + 36 + 74), would_loop=True),
    "dragonfly by lash": Shape(
        site(DRAGONFLY, 36, 2, "lash"), "lash", (36, 74, 54 + 36 + 74), would_loop=True
    ),
    "dragonfly by dfsssp": Shape(
        site(DRAGONFLY, 36, 2, "dfsssp"), "dfsssp", (36, 74, 54 + 36 + 74), would_loop=True
    ),
    "dragonfly+": Shape(site(PLUS, 20, 4, spine=SPINE), "updn", (40, 82, 80 + 40 + 82), would_loop=False),
}


Channel = tuple[int, int, int]
"""Switch, output port, lane."""


class Routed:
    """What a running manager has made of a subnet."""

    def __init__(self, subnet: Subnet, simulator: Simulator, running: Manager, lids: list[int]) -> None:
        manager = next(end.lid for end in subnet.ends if end.port_guid == running.manager.port_guid)
        said = simulator.tool(sys.executable, paths.PROGRAM, str(manager), *map(str, lids))
        self.levels = paths.parse(said)
        """By source and destination LID."""
        dump = running.folder / "opensm-sl2vl.dump"
        self.lanes = parse_sl2vl(dump.read_text()) if dump.exists() else {}
        """By LID of a switch, input and output port; empty: all on lane 0."""
        self.ports = oracle.tables(simulator)
        self.lid = {switch.guid: switch.lid for switch in subnet.switches}
        self.home = {end.lid: (end.node_guid, end.port) for end in subnet.ends}
        ends = [((link.lower, link.lower_port), (link.upper, link.upper_port)) for link in subnet.links]
        self.far = {one: other for pair in ends for one, other in (pair, pair[::-1])}

    def channels(self, source: int, destination: int) -> Iterator[Channel]:
        """The channels of one path from its first switch on, as packets hold them. `LookupError` if it ends."""
        level = self.levels[source, destination]
        node, inside = self.far[self.home[source]]
        for _ in range(64):
            out = self.ports[node][destination]
            yield node, out, self.lanes[self.lid[node], inside, out][level] if self.lanes else 0
            node, inside = self.far[node, out]
            if (node, inside) == self.home[destination]:
                return
        message = f"{source} does not reach {destination}"
        raise LookupError(message)

    def waits_in_a_ring(self, *, one_lane: bool = False) -> bool:
        """Whether some channels wait for each other in a ring, over all paths between adapters."""
        after: dict[Channel, set[Channel]] = {}
        for source, destination in self.levels:
            held = list(self.channels(source, destination))
            if one_lane:
                held = [(node, port, 0) for node, port, _ in held]
            for one, following in pairwise(held):
                after.setdefault(one, set()).add(following)
        try:
            TopologicalSorter(after).prepare()
        except CycleError:
            return True
        return False


def checker(running: Manager) -> str:
    """What ibdmchk says of the tables that OpenSM has dumped."""
    files = {"-s": "opensm-subnet.lst", "-f": "opensm.fdbs", "-m": "opensm.mcfdbs"}
    words = [word for option, name in files.items() for word in (option, str(running.folder / name))]
    return running.simulator.tool("ibdmchk", *words)


@pytest.mark.covering(most=5)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_compiled_layout_comes_up_without_a_ring_of_waiting_packets(shape, tmp_path):
    need_tools()
    manager, files = compiled(shape.site)["sm-1"]
    subnet = manager.subnet
    lids = [end.lid for end in subnet.ends]

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, files, DUMPS) as running:
        running.wait()
        seen = oracle.seen(simulator)
        found = Routed(subnet, simulator, running, lids)
        opinion = checker(running)
        log = running.log()

    assert shape.sizes == (seen.switches, seen.adapters, len(seen.cables))
    assert oracle.cables(subnet) == seen.cables
    assert oracle.lids(subnet) == seen.lids
    assert f"{shape.engine} tables configured on all switches" in log
    assert [] == [line for line in log.splitlines() if " ERR " in line]
    assert len(lids) * (len(lids) - 1) == len(found.levels)
    assert not found.waits_in_a_ring()
    assert shape.would_loop == found.waits_in_a_ring(one_lane=True)
    # ibdmchk knows of no lanes: it says what would be if all paths shared one.
    assert f"Scanned:{len(found.levels)} CA to CA paths" in opinion
    assert shape.would_loop == ("no credit loops found" not in opinion)


@pytest.mark.parametrize("shape", [SHAPES["flat torus"], SHAPES["dragonfly"]], ids=["torus", "dragonfly"])
def test_our_audit_of_the_lanes_says_the_same(shape, tmp_path):
    need_tools()
    manager, files = compiled(shape.site)["sm-1"]
    subnet = manager.subnet
    lid = {switch.guid: switch.lid for switch in subnet.switches}

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, files, DUMPS) as running:
        running.wait()
        found = Routed(subnet, simulator, running, [end.lid for end in subnet.ends])
        said = evidence_of({tool: simulator.tool(tool) for tool in ("ibnetdiscover", "dump_lfts")})

    audit = audit_routes(
        subnet,
        said.lfts,
        said.discovered,
        level_of=lambda source, destination: found.levels[source, destination],
        lane_of=lambda switch, inside, out, level: found.lanes[lid[switch], inside, out][level],
    )
    assert (0, ()) == (audit.unreachable, audit.loops)
    assert audit_routes(subnet, said.lfts, said.discovered).loops


def test_a_torus_outlives_the_switch_that_its_engine_starts_from(tmp_path):
    """Its seeds are in opposite corners: with the first one's switch dead, the other is found."""
    need_tools()
    manager, files = compiled(SHAPES["torus"].site)["sm-1"]
    subnet = manager.subnet
    dead = subnet.torus.seeds[0].links[0][1]
    behind = {link.lower for link in subnet.links if link.upper == dead}
    alive = [end.lid for end in subnet.ends if end.node_guid not in behind]

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, files, DUMPS) as running:
        running.wait()
        before = running.mark()
        simulator.unplug(dead)
        running.wait(after=before)
        found = Routed(subnet, simulator, running, alive)
        log = running.log()[before:]

    assert len(subnet.ends) - 2 == len(alive)
    second = subnet.torus.seeds[1].links[0][1]
    assert [f"{second:#x}"] == re.findall(r"Using torus seed configured as .*GUID (0x[0-9a-f]+)", log)
    assert len(alive) * (len(alive) - 1) == len(found.levels)
    assert not found.waits_in_a_ring()


def test_shortest_routes_of_one_lane_would_wait_in_rings(tmp_path):
    """What the choice of engines is for: the same torus by `minhop`, which the compiler refuses."""
    need_tools()
    manager, files = compiled(SHAPES["flat torus"].site)["sm-1"]
    subnet = manager.subnet
    files = routed_by(files, "minhop")

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, files, DUMPS) as running:
        running.wait()
        found = Routed(subnet, simulator, running, [end.lid for end in subnet.ends])

    assert found.waits_in_a_ring()

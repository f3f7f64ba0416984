"""The real OpenSM takes our files, and the subnet is then what they say: read from the outside, by other programs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from fabric.devices.infiniband.model import EndKind, Subnet
from fabric.devices.model import SubnetManager
from fabric.platforms.opensm.options import DEFAULTS, PLACES
from tests.infiniband.oracle import cables, lids, seen, tables
from tests.infiniband.simulator import Manager, Simulator, need_tools
from tests.platforms.sites import Words, merged, network
from tests.platforms.subnet_strategies import TREES, managers
from tests.platforms.subnets import (
    HDR,
    KEYS,
    LARGE_TORUS,
    SINGLE,
    TENANTED,
    infiniband,
    manager,
    printed,
    renamed,
    tenants,
    units,
)
from tests.programs import run

pytestmark = pytest.mark.live

HARMLESS = ("Failed to setup routing engine 'no_fallback'",)
"""OpenSM 3.3.23 takes the word for an engine too, says so at each start, and then does as it says."""
NAMED = ", Description = "
"""Stands in lines that tell what a node is called: a node may be called `ERR 331A`."""
WRONG = re.compile(r"ERR|PARSE|WARN|[Ff]ail|annot|nvalid|uspicious|rror|fallback|not found")
VERBOSE = ("log_flags 0x07",)
"""Warnings of its readers are told at this level only."""
PATIENCE_S = 30
"""A second does on an idle machine."""
FULL = 0x8000
EVERYBODY = 0x7FFF


def complaints(running: Manager) -> list[str]:
    """Everything in the log that sounds like trouble, but for what is known."""
    return [
        line
        for line in running.log().splitlines()
        if WRONG.search(line) and not any(words in line for words in (*HARMLESS, NAMED))
    ]


@contextmanager
def managed(made: SubnetManager, folder: Path) -> Iterator[tuple[Simulator, Manager]]:
    """A subnet that is up, with nothing complained of."""
    need_tools()
    with (
        Simulator(made.subnet, folder) as simulator,
        Manager(simulator, made, printed(made), VERBOSE) as running,
    ):
        running.wait(seconds=PATIENCE_S)
        assert complaints(running) == []
        yield simulator, running


def engine(name: str) -> Words:
    """That one, and none that takes over from it."""
    return infiniband(f"{{engine: {name}, fallback: []}}")


RED_OF_A_RING = merged(KEYS, tenants('red: {hosts: [h-03-0, h-20-0], partition: {pkey: "0x1001"}}'))
RING = merged(LARGE_TORUS, {"site.yaml": {"hosts": {"h": {"per_unit": 1}}}}, RED_OF_A_RING)
LEVELS = merged(
    KEYS,
    infiniband(
        """{service_levels: {
            default: {service_level: 2, virtual_lane: 1},
            x: {service_level: 5, virtual_lane: 3, weight: 10, high_weight: 20}}}"""
    ),
    tenants('red: {hosts: [h-0-2, h-0-3], partition: {pkey: "0x0001", service_level: x, index0: true}}'),
)
LONG = merged(
    KEYS,
    renamed(f"m{'x' * 56}"),
    tenants(f'{"x" * 31}: {{hosts: [h-0-2, h-0-3], partition: {{pkey: "0x7ffe", ipoib: false}}}}'),
)
STORAGE_APART: Words = {
    "site.yaml": {"hosts": {"h": {"last_unit": 0}}, "attachments": {"sm-2": {"to": {"unit": 0}}}}
}
"""Only the storage is on the second leaf."""
SUBNETS: dict[str, tuple[Words, ...]] = {
    "a plain tree": (),
    "a plain tree by ftree": (engine("ftree"),),
    "tenants and a storage": (TENANTED,),
    "tenants and a storage by ftree": (TENANTED, engine("ftree")),
    "one leaf less than spines": (network("tiers: {spine: {count: 4}}"), units(3)),
    "one switch": (SINGLE,),
    "levels without 0": (LEVELS,),
    "another prefix": (infiniband('{prefix: "0xfec0000000000001"}'),),
    "names as long as they may be": (LONG,),
    "a leaf with storage only": (STORAGE_APART, engine("ftree")),
    "an MTU of 2048": (infiniband("{mtu: 2048}"),),
    "slow ports": (HDR,),
    "keys": (KEYS,),
    **{f"{name} on a tree": (engine(name),) for name in ("updn", "dnup", "minhop", "sssp", "nue", "dfsssp")},
    **{f"{name} on a torus": (RING, engine(name)) for name in ("lash", "nue", "torus-2qos")},
}


def test_the_defaults_are_those_that_opensm_writes(tmp_path):
    need_tools()
    run("opensm", "-c", tmp_path / "default", "-f", tmp_path / "log", stdin=DEVNULL)
    lines = (line.split(maxsplit=1) for line in (tmp_path / "default").read_text().splitlines())
    theirs = {words[0]: words[1] for words in lines if len(words) == 2 and not words[0].startswith("#")}

    assert {name: theirs[name] for name in DEFAULTS} == DEFAULTS
    assert {name for name, value in DEFAULTS.items() if value.startswith("/")} == PLACES


@pytest.mark.parametrize("name", SUBNETS)
def test_every_file_is_taken_without_a_complaint_and_says_what_it_shall(name, tmp_path):
    made = manager("opensm", *SUBNETS[name])
    subnet = made.subnet
    with managed(made, tmp_path) as (simulator, _):
        keys = {e.host: simulator.pkeys(e.node_guid, e.port) for e in subnet.ends}
        found = seen(simulator)

    assert keys == intended(subnet)
    assert (found.cables, found.lids) == (cables(subnet), lids(subnet))


def intended(subnet: Subnet) -> dict[str, frozenset[int]]:
    """P_Keys by host, from the members alone."""
    keys: defaultdict[str, set[int]] = defaultdict(set)
    hosts = {e.port_guid: e.host for e in subnet.ends}
    for e in subnet.ends:
        full = not subnet.partitions or e.kind is EndKind.SUBNET_MANAGER
        keys[e.host].add(EVERYBODY | (FULL if full else 0))
    for one in subnet.partitions:
        for member in one.members:
            keys[hosts[member.port_guid]].add(one.pkey | (FULL if member.full else 0))
    return {host: frozenset(held) for host, held in keys.items()}


def rows(text: str) -> list[str]:
    return [re.sub(r"\s", "", line) for line in text.splitlines()]


MADE = manager("opensm", TENANTED)
NODE = {e.host: e.node_guid for e in MADE.subnet.ends} | {s.name: s.guid for s in MADE.subnet.switches}

UPLINK = next(
    str(k.lower_port) for k in MADE.subnet.links if (k.lower, k.upper) == (NODE["leaf-0"], NODE["spine-0"])
)


@pytest.fixture(scope="module")
def tenanted(tmp_path_factory):
    with managed(MADE, tmp_path_factory.mktemp("tenanted")) as (simulator, _):
        yield simulator


@pytest.mark.parametrize(
    ("who", "place"),
    [
        ("a host", (f"{NODE['h-0-2'] + 1:#x}",)),
        ("a leaf", (f"{NODE['leaf-0']:#x}", UPLINK)),
        ("a leaf's host", (f"{NODE['leaf-0']:#x}", "1")),
    ],
)
def test_lanes_are_weighted_as_compiled(tenanted, who, place):
    arbitration = rows(tenanted.tool("smpquery", "-G", "vlarb", *place))
    lanes = rows(tenanted.tool("smpquery", "-G", "sl2vl", *place))
    weights = {
        table: [
            int(word, 16)
            for word in next(r for r in after if r.startswith("WEIGHT")).strip("|").split("|")[1:3]
        ]
        for table, after in (
            (w, arbitration[i:]) for i, r in enumerate(arbitration) for w in ("Low", "High") if w in r
        )
    }

    assert weights == {"Low": [64, 32], "High": [0, 16]}, arbitration
    assert [r for r in lanes if "|0|15|15|1|15|15|15|15|15|15|15|15|15|15|15|15|" in r], lanes


def test_a_port_uses_as_many_lanes_as_there_are(tenanted):
    said = tenanted.tool("smpquery", "-G", "portinfo", f"{NODE['h-0-2'] + 1:#x}")

    assert re.search(r"OperVLs:\.+VL0-1$", said, re.MULTILINE)


LID = {e.host: e.lid for e in MADE.subnet.ends}


@pytest.mark.parametrize(
    ("source", "to", "pkey", "level"),
    [
        ("h-0-1", "h-1-1", 0x1001, 0),
        ("h-0-1", "nas", 0x2001, 3),
        ("nas", "h-0-2", 0x2001, 3),
        ("h-0-1", "nas", None, 3),
        ("nas", "h-0-1", None, 3),
    ],
)
def test_a_path_is_given_with_the_class_of_its_tenant(tenanted, source, to, pkey, level):
    found = tenanted.path(LID[source], LID[to], pkey)

    assert found
    assert (int(found["sl"], 16), int(found["mtu"], 16) & 0x3F, int(found["rate"], 16) & 0x3F) == (
        level,
        4,
        17,
    )


@pytest.mark.parametrize(
    ("source", "to", "pkey"),
    [
        ("h-0-1", "h-0-2", 0x1001),
        ("h-0-1", "h-0-2", 0x1002),
        ("h-0-1", "h-0-2", 0x2001),
        ("h-1-1", "nas", 0x2001),
        ("h-0-1", "h-0-2", None),
        ("h-0-1", "h-1-1", 0x7FFF),
    ],
)
def test_no_path_is_given_across_tenants_or_between_limited_members(tenanted, source, to, pkey):
    assert tenanted.path(LID[source], LID[to], pkey) is None


def test_an_lmc_of_2_gives_four_lids_and_four_ways(tmp_path):
    spines = network("tiers: {leaf: {up: {ports: 4}}, spine: {count: 4}}")
    made = manager("opensm", spines, infiniband("{lmc: 2}"), engine("updn"))
    subnet = made.subnet
    ends = {e.host: e for e in subnet.ends}
    source, target = ends["h-0-2"], ends["h-1-2"]
    leaf = next(s.guid for s in subnet.switches if s.name == "leaf-0")
    with managed(made, tmp_path) as (simulator, _):
        said = simulator.tool("smpquery", "-G", "portinfo", f"{target.node_guid + 1:#x}")
        lft = tables(simulator)
        records = [simulator.path(source.lid, target.lid + i) for i in range(4)]

    assert re.search(rf"^Lid:\.+{target.lid}$", said, re.MULTILINE)
    assert re.search(r"^LMC:\.+2$", said, re.MULTILINE)
    assert all(records)
    assert len({lft[leaf][target.lid + i] for i in range(4)}) == 4


def test_the_prefix_of_the_subnet_is_that_of_every_port(tmp_path):
    made = manager("opensm", infiniband('{prefix: "0xfec0000000000001"}'))
    with managed(made, tmp_path) as (simulator, _):
        said = {
            re.search(
                r"GidPrefix:\.+(\S+)", simulator.tool("smpquery", "-G", "portinfo", f"{e.node_guid + 1:#x}")
            )[1]
            for e in made.subnet.ends
        }

    assert said == {"0xfec0000000000001"}


def test_storage_that_is_counted_apart_leaves_compute_even(tmp_path):
    """Four compute LIDs of the other leaf over four uplinks: one each, wherever the storage goes."""
    filers = {
        f"nas-{i}": {"network": "compute", "kind": "storage", "links": 1, "speed": "400G", "to": {"unit": 1}}
        for i in range(3)
    }
    wide = network("tiers: {leaf: {reserved_ports: 5, max_oversubscription: '3:1'}}")
    more: Words = {"site.yaml": {"attachments": {"nas": None, **filers}}}
    made = manager("opensm", wide, more, engine("ftree"))
    leaves = [s.guid for s in made.subnet.switches if s.role == "leaf"]
    there = {k.lower for k in made.subnet.links if k.upper == leaves[1]}
    with managed(made, tmp_path) as (simulator, _):
        lft = tables(simulator)
    ends = [e for e in made.subnet.ends if e.node_guid in there]
    ways = {
        kind: [lft[leaves[0]][e.lid] for e in ends if e.kind is kind]
        for kind in (EndKind.COMPUTE, EndKind.STORAGE)
    }

    assert [len(ways[EndKind.COMPUTE]), len(ways[EndKind.STORAGE])] == [4, 3]
    assert all(set(Counter(ports).values()) == {1} for ports in ways.values())


@pytest.mark.parametrize("name", ["lash", "nue", "torus-2qos"])
def test_the_levels_of_paths_are_those_of_the_engine_in_a_ring(name, tmp_path):
    made = manager("opensm", RING, engine(name))
    lid = {e.host: e.lid for e in made.subnet.ends}
    hosts = [e.lid for e in made.subnet.ends if e.kind is EndKind.COMPUTE]
    manages = lid["sm-1"]
    with managed(made, tmp_path) as (simulator, _):
        found = [simulator.path(manages, one, EVERYBODY) for one in hosts[1::2]]
        red = simulator.path(lid["h-03-0"], lid["h-20-0"], 0x1001)
        blue = simulator.path(lid["h-03-0"], lid["h-21-0"], 0x1001)

    assert len({record["sl"] for record in found if record}) > 1
    assert red
    assert blue is None


def test_an_engine_that_cannot_route_leaves_the_subnet_down(tmp_path):
    """Without `no_fallback` it would come up with loops of credits, and say so in one line of its log."""
    need_tools()
    made = manager("opensm", RING, engine("torus-2qos"))
    wrong = printed(made).replace("torus 5 5 1", "torus 5 4 1")
    assert wrong != printed(made)
    with Simulator(made.subnet, tmp_path) as simulator, Manager(simulator, made, wrong) as running:
        running.wait("No routing engine able to successfully configure", seconds=30)

        assert "SUBNET UP" not in running.log()


def test_levels_without_0_carry_everything_the_managers_queries_too(tmp_path):
    """ibsim keeps no SMSL: what OpenSM sets is in its log only."""
    need_tools()
    made = manager("opensm", LEVELS)
    ends = {e.host: e for e in made.subnet.ends}
    with (
        Simulator(made.subnet, tmp_path) as simulator,
        Manager(simulator, made, printed(made), ("log_flags 0x0b",)) as running,
    ):
        running.wait()
        said = rows(simulator.tool("smpquery", "-G", "sl2vl", f"{ends['h-0-2'].node_guid + 1:#x}"))
        red = simulator.path(ends["h-0-2"].lid, ends["h-0-3"].lid, 1)

        assert "Setting SMSL to 2 on GUID" in running.log()
    assert [row for row in said if "|15|15|1|15|15|3|15|15|15|15|15|15|15|15|15|15|" in row]
    assert red
    assert int(red["sl"], 16) == 5


def test_the_key_that_stands_first_is_the_tenants_where_asked(tmp_path):
    divided = tenants(
        """
red: {hosts: [h-0-2], partition: {pkey: "0x1001", index0: true}}
blue: {hosts: [h-0-3], partition: {pkey: "0x1002"}}
"""
    )
    made = manager("opensm", KEYS, divided)
    node = {e.host: e.node_guid for e in made.subnet.ends}
    with managed(made, tmp_path) as (simulator, _):
        first = [
            re.search(r"0x([0-9a-f]{4})", simulator.tool("smpquery", "-G", "pkeys", f"{node[host] + 1:#x}"))[
                1
            ]
            for host in ("h-0-2", "h-0-3")
        ]

    assert first == ["9001", "7fff"]


@settings(
    max_examples=8,
    phases=[Phase.generate],  # each takes seconds: what fails is told as it is
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(managers("opensm", TREES))
def test_subnets_at_random_are_taken_without_a_complaint(tmp_path_factory, made):
    with managed(made, tmp_path_factory.mktemp("random")) as (simulator, _):
        keys = {e.host: simulator.pkeys(e.node_guid, e.port) for e in made.subnet.ends}

    assert keys == intended(made.subnet)

"""The real OpenSM takes our files, and the subnet is then what they say: read from the outside, by other programs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from fabric.devices.model import SubnetManager
from fabric.devices.subnet import (
    EndKind,
    Lane,
    Subnet,
    SubnetLink,
    SubnetSwitch,
    Torus,
    TorusSeed,
)
from fabric.platforms.opensm.options import DEFAULTS, PLACES
from tests.infiniband.oracle import cables, lids, seen, tables
from tests.infiniband.simulator import Manager, Simulator, need_tools
from tests.platforms.opensm.subnets import (
    DEFAULT,
    TENANTED,
    end,
    leaf,
    manager,
    managers,
    node,
    partition,
    printed,
    shifted,
    tree,
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


def torus(x: int, y: int, engine: str, **more: object) -> Subnet:
    """A ring of rings, with one host at each switch."""
    links: list[SubnetLink] = []
    used: Counter[int] = Counter()

    def port(switch: int) -> int:
        used[switch] += 1
        return 8 + used[switch]

    for i in range(x):
        for j in range(y):
            for k, m in ((i + 1) % x, j), (i, (j + 1) % y):
                a, b = i * y + j, k * y + m
                links.append(SubnetLink(leaf(a), port(a), leaf(b), port(b), 400_000))
    count = x * y
    ends = tuple(end(i, count, EndKind.SUBNET_MANAGER if i < 2 else EndKind.COMPUTE) for i in range(count))
    links += [SubnetLink(e.node_guid, 1, leaf(i), 1, 400_000) for i, e in enumerate(ends)]
    seed = TorusSeed(
        (("xp_link", leaf(0), leaf(y)), ("yp_link", leaf(0), leaf(1))), (("x_dateline", 0), ("y_dateline", 0))
    )
    return tree(
        engine=engine,
        layout="torus",
        switches=tuple(SubnetSwitch(f"s-{i}", "leaf", leaf(i), 16, 1 + i, "small") for i in range(count)),
        ends=ends,
        links=tuple(links),
        roots=(),
        torus=Torus((x, y, 1), (seed,)),
        **more,
    )


RED_OF_A_RING = (partition("red", 0x1001, (3, 20)),)
LONG = tuple(msgspec.structs.replace(e, name=f"{e.name} ,;:=!x{'y' * 64}"[:64]) for e in tree(hosts=9).ends)
SUBNETS = {
    "a plain tree": tree(),
    "tenants and a storage": TENANTED,
    "one leaf less than spines": tree(leaves=3, spines=4, hosts=12),
    "levels without 0": tree(
        lanes=(Lane("default", 2, 1, 64, 0), Lane("x", 5, 3, 10, 20)),
        partitions=(partition("red", 1, (2, 3), service_level=5, index0=True),),
    ),
    "another prefix": tree(prefix=0xFEC0_0000_0000_0001),
    "names as long as they may be": tree(
        hosts=9, ends=LONG, partitions=(partition("x" * 31, 0x7FFE, (2, 3), ipoib=False),)
    ),
    "a leaf with storage only": tree(hosts=2),
    "an MTU of 2048": tree(mtu_bytes=2048),
    "slow ports": tree(speed=100_000),
    "keys": tree(keys=TENANTED.keys),
    **{
        f"{engine} on a tree": tree(engine=engine)
        for engine in ("updn", "dnup", "minhop", "sssp", "nue", "dfsssp")
    },
    **{
        f"{engine} on a torus": torus(5, 5, engine, partitions=RED_OF_A_RING)
        for engine in ("lash", "nue", "dfsssp", "torus-2qos")
    },
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
    made = manager(SUBNETS[name])
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


@pytest.fixture(scope="module")
def tenanted(tmp_path_factory):
    with managed(manager(TENANTED), tmp_path_factory.mktemp("tenanted")) as (simulator, _):
        yield simulator


@pytest.mark.parametrize(
    ("who", "place"),
    [
        ("a host", (f"{node(2) + 1:#x}",)),
        ("a leaf", (f"{leaf(0):#x}", "40")),
        ("a leaf's host", (f"{leaf(0):#x}", "1")),
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
    said = tenanted.tool("smpquery", "-G", "portinfo", f"{node(2) + 1:#x}")

    assert re.search(r"OperVLs:\.+VL0-1$", said, re.MULTILINE)


LID = {e.host: e.lid for e in TENANTED.ends}


@pytest.mark.parametrize(
    ("source", "to", "pkey", "level"),
    [
        ("h-2", "h-3", 0x1001, 0),
        ("h-2", "h-5", 0x2001, 3),
        ("h-5", "h-4", 0x2001, 3),
        ("h-2", "h-5", None, 3),
        ("h-5", "h-2", None, 3),
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
        ("h-2", "h-4", 0x1001),
        ("h-2", "h-4", 0x1002),
        ("h-2", "h-4", 0x2001),
        ("h-3", "h-5", 0x2001),
        ("h-2", "h-4", None),
        ("h-2", "h-3", 0x7FFF),
    ],
)
def test_no_path_is_given_across_tenants_or_between_limited_members(tenanted, source, to, pkey):
    assert tenanted.path(LID[source], LID[to], pkey) is None


def test_an_lmc_of_2_gives_four_lids_and_four_ways(tmp_path):
    made = manager(shifted(tree(leaves=2, spines=4, hosts=6, uplinks=1, engine="updn", lmc=2)))
    subnet = made.subnet
    with managed(made, tmp_path) as (simulator, _):
        said = simulator.tool("smpquery", "-G", "portinfo", f"{node(3) + 1:#x}")
        lft = tables(simulator)
        records = [simulator.path(subnet.ends[2].lid, subnet.ends[3].lid + i) for i in range(4)]

    assert re.search(rf"^Lid:\.+{subnet.ends[3].lid}$", said, re.MULTILINE)
    assert re.search(r"^LMC:\.+2$", said, re.MULTILINE)
    assert all(records)
    assert len({lft[leaf(0)][subnet.ends[3].lid + i] for i in range(4)}) == 4


def test_the_prefix_of_the_subnet_is_that_of_every_port(tmp_path):
    made = manager(tree(prefix=0xFEC0_0000_0000_0001))
    with managed(made, tmp_path) as (simulator, _):
        said = {
            re.search(
                r"GidPrefix:\.+(\S+)", simulator.tool("smpquery", "-G", "portinfo", f"{node(i) + 1:#x}")
            )[1]
            for i in range(6)
        }

    assert said == {"0xfec0000000000001"}


def test_storage_that_is_counted_apart_leaves_compute_even(tmp_path):
    """Four compute LIDs of the other leaf over four uplinks: one each, wherever the storage goes."""
    hosts = 14
    subnet = tree(leaves=2, spines=2, hosts=hosts, uplinks=2)
    kinds = dict.fromkeys((0, 1, 2, 3, 4, 5), EndKind.STORAGE) | {
        6: EndKind.SUBNET_MANAGER,
        7: EndKind.SUBNET_MANAGER,
    }
    ends = tuple(
        msgspec.structs.replace(e, kind=kinds.get(i, EndKind.COMPUTE)) for i, e in enumerate(subnet.ends)
    )
    made = manager(msgspec.structs.replace(subnet, ends=ends), index=6)
    with managed(made, tmp_path) as (simulator, _):
        lft = tables(simulator)
    compute = [e for i, e in enumerate(ends) if e.kind is not EndKind.STORAGE and i % 2 == 1]
    storage = [e for i, e in enumerate(ends) if e.kind is EndKind.STORAGE and i % 2 == 1]

    assert len(compute) == 4
    assert set(Counter(lft[leaf(0)][e.lid] for e in compute).values()) == {1}
    assert set(Counter(lft[leaf(0)][e.lid] for e in storage).values()) == {1}


@pytest.mark.parametrize("engine", ["lash", "nue", "dfsssp", "torus-2qos"])
def test_the_levels_of_paths_are_those_of_the_engine_in_a_ring(engine, tmp_path):
    made = manager(torus(5, 5, engine, partitions=RED_OF_A_RING))
    subnet = made.subnet
    with managed(made, tmp_path) as (simulator, _):
        found = [
            simulator.path(subnet.ends[0].lid, subnet.ends[i].lid, EVERYBODY)
            for i in range(2, len(subnet.ends), 2)
        ]
        red = simulator.path(subnet.ends[3].lid, subnet.ends[20].lid, 0x1001)
        blue = simulator.path(subnet.ends[3].lid, subnet.ends[21].lid, 0x1001)

    assert len({record["sl"] for record in found if record}) > 1
    assert red
    assert blue is None


def test_an_engine_that_cannot_route_leaves_the_subnet_down(tmp_path):
    """Without `no_fallback` it would come up with loops of credits, and say so in one line of its log."""
    need_tools()
    subnet = torus(5, 5, "torus-2qos")
    wrong = msgspec.structs.replace(subnet.torus, dimensions=(5, 4, 1))
    made = manager(msgspec.structs.replace(subnet, torus=wrong))
    with Simulator(made.subnet, tmp_path) as simulator, Manager(simulator, made, printed(made)) as running:
        running.wait("No routing engine able to successfully configure", seconds=30)

        assert "SUBNET UP" not in running.log()


def test_levels_without_0_carry_everything_the_managers_queries_too(tmp_path):
    """ibsim keeps no SMSL: what OpenSM sets is in its log only."""
    need_tools()
    made = manager(SUBNETS["levels without 0"])
    with (
        Simulator(made.subnet, tmp_path) as simulator,
        Manager(simulator, made, printed(made), ("log_flags 0x0b",)) as running,
    ):
        running.wait()
        said = rows(simulator.tool("smpquery", "-G", "sl2vl", f"{node(2) + 1:#x}"))
        red = simulator.path(made.subnet.ends[2].lid, made.subnet.ends[3].lid, 1)

        assert "Setting SMSL to 2 on GUID" in running.log()
    assert [row for row in said if "|15|15|1|15|15|3|15|15|15|15|15|15|15|15|15|15|" in row]
    assert red
    assert int(red["sl"], 16) == 5


def test_the_key_that_stands_first_is_the_tenants_where_asked(tmp_path):
    tenants = (
        partition("red", 0x1001, (2,), index0=True),
        partition("blue", 0x1002, (3,)),
    )
    with managed(manager(tree(partitions=tenants, lanes=(DEFAULT,))), tmp_path) as (simulator, _):
        first = [
            re.search(r"0x([0-9a-f]{4})", simulator.tool("smpquery", "-G", "pkeys", f"{node(i) + 1:#x}"))[1]
            for i in (2, 3)
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
@given(managers(layouts=("fat_tree",)))
def test_subnets_at_random_are_taken_without_a_complaint(tmp_path_factory, made):
    with managed(made, tmp_path_factory.mktemp("random")) as (simulator, _):
        keys = {e.host: simulator.pkeys(e.node_guid, e.port) for e in made.subnet.ends}

    assert keys == intended(made.subnet)

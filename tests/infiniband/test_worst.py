"""Files that are missing, broken or half written, and nodes that are not there: what the real OpenSM makes of them.

OpenSM forgives: then the question is whether we find out.
"""

from __future__ import annotations

import re
import signal

import msgspec
import pytest

from fabric.platforms.opensm.read import parse
from tests.infiniband import oracle
from tests.infiniband.simulator import QUICK_SWEEP, Manager, Simulator, need_tools
from tests.infiniband.sites import SMALL_HARDWARE, TINY, compiled, routed_by
from tests.infiniband.verdicts import verdict

pytestmark = pytest.mark.live


@pytest.fixture
def made():
    """The manager of a site with tenants, and its files."""
    need_tools()
    return compiled(TINY, SMALL_HARDWARE)["sm-1"]


@pytest.fixture
def idle(made, tmp_path):
    """The same in its simulator, not started."""
    with Simulator(made[0].subnet, tmp_path) as simulator:
        running = Manager(simulator, *made, QUICK_SWEEP)
        yield simulator, running
        if hasattr(running, "process"):
            running.stop()


def kinds(subnet, simulator, *, keys=True):
    return [one.kind for one in verdict(subnet, simulator, keys=keys).findings]


def reloaded(running):
    mark = running.mark()
    running.reload()
    running.wait(after=mark)


def test_without_partitions_everybody_is_in_and_this_is_found(idle):
    simulator, running = idle
    partitions = running.folder / "partitions.conf"
    kept = partitions.read_text()

    partitions.unlink()
    running.start()
    running.wait()
    opened = kinds(simulator.subnet, simulator)
    across = simulator.path(*(lid_of(simulator.subnet, host) for host in ("gpu-0-0", "gpu-0-2")))
    partitions.write_text(kept)
    reloaded(running)

    assert across is not None, "the danger is real"
    assert ["fail-open"] == opened
    assert [] == kinds(simulator.subnet, simulator)
    assert simulator.path(*(lid_of(simulator.subnet, host) for host in ("gpu-0-0", "gpu-0-2"))) is None


def lid_of(subnet, host):
    return next(end.lid for end in subnet.ends if end.host == host)


BROKEN = {
    "a GUID that is none": (r"0x([0-9a-f]{16})=limited;", r"0xzz\1=limited;"),
    "no semicolon": (r"=full;(.*\nblue)", r"=full\1"),
    "no colon": (r"red=(.*) :", r"red=\1"),
    "an empty P_Key": (r"red=0x1001", r"red="),
}
"""What a hand may do to partitions.conf."""


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_of_partitions_opens_all_and_this_is_found(what, made, idle):
    simulator, running = idle
    partitions = running.folder / "partitions.conf"
    running.start()
    running.wait()
    before = kinds(simulator.subnet, simulator)

    broken = re.sub(*BROKEN[what], partitions.read_text())
    assert broken != partitions.read_text()
    partitions.write_text(broken)
    mark = running.mark()
    reloaded(running)
    after = kinds(simulator.subnet, simulator)
    said = running.log()[mark:]

    assert [] == before
    assert ["fail-open"] == after
    assert "PARSE ERROR" in said
    assert "retrying with default config" in said
    # and what we write ourselves is never so: the strict reader refuses it before
    assert parse(re.sub(*BROKEN[what], made[1])).unread


SILENT = {
    "a GUID that nobody has": (r"(red=[^\n]*\n) *0x0200", r"\g<1>0x0299", {"pkey-missing"}),
    "a P_Key twice": (r"blue=0x1002", r"blue=0x1001", {"pkey-extra", "pkey-missing"}),
    "a full member that is limited": (r"=full;([^\n]*\nblue)", r"=limited;\1", {"pkey-limited"}),
    "a limited member that is full": (r"=limited;", r"=full;", {"pkey-full"}),
    "all full members of everybody's": (r"ALL=limited", r"ALL=full", {"pkey-full"}),
}
"""What OpenSM takes without a word, and what is found in the tables."""


@pytest.mark.parametrize("what", SILENT)
def test_mistakes_that_opensm_takes_in_silence_are_found_in_the_tables(what, idle):
    simulator, running = idle
    partitions = running.folder / "partitions.conf"
    pattern, instead, wanted = SILENT[what]
    spoilt = re.sub(pattern, instead, partitions.read_text(), count=1, flags=re.DOTALL)
    assert spoilt != partitions.read_text()

    partitions.write_text(spoilt)
    running.start()
    running.wait()

    assert wanted == set(kinds(simulator.subnet, simulator))
    assert "PARSE ERROR" not in running.log()


def test_an_empty_file_of_lids_gives_other_lids_and_this_is_found(idle):
    simulator, running = idle
    (running.folder / "guid2lid").write_text("")

    running.start()
    running.wait()

    assert ["lid"] == kinds(simulator.subnet, simulator, keys=False)


SPOILT_LIDS = {
    "two LIDs changed": (r"0x0001 0x0001(.*?)0x0002 0x0002", r"0x0002 0x0002\g<1>0x0001 0x0001", ["lid"]),
    "a LID twice": (r"0x0002 0x0002", r"0x0001 0x0001", []),
    "a LID beyond the last": (r"0x0002 0x0002", r"0xc001 0xc001", []),
    "a word that is none": (r"0x0002 0x0002", r"zero zero", []),
}
"""And what is found. OpenSM drops a record that cannot be, and gives the lowest free LID: here the very same."""


@pytest.mark.parametrize("what", SPOILT_LIDS)
def test_wrong_lids_cut_nobody_off_and_are_found(what, idle):
    simulator, running = idle
    lids = running.folder / "guid2lid"
    right, wrong, wanted = SPOILT_LIDS[what]
    spoilt = re.sub(right, wrong, lids.read_text(), count=1, flags=re.DOTALL)
    assert spoilt != lids.read_text()
    lids.write_text(spoilt)

    running.start()
    running.wait()

    assert wanted == kinds(simulator.subnet, simulator, keys=False)
    assert () == oracle.routes(simulator.subnet, simulator).cut


def test_half_a_file_of_lids_is_found_and_healed_by_the_compiled_one(made, idle):
    """As after a crash of the host, or a full disk."""
    simulator, running = idle
    lids = running.folder / "guid2lid"
    whole = lids.read_text()
    lids.write_text(whole[: len(whole) // 2 - 7])  # within a word

    running.start()
    running.wait()
    half = kinds(simulator.subnet, simulator, keys=False)
    running.write(made[1], QUICK_SWEEP)
    running.restart()
    running.wait()

    assert half == ["lid"]
    assert [] == kinds(simulator.subnet, simulator, keys=False)
    assert oracle.lids(simulator.subnet) == oracle.seen(simulator).lids


STAGES = ("Entering DISCOVERING state", "Entering MASTER state", "tables configured", "SUBNET UP")
"""What OpenSM logs as it starts. It writes guid2lid between the second and the third."""


def test_a_manager_killed_while_it_starts_leaves_no_half_file_of_lids(made, idle):
    """Each time it has to write one: it has none. The compiled file puts everything in its place again."""
    simulator, running = idle
    whole = 3 * len(oracle.lids(simulator.subnet))
    found = []

    for stage in STAGES * 3:
        (running.folder / "guid2lid").write_text("")
        running.start()
        running.wait(stage)
        running.stop(signal.SIGKILL)
        found.append(len((running.folder / "guid2lid").read_text().split()))
    running.write(made[1], QUICK_SWEEP)
    running.start()
    running.wait()

    assert set(found) <= {0, whole}
    assert whole in found
    assert [] == kinds(simulator.subnet, simulator, keys=False)
    assert oracle.lids(simulator.subnet) == oracle.seen(simulator).lids


def test_a_subnet_without_one_leaf_comes_up_and_the_leaf_is_named_once(made, tmp_path):
    manager, files = made
    subnet = manager.subnet
    dead = next(switch for switch in subnet.switches if switch.name == "leaf-1-1")
    left = msgspec.structs.replace(
        subnet,
        switches=tuple(switch for switch in subnet.switches if switch != dead),
        links=tuple(link for link in subnet.links if dead.guid not in (link.lower, link.upper)),
    )

    with Simulator(left, tmp_path) as simulator, Manager(simulator, manager, files) as running:
        running.wait()
        found = verdict(subnet, simulator, keys=False).findings
        routes = oracle.routes(subnet, simulator)

    assert [("dead-switch", True)] == [(one.kind, "leaf-1-1" in one.text) for one in found]
    assert () == routes.cut
    assert (19 - 4) * (19 - 5) == routes.pairs


def test_a_subnet_without_one_spine_comes_up_and_both_say_so(made, tmp_path):
    manager, files = made
    subnet = manager.subnet
    dead = next(switch for switch in subnet.switches if switch.name == "spine-1")
    left = msgspec.structs.replace(
        subnet,
        switches=tuple(switch for switch in subnet.switches if switch != dead),
        links=tuple(link for link in subnet.links if dead.guid not in (link.lower, link.upper)),
    )

    with Simulator(left, tmp_path) as simulator, Manager(simulator, manager, files) as running:
        running.wait()
        found = verdict(subnet, simulator, keys=False).findings
        routes = oracle.routes(subnet, simulator)

    assert ("dead-switch", True) in [(one.kind, "spine-1" in one.text) for one in found]
    assert () == routes.cut
    assert 19 * 18 == routes.pairs


@pytest.fixture
def ring(made):
    """The leaves of the site in a ring, its spines away."""
    subnet = made[0].subnet
    leaves = [switch for switch in subnet.switches if switch.role == "leaf"]
    guids = {leaf.guid for leaf in leaves}
    hosts = (link for link in subnet.links if link.upper in guids and link.lower not in guids)
    around = (
        type(subnet.links[0])(one.guid, 15, other.guid, 16, 400_000)
        for one, other in zip(leaves, [*leaves[1:], leaves[0]], strict=True)
    )
    return msgspec.structs.replace(subnet, switches=tuple(leaves), links=(*hosts, *around))


@pytest.mark.parametrize("engine", ["updn", "ftree"])
def test_an_engine_that_fails_alone_leaves_the_subnet_down_and_says_so(engine, made, ring, tmp_path):
    """`no_fallback`: better no routes than those of OpenSM's last resort, which wait for each other."""
    manager, files = made

    with (
        Simulator(ring, tmp_path) as simulator,
        Manager(simulator, manager, routed_by(files, engine)) as running,
    ):
        running.wait("No routing engine able to successfully configure")
        log = running.log()

    assert "SUBNET UP" not in log


def test_the_engines_that_take_over_route_even_a_ring_without_roots(made, ring, tmp_path):
    manager, files = made

    with Simulator(ring, tmp_path) as simulator, Manager(simulator, manager, files) as running:
        running.wait()
        routes = verdict(manager.subnet, simulator, keys=False).routes

    assert "nue tables configured on all switches" in running.log()
    assert (routes.unreachable, routes.loops) == (0, ())

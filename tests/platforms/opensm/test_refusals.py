"""What OpenSM cannot hold or do is told with its place and a way out, before a file is written."""

from __future__ import annotations

import msgspec
import pytest

from fabric.devices.subnet import Lane, Torus, TorusSeed
from tests.platforms.opensm.subnets import DEFAULT, STORAGE, TENANTED, partition, refused, tree

ON_UFM_ONLY = [
    ({"adaptive_routing": True}, "adaptive_routing"),
    ({"sharp": True}, "sharp"),
    ({"enforce_cabling": "0123"}, "enforce_cabling"),
]


def test_a_subnet_that_opensm_can_manage_is_not_refused():
    assert refused(TENANTED) == []
    assert refused(tree()) == []


@pytest.mark.parametrize(("word", "place"), ON_UFM_ONLY)
def test_what_only_ufm_has_is_refused(word, place):
    [(code, at, _rule, hint)] = refused(tree(**word))

    assert (code, at) == ("FAB503", f"networks.compute.infiniband.{place}")
    assert "UFM" in hint


def test_xdr_is_refused_because_nobody_says_how_its_ports_look():
    [(code, _at, rule, hint)] = refused(tree(planarized=True, rate_mbps=800_000))

    assert (code, "inner ports" in rule, "NDR" in hint) == ("FAB504", True, True)


@pytest.mark.parametrize(
    ("layout", "engine"),
    [
        ("fat_tree", "dor"),
        ("fat_tree", "lash"),
        ("fat_tree", "torus-2qos"),
        ("dragonfly_plus", "dor"),
        ("dragonfly_plus", "lash"),
        ("dragonfly", "minhop"),
        ("dragonfly", "dor"),
        ("torus", "ftree"),
        ("torus", "updn"),
        ("torus", "minhop"),
        ("torus", "dor"),
        ("torus", "sssp"),
        ("fat_tree", "file"),
    ],
)
def test_an_engine_that_does_not_fit_the_layout_is_refused(layout, engine):
    found = refused(tree(layout=layout, engine=engine))

    assert ("FAB502", "networks.compute.infiniband.engine") in {(code, at) for code, at, _, _ in found}
    assert all(
        engine.replace("torus-2qos", "torus-2QoS") in rule or engine in rule for _, _, rule, _ in found
    )


@pytest.mark.parametrize(
    ("layout", "engine"),
    [("fat_tree", e) for e in ("ftree", "updn", "dnup", "minhop", "sssp", "nue", "dfsssp")]
    + [("dragonfly_plus", e) for e in ("ftree", "updn", "dnup", "minhop", "sssp", "nue", "dfsssp")]
    + [(layout, e) for layout in ("torus", "dragonfly") for e in ("lash", "nue", "dfsssp")],
)
def test_every_engine_that_was_seen_to_work_on_a_layout_is_let_through(layout, engine):
    assert refused(tree(layout=layout, engine=engine)) == []


@pytest.mark.parametrize("engine", ["ftree", "updn", "dnup"])
def test_an_engine_that_starts_at_roots_needs_some(engine):
    [(code, _at, rule, _hint)] = refused(tree(engine=engine, roots=()))

    assert (code, "roots" in rule) == ("FAB502", True)


def test_ftree_has_one_lid_for_each_port():
    """`ftree: cannot build lid matrices`, says OpenSM 3.3.23 with an LMC of 2; all other engines come up."""
    [(code, _at, rule, hint)] = refused(tree(lmc=2))

    assert (code, "LMC of 2 gives 4" in rule, "updn" in hint) == ("FAB502", True, True)
    assert refused(tree(lmc=2, engine="updn")) == []


def test_ftree_needs_two_leaves():
    """`Failed to find leaf switches - topology is not fat-tree`, says OpenSM 3.3.23 of a single one."""
    [(code, _at, rule, hint)] = refused(tree(leaves=1))

    assert (code, "on one leaf" in rule, "minhop" in hint) == ("FAB502", True, True)
    assert refused(tree(leaves=1, engine="minhop")) == []


def test_torus_2qos_needs_a_torus():
    torus = Torus((3, 3, 1), (TorusSeed((("xp_link", 1, 2),), ()),))

    assert [code for code, *_ in refused(tree(layout="torus", engine="torus-2qos"))] == ["FAB502"]
    assert refused(tree(layout="torus", engine="torus-2qos", torus=torus)) == []


@pytest.mark.parametrize("engine", ["lash", "nue", "dfsssp"])
def test_an_engine_that_gives_out_service_levels_leaves_none_for_classes(engine):
    [(code, _at, rule, _hint)] = refused(tree(layout="torus", engine=engine, lanes=(DEFAULT, STORAGE)))

    assert (code, "2 classes" in rule) == ("FAB502", True)


def test_a_rate_without_a_number_is_refused_with_those_that_have_one():
    subnet = msgspec.structs.replace(tree(), partitions=(partition("red", 1, (2,), rate_mbps=150_000),))

    [(code, at, rule, hint)] = refused(subnet)

    assert (code, at) == ("FAB501", "tenants.red.partition.rate_limit_gbps")
    assert "150 Gb/s" in rule
    assert hint.endswith("120, 168, 200, 300, 400")


def test_a_rate_that_a_member_does_not_have_is_refused():
    subnet = tree(speed=200_000, partitions=(partition("red", 1, (2,), rate_mbps=400_000),))

    [(code, _at, rule, hint)] = refused(subnet)

    assert code == "FAB501"
    assert "400 Gb/s" in rule
    assert hint == "at most 200"


def test_the_rate_of_the_slowest_port_must_have_a_number():
    [(code, _at, rule, _hint)] = refused(tree(speed=150_000))

    assert (code, "150 Gb/s" in rule) == ("FAB501", True)


def test_an_mtu_without_a_number_is_refused():
    [(code, at, _rule, hint)] = refused(tree(mtu_bytes=9000))

    assert (code, at, hint) == ("FAB501", "networks.compute.infiniband.mtu", "use 2048 or 4096")


@pytest.mark.parametrize(
    ("name", "fits"), [("x" * 64, True), ("x" * 65, False), ("ü" * 33, False), ('a"b', False)]
)
def test_a_node_is_called_by_64_bytes_of_ascii(name, fits):
    subnet = tree()
    renamed = msgspec.structs.replace(subnet.ends[3], name=name)
    subnet = msgspec.structs.replace(subnet, ends=(*subnet.ends[:3], renamed, *subnet.ends[4:]))

    assert [code for code, *_ in refused(subnet)] == ([] if fits else ["FAB500"])


@pytest.mark.parametrize(
    ("name", "fits"),
    [("x" * 31, True), ("x" * 32, False), ("default", False), ("0x1", False), ("a,b", False)],
)
def test_a_partition_is_called_by_31_characters(name, fits):
    found = refused(tree(partitions=(partition(name, 1, (2,)),)))

    assert [code for code, *_ in found] == ([] if fits else ["FAB500"])
    assert all(hint for *_, hint in found)


def test_a_class_without_level_0_is_no_mistake():
    assert refused(tree(lanes=(Lane("default", 2, 1, 64, 0),))) == []

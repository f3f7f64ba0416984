"""OpenSM's files, one sentence at a time."""

from __future__ import annotations

import msgspec
import pytest

from fabric.devices.subnet import Lane, Torus, TorusSeed
from fabric.platforms.base import split_parts
from fabric.platforms.opensm.names import FILES
from fabric.platforms.opensm.options import DEFAULTS, PLACES
from fabric.platforms.opensm.parse import parse
from tests.platforms.opensm.subnets import (
    DEFAULT,
    STORAGE,
    TENANTED,
    manager,
    node,
    printed,
    shifted,
    spine,
    tree,
)


def options(subnet, **more) -> dict[str, str]:
    return {o.name: o.value for o in parse(printed(manager(subnet, **more))).config.options}


def files(subnet) -> dict[str, str]:
    return split_parts(printed(manager(subnet)))


def test_a_plain_tree_says_only_what_differs():
    assert files(tree())["opensm.conf"] == (
        "guid 0x0000000000010000\n"
        "partition_config_file /etc/opensm/partitions.conf\n"
        "routing_engine ftree,no_fallback\n"
        "root_guid_file /etc/opensm/root-guids\n"
        "io_guid_file /etc/opensm/io-guids\n"
        "sm_priority 14\n"
        "honor_guid2lid_file TRUE\n"
        "max_wire_smps 32\n"
        "max_wire_smps2 32\n"
        "node_name_map_name /etc/opensm/node-name-map\n"
        "prefix_routes_file /etc/opensm/prefix-routes.conf\n"
    )


@pytest.mark.parametrize(
    "subnet",
    [tree(), TENANTED, tree(engine="nue"), shifted(tree(lmc=2, engine="updn")), tree(prefix=1)],
    ids=range(5),
)
def test_no_line_says_a_default(subnet):
    said = {name: value for name, value in options(subnet).items() if name not in PLACES}

    assert {name for name, value in said.items() if value == DEFAULTS[name]} == set()


def test_a_manager_of_priority_0_says_nothing_of_it():
    assert "sm_priority" not in options(tree(), priority=0)


@pytest.mark.parametrize("engine", ["ftree", "updn", "minhop", "nue", "dfsssp", "sssp", "dnup"])
def test_a_failed_engine_is_never_replaced_by_another(engine):
    assert options(tree(engine=engine))["routing_engine"] == f"{engine},no_fallback"


@pytest.mark.parametrize(
    ("engine", "roots"), [("ftree", True), ("updn", True), ("dnup", True), ("minhop", False)]
)
def test_roots_are_told_to_the_engines_that_start_at_them(engine, roots):
    subnet = tree(engine=engine)

    assert ("root_guid_file" in options(subnet)) is roots
    wanted = [f"{spine(i):#018x}" for i in range(2)] if roots else []
    assert files(subnet)["root-guids"].split() == wanted


def test_storage_is_counted_apart_by_ftree_and_by_no_other():
    assert files(tree())["io-guids"] == f"{node(5):#018x}\n"
    assert files(tree(engine="updn"))["io-guids"] == ""
    assert "io_guid_file" not in options(tree(engine="updn"))


def test_storage_is_not_counted_apart_where_hosts_are_on_one_leaf_only():
    """OpenSM 3.3.23 would find no leaves, and the subnet would stay down."""
    subnet = tree(hosts=2)

    assert (files(subnet)["io-guids"], "io_guid_file" in options(subnet)) == ("", False)


def test_a_tree_without_storage_counts_nobody_apart():
    subnet = tree()
    ends = tuple(msgspec.structs.replace(end, kind="compute") for end in subnet.ends)

    assert "io_guid_file" not in options(msgspec.structs.replace(subnet, ends=ends))


def test_without_tenants_everybody_is_a_full_member_and_nobody_is_named():
    [everybody] = parse(printed(manager(tree()))).config.partitions

    assert everybody.head == "Default=0x7fff, ipoib, rate=21, mtu=5, sl=0"
    assert everybody.members == ("ALL=full", "ALL_SWITCHES=full", "SELF=full")


def test_with_tenants_only_managers_and_switches_are_full_members_of_everybody():
    everybody = parse(printed(manager(TENANTED))).config.partitions[0]

    assert everybody.members == (
        "ALL=limited",
        "ALL_SWITCHES=full",
        "SELF=full",
        f"{node(0):#018x}=full",
        f"{node(1):#018x}=full",
    )


def test_a_tenant_with_its_key_group_and_members():
    assert (
        "files=0x2001, ipoib, rate=21, mtu=5, sl=3 :\n"
        "    0x0000000000010050=full,  # h-5 mlx5_0\n"
        "    0x0000000000010020=limited,  # h-2 mlx5_0\n"
        "    0x0000000000010040=limited;  # h-4 mlx5_0\n"
    ) in files(TENANTED)["partitions.conf"]


def test_a_class_with_a_lane_of_its_own():
    said = options(TENANTED)

    assert (said["qos"], said["max_op_vls"], said["qos_max_vls"]) == ("TRUE", "2", "2")
    assert said["qos_high_limit"] == "10"
    assert said["qos_vlarb_high"] == "0:0,1:16"
    assert said["qos_vlarb_low"] == "0:64,1:32"
    assert said["qos_sl2vl"] == "0,15,15,1,15,15,15,15,15,15,15,15,15,15,15,15"


def test_two_classes_on_one_lane_have_the_weight_of_the_heavier():
    said = options(tree(lanes=(DEFAULT, Lane("bulk", 1, 0, 200, 3))))

    assert (said["max_op_vls"], said["qos_vlarb_low"], said["qos_vlarb_high"]) == ("1", "0:200", "0:3")
    assert said["qos_sl2vl"].startswith("0,0,15")


@pytest.mark.parametrize(
    ("lane", "code", "count"), [(1, "2", "2"), (2, "3", "4"), (3, "3", "4"), (4, "4", "8"), (7, "4", "8")]
)
def test_as_many_lanes_as_a_port_can_count(lane, code, count):
    said = options(tree(lanes=(DEFAULT, Lane("other", 1, lane, 64, 0))))

    assert (said["max_op_vls"], said["qos_max_vls"]) == (code, count)


def test_a_default_class_that_is_not_level_0_carries_management_queries_too():
    said = options(tree(lanes=(Lane("default", 2, 0, 64, 0),)))

    assert (said["sm_sl"], said["qos_sl2vl"][:8]) == ("2", "15,15,0,")


def test_without_classes_there_is_no_quality_of_service():
    assert not {name for name in options(tree()) if name.startswith(("qos", "max_op"))}
    assert files(tree())["qos-policy.conf"] == ""


def test_path_records_of_a_tenant_and_of_its_storage_carry_its_class():
    config = parse(printed(manager(TENANTED))).config

    assert [(g.name, g.ports) for g in config.groups] == [("storage-files", (f"{node(5):#018x}",))]
    assert [(level.name, level.service_level) for level in config.levels] == [("DEFAULT", 0), ("storage", 3)]
    assert [(r.pkey or r.destination or r.source, r.level) for r in config.rules] == [
        ("0x1001", "DEFAULT"),
        ("0x1002", "DEFAULT"),
        ("0x2001", "storage"),
        ("storage-files", "storage"),
        ("storage-files", "storage"),
    ]


def test_no_section_of_the_policy_is_empty():
    """OpenSM drops the whole file for an empty section."""
    subnet = msgspec.structs.replace(tree(), lanes=(DEFAULT, STORAGE))

    assert "port-groups" not in files(subnet)["qos-policy.conf"]
    assert "qos-match-rules" not in files(subnet)["qos-policy.conf"]


@pytest.mark.parametrize("engine", ["lash", "nue", "dfsssp"])
def test_engines_that_spread_over_lanes_get_eight_alike_and_no_rule(engine):
    subnet = tree(engine=engine, layout="torus")
    said = options(subnet)

    assert (said["qos"], said["max_op_vls"], said["qos_max_vls"]) == ("TRUE", "4", "8")
    assert said["qos_sl2vl"].split(",")[:9] == [*"01234567", "15"]
    assert set(said["qos_vlarb_low"].split(",")) == {f"{lane}:64" for lane in range(8)}
    assert ("nue_max_num_vls" in said) is (engine == "nue")
    assert files(subnet)["qos-policy.conf"].split() == (
        ["qos-levels", "qos-level", "name:", "DEFAULT", "sl:", "0", "end-qos-level", "end-qos-levels"]
    )


def test_a_torus_is_told_by_its_seeds():
    seeds = (
        TorusSeed((("xp_link", 1, 2), ("xm_link", 1, 3)), (("x_dateline", 0),)),
        TorusSeed((("xp_link", 4, 5),), (("x_dateline", 2),)),
    )
    text = files(tree(engine="torus-2qos", layout="torus", torus=Torus((4, 3, 1), seeds, 17)))

    assert text["torus-2QoS.conf"] == (
        "torus 4 3 1\n"
        "portgroup_max_ports 17\n"
        "xp_link 0x0000000000000001 0x0000000000000002\n"
        "xm_link 0x0000000000000001 0x0000000000000003\n"
        "x_dateline 0\n"
        "next_seed\n"
        "xp_link 0x0000000000000004 0x0000000000000005\n"
        "x_dateline 2\n"
    )
    assert (
        "routing_engine torus-2QoS,no_fallback\ntorus_config /etc/opensm/torus-2QoS.conf"
        in text["opensm.conf"]
    )


def test_lids_are_ranges_of_hosts_and_single_ones_of_switches():
    subnet = shifted(tree(lmc=2, engine="updn"))
    lines = files(subnet)["guid2lid"].split("\n\n")

    assert lines[0] == "0x0000000000000100 0x0001 0x0001"
    assert lines[4] == "0x0000000000010000 0x0100 0x0103"


def test_another_prefix_is_said():
    assert options(tree(prefix=0xFEC0_0000_0000_0001))["subnet_prefix"] == "0xfec0000000000001"


def test_every_file_is_there_even_if_it_says_nothing():
    assert tuple(files(tree())) == FILES


def test_keys_stand_as_references():
    said = options(TENANTED)

    assert (said["m_key"], said["sa_key"]) == ("<secret:env:MKEY>", "<secret:env:SAKEY>")
    assert said["m_key_protection_level"] == "2"
    assert "m_key_lease_period" not in said

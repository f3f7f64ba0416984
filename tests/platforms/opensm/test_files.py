"""OpenSM's files, one sentence at a time."""

from __future__ import annotations

import pytest

from fabric.platforms.base import split_parts
from fabric.platforms.opensm.names import FILES
from fabric.platforms.opensm.options import DEFAULTS, PLACES
from fabric.platforms.opensm.read import parse
from tests.platforms.sites import Words
from tests.platforms.subnets import (
    DRAGONFLY,
    FTREE,
    KEYS,
    SINGLE,
    STORAGE,
    TENANTED,
    TORUS,
    guids,
    infiniband,
    known,
    manager,
    printed,
)

SPARSE: Words = {
    "site.yaml": {"hosts": {"h": {"last_unit": 0}}, "attachments": {"sm-2": {"to": {"unit": 0}}}}
}
"""Only the storage is on the second leaf."""
NO_FALLBACK = infiniband("{fallback: []}")


def told(*changes: Words, name: str = "sm-1") -> str:
    """The files of the small site with changes."""
    return printed(manager("opensm", *changes, name=name))


def options(*changes: Words, name: str = "sm-1") -> dict[str, str]:
    return {o.name: o.value for o in parse(told(*changes, name=name)).config.options}


def files(*changes: Words) -> dict[str, str]:
    return split_parts(told(*changes))


def guid(name: str, *changes: Words) -> str:
    """Of a port of a host, or of a switch, as OpenSM writes it."""
    return f"{guids(manager('opensm', *changes).subnet)[name]:#018x}"


def levels(text: str) -> Words:
    """Classes of traffic."""
    return infiniband(f"{{service_levels: {text}}}")


def engine(name: str) -> Words:
    return infiniband(f"{{engine: {name}}}")


def test_a_plain_tree_says_only_what_differs():
    assert files(FTREE, NO_FALLBACK)["opensm.conf"] == (
        f"guid {guid('sm-1')}\n"
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
    "change",
    [
        {},
        TENANTED,
        SINGLE,
        TORUS,
        DRAGONFLY,
        engine("nue"),
        infiniband("{lmc: 2}"),
        infiniband('{prefix: "0x0000000000000001"}'),
        infiniband('{keys: {management_key: "env:M", administration_key: "env:A", protection_level: 0}}'),
    ],
    ids=range(9),
)
def test_no_line_says_a_default(change):
    said = {name: value for name, value in options(change).items() if name not in PLACES}

    assert {name for name, value in said.items() if value == DEFAULTS[name]} == set()


def test_a_manager_of_priority_0_says_nothing_of_it():
    managers = infiniband("{managers: [{attachment: sm-1, priority: 0}, {attachment: sm-2, priority: 3}]}")

    assert "sm_priority" not in options(managers)
    assert options(managers, name="sm-2")["sm_priority"] == "3"


@pytest.mark.parametrize("name", ["ftree", "updn", "minhop", "nue", "dfsssp", "sssp", "dnup"])
def test_a_failed_engine_is_never_replaced_by_one_that_nobody_named(name):
    assert options(engine(name), NO_FALLBACK)["routing_engine"] == f"{name},no_fallback"


@pytest.mark.parametrize(
    ("name", "roots"), [("ftree", True), ("updn", True), ("dnup", True), ("minhop", False)]
)
def test_roots_are_told_to_the_engines_that_start_at_them(name, roots):
    change = engine(name), NO_FALLBACK

    assert ("root_guid_file" in options(*change)) is roots
    wanted = [guid(f"spine-{i}") for i in range(2)] if roots else []
    assert files(*change)["root-guids"].split() == wanted


def test_roots_are_told_where_the_engine_that_takes_over_starts_at_them():
    assert "root_guid_file" in options(engine("minhop"), infiniband("{fallback: [updn]}"))


def test_storage_is_counted_apart_by_ftree_and_by_no_other():
    assert files(FTREE)["io-guids"] == f"{guid('nas')}\n"
    assert files(engine("updn"))["io-guids"] == ""
    assert "io_guid_file" not in options(engine("updn"))


def test_storage_is_not_counted_apart_where_all_else_is_on_one_leaf():
    """OpenSM 3.3.23 would find no leaves, and the subnet would stay down."""
    alone = SPARSE, FTREE

    assert (files(*alone)["io-guids"], "io_guid_file" in options(*alone)) == ("", False)


def test_a_tree_without_storage_counts_nobody_apart():
    assert "io_guid_file" not in options(FTREE, {"site.yaml": {"attachments": {"nas": None}}})


def test_without_tenants_everybody_is_a_full_member_and_nobody_is_named():
    [everybody] = parse(told()).config.partitions

    assert everybody.head == "Default=0x7fff, ipoib, rate=21, mtu=5, sl=0"
    assert everybody.members == ("ALL=full", "ALL_SWITCHES=full", "SELF=full")


def test_with_tenants_only_managers_and_switches_are_full_members_of_everybody():
    everybody = parse(told(TENANTED)).config.partitions[0]

    assert everybody.members == (
        "ALL=limited",
        "ALL_SWITCHES=full",
        "SELF=full",
        f"{guid('sm-1')}=full",
        f"{guid('sm-2')}=full",
    )


def test_a_tenant_with_its_key_group_and_members():
    assert (
        "files=0x2001, ipoib, rate=21, mtu=5, sl=3 :\n"
        f"    {guid('nas')}=full,  # nas mlx5_0\n"
        f"    {guid('h-0-1')}=limited,  # h-0-1 mlx5_0\n"
        f"    {guid('h-0-2')}=limited;  # h-0-2 mlx5_0\n"
    ) in files(TENANTED)["partitions.conf"]


def test_a_class_with_a_lane_of_its_own():
    said = options(TENANTED)

    assert (said["qos"], said["max_op_vls"], said["qos_max_vls"]) == ("TRUE", "2", "2")
    assert said["qos_high_limit"] == "10"
    assert said["qos_vlarb_high"] == "0:0,1:16"
    assert said["qos_vlarb_low"] == "0:64,1:32"
    assert said["qos_sl2vl"] == "0,15,15,1,15,15,15,15,15,15,15,15,15,15,15,15"


def test_two_classes_on_one_lane_have_its_weights():
    both = "weight: 200, high_weight: 3"
    said = options(
        levels(
            f"{{default: {{service_level: 0, virtual_lane: 0, {both}}}, "
            f"bulk: {{service_level: 1, virtual_lane: 0, {both}}}}}"
        )
    )

    assert (said["max_op_vls"], said["qos_vlarb_low"], said["qos_vlarb_high"]) == ("1", "0:200", "0:3")
    assert said["qos_sl2vl"].startswith("0,0,15")


@pytest.mark.parametrize(
    ("lane", "code", "count"), [(1, "2", "2"), (2, "3", "4"), (3, "3", "4"), (4, "4", "8"), (7, "4", "8")]
)
def test_as_many_lanes_as_a_port_can_count(lane, code, count):
    said = options(
        levels(
            "{default: {service_level: 0, virtual_lane: 0}, "
            f"other: {{service_level: 1, virtual_lane: {lane}}}}}"
        )
    )

    assert (said["max_op_vls"], said["qos_max_vls"]) == (code, count)


def test_a_default_class_that_is_not_level_0_carries_management_queries_too():
    said = options(levels("{default: {service_level: 2, virtual_lane: 0}}"))

    assert (said["sm_sl"], said["qos_sl2vl"][:8]) == ("2", "15,15,0,")


def test_without_classes_there_is_no_quality_of_service():
    assert not {name for name in options() if name.startswith(("qos", "max_op"))}
    assert files()["qos-policy.conf"] == ""


def test_path_records_of_a_tenant_and_of_its_storage_carry_its_class():
    config = parse(told(TENANTED)).config

    assert [(g.name, g.ports) for g in config.groups] == [("storage-files", (guid("nas"),))]
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
    policy = files(STORAGE)["qos-policy.conf"]

    assert "port-groups" not in policy
    assert "qos-match-rules" not in policy


@pytest.mark.parametrize(("shape", "name"), [(TORUS, "lash"), (TORUS, "nue"), (DRAGONFLY, "dfsssp")])
def test_engines_that_spread_over_lanes_get_eight_alike_and_no_rule(shape, name):
    change = shape, engine(name), NO_FALLBACK
    said = options(*change)

    assert (said["qos"], said["max_op_vls"], said["qos_max_vls"]) == ("TRUE", "4", "8")
    assert said["qos_sl2vl"].split(",")[:9] == [*"01234567", "15"]
    assert set(said["qos_vlarb_low"].split(",")) == {f"{lane}:64" for lane in range(8)}
    assert ("nue_max_num_vls" in said) is (name == "nue")
    assert files(*change)["qos-policy.conf"].split() == (
        ["qos-levels", "qos-level", "name:", "DEFAULT", "sl:", "0", "end-qos-level", "end-qos-levels"]
    )


def test_a_torus_is_told_by_its_seeds():
    switches = guids(manager("opensm", TORUS).subnet)
    origin, right, above, middle = (f"{switches[f'leaf-{i}']:#018x}" for i in (0, 3, 1, 4))
    text = files(TORUS)

    assert text["torus-2QoS.conf"].startswith(
        f"torus 3 3 1\nxp_link {origin} {right}\nyp_link {origin} {above}\nx_dateline 0\ny_dateline 0\nnext_seed\n"
    )
    assert text["torus-2QoS.conf"].partition("next_seed")[2].startswith(f"\nxp_link {middle} ")
    assert "routing_engine torus-2QoS,nue,no_fallback\ntorus_config /etc/opensm/torus-2QoS.conf" in text[
        "opensm.conf"
    ].replace("nue_max_num_vls 8\n", "")


def test_lids_are_ranges_of_hosts_and_single_ones_of_switches():
    lines = files(known(), infiniband("{lmc: 2}"))["guid2lid"].split("\n\n")

    assert lines[0] == f"{guid('leaf-0', known())} 0x0001 0x0001"
    assert lines[4] == f"{guid('h-0-0', known())} 0x0008 0x000b"


def test_another_prefix_is_said():
    assert options(infiniband('{prefix: "0xfec0000000000001"}'))["subnet_prefix"] == "0xfec0000000000001"


def test_every_file_is_there_even_if_it_says_nothing():
    assert tuple(files()) == FILES


def test_keys_stand_as_references():
    said = options(KEYS)

    assert (said["m_key"], said["sa_key"]) == ("<secret:env:MKEY>", "<secret:env:SAKEY>")
    assert said["m_key_protection_level"] == "2"
    assert "m_key_lease_period" not in said

"""What the catalogue's facts make of a switch: sku, lanes, names, breakouts, pools."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from fabric.diagnostics import Report
from fabric.hardware import PortSlot
from fabric.hardware.catalogue import load_catalogue
from fabric.platforms.base import split_parts
from fabric.platforms.sonic import PLATFORM
from fabric.platforms.sonic.names import breakout_mode, facts, sheet
from fabric.platforms.sonic.skus import sku, told
from tests.platforms.eos import cases as generic
from tests.platforms.eos import devices as make
from tests.platforms.sonic.devices import CASES, SPECTRUM, TH5, on, printed


def config_db(device):
    """The tables of a switch."""
    return json.loads(split_parts(printed(device))["config_db.json"])


def codes_of(device):
    """The codes of all findings."""
    report = Report()
    PLATFORM.lower(device, report)
    return {found.code for found in report}


MODELS = sorted(name for name, model in load_catalogue().switches.items() if facts(model))


@pytest.mark.parametrize("name", MODELS)
def test_every_model_of_the_catalogue_has_the_facts_that_a_port_needs(name):
    hardware = load_catalogue().switches[name]
    fabric = [group for group in hardware.cages if group.role == "fabric"]

    assert facts(hardware)["platform"]
    assert fabric
    for group in fabric:
        lanes = sheet(hardware).row(make.slot(1, speed_mbps=int(group.max_mbps)))
        assert lanes is None or lanes["speed"] == str(int(group.max_mbps))


def quarters():
    """A leaf whose cages are split in four."""
    ports = tuple(
        make.host_port(2 * cage, slot=make.slot(cage + 1, part, 4, 200_000), name=f"p{cage}-{part}")
        for cage in range(3)
        for part in range(4)
    )
    return make.change(make.leaf(0, 0), ports=ports, queueing=make.queueing(make.HOST_PROFILE))


@pytest.mark.parametrize(
    ("device", "model", "expected"),
    [
        (make.leaf(128, 0), TH5, "Arista-7060X6-64PE-O128S2"),  # every cage 2x400G, with lossless pools
        (make.leaf(128, 0), SPECTRUM, "Mellanox-SN5600-O128"),
        (quarters(), TH5, "Arista-7060X6-64PE-256x200G"),  # with pools and a table of headroom
        (make.leaf(2, 1), TH5, "Arista-7060X6-64PE"),  # no sku has this mixture: split at run time
        (make.leaf(0, 3), TH5, "Arista-7060X6-64PE"),  # the default has it
    ],
)
def test_the_sku_is_the_one_with_the_very_ports(device, model, expected):
    device = on(device, model)

    assert expected == sku(device)
    assert expected == config_db(device)["DEVICE_METADATA"]["localhost"]["hwsku"]


def test_ports_that_lie_in_one_cage_share_its_lanes_and_index():
    ports = config_db(on(make.leaf(2, 0)))["PORT"]

    assert ("17,18,19,20", "1", "etp1a", "1") == tuple(
        ports["Ethernet0"][k] for k in ("lanes", "index", "alias", "subport")
    )
    assert ("21,22,23,24", "1", "etp1b", "2") == tuple(
        ports["Ethernet4"][k] for k in ("lanes", "index", "alias", "subport")
    )


def test_no_lane_is_given_to_two_ports():
    for case in CASES.values():
        given = [lane for port in config_db(case())["PORT"].values() for lane in port["lanes"].split(",")]

        assert len(set(given)) == len(given)


@pytest.mark.parametrize("model", [TH5, SPECTRUM])
def test_every_queue_and_priority_group_has_a_profile_of_a_pool_that_is_there(model):
    tables = config_db(on(make.leaf(), model))

    for table in ("BUFFER_PG", "BUFFER_QUEUE"):
        used = {row["profile"] for row in tables[table].values()} - {"NULL"}
        assert used <= tables["BUFFER_PROFILE"].keys()
    assert {row["pool"] for row in tables["BUFFER_PROFILE"].values()} <= tables["BUFFER_POOL"].keys()


def test_a_lossless_queue_is_in_the_lossless_profile_and_no_other_is():
    tables = config_db(on(make.leaf(1, 0)))

    assert {
        "Ethernet0|0-2": "egress_lossy_profile",
        "Ethernet0|3": "egress_lossless_profile",
        "Ethernet0|4-7": "egress_lossy_profile",
    } == {key: row["profile"] for key, row in tables["BUFFER_QUEUE"].items()}


def test_a_lossy_policy_has_the_pools_of_its_sku_and_borrows_none():
    own, borrowed = on(generic.lossy(), SPECTRUM), on(generic.lossy(), TH5)

    assert "BUFFER_POOL" in config_db(own)
    assert not any(row["profile"] == "NULL" for row in config_db(own)["BUFFER_PG"].values())
    assert "BUFFER_POOL" not in config_db(borrowed)
    assert "FAB534" not in codes_of(borrowed)


def test_pools_of_another_sku_are_told():
    device = on(make.leaf(2, 1), TH5)

    assert "pools" not in told(device.hardware)[sku(device)]
    assert {"FAB534", "FAB533"} <= codes_of(device)


def test_the_notification_class_shares_nothing_with_a_paused_one():
    """BGP and CNPs have DSCP 48: lossy, in priority group 0, in a strict queue."""
    tables = config_db(CASES["leaf"]())
    number = tables["DSCP_TO_TC_MAP"]["AZURE"]["48"]

    assert "0" == tables["TC_TO_PRIORITY_GROUP_MAP"]["AZURE"][number]
    queue = tables["TC_TO_QUEUE_MAP"]["AZURE"][number]
    assert "STRICT" == tables["SCHEDULER"][tables["QUEUE"][f"Ethernet0|{queue}"]["scheduler"]]["type"]
    assert queue not in tables["MAP_PFC_PRIORITY_TO_QUEUE"]["AZURE"].values()


def test_a_mode_may_say_of_how_many_lanes():
    """`2x400G(8)` of platform.json is a whole cage; `1x100G(4)` is half of one, and no mode of a whole one."""
    known = {"breakout_modes": [{"cages": "1-64", "modes": ["1x100G(4)", "2x400G(8)"]}]}
    half = PortSlot(
        slot=0, cage=1, sub_port=0, sub_ports=2, first_lane=0, lanes=4, cage_lanes=8, speed_mbps=400_000
    )

    assert "2x400G(8)" == breakout_mode(half, known)
    assert breakout_mode(replace(half, sub_ports=1, lanes=8, speed_mbps=100_000), known) is None
    assert "1x100G(4)" == breakout_mode(replace(half, sub_ports=1, lanes=4, speed_mbps=100_000), known)

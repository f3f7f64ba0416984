"""What the catalogue's facts make of a switch: sku, lanes, names, breakouts, pools."""

from __future__ import annotations

import json

import pytest

from fabric.diagnostics import Report
from fabric.hardware.catalogue import load_catalogue
from fabric.platforms.base import split_parts
from fabric.platforms.sonic import PLATFORM
from fabric.platforms.sonic.names import breakout_mode, facts, sheet
from fabric.platforms.sonic.skus import sku, told
from tests.platforms.cases import LOSSY, Case, case, of
from tests.platforms.sites import leaf, own_model, printed, site
from tests.platforms.sonic.devices import CASES, EVERY_CAGE_SPLIT, HOSTS_ONLY, SPECTRUM, TH5


def config_db(device):
    """The tables of a switch."""
    return json.loads(split_parts(printed(device))["config_db.json"])


def codes_of(device):
    """The codes of all findings."""
    report = Report()
    PLATFORM.lower(device, report)
    return {found.code for found in report}


MODELS = sorted(name for name, model in load_catalogue().switches.items() if facts(model))


def lone(speed):
    """Leaves alone, whose hosts have ports of that speed."""
    return (HOSTS_ONLY, site(f"units: 1\nhosts: {{gpu: {{nics: {{compute: {{speed: {speed}}}}}}}}}"))


@pytest.mark.parametrize("name", MODELS)
def test_every_model_of_the_catalogue_has_the_facts_that_a_port_needs(name):
    hardware = load_catalogue().switches[name]
    fabric = [group for group in hardware.cages if group.role == "fabric"]

    assert facts(hardware)["platform"]
    assert fabric
    for speed in {int(mode.partition("x")[2].removesuffix("G")) for one in fabric for mode in one.breakouts}:
        for port in leaf("sonic", *lone(f"{speed}G"), model=name).ports:
            lanes = sheet(hardware).row(port.slot) if port.slot.sub_ports == 1 else None
            assert lanes is None or lanes["speed"] == str(speed * 1000)


@pytest.mark.parametrize(
    ("intent", "expected"),
    [
        (case(*EVERY_CAGE_SPLIT), "Arista-7060X6-64PE-O128S2"),  # every cage 2x400G, with lossless pools
        (case(*EVERY_CAGE_SPLIT, model=SPECTRUM), "Mellanox-SN5600-O128"),
        (case(*lone("200G")), "Arista-7060X6-64PE-256x200G"),  # with pools and a table of headroom
        (case(), "Arista-7060X6-64PE"),  # no sku has this mixture: split at run time
        (case(device="spine-0"), "Arista-7060X6-64PE"),  # the default has it
    ],
)
def test_the_sku_is_the_one_with_the_very_ports(intent: Case, expected):
    device = of("sonic", intent)

    assert expected == sku(device)
    assert expected == config_db(device)["DEVICE_METADATA"]["localhost"]["hwsku"]


def test_ports_that_lie_in_one_cage_share_its_lanes_and_index():
    ports = config_db(CASES["leaf"]())["PORT"]

    assert ("17,18,19,20", "1", "etp1a", "1") == tuple(
        ports["Ethernet0"][k] for k in ("lanes", "index", "alias", "subport")
    )
    assert ("21,22,23,24", "1", "etp1b", "2") == tuple(
        ports["Ethernet4"][k] for k in ("lanes", "index", "alias", "subport")
    )


def test_no_lane_is_given_to_two_ports():
    for make in CASES.values():
        given = [lane for port in config_db(make())["PORT"].values() for lane in port["lanes"].split(",")]

        assert len(set(given)) == len(given)


@pytest.mark.parametrize("model", [TH5, SPECTRUM])
def test_every_queue_and_priority_group_has_a_profile_of_a_pool_that_is_there(model):
    tables = config_db(leaf("sonic", model=model))

    for table in ("BUFFER_PG", "BUFFER_QUEUE"):
        used = {row["profile"] for row in tables[table].values()} - {"NULL"}
        assert used <= tables["BUFFER_PROFILE"].keys()
    assert {row["pool"] for row in tables["BUFFER_PROFILE"].values()} <= tables["BUFFER_POOL"].keys()


def test_a_lossless_queue_is_in_the_lossless_profile_and_no_other_is():
    tables = config_db(CASES["leaf"]())

    assert {
        "Ethernet0|0-2": "egress_lossy_profile",
        "Ethernet0|3": "egress_lossless_profile",
        "Ethernet0|4-7": "egress_lossy_profile",
    } == {key: row["profile"] for key, row in tables["BUFFER_QUEUE"].items() if key.startswith("Ethernet0|")}


def test_a_lossy_policy_has_the_pools_of_its_sku_and_borrows_none():
    own, borrowed = (leaf("sonic", *LOSSY, model=model) for model in (SPECTRUM, TH5))

    assert "BUFFER_POOL" in config_db(own)
    assert not any(row["profile"] == "NULL" for row in config_db(own)["BUFFER_PG"].values())
    assert "BUFFER_POOL" not in config_db(borrowed)
    assert "FAB534" not in codes_of(borrowed)


def test_pools_of_another_sku_are_told():
    device = CASES["leaf"]()

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
    """`2x400G(8)` of platform.json is a whole cage; `1x100G(4)` is a cage of four lanes, no mode of eight."""
    known = {"breakout_modes": [{"cages": "1-64", "modes": ["1x100G(4)", "2x400G(8)"]}]}
    [cages, *_] = load_catalogue().switches[TH5].cages
    assert cages.lanes == 8
    four = {"lanes": 4, "lane_speed": "25G", "max_speed": "100G", "breakouts": ["1x100G"]}
    row = {"cages": "1-64", "form": "QSFP28", "source": "test", **four}
    small = own_model(TH5, bandwidth="6400G", limits=[], cages=[row])
    hundred = leaf("sonic", *lone("100G"), small, model="mine").ports[0].slot
    half, whole = CASES["leaf"]().ports[0].slot, CASES["spine"]().ports[0].slot

    assert "2x400G(8)" == breakout_mode(half, known)
    assert breakout_mode(whole, known) is None
    assert (4, "1x100G(4)") == (hundred.lanes, breakout_mode(hundred, known))

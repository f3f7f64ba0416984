"""The shipped catalogue: complete, sourced, and read only as far as somebody asks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fabric.diagnostics import Origin, Report
from fabric.hardware import SwitchModel, cage_numbers, load_catalogue, parse_mode
from fabric.hardware.catalogue import HERE, Folder, family
from fabric.hardware.check_model import check_model

CATALOGUE = load_catalogue()
SWITCHES = sorted(CATALOGUE.switches)
PORTS = re.compile(r"(\d+)@(\d+)G/(\d+)l")


def hwskus() -> Iterator[tuple[SwitchModel, str, dict[str, Any]]]:
    """Every vendor's port layout that the catalogue holds."""
    for model in CATALOGUE.switches.values():
        for software in model.software:
            for name, sku in software.facts.get("hwskus", {}).items():
                yield model, name, sku


def lanes(model: SwitchModel) -> list[int]:
    """ASIC lanes of all fabric cages, as the catalogue tells them."""
    for software in model.software:
        told = software.facts.get("lanes", {})
        width = model.cages[0].lanes
        if "first_lane_by_cage" in told:
            return [first + i for first in told["first_lane_by_cage"] for i in range(width)]
        if "lanes_by_cage" in told:
            return [int(lane) for cage in told["lanes_by_cage"] for lane in cage.split(",")]
    return []


def test_it_holds_the_published_models():
    technologies = Counter(model.technology for model in CATALOGUE.switches.values())

    assert {"ethernet": 36, "infiniband": 3} == technologies
    assert {"dgx-h100", "dgx-h200", "dgx-h100-h200", "dgx-b300", "gb200-compute-tray"} < set(CATALOGUE.hosts)


@pytest.mark.parametrize("name", SWITCHES)
def test_a_model_is_named_as_its_file_and_agrees_with_itself(name):
    report = Report()

    model = CATALOGUE.switches[name]
    check_model(model, Origin((), name), report)

    assert name == model.id
    assert [] == [finding.rule for finding in report]


@pytest.mark.parametrize("asic", sorted({table.asic for table in CATALOGUE.tables.values()}))
def test_the_tables_of_an_asic_are_found_without_decoding_those_of_others(asic):
    tables = [t for t in CATALOGUE.tables.values() if t.asic == asic and not t.is_reported]

    assert tuple({table.sku: table.rows for table in tables}.values()) == family(asic)


@pytest.mark.parametrize("name", SWITCHES)
def test_every_number_has_a_source(name):
    assert [] == without_source(CATALOGUE.switches[name])


def without_source(model):
    """Parts of a model that do not say where their numbers come from."""
    sourced = [model, *model.cages, *model.limits, *model.software, *filter(None, [model.buffer])]
    return [part for part in sourced if not part.source.strip()]


def test_a_number_without_a_source_would_be_found():
    model = CATALOGUE.switches["arista-7060x6-64pe"]
    bare = msgspec.structs.replace(model, cages=(msgspec.structs.replace(model.cages[0], source=" "),))

    assert bare.cages == tuple(without_source(bare))


def test_every_host_is_named_as_its_file_or_by_an_alias():
    assert {
        name: "dgx-h100-h200" if name in {"dgx-h100", "dgx-h200"} else name for name in CATALOGUE.hosts
    } == {name: host.id for name, host in CATALOGUE.hosts.items()}


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_can_use_its_fabric_cages_at_full_speed_or_says_why_not(name):
    model = CATALOGUE.switches[name]
    slow = {"arista-7280r4-32qf-32df", "nvidia-sn5640", "nvidia-sn6810-ld"}

    for group in model.cages:
        fastest = max(parse_mode(mode).total_mbps for mode in group.breakouts)
        assert fastest == group.max_mbps or name in slow


def test_no_hwsku_exceeds_the_bandwidth():
    known = [one for one in hwskus() if one[0].bandwidth_mbps is not None and "ports" in one[2]]

    assert [] == beyond_bandwidth(hwskus())
    halved = [(msgspec.structs.replace(m, bandwidth_mbps=m.bandwidth_mbps // 2), n, s) for m, n, s in known]
    assert beyond_bandwidth(halved)  # the control


def beyond_bandwidth(skus):
    """Models and SKUs whose ports are faster together than the box."""
    beyond = []
    for model, name, sku in skus:
        fabric = sum(
            int(count) * int(speed)
            for count, speed, _ in PORTS.findall(sku.get("ports", ""))
            if (int(speed), int(count)) not in SERVICE
        )
        if model.bandwidth_mbps is not None and fabric * 1000 > model.bandwidth_mbps:
            beyond.append((model.id, name, fabric))
    return beyond


SERVICE = {(10, 1), (10, 2), (25, 1), (25, 2), (100, 1), (100, 2), (800, 1)}
"""Speed and count of service ports in the layouts; one card of 7280R4 lists a recycle port as 800G."""


def test_the_modes_of_a_hwsku_give_its_ports():
    counted = [one for one in hwskus() if "cage_index_modes" in one[2]]

    assert counted
    assert [] == miscounted(counted)
    more = [(m, n, {**sku, "logical_ports": sku["logical_ports"] + 1}) for m, n, sku in counted]
    assert len(counted) == len(miscounted(more))  # the control


def miscounted(skus):
    """SKUs whose modes give another number of ports than they say."""
    wrong = []
    for model, name, sku in skus:
        if "cage_index_modes" not in sku:
            continue
        by_mode = sum(
            parse_mode(part).ports * _size(cages)
            for mode, cages in sku["cage_index_modes"].items()
            for part in mode.split(" + ")
        )
        if by_mode != sku["logical_ports"]:
            wrong.append((model.id, name, by_mode, sku["logical_ports"]))
    return wrong


def _size(text: str) -> int:
    size = 0
    for part in str(text).split(","):
        spread, _, step = part.partition("/")
        numbers = cage_numbers(spread)
        size += len(numbers[:: int(step or 1)])
    return size


@pytest.mark.parametrize("name", SWITCHES)
def test_no_asic_lane_is_used_twice(name):
    counted = Counter(lanes(CATALOGUE.switches[name]))

    assert [] == [lane for lane, count in counted.items() if count > 1]


def test_both_hpn_profiles_fill_the_cages_of_the_generic_switch():
    model = CATALOGUE.switches["generic-51-2t-hpn"]
    (group,) = model.cages
    four, two = parse_mode("4x200G"), parse_mode("2x400G")

    assert 136 // four.ports + 60 // two.ports == len(cage_numbers(group.cages)) == 64
    assert 136 * four.speed_mbps + 60 * two.speed_mbps == model.bandwidth_mbps == 128 * two.speed_mbps
    assert {"4x200G", "2x400G"} <= set(group.breakouts)


def test_a_chassis_names_its_cages_by_slot_from_three():
    model = CATALOGUE.switches["arista-7816r4"]
    numbers = [number for group in model.cages for number in cage_numbers(group.cages)]

    assert 16 * 36 == len(numbers)
    assert [(3, 1), (18, 36)] == [min(numbers), max(numbers)]


@pytest.mark.parametrize(
    ("model", "queues"),
    [
        ("arista-7060x6-64pe", "uc-tx-queue"),
        ("arista-7280r4-32qf-32df", "tx-queue"),
        ("arista-7804r4", "tx-queue"),
    ],
)
def test_queues_are_named_by_the_family_of_the_asic(model, queues):
    by_name = {software.name: software for software in CATALOGUE.switches[model].software}

    assert queues == by_name["eos"].queue_model


def test_every_headroom_table_that_a_model_names_exists():
    named = {sku for model in CATALOGUE.switches.values() for sku in model.headroom_tables}

    assert named
    assert set() == named - set(CATALOGUE.headroom)


def test_the_headroom_tables_hold_every_published_row():
    tables = {table.sku: table for table in CATALOGUE.tables.values()}

    assert 35 == len(tables)
    assert 658 + 15 + 18 + 5 == sum(len(table.rows) for table in tables.values())


def test_sizes_of_tomahawk_tables_are_whole_cells():
    for table in CATALOGUE.tables.values():
        asic = CATALOGUE.asics.get(table.asic)
        if asic is None or "Tomahawk" not in table.asic or "7060X6-64PE-B" in table.sku:
            continue
        assert {0} == {row.headroom_bytes % asic.cell_bytes for row in table.rows}, table.sku


def test_several_tables_of_a_model_are_read_as_one_that_holds_for_all():
    model = CATALOGUE.switches["nvidia-sn5600"]
    rows = {(row.speed_mbps, row.cable_m): row.headroom_bytes for row in CATALOGUE.published_rows(model)}

    assert 283_648 == rows[400_000, 40]
    assert 677_888 == rows[400_000, 250] == rows[400_000, 300], "250 m stands in a smaller table only"
    assert 610_304 == rows[400_000, 1000], "no other table is as long"
    assert sorted(rows) == list(rows)


def test_a_folder_decodes_only_what_is_asked_for():
    decoded = []
    folder = Folder(HERE / "models", lambda value: decoded.append(value["id"]))

    assert "qm9700" in folder
    assert len(folder) == len(CATALOGUE.switches)
    assert [] == decoded

    folder["qm9700"]
    folder["qm9700"]

    assert ["qm9700"] == decoded


def test_an_unknown_model_is_a_key_error():
    with pytest.raises(KeyError):
        CATALOGUE.switches["arista-7060x6-64pf"]

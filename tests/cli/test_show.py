"""What `fabric show` lists, for people and for machines."""

from __future__ import annotations

import csv
import io
import json

import pytest

BY_DEVICE = ("devices", "links", "cables", "addresses", "asn", "bom", "qos")
LISTS = ("topology", "devices", "links", "cables", "addresses", "asn", "qos", "bom", "sizing")


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("what", LISTS)
def test_json_and_csv_hold_the_same_rows(fabric, what):
    document = json.loads(fabric("show", what, "--format", "json").out)
    tables = [value for value in document.values() if isinstance(value, list)]

    text = fabric("show", what, "--format", "csv").out

    assert document["format_version"] == "1.0"
    assert sum(map(len, tables)) == sum(len(rows(part)) for part in text.split("\n\n"))


def test_every_switch_is_listed_with_its_numbers(fabric):
    listed = {row["device"]: row for row in rows(fabric("show", "devices", "--format", "csv").out)}

    assert set(listed) == {"leaf-0-0", "leaf-0-1", "leaf-0-2", "leaf-0-3", "spine-0", "spine-1"}
    assert listed["leaf-0-0"]["management"] == "192.0.2.10/24"
    assert listed["leaf-0-0"]["rack"] == "A1"
    assert listed["leaf-0-3"]["rail"] == "3"
    assert len({row["asn"] for row in listed.values()}) == 6


def test_a_technician_finds_both_ends_of_every_cable(fabric):
    cables = rows(fabric("show", "cables", "--format", "csv").out)
    first = cables[0]

    assert len(cables) == 16 + 16
    assert (first["from_device"], first["from_rack"], first["from_rack_unit"]) == ("gpu-0-0", "A2", "10")
    assert (first["to_device"], first["to_rack"], first["to_rack_unit"]) == ("leaf-0-0", "A1", "40")
    assert first["label"] == f"gpu-0-0:nic0 > leaf-0-0:{first['to_ports']}"
    assert (first["length_m"], first["type"]) == ("5", "mmf")


def test_no_plug_is_in_two_cables(fabric):
    cables = rows(fabric("show", "cables", "--format", "csv").out)
    plugs = [(c["from_device"], c["from_ports"]) for c in cables] + [
        (c["to_device"], c["to_ports"]) for c in cables
    ]

    assert len(plugs) == len(set(plugs))


def test_links_in_one_cable_are_one_row(fabric, site):
    text = (site / "site.yaml").read_text()
    (site / "site.yaml").write_text(text + "    cables:\n      leaf_spine: {length: 30m, links: 2}\n")

    cables = rows(fabric("show", "cables", "--format", "csv").out)
    upper = [c for c in cables if c["to_device"].startswith("spine")]

    assert {c["links"] for c in upper} == {"2"}
    assert len(upper) == 8
    assert all(len(c["from_ports"].split()) == 2 for c in upper)
    assert len({c["cable"] for c in cables}) == 16 + 8


def test_both_ends_of_a_link_are_in_one_subnet(fabric):
    links = [row for row in rows(fabric("show", "links", "--format", "csv").out) if row["addresses"]]

    ends = [
        (
            int(row["addresses"].split("/")[0].split(".")[-1]),
            int(row["peer_addresses"].split("/")[0].split(".")[-1]),
        )
        for row in links
    ]
    assert len(links) == 32
    assert all(low // 2 == high // 2 for low, high in ends)


def test_a_device_narrows_the_list(fabric):
    assert {
        row["device"]
        for row in rows(fabric("show", "addresses", "--device", "spine-1", "--format", "csv").out)
    } == {"spine-1"}


@pytest.mark.parametrize(
    ("option", "value", "nearest"), [("--device", "leaf-0-9", "leaf-0-"), ("--network", "compte", "compute")]
)
def test_a_name_that_is_not_there_gets_the_nearest(fabric, option, value, nearest):
    ran = fabric("show", "devices", option, value)

    assert ran.code == 1
    assert f"did you mean '{nearest}" in ran.err


def test_switches_cables_and_hosts_are_counted(fabric):
    bom = {
        (row["kind"], row["for"]): row["count"] for row in rows(fabric("show", "bom", "--format", "csv").out)
    }

    assert bom == {
        ("switch", "leaf"): "4",
        ("switch", "spine"): "2",
        ("cable", "host to leaf"): "16",
        ("cable", "leaf to spine"): "16",
        ("transceiver", "host"): "16",
        ("transceiver", "leaf"): "16",
        ("transceiver", "spine"): "8",
        ("host", "gpu"): "4",
    }


def test_every_list_ends_with_its_count(fabric):
    assert fabric("show", "devices").err.startswith("6 devices (")
    assert fabric("show", "cables").err.startswith("32 cable runs (")


def test_a_pipe_gets_every_column_and_no_color(fabric):
    lines = fabric("show", "devices").out.splitlines()

    assert lines[0].split() == [
        "DEVICE", "NETWORK", "ROLE", "POD", "UNIT", "RAIL", "PLANE", "MODEL", "PLATFORM", "ASN", "LOOPBACK",
        "LOOPBACK6", "MANAGEMENT", "RACK", "AT", "SERIAL", "DRAINED",
    ]  # fmt: skip
    assert "\x1b" not in "".join(lines)
    assert len(lines) == 7


def test_what_is_drained_says_how(fabric, site):
    (site / "state.yaml").write_text(
        "drained:\n"
        '  - {device: spine-0, mode: graceful, reason: optics, owner: ops, expires: "2099-01-01"}\n'
        '  - {device: leaf-0-0, mode: shut, reason: optics, owner: ops, expires: "2099-01-01"}\n'
    )

    drained = {
        row["device"]: row["drained"] for row in rows(fabric("show", "devices", "--format", "csv").out)
    }

    assert {name: mode for name, mode in drained.items() if mode} == {
        "spine-0": "graceful",
        "leaf-0-0": "shut",
    }


def test_a_tier_has_the_name_that_people_call_it_by(fabric, site):
    text = (site / "site.yaml").read_text()
    (site / "site.yaml").write_text(text.replace("spine: {", "spine: {role_name: agg, ", 1))

    tiers = json.loads(fabric("show", "topology", "--format", "json").out)["tiers"]

    assert [("leaf", None), ("spine", "agg")] == [(row["tier"], row["called"]) for row in tiers][:2]


def test_the_picture_is_written(fabric, site):
    ran = fabric("show", "topology", "--svg", "fabric.svg")

    assert (site / "fabric.svg").read_text().startswith("<svg ")
    assert "fabric.svg: 6 switches drawn" in ran.err


def test_thresholds_are_whole_bytes_for_each_kind_of_port(fabric):
    document = json.loads(fabric("show", "qos", "--format", "json").out)

    assert {(row["role"], row["speed_mbps"]) for row in document["profiles"]} == {
        ("leaf", 400_000),
        ("spine", 400_000),
    }
    assert all(row["kmin_bytes"] <= row["kmax_bytes"] for row in document["profiles"] if row["kmin_bytes"])
    assert any(row["headroom_bytes"] for row in document["profiles"])


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("topology", "6 switches, 4 hosts ("),
        ("devices", "6 devices ("),
        ("bom", "6 switches, 32 cables, 40 transceivers, 4 hosts ("),
        ("qos", "3 classes, 3 profiles, 2 tiers, 3 settings ("),
    ],
)
def test_the_last_line_counts_what_people_count(fabric, what, said):
    assert fabric("show", what).err.startswith(said)


AUTO = ("spine: {model: arista-7060x6-32pe, count: 2}", "spine: {model: arista-7060x6-32pe}")


def test_a_size_that_the_lock_keeps_is_said_to_be_kept(fabric, site):
    (site / "site.yaml").write_text((site / "site.yaml").read_text().replace(*AUTO))
    searched = rows(fabric("show", "sizing", "--format", "csv").out)
    fabric("compile")

    kept = rows(fabric("show", "sizing", "--format", "csv").out)
    fresh = rows(fabric("show", "sizing", "--fresh", "--format", "csv").out)

    assert {row["reason"] for row in kept} == {"kept by fabric.lock"}
    assert {row["what"]: row["chosen"] for row in kept}["rails"] == "4"
    assert fresh == searched
    assert fresh[0]["what"] == "networks.compute.tiers.spine.count"
    assert "the fewest spines" in fresh[0]["reason"]


def test_fresh_goes_with_sizing_alone(fabric):
    assert "FAB901: --fresh goes with sizing" in fabric("show", "topology", "--fresh").err


def test_the_drawing_goes_to_the_standard_output(fabric, site):
    fabric("show", "topology", "--svg", "kept.svg")

    ran = fabric("show", "topology", "--svg", "-")

    assert ran.out == (site / "kept.svg").read_text()
    assert not (site / "-").exists()


FORMULAS = ("=HYPERLINK(1)", "+1", "-2+3", "@SUM(1)")


@pytest.mark.parametrize("what", ["devices", "cables"])
def test_no_cell_of_a_list_is_run_by_a_spreadsheet(fabric, site, what):
    racks = {f"leaf-0-{i}": formula for i, formula in enumerate(FORMULAS)}
    entries = "".join(f'  {name}: {{rack: "{rack}"}}\n' for name, rack in racks.items())
    (site / "inventory.yaml").write_text(f"devices:\n{entries}")

    cells = [cell for row in rows(fabric("show", what, "--format", "csv").out) for cell in row.values()]

    assert {f"'{formula}" for formula in FORMULAS} <= set(cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_the_list_of_devices_can_be_completed_and_read_again(fabric, site):
    (site / "inventory.yaml").write_text(
        'devices:\n  leaf-0-0: {address: 192.0.2.10/24, rack: "=A1", position: 40, serial: JPE1}\n'
        '  spine-1: {address: 192.0.2.11/24, rack: "\'+B"}\n'
    )
    listed = fabric("show", "devices", "--format", "csv").out
    before = fabric("show", "devices", "--format", "json").out
    (site / "devices.csv").write_text(listed)
    (site / "inventory.yaml").write_text("devices_csv: devices.csv\n")

    again = fabric("show", "devices", "--format", "json").out

    assert again == before
    assert '"=A1"' in again
    assert '"\'+B"' in again


def test_the_ratio_of_a_tier_is_that_of_the_ports_beside_it(fabric, site):
    text = (site / "site.yaml").read_text()
    filer = "  filer: {network: compute, kind: storage, links: 2, speed: 400G, to: {unit: 0, rails: [0]}}\n"
    leaf = "leaf: {reserved_ports: 2, max_oversubscription: '2:1', "
    text = text.replace("leaf: {", leaf, 1) + "attachments:\n" + filer
    (site / "site.yaml").write_text(text)
    (site / "fabric.lock").unlink(missing_ok=True)
    tiers = json.loads(fabric("show", "topology", "--format", "json").out)["tiers"]
    leaf = next(row for row in tiers if row["tier"] == "leaf")

    assert 4 + 2 == leaf["ports_down"]
    assert leaf["oversubscription"] == pytest.approx(
        leaf["ports_down"] * leaf["down_mbps"] / (leaf["ports_up"] * leaf["up_mbps"])
    )


def test_sizes_are_shown_in_words(fabric):
    fabric("compile")
    sizes = rows(fabric("show", "sizing", "--format", "csv").out)

    assert not {"True", "False", "None"} & {row["chosen"] for row in sizes}


OPTIONS = {"--network": "compute", "--device": "leaf-0-0", "--svg": "-", "--fresh": None}


@pytest.mark.parametrize("what", [*LISTS, "models"])
@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_does_something_to_a_list_or_says_where_it_goes(fabric, what, option):
    value = OPTIONS[option]
    ran = fabric("show", what, option, *([value] if value else []))
    text = " ".join(fabric("show", "--help").out.split())
    said = text.partition(f"{option} ")[2].partition(" --")[0]

    named = said.partition("With ")[2].partition(".")[0]
    goes = what != "models" if "every list but models" in named else what in named
    assert goes == (ran.code == 0), (said, ran.err)
    if not goes:
        assert f"{option} goes with" in ran.err


@pytest.mark.parametrize("what", BY_DEVICE)
def test_a_device_leaves_nothing_of_other_switches(fabric, what):
    every = fabric("show", what, "--format", "csv").out
    own = fabric("show", what, "--device", "leaf-0-0", "--format", "csv").out

    assert own != every
    assert 0 < len(own) < len(every)


def test_the_queues_of_a_host_are_asked_for_in_vain(fabric):
    ran = fabric("show", "qos", "--device", "gpu-0-0")

    assert ran.code == 1
    assert "not a switch" in ran.err
    assert "Traceback" not in ran.err


MIXED = """\
site: mixed
units: 2
hosts:
  gpu:
    per_unit: 2
    spare_per_unit: 1
    nics:
      compute: {count: 2, speed: 400G}
      storage: {count: 1, speed: 400G}
networks:
  compute:
    technology: infiniband
    tiers:
      leaf: {model: qm9700, reserved_ports: 2}
      spine: {model: qm9700, count: 2}
  storage:
    lossless: null
    tiers:
      leaf: {model: arista-7060x6-64pe, reserved_ports: 2, max_oversubscription: "100:1"}
      spine: {model: arista-7060x6-64pe, count: 2}
attachments:
  nas: {network: storage, kind: storage, links: 2, speed: 400G, to: {tier: leaf}}
  sm: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {tier: leaf}}
"""
"""Two technologies, one network without a policy: no list has a row for everything."""


def test_no_filter_of_any_list_ends_in_an_empty_table(fabric, site):
    (site / "site.yaml").write_text(MIXED)
    (site / "inventory.yaml").unlink()
    listed = rows(fabric("show", "devices", "--format", "csv").out)
    links = rows(fabric("show", "cables", "--format", "csv").out)
    names = {row["device"] for row in listed} | {
        row[end] for row in links for end in ("from_device", "to_device")
    }
    seen = set()
    for what in LISTS:
        devices = sorted(names) if what in BY_DEVICE else []
        for network in (None, "compute", "storage"):
            for name in (None, *devices[:: 1 if network is None else 3]):
                words = [*(["--network", network] if network else []), *(["--device", name] if name else [])]
                ran = fabric("show", what, *words, "--format", "csv")
                seen.add((what, ran.code))

                if ran.code:
                    assert ("", True) == (ran.out, "FAB902" in ran.err), ran
                    assert name in ran.err
                    assert "hint: " in ran.err
                elif words and not any(ran.out.splitlines()[1:]):
                    assert f"{network} has no " in ran.err, (what, words)
    assert {("asn", 0), ("asn", 1), ("addresses", 0), ("links", 0), ("qos", 1)} <= seen


@pytest.mark.parametrize("what", ["asn", "qos"])
def test_a_list_that_hosts_are_not_in_says_so(fabric, what):
    ran = fabric("show", what, "--device", "gpu-0-0")

    assert (1, "") == (ran.code, ran.out)
    assert "gpu-0-0" in ran.err
    assert "switch" in ran.err

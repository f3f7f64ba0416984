"""Cable lists and labels: what a technician takes to the rack."""

from __future__ import annotations

import csv
import io

from fabric import api
from fabric.exports.cables import labels
from fabric.exports.network_view import views
from fabric.intent.load import load_text
from tests.exports.sites import ethernet, exported, named, stages, superpod

INVENTORY = """\
devices:
  leaf-0-0: {rack: A1, position: 40}
  spine-0: {rack: B7, position: 12}
hosts:
  gpu-0-0: {rack: A2, position: 10}
"""


def files(text: str, inventory: str = "") -> dict[str, str]:
    """Lists and labels of a site."""
    intent = load_text({"site.yaml": text, **({"inventory.yaml": inventory} if inventory else {})})
    made = api.export(intent, api.expand(intent), ["cables", "labels"])
    return {file.path: file.text for file in made.files}


def rows(text: str) -> list[dict[str, str]]:
    """Rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(text)))


def test_the_list_tells_both_ends_with_rack_and_port():
    found = rows(files(ethernet(), INVENTORY)["cables/cables.csv"])

    assert {
        "cable": "0",
        "from_device": "gpu-0-0",
        "from_rack": "A2",
        "from_rack_unit": "10",
        "from_ports": "nic0",
        "to_device": "leaf-0-0",
        "to_rack": "A1",
        "to_rack_unit": "40",
        "to_ports": "Ethernet1/1",
        "label": "gpu-0-0:nic0 > leaf-0-0:Ethernet1/1",
        "length_m": "3",
        "type": "mmf",
        "speed_mbps": "400000",
        "links": "1",
        "network": "compute",
    }.items() - {("type", "mmf"), ("length_m", "3")} <= found[0].items()


def test_the_list_has_every_link_of_every_network():
    text = superpod(2)
    found = rows(named(exported(text, ["cables"]))["cables/cables.csv"].text)
    network = stages(text)[1].networks["compute"]

    assert sum(peer >= 0 for peer in network.peer) // 2 == sum(int(row["links"]) for row in found)


def test_a_label_tells_here_and_there():
    text = files(ethernet(), INVENTORY)["labels/labels.txt"]
    first = text.split("\n\n")[:2]

    assert ["compute 0 A1", "here:  A2 U10  gpu-0-0 nic0", "there: A1 U40  leaf-0-0 Ethernet1/1"] == first[
        0
    ].splitlines()[:3]
    assert ["compute 0 B1", "here:  A1 U40  leaf-0-0 Ethernet1/1", "there: A2 U10  gpu-0-0 nic0"] == first[
        1
    ].splitlines()[:3]


def test_labels_for_a_printer_are_the_same_labels():
    made = files(ethernet(), INVENTORY)
    found = rows(made["labels/labels.csv"])

    assert made["labels/labels.txt"].count("\n\n") == len(found)
    assert ("0", "A1", "A2", "10", "gpu-0-0", "nic0", "A1 U40  leaf-0-0 Ethernet1/1") == tuple(
        found[0][key] for key in ("cable", "end", "rack", "rack_unit", "device", "ports", "far")
    )


def test_a_cable_of_two_links_between_two_plugs_has_two_labels():
    intent, topology = stages(superpod(1))
    (view,) = views(intent, topology)
    found = list(labels(view))

    assert len({label.cable for label in found}) * 2 == len(found)
    assert {("A1", "B1")} == {
        tuple(label.end for label in found if label.cable == str(cable)) for cable in range(0, 300, 37)
    }


def test_each_leg_of_a_breakout_is_a_plug_of_its_own():
    text = ethernet(
        "gpu: {per_unit: 8, nics: {compute: {count: 4, speed: 200G}}}",
        leaf="{model: nvidia-sn5600, down: {breakout: 4}, up: {speed: 400G, ports: 4}}",
        spine="{model: nvidia-sn5600, count: 2}",
    )
    intent, topology = stages(text)
    (view,) = views(intent, topology)
    by_cable: dict[int, list[str]] = {}
    for label in labels(view):
        by_cable.setdefault(label.cable, []).append(label.end)
    legs = max(by_cable.values(), key=len)

    assert {tuple(legs)} <= {("A1", "A2", "A3", "A4", "B1"), ("A1", "B1"), ("A1", "A2", "B1")}
    for cable, ends in by_cable.items():
        assert sorted(set(ends)) == ends, cable


def test_every_cabled_port_is_on_exactly_one_label():
    intent, topology = stages(superpod(1))
    (view,) = views(intent, topology)
    seen = [(label.near.device, port) for label in labels(view) for port in label.near.ports]

    assert len(seen) == len(set(seen)) == sum(peer >= 0 for peer in view.topology.peer)


def test_a_nic_is_called_a_nic_on_infiniband_too():
    found = rows(named(exported(superpod(1), ["cables"]))["cables/cables.csv"].text)

    assert {f"nic{i}" for i in range(8)} == {
        row["from_ports"] for row in found if row["from_device"] == "dgx-0-03"
    }
    assert {"port0"} == {row["from_ports"] for row in found if row["from_device"].startswith("sm-")}

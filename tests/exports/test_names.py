"""Names of NICs, cables and labels are unique in a site, and stay when a network is added."""

from __future__ import annotations

from collections import Counter

from fabric.exports.cables import cable_runs, labels
from fabric.exports.network_view import views
from fabric.intent.load import load_text
from fabric.tables.bill_of_materials import bom_table
from fabric.topology.expand import expand

NETWORK = """  {name}:
    addressing: {{{addressing}}}
    cables: {{host_leaf: {{length: 5m, kind: {kind}, links: {links}, split_at: upper}}}}
    lossless: null
    tiers:
      leaf: {{model: nvidia-sn5600}}
      spine: {{model: nvidia-sn5600, count: 2}}
"""
POOLS = {
    "compute": "",
    "storage": "host_pool: 10.64.0.0/16, fabric_pool: 10.192.0.0/16, loopback_pool: 10.254.0.0/16",
}


def viewed(*networks: str, kind: str = "dac", links: int = 1):
    nics = ", ".join(f"{name}: {{count: 2, speed: 400G}}" for name in networks)
    text = f"site: s\nunits: 2\nhosts:\n  gpu: {{gpus: 2, per_unit: 4, nics: {{{nics}}}}}\nnetworks:\n"
    text += "".join(
        NETWORK.format(name=name, addressing=POOLS[name], kind=kind, links=links) for name in networks
    )
    intent = load_text({"site.yaml": text})
    return views(intent, expand(intent))


def ports_of(made):
    return [
        (run.from_device, port) for view in made for run in cable_runs(view) for port in run.from_ports
    ] + [(run.to_device, port) for view in made for run in cable_runs(view) for port in run.to_ports]


def test_a_nic_of_a_host_in_two_networks_has_a_name_of_its_own():
    found = Counter(ports_of(viewed("compute", "storage")))

    assert [] == [end for end, count in found.items() if count > 1]
    assert {"nic0", "nic1", "storage-nic0", "storage-nic1"} == {p for d, p in found if d == "gpu-0-0"}


def test_numbers_and_labels_of_cables_are_unique():
    made = viewed("compute", "storage")
    runs = [run for view in made for run in cable_runs(view)]

    assert len(runs) == len({run.cable for run in runs}) == len({run.label for run in runs})
    ends = [(label.cable, label.end) for view in made for label in labels(view)]
    assert len(ends) == len(set(ends))


def test_a_network_that_is_added_renames_nothing():
    before, after = viewed("compute"), viewed("compute", "storage")

    assert set(ports_of(before)) <= set(ports_of(after))
    assert {r.cable for v in before for r in cable_runs(v)} <= {r.cable for v in after for r in cable_runs(v)}


def bought(made):
    return [(row[1], row[2], row[5], row[6], row[0], row[7]) for row in bom_table(made).rows()]


def test_hosts_are_bought_once():
    found = [row for row in bought(viewed("compute", "storage")) if row[0] == "host"]

    assert [("host", "gpu", "gpu", "compute", 8, 0)] == found


def test_fibre_needs_a_transceiver_at_each_plug_and_a_breakout_a_splitter():
    plain = {row[:3] for row in bought(viewed("compute", kind="mmf"))}
    split = {row[:3] for row in bought(viewed("compute", kind="mmf", links=2))}

    assert {"host": 16, "leaf": 16, "spine": 8} == {
        at: sum(
            row[4]
            for row in bought(viewed("compute", kind="mmf"))
            if row[0] == "transceiver" and row[2] == at
        )
        for at in ("host", "leaf", "spine")
    }
    assert ("splitter", "mmf 1:2", "breakout") in split
    assert ("splitter", "mmf 1:2", "breakout") not in plain


def test_copper_brings_its_own_plugs():
    ends = {row[2] for row in bought(viewed("compute")) if row[0] == "transceiver"}

    assert "host" not in ends

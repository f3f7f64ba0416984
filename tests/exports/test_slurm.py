"""What Slurm reads: the tree by the real controller, blocks and YAML by the rules of their readers."""

from __future__ import annotations

import math
import re

import pytest
import yaml

from fabric.diagnostics import Severity
from fabric.exports.slurm import RESERVED
from tests.exports.hostlists import expanded
from tests.exports.sites import ethernet, exported, only, refused, stages, superpod
from tests.exports.slurmctld import Slurmctld, need_slurm

RACKS = """\
gpu: {model: gb200-compute-tray, per_unit: 36, nics: {compute: {count: 4, speed: 400G}}}"""
WIDE = {"leaf": "{model: arista-7060x6-64pe}", "spine": "{model: arista-7060x6-64pe}"}


def test_hosts_of_one_scale_up_domain_are_a_block():
    assert [
        "# Made by fabric-as-code.",
        "BlockName=gpu-domain-0-00 Nodes=gpu-0-[00-17]",
        "BlockName=gpu-domain-0-01 Nodes=gpu-0-[18-35]",
        "BlockName=gpu-domain-1-00 Nodes=gpu-1-[00-17]",
        "BlockName=gpu-domain-1-01 Nodes=gpu-1-[18-35]",
        "BlockSizes=18,36,72",
    ] == only(ethernet(RACKS, **WIDE), "slurm-block").splitlines()


def test_hosts_whose_domain_is_themselves_are_blocks_by_unit():
    assert [
        "# Made by fabric-as-code.",
        "BlockName=unit-0 Nodes=dgx-0-[00-31]",
        "BlockName=unit-1 Nodes=dgx-1-[00-30]",
        "BlockSizes=31,62",
    ] == only(superpod(2), "slurm-block").splitlines()


def blocks_as_slurm_reads_them(text: str, nodes: set[str]) -> tuple[dict[str, list[str]], list[int]]:
    """The rules of `block_record.c`: what it calls fatal fails here."""
    rows = re.findall(r"^BlockName=(\S+) Nodes=(\S+)$", text, re.MULTILINE)
    (sizes,) = re.findall(r"^BlockSizes=(\S+)$", text, re.MULTILINE)
    levels = [int(size) for size in sizes.split(",")]
    found = {name: expanded(below) for name, below in rows}
    assert len(found) == len(rows)
    for size in levels:
        assert size % levels[0] == 0
        assert math.log2(size // levels[0]).is_integer()
        assert math.log2(size // levels[0]) <= 15
    assert all(len(below) >= levels[0] for below in found.values())
    assert nodes == {name for below in found.values() for name in below}
    return found, levels


@pytest.mark.parametrize("units", [1, 2, 3, 5, 8])
def test_blocks_are_such_as_slurm_takes(units):
    text = superpod(units)
    names = stages(text)[1].networks["compute"].names

    found, levels = blocks_as_slurm_reads_them(
        only(text, "slurm-block"), {name for name in names if name.startswith("dgx")}
    )

    assert units == len(found)
    assert levels == [31 << level for level in range(units.bit_length())]
    assert levels[-1] // levels[0] <= units


def test_a_small_block_is_warned_of():
    text = superpod(2).replace("last_unit: 31", "last_unit: 9")
    made = exported(text, ["slurm-block"])

    (found,) = made.diagnostics
    assert ("FAB244", Severity.WARNING) == (found.code, found.severity)
    assert "unit-1 has 9 hosts, others 32: Slurm plans in blocks of 9" == found.rule


def test_a_unit_that_cuts_a_domain_is_refused():
    text = ethernet(RACKS.replace("36", "30"), **WIDE)

    assert [
        (
            "FAB242",
            "hosts.gpu.per_unit",
            "a unit has 30 hosts, a scale-up domain 18: no unit holds whole domains",
            "let a unit hold a multiple of 18 hosts with its spares",
        )
    ] == refused(text, "slurm-block")


@pytest.mark.parametrize(
    ("hosts", "rule"),
    [
        ("per_unit: 18, spare_per_unit: 1", "a unit has 19 hosts, 1 of them spares, a scale-up domain 18: "),
        ("per_unit: auto, total: 70", "a unit has 48 hosts, a scale-up domain 18: "),
    ],
)
def test_spares_and_sizes_that_were_searched_for_count_too(hosts, rule):
    units = "auto" if "auto" in hosts else "2"
    text = ethernet(RACKS.replace("per_unit: 36", hosts), units=units, **WIDE)

    ((code, place, said, _hint),) = refused(text, "slurm-block")
    assert ("FAB242", "hosts.gpu.per_unit") == (code, place)
    assert said.startswith(rule)


def test_spares_that_fill_a_domain_lie_in_it():
    text = ethernet(RACKS.replace("per_unit: 36", "per_unit: 16, spare_per_unit: 2"), **WIDE)

    assert "BlockName=gpu-domain-0-00 Nodes=gpu-0-[00-17]" in only(text, "slurm-block")


def test_a_domain_of_half_a_host_is_refused():
    text = ethernet(
        "gpu: {per_unit: 4, gpus: 4, scale_up_domain_gpus: 6, nics: {compute: {count: 4, speed: 400G}}}"
    )

    assert [("FAB242", "hosts.gpu")] == [found[:2] for found in refused(text, "slurm-block")]


# --- YAML


def test_the_yaml_file_has_the_tree_as_default_and_the_blocks_beside_it():
    made = yaml.safe_load(only(superpod(2), "slurm-yaml"))

    assert [
        {
            "topology": "compute",
            "cluster_default": True,
            "tree": {
                "switches": [
                    {"switch": "unit-0", "nodes": "dgx-0-[00-31]"},
                    {"switch": "unit-1", "nodes": "dgx-1-[00-30]"},
                    {"switch": "spines", "children": "unit-[0-1]"},
                ]
            },
        },
        {
            "topology": "compute-blocks",
            "cluster_default": False,
            "block": {
                "block_sizes": [31, 62],
                "blocks": [
                    {"block": "unit-0", "nodes": "dgx-0-[00-31]"},
                    {"block": "unit-1", "nodes": "dgx-1-[00-30]"},
                ],
            },
        },
    ] == made


TWO = """\
site: test
units: 2
hosts:
  gpu: {per_unit: 4, nics: {"on": {count: 2, speed: 400G}, compute: {count: 4, speed: 400G}}}
networks:
  "on":
    tiers: {leaf: {model: arista-7060x6-32pe}, spine: {model: arista-7060x6-32pe}}
    addressing: {host_pool: 172.16.0.0/12, fabric_pool: 100.64.0.0/10, loopback_pool: 192.168.0.0/16}
  compute: {tiers: {leaf: {model: arista-7060x6-32pe}, spine: {model: arista-7060x6-32pe}}}
"""


def test_every_network_has_its_topologies_and_compute_is_the_default():
    made = yaml.safe_load(only(TWO, "slurm-yaml"))

    assert ["compute", "compute-blocks", "on", "on-blocks"] == [one["topology"] for one in made]
    assert [True, False, False, False] == [one["cluster_default"] for one in made]
    assert "on-unit-0" == made[2]["tree"]["switches"][0]["switch"]


def test_the_network_that_is_named_is_the_one():
    assert "SwitchName=on-unit-0 " in only(TWO, "slurm-tree", ("on",))
    assert "SwitchName=unit-0 " in only(TWO, "slurm-tree")


# --- what Slurm cannot hold


def test_hosts_outside_the_network_are_warned_of():
    text = TWO.replace("hosts:\n", 'hosts:\n  login: {per_unit: 1, nics: {"on": {count: 2, speed: 400G}}}\n')
    made = exported(text, ["slurm-tree"])

    assert [("FAB243", "hosts.login")] == [(found.code, str(found.origin)) for found in made.diagnostics]


def test_a_node_that_slurm_takes_for_something_else_is_refused():
    text = ethernet(
        "gpu: {per_unit: 1, name: localhost, nics: {compute: {count: 4, speed: 400G}}}", units="1"
    )

    assert [("FAB240", "networks.compute", "Slurm takes a node called 'localhost' for something else")] == [
        found[:3] for found in refused(text, "slurm-tree")
    ]


def test_a_switch_name_beyond_64_characters_is_refused():
    name = "n" * 58
    text = ethernet(
        leaf="{model: arista-7060x6-32pe, name: 'l{unit}-{rail}', up: {speed: 400G, ports: 4}}",
        spine="{model: arista-7060x6-32pe, name: 's{index}', count: 2}",
    ).replace("compute", name)
    found = refused(text, "slurm-tree")

    assert {("FAB240", f"networks.{name}.prefix")} == {one[:2] for one in found}
    assert f"{name}-unit-0 has 65 characters, Slurm's switches have at most 64" == found[0][2]


def test_two_groups_of_one_name_are_refused():
    leaf = "{model: arista-7060x6-32pe, name: 'pod-{unit}', max_oversubscription: '4:1', up: {speed: 400G, ports: 4}}"
    text = ethernet(
        units="4",
        leaf=leaf,
        superspine="{model: arista-7060x6-32pe}",
        network="    rails: none\n    pods: {units: 2}\n",
    )

    assert (
        {"'pod-0' would name two groups of hosts", "'pod-1' would name two groups of hosts"}
        >= {rule for _, _, rule, _ in refused(text, "slurm-tree")}
        != set()
    )


# --- the real controller


@pytest.mark.live
@pytest.mark.parametrize("units", [1, 4])
def test_slurmctld_sees_the_tree_that_is_meant(tmp_path, units):
    need_slurm()
    text = superpod(units)
    network = stages(text)[1].networks["compute"]
    hosts = [name for name in network.names if name.startswith("dgx")]
    nodes = [*(f"dgx-{unit}-[00-31]" for unit in range(units - 1)), f"dgx-{units - 1}-[00-30]"]
    with Slurmctld(tmp_path, nodes, only(text, "slurm-tree")) as slurm:
        seen = slurm.topology()
        complaints = slurm.complaints

    assert [] == complaints
    by_unit = {
        f"unit-{unit}": (0, frozenset(h for h in hosts if h.startswith(f"dgx-{unit}-")))
        for unit in range(units)
    }
    assert {**by_unit, "spines": (1, frozenset(hosts))} == seen


@pytest.mark.live
def test_slurmctld_notices_a_host_that_is_missing_in_the_tree(tmp_path):
    need_slurm()

    with Slurmctld(tmp_path, ["dgx-[0-1]-[00-31]"], only(superpod(2), "slurm-tree")) as slurm:
        complaints = slurm.complaints

    assert any("switches lack access to 1 nodes: dgx-1-31" in line for line in complaints)


@pytest.mark.live
def test_slurmctld_warns_of_hosts_on_several_leaves_so_rails_are_no_leaves(tmp_path):
    need_slurm()
    rails = "".join(f"SwitchName=leaf-0-{rail} Nodes=dgx-0-[00-31]\n" for rail in range(8))

    with Slurmctld(tmp_path, ["dgx-0-[00-31]"], f"{rails}SwitchName=spines Switches=leaf-0-[0-7]\n") as slurm:
        complaints = slurm.complaints

    assert any("Multiple leaf switches contain nodes: dgx-0-[00-31]" in line for line in complaints)


@pytest.mark.live
def test_slurmctld_sees_three_levels(tmp_path):
    need_slurm()
    text = ethernet(units="4", network="    pods: {units: 2}\n", superspine="{model: arista-7060x6-32pe}")

    with Slurmctld(tmp_path, [f"gpu-{unit}-[0-3]" for unit in range(4)], only(text, "slurm-tree")) as slurm:
        seen = slurm.topology()
        complaints = slurm.complaints

    assert [] == complaints
    assert {"unit-0": 0, "pod-0": 1, "superspines": 2}.items() <= {
        name: level for name, (level, _) in seen.items()
    }.items()
    assert 16 == len(seen["superspines"][1])


@pytest.mark.live
@pytest.mark.parametrize("word", sorted(RESERVED))
def test_words_that_are_refused_are_no_nodes_to_slurm(tmp_path, word):
    need_slurm()

    with Slurmctld(tmp_path, [word, "gpu-0"], f"SwitchName=leaf-0 Nodes={word},gpu-0\n") as slurm:
        down = slurm.process.poll() is not None
        seen = set() if down else set(slurm.scontrol("show", "nodes", "--oneliner").split())
        log = slurm.log

    assert down or f"NodeName={word}" not in seen, log

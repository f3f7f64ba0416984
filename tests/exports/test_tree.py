"""The tree that Slurm sees: who shares a leaf, who a spine, and so on up."""

from __future__ import annotations

import re

import pytest

from tests.exports.hostlists import expanded
from tests.exports.sites import ethernet, only, superpod

RAILS = "gpu: {per_unit: 4, gpus: 4, nics: {compute: {count: 4, speed: 400G}}}"
ONE_NIC = "gpu: {per_unit: 4, gpus: 8, nics: {compute: {count: 1, speed: 400G}}}"
STEEP = "{model: arista-7060x6-32pe, max_oversubscription: '40:1', up: {speed: 400G, ports: 4}}"
FLAT = "{model: arista-7060x6-32pe, max_oversubscription: '40:1'}"


def tree(text: str) -> list[str]:
    """Lines of topology.conf."""
    return only(text, "slurm-tree").splitlines()[1:]


def children(text: str) -> dict[str, list[str]]:
    """Nodes or switches of each switch."""
    rows = re.findall(r"^SwitchName=(\S+) (?:Nodes|Switches)=(\S+)$", only(text, "slurm-tree"), re.MULTILINE)
    return {name: expanded(below) for name, below in rows}


def test_with_a_leaf_for_each_rail_slurm_sees_the_unit_as_one_leaf():
    assert [
        "SwitchName=unit-0 Nodes=dgx-0-[00-31]",
        "SwitchName=unit-1 Nodes=dgx-1-[00-30]",
        "SwitchName=spines Switches=unit-[0-1]",
    ] == tree(superpod(2))


CASES = {
    "one leaf a unit is called by its name": (
        ethernet(leaf=STEEP, network="    rails: none\n"),
        ["leaf-0 Nodes=gpu-0-[0-3]", "leaf-1 Nodes=gpu-1-[0-3]", "spines Switches=leaf-[0-1]"],
    ),
    "pods stand below the superspines": (
        ethernet(units="4", network="    pods: {units: 2}\n", superspine="{model: arista-7060x6-32pe}"),
        [
            "unit-0 Nodes=gpu-0-[0-3]",
            "unit-1 Nodes=gpu-1-[0-3]",
            "pod-0 Switches=unit-[0-1]",
            "unit-2 Nodes=gpu-2-[0-3]",
            "unit-3 Nodes=gpu-3-[0-3]",
            "pod-1 Switches=unit-[2-3]",
            "superspines Switches=pod-[0-1]",
        ],
    ),
    "planes are no places": (
        ethernet(
            "gpu: {per_unit: 4, nics: {compute: {count: 4, ports: 2, speed: 200G}}}",
            network="    planes: {count: 2}\n",
        ),
        ["unit-0 Nodes=gpu-0-[0-3]", "unit-1 Nodes=gpu-1-[0-3]", "spines Switches=unit-[0-1]"],
    ),
    "without spines units stay apart": (
        ethernet(spine="", leaf="{model: arista-7060x6-32pe}"),
        ["unit-0 Nodes=gpu-0-[0-3]", "unit-1 Nodes=gpu-1-[0-3]"],
    ),
    "a host with one NIC is in the unit of those that share its leaf": (
        ethernet(
            f"{{{RAILS}, io: {{per_unit: 1, nics: {{compute: {{count: 1, speed: 400G}}}}}}}}", leaf=STEEP
        ),
        ["unit-0 Nodes=gpu-0-[0-3],io-0-0", "unit-1 Nodes=gpu-1-[0-3],io-1-0", "spines Switches=unit-[0-1]"],
    ),
    "hosts on different rails of a unit meet above the leaves only": (
        ethernet(
            "gpu: {per_unit: 4, nics: {compute: {count: 2, speed: 400G, first_rail: alternate}}}",
            network="    rails: {count: 4}\n",
        ),
        [
            "leaf-0-0 Nodes=gpu-0-[0,2]",
            "leaf-0-2 Nodes=gpu-0-[1,3]",
            "leaf-1-0 Nodes=gpu-1-[0,2]",
            "leaf-1-2 Nodes=gpu-1-[1,3]",
            "spines Switches=leaf-0-[0,2],leaf-1-[0,2]",
        ],
    ),
    "zones meet across": (
        ethernet(units="4", spine=f"{FLAT[:-1]}, count: 2}}", network="    zones: {units: 2, links: 1}\n"),
        [
            "unit-0 Nodes=gpu-0-[0-3]",
            "unit-1 Nodes=gpu-1-[0-3]",
            "pod-0 Switches=unit-[0-1]",
            "unit-2 Nodes=gpu-2-[0-3]",
            "unit-3 Nodes=gpu-3-[0-3]",
            "pod-1 Switches=unit-[2-3]",
            "fabric Switches=pod-[0-1]",
        ],
    ),
    "groups of a dragonfly stand below all": (
        ethernet(
            ONE_NIC,
            units="4",
            spine="",
            leaf=FLAT,
            network="    rails: none\n    layout: {kind: dragonfly, units: 2, global_links: 1}\n",
        ),
        [
            "leaf-0 Nodes=gpu-0-[0-3]",
            "leaf-1 Nodes=gpu-1-[0-3]",
            "pod-0 Switches=leaf-[0-1]",
            "leaf-2 Nodes=gpu-2-[0-3]",
            "leaf-3 Nodes=gpu-3-[0-3]",
            "pod-1 Switches=leaf-[2-3]",
            "fabric Switches=pod-[0-1]",
        ],
    ),
    "a torus has leaves and nothing between": (
        ethernet(
            ONE_NIC,
            units="4",
            spine="",
            leaf=FLAT,
            network="    rails: none\n    layout: {kind: torus, dimensions: [2, 2]}\n",
        ),
        [*(f"leaf-{i} Nodes=gpu-{i}-[0-3]" for i in range(4)), "fabric Switches=leaf-[0-3]"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_shares_a_switch_shares_a_group(case):
    text, expected = CASES[case]

    assert [f"SwitchName={line}" for line in expected] == tree(text)


def test_every_host_hangs_on_one_switch_and_every_switch_on_one_other():
    made = children(superpod(4))
    below = [name for names in made.values() for name in names]

    assert len(below) == len(set(below))
    assert {"spines"} == set(made) - set(below)
    assert 127 == len(set(below) - set(made))


@pytest.mark.parametrize("units", [1, 2, 3])
def test_growth_within_capacity_renames_no_switch(units):
    room = ethernet(spine="{model: arista-7060x6-32pe, count: 4}").replace(
        "units: 2", "capacity: {units: 12}\nunits: 2"
    )
    full = children(room.replace("units: 2", "units: 12"))
    part = children(room.replace("units: 2", f"units: {units}"))

    assert {"spines", *(f"unit-{unit:02d}" for unit in range(units))} == set(part)
    assert set(part) <= set(full)


def test_a_network_of_another_name_has_its_prefix():
    text = ethernet(RAILS.replace("compute", "back")).replace("  compute:\n", "  back:\n")

    assert ["SwitchName=back-unit-0 Nodes=gpu-0-[0-3]"] == tree(text)[:1]

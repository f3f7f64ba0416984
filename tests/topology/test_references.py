"""Every shipped site loads and expands to the counts that it stands for."""

from __future__ import annotations

import pytest

from fabric.intent.load import load
from fabric.topology.expand import expand
from fabric.topology.roles import Role
from tests.hypothesis_profiles import chosen
from tests.topology.builders import REFERENCE
from tests.topology.symmetry import broken

COUNTS = {
    "aquila-clique": (576, 0, 0, 1152),
    "apstra-64-h100": (32, 16, 0, 64),
    "dcnplus-pod": (8, 8, 0, 64),
    "hpn7-pod": (240, 120, 0, 2040),
    "lab-8": (4, 4, 0, 8),
    "leonardo-dragonfly-plus": (342, 342, 0, 3420),
    "megascale": (192, 192, 128, 1536),
    "meta-24k": (1536, 128, 28, 3072),
    "rail-only": (8, 0, 0, 64),
    "superpod-b200-16su": (128, 128, 64, 512),
    "superpod-b200-8su": (64, 32, 0, 256),
    "superpod-b300-spectrumx": (16, 8, 0, 64),
    "superpod-b300-spectrumx-16su": (256, 128, 0, 1024),
    "superpod-h100-1su": (8, 4, 0, 31),
    "superpod-h100-2su": (16, 8, 0, 63),
    "superpod-h100-4su": (32, 16, 0, 127),
}
"""Leaves, spines, superspines, hosts (spare ones too)."""
SMALL = sorted(
    set(COUNTS)
    - {"meta-24k", "hpn7-pod", "superpod-b300-spectrumx-16su", "megascale", "leonardo-dragonfly-plus"}
    - (  # ten seconds; small ones: test_layout_graphs.py
        {"aquila-clique"} if chosen() != "thorough" else set()
    )
)


def test_every_shipped_site_is_tested() -> None:
    assert sorted(COUNTS) == sorted(path.parent.name for path in REFERENCE.glob("*/site.yaml"))


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_a_reference_site_has_its_counts(name: str) -> None:
    net = expand(load(REFERENCE / name)).networks["compute"]

    assert COUNTS[name] == tuple(len(net.role_start[role]) for role in list(Role)[:4])


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_a_reference_site_says_what_it_is(name: str) -> None:
    site = load(REFERENCE / name).site

    assert name == site.site
    assert site.description


@pytest.mark.covering
@pytest.mark.parametrize("name", SMALL)
def test_a_reference_site_is_as_symmetric_as_it_states(name: str) -> None:
    assert () == broken(expand(load(REFERENCE / name)).networks["compute"])


def test_the_pod_of_15360_gpus_has_37_symmetries_or_more() -> None:
    from tests.topology.symmetry import Graph, generators

    net = expand(load(REFERENCE / "hpn7-pod")).networks["compute"]
    graph = Graph(net)
    found = generators(net, graph)

    assert len(found) >= 37
    assert all(graph.holds(generator) for generator in found)

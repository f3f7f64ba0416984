"""What operators drain, shut and exclude carries nothing: the answer is that of a network without these links."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from fabric import api
from fabric.compiler import Compiled, open_site
from fabric.failures import fabric_of, placed, single_failures, spare_hosts
from fabric.failures.impact import restricted
from fabric.graph import Graph, Tier, graph_of
from fabric.simulation import Question, Work, simulate
from fabric.simulation.hashing import HashModel
from fabric.simulation.jobs import job
from fabric.simulation.of_site import hash_model_of
from tests.topology.builders import REFERENCE

SITES = ("lab-8", "apstra-64-h100", "dcnplus-pod", "superpod-b300-spectrumx")
WHO = "reason: optics are swapped, owner: nora, expires: '2099-12-31'"
HOW = ("drained", "drained for good", "excluded", "shut below", "shut above", "by an override")


def taken(folder: Path, name: str, how: str) -> tuple[Compiled, Graph]:
    """A site out of which somebody has taken a spine or a link, and its network without the links that were there."""
    shutil.copytree(REFERENCE / name, folder / name)
    whole = open_site(folder / name)
    graph = graph_of(whole.topology.networks["compute"])
    link = int(graph.links(Tier.LEAF)[1])
    spine, gone = graph.net.names[graph.upper[link]], np.zeros(graph.count, np.bool_)
    if how.startswith("drained"):
        mode = "shut" if how.endswith("good") else "graceful"
        text = f"drained: [{{device: {spine}, mode: {mode}, {WHO}}}]\n"
        gone |= (graph.lower == graph.upper[link]) | (graph.upper == graph.upper[link])
    else:
        text = shut(whole, graph, link, how)
        gone[link] = True
    into = "site.yaml" if how == "by an override" else "state.yaml"
    with (folder / name / into).open("a") as file:
        file.write(text)
    return open_site(folder / name), restricted(graph, ~gone)


def shut(site: Compiled, graph: Graph, link: int, how: str) -> str:
    """The lines that take out one link."""
    (context,) = (context for context in site.devices.contexts if context.name == "compute")
    ends = (graph.lower, graph.lower_port), (graph.upper, graph.upper_port)
    (node, port), (peer, _) = ((int(nodes[link]), int(ports[link])) for nodes, ports in ends[:: at(how)])
    device, label, other = graph.net.names[node], context.port_label(port, node), graph.net.names[peer]
    if how == "excluded":
        return f"excluded_links: [{{device: {device}, port: '{label}', peer: {other}, {WHO}}}]\n"
    if how == "by an override":
        return f"overrides: [{{device: {device}, shutdown_ports: ['{label}']}}]\n"
    return f"shut_ports: [{{device: {device}, port: '{label}', {WHO}}}]\n"


def at(how: str) -> int:
    return -1 if how == "shut above" else 1


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", SITES)
def test_rates_are_those_of_a_network_without_the_links(tmp_path, name, how):
    site, without = taken(tmp_path, name, how)
    own = hash_model_of(site.intent.site.networks["compute"])
    for model in {own, HashModel.MIXER, HashModel.SPRAY}:
        question = Question(hash_model=model, seed=3)
        expected = simulate(without, job(site.intent, without, placement="random", seed=3), question)

        assert expected == api.simulate(site, Work(network="compute", placement="random", seed=3), question)


@pytest.mark.parametrize("how", HOW)
def test_failures_are_those_of_a_network_without_the_links(tmp_path, how):
    site, without = taken(tmp_path, "lab-8", how)
    expected = single_failures(
        fabric_of(without, spare_hosts(site.intent, without)), placed(site.intent)
    ).classes

    (found,) = api.impact(site, "compute")
    assert expected == found.classes
    assert found.links_out > 0


def test_a_drained_switch_carries_nothing_where_no_device_is_derived(tmp_path):
    """Of a layout that compiles to topology and cables."""
    whole = open_site(REFERENCE / "aquila-clique")
    graph = graph_of(whole.topology.networks["compute"])
    gone = (graph.lower == 3) | (graph.upper == 3)
    without = restricted(graph, ~gone)
    shutil.copytree(whole.folder, tmp_path / "clique")
    drained = f"drained: [{{device: {graph.net.names[3]}, {WHO}}}]\n"
    (tmp_path / "clique" / "state.yaml").write_text(drained)
    site = open_site(tmp_path / "clique")

    assert site.derivable is None
    expected = simulate(without, job(site.intent, without, gpus=64), Question())
    assert expected == api.simulate(site, Work(network="compute", gpus=64), Question())
    assert expected.unsent_flows > 0

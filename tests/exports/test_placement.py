"""Kubernetes, Kueue, Topograph and SimAI see the groups of the fabric that Slurm's tree has."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
import yaml

from fabric.topology.roles import Role
from tests.exports.hostlists import expanded
from tests.exports.sites import SAMPLE, ethernet, exported, links_of, of_reference, reference, refused

TIER = "fabric.topograph.run/tier-"
VALUE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")
RACKS = "gpu: {per_unit: 4, gpus: 4, scale_up_domain_gpus: 8, nics: {compute: {count: 4, speed: 400G}}}"


def labels(name: str) -> dict[str, dict[str, str]]:
    nodes = yaml.safe_load_all(of_reference(name, "k8s-labels")["node-labels.yaml"])
    return {node["metadata"]["name"]: node["metadata"]["labels"] for node in nodes}


@pytest.mark.parametrize("name", SAMPLE)
def test_every_host_has_the_labels_that_kueue_asks_for(name):
    topology, *flavors = yaml.safe_load_all(of_reference(name, "kueue")["topology.yaml"])
    levels = [level["nodeLabel"] for level in topology["spec"]["levels"]]
    found = labels(name)
    network = next(iter(reference(name)[1].networks.values()))

    assert {network.names[i] for i in network.role_start[Role.HOST]} == set(found)
    assert "kubernetes.io/hostname" == levels[-1]
    assert 1 < len(levels) <= 16
    assert len(levels) == len(set(levels))
    for own in found.values():
        assert set(levels[:-1]) == set(own)
        assert all(VALUE.fullmatch(value) for value in own.values())
        assert any(flavor["spec"]["nodeLabels"].items() <= own.items() for flavor in flavors)
    assert {topology["metadata"]["name"]} == {flavor["spec"]["topologyName"] for flavor in flavors}


@pytest.mark.parametrize("name", SAMPLE)
def test_the_groups_are_those_of_the_tree_for_slurm(name):
    tree = of_reference(name, "slurm-tree")["topology.conf"]
    leaves = {
        host: switch
        for switch, hosts in re.findall(r"^SwitchName=(\S+) Nodes=(\S+)", tree, re.MULTILINE)
        for host in expanded(hosts)
    }

    assert leaves == {host: own[f"{TIER}0"] for host, own in labels(name).items()}


@pytest.mark.parametrize("name", SAMPLE)
def test_topograph_has_the_same_groups(name):
    files = of_reference(name, "topograph")
    graph = json.loads(files["graph.json"])["instances"]
    model = yaml.safe_load(files["model.yaml"])
    found = labels(name)

    for one in graph:
        assert one["network_layers"] == [
            found[one["id"]][f"{TIER}{i}"] for i in range(len(one["network_layers"]))
        ]
    members = [
        (host, b["switch"]) for b in model["blocks"] for nodes in b["nodes"] for host in expanded(nodes)
    ]
    assert {host: own[f"{TIER}0"] for host, own in found.items()} == dict(members)
    assert len(members) == len(found)
    below = [switch for own in model["switches"].values() for switch in own["switches"]]
    assert len(below) == len(set(below))
    assert set(below) | set(model["switches"]) >= {b["switch"] for b in model["blocks"]} or not below


def test_a_scale_up_domain_of_several_hosts_is_a_level_of_its_own():
    files = {file.path: file.text for file in exported(ethernet(RACKS), ["k8s-labels", "kueue"]).files}
    nodes = list(yaml.safe_load_all(files["k8s-labels/node-labels.yaml"]))
    domains = Counter(node["metadata"]["labels"]["accelerator.topograph.run/domain"] for node in nodes)

    assert [2, 2, 2, 2] == list(domains.values())
    assert "accelerator.topograph.run/domain" in files["kueue/topology.yaml"]


def parsed(text: str):
    head, switches, *links = (line.split() for line in text.splitlines())
    return (
        [*map(int, head[:5]), head[5]],
        [*map(int, switches)],
        [(int(a), int(b), *rest) for a, b, *rest in links],
    )


@pytest.mark.parametrize("name", SAMPLE)
def test_simai_has_every_gpu_and_every_link(name):
    (nodes, gpus, domains, switches, count, _), numbers, links = parsed(
        of_reference(name, "simai")["topology"]
    )
    network = next(iter(reference(name)[1].networks.values()))
    hosts = len(network.role_start[Role.HOST])
    outside = {network.names[i] for i in network.role_start[Role.ATTACHMENT]}
    inside = [link for link in links_of(name) if not any(device in outside for device, _ in link)]

    assert nodes == hosts * gpus + domains + switches
    assert list(range(hosts * gpus, nodes)) == numbers
    assert count == len(links) == hosts * gpus + len(inside)
    ends = {end for a, b, *_ in links for end in (a, b)}
    assert ends <= set(range(nodes))
    scale_up = Counter(a for a, b, *_ in links if hosts * gpus <= b < hosts * gpus + domains)
    assert dict.fromkeys(range(hosts * gpus), 1) == scale_up
    assert set(range(hosts * gpus)) <= {a for a, b, *_ in links if b >= hosts * gpus + domains}


def test_simai_is_refused_where_hosts_have_no_gpus():
    text = ethernet("gpu: {per_unit: 4, gpus: 0, nics: {compute: {count: 4, speed: 400G}}}")
    ((code, _, rule, _),) = refused(text, "simai")

    assert ("FAB241", "simai: compute has no hosts that all have GPUs, and as many") == (code, rule)

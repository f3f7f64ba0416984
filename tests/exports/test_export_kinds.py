"""Exports as a whole: stable, lazy, fast at size, refused where there is nothing to say."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest
import yaml

from fabric import api, exports
from fabric.exports import NAMES, Source
from fabric.intent.load import load_text
from fabric.topology.roles import Role
from tests.exports.hostlists import expanded
from tests.exports.sites import ethernet, exported, named, reference, refused, stages, superpod
from tests.work import LINEAR, growth, work

ETHERNET = "services: {management: {domain: net.example.com}}\n" + ethernet()
"""A small site for which every kind that InfiniBand has no use for can be made."""


@cache
def applying(text: str) -> tuple[str, ...]:
    """The kinds that a site has."""
    intent, topology = stages(text)
    source = Source(intent, topology, lambda: api.derive(intent, topology))
    return tuple(kind.name for kind in exports.KINDS if kind.applies(source))


INFINIBAND_KINDS = applying(superpod(1))


def site_for(kind: str) -> str:
    """A site that has a kind."""
    return superpod(1) if kind in INFINIBAND_KINDS else ETHERNET


def test_every_kind_can_be_made():
    assert set(NAMES) == {*INFINIBAND_KINDS, *applying(ETHERNET)}


@pytest.mark.parametrize("kind", NAMES)
def test_the_same_site_gives_the_same_bytes(kind):
    text = site_for(kind)
    intent = load_text({"site.yaml": text})
    again = api.export(intent, api.expand(intent), [kind])

    assert [(file.path, file.text) for file in exported(text, [kind]).files] == [
        (file.path, file.text) for file in again.files
    ]


def reordered(value):
    """The same mapping with its keys in another order."""
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in sorted(value, reverse=True)}
    return [reordered(item) for item in value] if isinstance(value, list) else value


def test_the_order_of_keys_in_the_intent_changes_no_byte():
    kinds = applying(ETHERNET)
    other = yaml.safe_dump(reordered(yaml.safe_load(ETHERNET)), sort_keys=False)

    assert other != ETHERNET
    assert [(file.path, file.text) for file in exported(ETHERNET, kinds).files] == [
        (file.path, file.text) for file in exported(other, kinds).files
    ]


SECRETS = ("FABRIC_PASSWORD", "FABRIC_SNMP_AUTH", "FABRIC_SNMP_PRIVACY", "FABRIC_TACACS_SECRET")


def test_no_file_holds_the_value_of_a_secret(monkeypatch):
    for name in SECRETS:
        monkeypatch.setenv(name, f"hunter2-{name}")
    intent, topology = reference("lab-8")
    source = Source(intent, topology, lambda: api.derive(intent, topology))
    kinds = [kind.name for kind in exports.KINDS if kind.applies(source)]
    made = api.export(intent, topology, kinds).files

    assert len(kinds) > 15
    assert [] == [file.path for file in made if "hunter2" in file.text]
    # Where a configuration is copied, a secret is its placeholder; elsewhere nothing refers to one.
    referring = {file.kind for file in made if any(name in file.text for name in SECRETS)}
    assert referring == {"containerlab", "batfish"}


def test_a_file_can_be_read_again():
    (file,) = exported(superpod(1), ["cables"]).files

    assert file.text == file.text != ""


@pytest.mark.parametrize("kind", ["ibdiagnet", "node-names", "ibsim"])
def test_an_ethernet_site_has_no_subnet_to_export(kind):
    assert [
        (
            "FAB241",
            "networks",
            f"{kind}: compute has no InfiniBand subnet",
            "leave this kind out, or choose another network",
        )
    ] == refused(ethernet(), kind)


def test_nothing_is_derived_for_what_needs_no_devices():
    intent, topology = stages(superpod(1))

    def fail():
        raise AssertionError("derived")

    source = Source(intent, topology, fail)

    assert exports.export(source, ["cables", "labels", "slurm-tree", "slurm-block", "slurm-yaml"]).files


def test_every_kind_has_its_own_folder():
    made = exported(superpod(1), INFINIBAND_KINDS)

    assert set(INFINIBAND_KINDS) == {file.path.split("/")[0] for file in made.files}
    assert all(fnmatchcase(file.path, f"{file.kind}/*") for file in made.files)
    assert len({file.path for file in made.files}) == len(made.files)


LARGE = """site: large
units: 64
hosts: {dgx: {model: dgx-h100, per_unit: 32, last_unit: 31}}
networks:
  compute:
    technology: infiniband
    infiniband: {keys: {management_key: "env:MKEY", administration_key: "env:SAKEY"}}
    pods: {units: 4}
    tiers: {leaf: {model: qm9700}, spine: {model: qm9700}, superspine: {model: qm9700}}
attachments:
  sm-1: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: last, rails: [0], host_slot: 31}}
"""
"""Three tiers; at 64 units 16,376 HCAs in 2,047 hosts, 49,136 cables."""


ALIKE = (
    "device-types",
    "nautobot",
    "ansible",
    "nornir",
    "graphviz",
    "mermaid",
    "k8s-labels",
    "kueue",
    "simai",
)
LINEAR_KINDS = tuple(name for name in INFINIBAND_KINDS if name not in ALIKE)
"""One of each make: the others print the same rows, or the catalogue, which is as large for every site."""


@cache
def of_units(units):
    intent, topology = stages(LARGE.replace("units: 64", f"units: {units}"))
    return intent, topology, api.derive(intent, topology)


def exported_lines(units):
    intent, topology, devices = of_units(units)
    made = api.export(intent, topology, LINEAR_KINDS, devices=lambda: devices)
    return sum(piece.count("\n") for file in made.files for piece in file.lines())


def test_twice_the_fabric_is_twice_the_work_to_export():
    assert exported_lines(8) > 6 * 6_000
    assert growth(exported_lines, 4) <= LINEAR


def first_pieces(units):
    intent, topology, _ = of_units(units)
    (file,) = api.export(intent, topology, ["cables"]).files
    pieces = iter(file.lines())
    return [next(pieces).count("\n") for _ in range(100)]


def test_a_file_of_many_lines_is_made_piece_by_piece():
    assert first_pieces(8) == [1] * 100
    # Some passes over all nodes go before; the lines themselves are made when asked for.
    assert 10 * work(lambda: first_pieces(8)) < work(lambda: exported_lines(8))


XDR = """site: xdr
units: 1
hosts: {gpu: {per_unit: 8, gpus: 8, nics: {compute: {count: 4, speed: 800G}}}}
networks:
  compute:
    technology: infiniband
    tiers: {leaf: {model: q3400-ra, max_oversubscription: "8:1"}, spine: {model: q3400-ra, count: 1, reserved_ports: 2}}
attachments:
  sm-1: {network: compute, kind: subnet_manager, links: 1, speed: 800G, to: {tier: spine}}
"""


@pytest.mark.parametrize("kind", ["ibdiagnet", "node-names", "ibsim"])
def test_inner_ports_of_xdr_are_refused_with_the_reason(kind):
    ((code, place, rule, _hint),) = refused(XDR, kind)

    assert ("FAB245", "networks.compute.tiers") == (code, place)
    assert f"{kind}: a port of compute is several inner ports of several ASICs (XDR)" in rule


def test_cables_and_schedulers_do_not_mind_xdr():
    assert exported(XDR, ["cables", "labels", "slurm-tree", "slurm-block", "slurm-yaml"]).files


def test_a_host_may_manage_the_subnet_that_is_exported():
    text = (
        superpod(1)
        .split("attachments:")[0]
        .replace(
            "infiniband: {",
            "infiniband: {managers: [{host: dgx-0-00, priority: 14}, {host: dgx-0-01, priority: 13}], ",
        )
    )

    assert "compute.net" in exported(text, ["ibsim"]).files[0].path


LABS, LARGE_DEVICES = ("containerlab", "netlab", "batfish", "device-types"), 500
"""What nobody makes of a large site, or is the same for all, and the devices of a large one."""
SOME_FILES = 3
"""Of a kind, which are looked into: printing hundreds of switches is what other tests do."""
REFERENCES = sorted((Path(__file__).parents[2] / "inventories" / "reference").glob("*/site.yaml"))


@pytest.mark.covering(most=6)
@pytest.mark.parametrize("path", REFERENCES, ids=lambda path: path.parent.name)
def test_every_reference_can_be_exported(path):
    intent = api.load(path)
    topology = api.expand(intent)
    source = Source(intent, topology, lambda: api.derive(intent, topology))
    large = sum(len(network.names) for network in topology.networks.values()) > LARGE_DEVICES
    kinds = [
        kind.name for kind in exports.KINDS if kind.applies(source) and not (large and kind.name in LABS)
    ]

    made = api.export(intent, topology, kinds)

    assert {"cables", "labels", "slurm-tree", "slurm-block", "slurm-yaml"} <= set(kinds)
    first = {kind: [file for file in made.files if file.kind == kind][:SOME_FILES] for kind in kinds}
    assert all(next(iter(file.lines())) for files in first.values() for file in files)
    hosts = {
        name for n in topology.networks.values() for name in (n.names[i] for i in n.role_start[Role.HOST])
    }
    network = source.with_hosts[0]
    tree = named(made)["slurm-tree/topology.conf"].text
    nodes = [n for below in re.findall(r" Nodes=(\S+)", tree) for n in expanded(below)]
    assert len(nodes) == len(set(nodes)) == len(network.role_start[Role.HOST])
    assert set(nodes) <= hosts

"""What a subnet manager must know of its subnet."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from fabric.devices.derive import derive
from fabric.devices.infiniband.model import EndKind
from fabric.devices.model import SubnetManager
from fabric.diagnostics import Invalid
from fabric.intent.load import load, load_text
from fabric.platforms import registry
from fabric.topology.expand import expand
from tests.topology.builders import REFERENCE
from tests.work import LINEAR, growth

SITE = """site: lab
units: {units}
hosts:
  gpu: {{gpus: 2, per_unit: 4, spare_per_unit: 1, nics: {{compute: {{count: 2, speed: 400G}}}}}}
networks:
  compute:
    technology: infiniband
    infiniband: {{{settings}}}
    {layout}tiers:
      leaf: {{model: {model}, reserved_ports: 2, max_oversubscription: "9:1"}}
      {spine}
attachments:
  sm-1: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 0, rails: [0]}}}}
  sm-2: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 1, rails: [0]}}}}
"""
SPINE = "spine: {model: qm9700, count: 2, max_oversubscription: '9:1'}"


def site(settings="", *, units=2, layout="", spine=SPINE, model="qm9700"):
    return SITE.format(settings=settings, units=units, layout=layout, spine=spine, model=model)


def managers(text):
    intent = load_text({"site.yaml": text})
    devices = derive(intent, expand(intent), registry)
    return {one.name: one for one in devices.values() if isinstance(one, SubnetManager)}


def made(text):
    return next(iter(managers(text).values())).subnet


# --- everything is there once


def test_every_cable_is_a_link_and_every_port_has_one_at_most():
    found = made(site())

    ends = Counter(
        (g, p)
        for link in found.links
        for g, p in ((link.lower, link.lower_port), (link.upper, link.upper_port))
    )
    assert set(ends.values()) == {1}
    assert len(found.links) - len(found.ends) == uplinks(found)
    assert len(found.ends) == 2 * 10 + 2
    assert {g for g, _ in ends} == {s.guid for s in found.switches} | {e.node_guid for e in found.ends}


def uplinks(found):
    switches = {s.guid for s in found.switches}
    return sum(link.lower in switches for link in found.links)


def test_spare_hosts_are_cabled_and_known():
    found = made(site())

    assert {e.host for e in found.ends if e.kind is EndKind.COMPUTE} == {
        f"gpu-{unit}-{host}" for unit in (0, 1) for host in range(5)
    }


def test_ports_are_counted_from_one_and_exist():
    found = made(site())

    ports = {s.guid: s.ports for s in found.switches}
    for link in found.links:
        assert 1 <= link.upper_port <= ports[link.upper]
        assert link.lower not in ports or 1 <= link.lower_port <= ports[link.lower]
    assert set(ports.values()) == {64}


def test_a_port_that_is_split_doubles_the_numbers_of_its_switch():
    found = made(site().replace("speed: 400G", "speed: 200G"))

    leaf = found.switches[0]
    down = sorted(link.upper_port for link in found.links if link.upper == leaf.guid)
    up = sorted(link.lower_port for link in found.links if link.lower == leaf.guid)
    assert (leaf.ports, down, up) == (128, [1, 2, 3, 4, 5, 13], [9, 10])


def test_the_spines_are_the_roots():
    found = made(site())

    assert set(found.roots) == {s.guid for s in found.switches if s.role == "spine"}


# --- engines by layout

DRAGONFLY_PLUS = "layout: {kind: dragonfly+, units: 1, links_per_pair: 2}\n    "
TORUS = "layout: {kind: torus, dimensions: [2, 2]}\n    "
DRAGONFLY = "layout: {kind: dragonfly, units: 1, global_links: 1}\n    "


@pytest.mark.parametrize(
    ("layout", "spine", "engine", "word"),
    [
        ("", SPINE, "updn", "fat_tree"),
        (DRAGONFLY_PLUS, SPINE, "updn", "dragonfly_plus"),
        ("zones: {units: 1, links: 1}\n    ", SPINE, "updn", "dragonfly_plus"),
        (TORUS, "", "torus-2qos", "torus"),
        (DRAGONFLY, "", "nue", "dragonfly"),
    ],
)
def test_each_layout_has_its_engine(layout, spine, engine, word):
    found = made(site(layout=layout, spine=spine))

    assert (found.engine, found.layout) == (engine, word)
    assert bool(found.roots) == bool(spine)


def test_a_single_switch_needs_no_roots():
    text = site(units=1, layout="rails: {leaves: 1}\n    ", spine="").replace("unit: 1", "unit: 0")

    found = made(text)

    assert (len(found.switches), found.engine, found.roots) == (1, "minhop", ())


def test_an_engine_that_fits_is_taken():
    assert made(site("engine: updn")).engine == "updn"


# --- managers


def test_the_master_comes_first_by_the_names_of_the_attachments():
    assert {name: (one.priority, one.peers) for name, one in managers(site()).items()} == {
        "sm-1": (14, ("sm-2",)),
        "sm-2": (13, ("sm-1",)),
    }


def test_priorities_are_as_written_and_hosts_may_manage():
    found = managers(site("managers: [{attachment: sm-2, priority: 3}, {host: gpu-0-1, priority: 9}]"))

    assert {name: one.priority for name, one in found.items()} == {"gpu-0-1": 9, "sm-2": 3}
    subnet = found["gpu-0-1"].subnet
    first = next(e for e in subnet.ends if e.host == "gpu-0-1")
    assert (found["gpu-0-1"].port_guid, first.kind) == (first.port_guid, EndKind.SUBNET_MANAGER)
    assert [e.kind for e in subnet.ends if e.host == "gpu-0-1"][1:] == [EndKind.COMPUTE]


def test_one_manager_is_a_warning():
    intent = load_text({"site.yaml": site("managers: [{attachment: sm-2, priority: 3}]")})

    found = derive(intent, expand(intent), registry).diagnostics

    assert [(d.code, d.severity) for d in found if d.code == "FAB431"] == [("FAB431", "warning")]


# --- settings


def test_the_prefix_and_the_keys_come_through():
    found = made(
        site('prefix: "0xfec0000000000001", keys: {management_key: "env:M", administration_key: "env:S"}')
    )

    assert found.prefix == 0xFEC0_0000_0000_0001
    assert (found.keys.management, found.keys.administration, found.keys.protection_level) == (
        "env:M",
        "env:S",
        2,
    )


def test_an_mtu_of_2048_may_be_written():
    assert made(site("mtu: 2048")).mtu_bytes == 2048


# --- XDR

XDR = """site: xdr
units: 1
hosts: {dgx: {model: dgx-b300, per_unit: 72, last_unit: 71}}
networks:
  compute:
    technology: infiniband
    tiers: {leaf: {model: q3400-ra}, spine: {model: q3400-ra}}
attachments:
  ufm-1: {network: compute, kind: subnet_manager, links: 2, speed: 800G, to: {unit: 0, rails: [0, 1], host_slot: 71}}
  ufm-2: {network: compute, kind: subnet_manager, links: 2, speed: 800G, to: {unit: 0, rails: [2, 3], host_slot: 71}}
"""


def test_the_ports_of_xdr_are_several_inner_ones():
    """Topology and cables are there; what a subnet manager sees of the inner planes is said nowhere."""
    found = made(XDR)

    assert found.planarized
    assert (len(found.switches), len(found.ends), len(found.links)) == (12, 572, 572 + 576)
    assert not made(site()).planarized


# --- reference sites

COUNTS = {
    "leonardo-dragonfly-plus": (684, 13682, 22916, {"sm-1": 14, "sm-2": 13}),
    "superpod-h100-1su": (12, 252, 508, {"ufm-1": 14, "ufm-2": 13}),
    "superpod-h100-2su": (24, 508, 1020, {"ufm-1": 14, "ufm-2": 13}),
    "superpod-h100-4su": (48, 1020, 2044, {"ufm-1": 14, "ufm-2": 13}),
    "superpod-b200-8su": (96, 2048, 4096, {"dgx-0-00": 14, "dgx-7-31": 13}),
    "superpod-b200-16su": (320, 4096, 12288, {"dgx-00-00": 14, "dgx-15-31": 13}),
}
"""Switches, adapters of hosts and managers, cables, and who manages."""


def test_every_superpod_of_infiniband_that_is_shipped_is_counted():
    shipped = {
        p.parent.name for p in REFERENCE.glob("*/site.yaml") if "technology: infiniband" in p.read_text()
    }

    assert shipped == set(COUNTS)


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_a_reference_site_becomes_a_subnet_without_an_error(name):
    intent = load(REFERENCE / name)
    devices = derive(intent, expand(intent), registry)
    found = {one.name: one.priority for one in devices.values()}
    subnet = devices[next(iter(found))].subnet

    switches, ends, cables, who = COUNTS[name]
    assert (len(subnet.switches), len(subnet.ends), len(subnet.links), found) == (switches, ends, cables, who)
    assert {d.code for d in devices.diagnostics} == {"FAB438"}


# --- size

LARGE = """site: large
units: 64
hosts: {gpu: {per_unit: 32, last_unit: 31, gpus: 8, nics: {compute: {count: 8, speed: 400G}}}}
networks:
  compute:
    technology: infiniband
    pods: {units: 4}
    tiers: {leaf: {model: qm9700}, spine: {model: qm9700}, superspine: {model: qm9700}}
attachments:
  sm-1: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: last, rails: [0], host_slot: 31}}
  sm-2: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: last, rails: [1], host_slot: 31}}
"""


def test_a_subnet_of_2048_hosts_and_16384_adapters_is_known():
    intent = load_text({"site.yaml": LARGE})
    found = next(iter(derive(intent, expand(intent), registry).values())).subnet

    assert (len(found.ends), len(found.links)) == (16_378, 49_146)


def test_twice_the_units_are_twice_the_work_to_know_a_subnet():
    @cache
    def stages(units):
        intent = load_text({"site.yaml": LARGE.replace("units: 64", f"units: {units}")})
        return intent, expand(intent)

    assert growth(lambda units: next(iter(derive(*stages(units), registry).values())).subnet, 8) <= LINEAR


def test_pieces_that_nothing_joins_are_refused():
    with pytest.raises(Invalid, match="FAB441"):
        managers(site(spine=""))

"""The cabling as ibutils reads it, and the names of nodes."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from fabric import api
from fabric.devices.model import SubnetManager
from fabric.exports import ibdm
from tests.exports.sites import exported, named, stages, superpod
from tests.programs import ANY, needed_programs, run


def subnet(text: str):
    """The subnet of a site."""
    devices = api.derive(*stages(text))
    return next(device.subnet for device in devices.values() if isinstance(device, SubnetManager))


def cables(topo: str) -> set[frozenset[tuple[str, str]]]:
    """Both ends of every cable of a `.topo` file: system and port."""
    found, system = set(), ""
    for line in topo.splitlines():
        if match := re.fullmatch(r"([A-Z0-9-]+) (\S+)", line):
            system = match[2]
        elif match := re.fullmatch(r"   (\S+) -> ([A-Z0-9-]+) (\S+) (\S+)", line):
            found.add(frozenset({(system, match[1]), (match[3], match[4])}))
        else:
            assert line == "" or line.startswith("#"), line
    return found


def test_every_cable_of_the_subnet_stands_once_in_the_topology():
    text = superpod(2)
    meant, topo = subnet(text), named(exported(text, ["ibdiagnet"]))["ibdiagnet/compute.topo"].text
    switches = {switch.guid: switch.name for switch in meant.switches}
    ends = {end.node_guid: (end.host, end.nic) for end in meant.ends}

    def end(guid: int, port: int) -> tuple[str, str]:
        return (
            (switches[guid], f"P{port}") if guid in switches else (ends[guid][0], f"H{ends[guid][1]}/P{port}")
        )

    expected = {
        frozenset({end(link.lower, link.lower_port), end(link.upper, link.upper_port)})
        for link in meant.links
    }
    assert expected == cables(topo)
    assert topo.count(" -> ") == len(meant.links)


def test_every_system_of_the_topology_is_defined_with_the_ports_that_it_uses():
    files = named(exported(superpod(1), ["ibdiagnet"]))
    topo = files["ibdiagnet/compute.topo"].text

    types = set(re.findall(r"^([A-Z0-9-]+) \S+$", topo, re.MULTILINE)) | set(re.findall(r"-> (\S+)", topo))
    assert {f"ibdiagnet/ibnl/{name}.ibnl" for name in types} == set(files) - {"ibdiagnet/compute.topo"}
    assert 64 == files["ibdiagnet/ibnl/QM9700-64P.ibnl"].text.count("-> P")
    assert [f"H{i}/P1" for i in range(8)] == re.findall(
        r"-> (\S+)", files["ibdiagnet/ibnl/HOST-8H.ibnl"].text
    )


def test_the_name_map_has_every_node_once_by_its_node_guid():
    text = superpod(1)
    meant = subnet(text)
    lines = named(exported(text, ["node-names"]))["node-names/compute.map"].text.splitlines()

    assert 12 + 250 == len(lines) == len({line.split()[0] for line in lines})
    assert f'0x{meant.switches[0].guid:016x} "leaf-0-0"' == lines[0]
    assert {f'0x{end.node_guid:016x} "{end.name}"' for end in meant.ends} <= set(lines)


def test_the_netlist_is_that_of_the_simulator():
    text = named(exported(superpod(1), ["ibsim"]))["ibsim/compute.net"].text

    assert (12, 250) == (text.count("\nSwitch\t"), text.count("\nCa\t"))


@pytest.mark.parametrize(
    ("shape", "name"),
    [
        (tuple((nic, 1) for nic in range(8)), "HOST-8H"),
        (((0, 2), (1, 2)), "HOST-2H2P"),
        (((0, 1), (2, 1)), "HOST-0H1P-2H1P"),
        (((0, 1), (1, 2)), "HOST-0H1P-1H2P"),
    ],
)
def test_hosts_that_differ_are_systems_of_different_names(shape, name):
    assert name == ibdm.host_type(shape)


def checked(folder: Path, text: str) -> str:
    """What ibdmchk says in its design mode: it reads the topology and routes it. It crashes when it ends."""
    needed_programs("ibdmchk")
    for file in exported(text, ["ibdiagnet"]).files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    home = folder / "ibdiagnet"
    place = {**os.environ, "IBDM_IBNL_PATH": str(home / "ibnl")}
    return run(
        "ibdmchk", "-t", home / "compute.topo", "-n", "sm-1/H0", "-p", "1", exits=ANY, env=place
    ).stdout


@pytest.mark.live
@pytest.mark.parametrize(
    ("units", "systems", "nodes", "one_switch", "three_switches"),
    [
        (1, 12 + 31 + 2, 12 + 250, 2 * 32 * 31 + 6 * 31 * 30, 54686),
        (2, 24 + 63 + 2, 24 + 506, 10 * 32 * 31 + 6 * 31 * 30, 240030),
    ],
)
def test_ibdmchk_builds_the_same_fabric_from_it(tmp_path, units, systems, nodes, one_switch, three_switches):
    said = checked(tmp_path, superpod(units))

    assert "-E-" not in said
    assert f"Defined {systems}/{nodes} systems/nodes" in said
    hops = re.findall(r"^  ([24])   (\d+)$", said, re.MULTILINE)
    assert {("2", str(one_switch)), ("4", str(three_switches))} == set(hops)
    assert "no credit loops found" in said


LAYOUT = """site: layout
units: {units}
hosts: {{gpu: {{per_unit: 2, nics: {{compute: {{count: 1, speed: 400G}}}}}}}}
networks:
  compute:
    technology: infiniband
    rails: none
    layout: {layout}
    tiers: {{leaf: {leaf}{spine}}}
attachments:
  sm-1: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 0}}}}
  sm-2: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 1}}}}
"""
LEAF = '{model: qm9700, reserved_ports: 2, max_oversubscription: "40:1"}'
SPINE = ', spine: {model: qm9700, count: 2, max_oversubscription: "40:1"}'


@pytest.mark.live
@pytest.mark.parametrize(
    ("layout", "units", "spine", "switches", "loops"),
    [
        ("{kind: torus, dimensions: [4, 4, 4]}", 64, "", 64, True),
        ("{kind: dragonfly, units: 2, global_links: 2}", 8, "", 8, True),
        ("{kind: dragonfly+, units: 2, links_per_pair: 4}", 8, SPINE, 16, False),
    ],
)
def test_ibdmchk_builds_other_layouts_too(tmp_path, layout, units, spine, switches, loops):
    """It routes by the shortest way, which on rings and in a dragonfly runs in circles."""
    said = checked(tmp_path, LAYOUT.format(layout=layout, units=units, spine=spine, leaf=LEAF))

    ends = 2 * units + 2
    errors = [line for line in said.splitlines() if "-E-" in line]
    assert errors == (["-E- credit loops in routing"] if loops else [])
    assert f"Defined {switches + ends}/{switches + ends} systems/nodes" in said
    assert f"Scanned:{ends * (ends - 1)} CA to CA paths" in said

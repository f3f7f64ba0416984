"""The netlist of a subnet for the simulator."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given, settings

from fabric.devices.subnet import EndPort, SubnetLink
from fabric.diagnostics import Refused
from fabric.exports.ibsim import adapter_id, netlist, switch_id
from tests.platforms.opensm.subnets import leaf, managers, node, spine, tree

CABLE = re.compile(r'\[(\d+)\]\t"([SH]-[0-9a-f]{16})"\[(\d+)\]')
Way = tuple[str, int, str, int]


def ways(text: str) -> list[Way]:
    """Every end of every cable: node, port, the other node, its port."""
    found = []
    for record in text.split("\n\n"):
        name = re.search(r'^(?:Switch|Ca)\t\d+ "([^"]+)"', record, re.MULTILINE)
        for port, peer, peer_port in CABLE.findall(record):
            assert name
            found.append((name[1], int(port), peer, int(peer_port)))
    return found


def test_nodes_with_their_guids_ports_and_names():
    text = netlist(tree())

    assert f'switchguids=0x100\nSwitch\t64 "{switch_id(leaf(0))}"\t\t# "leaf-0"\n' in text
    assert f'caguids=0x10020\nCa\t1 "{adapter_id(node(2))}"\t\t# "h-2 mlx5_0"\n' in text


def test_tools_attach_to_the_host_of_a_manager_by_default():
    subnet = tree()
    ends = (*subnet.ends[2:], *subnet.ends[:2])
    first = re.search(r'Ca\t1 "([^"]+)"', netlist(msgspec.structs.replace(subnet, ends=ends)))

    assert first
    assert first[1] == adapter_id(node(0))


@settings(max_examples=40, deadline=None)
@given(managers())
def test_every_cable_stands_at_both_of_its_ends(made):
    found = ways(netlist(made.subnet))
    switches = {s.guid for s in made.subnet.switches}
    lower = {
        g: switch_id(g) if g in switches else adapter_id(g)
        for link in made.subnet.links
        for g in (link.lower,)
    }
    wanted = {(lower[k.lower], k.lower_port, switch_id(k.upper), k.upper_port) for k in made.subnet.links}

    assert {(b, q, a, p) for a, p, b, q in wanted} | wanted == set(found)
    assert len(found) == len(set(found)) == 2 * len(made.subnet.links)


def test_an_hca_of_two_ports_is_one_node():
    subnet = tree()
    second = EndPort("h-5 mlx5_0", "h-5", 0, 2, node(5), node(5) + 1, 99, subnet.ends[5].kind)
    link = SubnetLink(node(5), 2, spine(0), 60, 400_000)
    text = netlist(msgspec.structs.replace(subnet, ends=(*subnet.ends, second), links=(*subnet.links, link)))

    assert text.count(f'"{adapter_id(node(5))}"\t') == 1
    assert f'Ca\t2 "{adapter_id(node(5))}"' in text


def test_a_blank_line_ends_each_record_and_no_line_is_too_long():
    text = netlist(tree(leaves=4, hosts=12))

    assert len(text.split("\n\n")) == 1 + (4 + 2) + 12
    assert max(map(len, text.splitlines())) < 256


def test_xdr_is_refused():
    with pytest.raises(Refused, match="XDR"):
        netlist(tree(planarized=True))

"""The netlist of a subnet for the simulator."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings

from fabric.diagnostics import Refused
from fabric.exports.ibsim import adapter_id, netlist, switch_id
from tests.platforms.sites import network
from tests.platforms.subnet_strategies import managers
from tests.platforms.subnets import XDR, manager, units

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


def tree(*changes):
    """The subnet of the small site."""
    return manager("opensm", *changes).subnet


def node(subnet, host):
    """GUID of a host's adapter."""
    return next(e.node_guid for e in subnet.ends if e.host == host)


def test_nodes_with_their_guids_ports_and_names():
    subnet = tree()
    leaf, adapter = subnet.switches[0].guid, node(subnet, "h-0-2")
    text = netlist(subnet)

    assert f'switchguids={leaf:#x}\nSwitch\t64 "{switch_id(leaf)}"\t\t# "leaf-0"\n' in text
    assert f'caguids={adapter:#x}\nCa\t1 "{adapter_id(adapter)}"\t\t# "h-0-2 mlx5_0"\n' in text


def test_tools_attach_to_the_host_of_a_manager_by_default():
    subnet = tree()
    first = re.search(r'Ca\t1 "([^"]+)"', netlist(subnet))

    assert subnet.ends[0].host == "h-0-0"
    assert first
    assert first[1] == adapter_id(node(subnet, "sm-1"))


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(managers("opensm"))
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
    ports = {"site.yaml": {"hosts": {"h": {"nics": {"compute": {"ports": 2}}}}}}
    subnet = tree(network("planes: {count: 2, meet_at: spine}"), ports)
    adapter = node(subnet, "h-0-2")
    text = netlist(subnet)

    assert text.count(f'"{adapter_id(adapter)}"\t') == 1
    assert f'Ca\t2 "{adapter_id(adapter)}"' in text


def test_a_blank_line_ends_each_record_and_no_line_is_too_long():
    text = netlist(tree(units(4)))

    assert len(text.split("\n\n")) == 1 + (4 + 2) + (4 * 4 + 3)
    assert max(map(len, text.splitlines())) < 256


def test_xdr_is_refused():
    with pytest.raises(Refused, match="XDR"):
        netlist(manager("ufm", XDR).subnet)

"""Flows go where forwarding tables say; files that are not the whole subnet's are refused with place and fix."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from fabric import api
from fabric.compiler import Compiled, open_site
from fabric.devices.infiniband.derive_subnet import port_numbers
from fabric.diagnostics import Invalid, Refused
from fabric.graph import Tier, graph_of
from fabric.simulation import Question, Work
from fabric.simulation.flows import Flows
from fabric.simulation.hashing import HashModel
from fabric.simulation.place_flows import place
from fabric.simulation.site_routes import subnet_routes
from fabric.topology.roles import NONE
from tests.topology.builders import REFERENCE

SITES = ("superpod-h100-1su", "superpod-h100-2su", "superpod-h100-4su")
ANY_PORT = 1
"""Where a table sends what never comes by."""
HEAD = (
    "Unicast lids [0x0-{top:#x}] of switch Lid {lid} guid {guid:#018x} ({name}):\n  Lid  Out   Destination\n"
)


@dataclass
class Dump:
    """What `dump_lfts` would print of a site's derived routing, by GUID of the switch."""

    site: Compiled
    tables: dict[int, str]
    lids: list[int]
    """Of host ports, in the order of links."""

    @property
    def text(self) -> str:
        return "".join(self.tables.values())


@cache
def dumped(name: str) -> Dump:
    """Tables made of the paths that are derived, from a host of each leaf to every port of a host."""
    site = open_site(REFERENCE / name)
    graph = graph_of(site.topology.networks["compute"])
    subnet = next(iter(site.devices.values())).subnet
    hosts = graph.links(Tier.HOST)
    out = np.full((len(graph.net.switches), len(hosts)), ANY_PORT)
    first = hosts[np.unique(graph.upper[hosts], return_index=True)[1]]
    source, target = np.repeat(first, len(hosts)), np.tile(hosts, len(first))
    count = np.zeros(len(source))
    routes = subnet_routes(site.intent, graph, None, hosts)
    paths = place(routes, Flows(source, target, count, count.astype(np.uint32)), HashModel.DESTINATION)
    column, numbers = np.tile(np.arange(len(hosts)), len(first)), number_of_port(site)
    leaving = np.concatenate((graph.lower_port, graph.upper_port))
    tail = np.concatenate((graph.lower, graph.upper))
    for hop in paths.links.T[1:]:
        there = hop != NONE
        out[tail[hop[there]], column[there]] = numbers[leaving[hop[there]]]
    lids = {(end.host, end.nic): end.lid for end in subnet.ends}
    own = [
        lids[graph.net.names[node], int(port - graph.net.port_base[node])]
        for node, port in zip(graph.lower[hosts].tolist(), graph.lower_port[hosts].tolist(), strict=True)
    ]
    texts = {
        switch.guid: HEAD.format(top=max(own), lid=switch.lid, guid=switch.guid, name=switch.name)
        + "".join(f"0x{lid:04x} {port:03d} : \n" for lid, port in zip(own, row.tolist(), strict=True))
        for switch, row in zip(subnet.switches, out, strict=True)
    }
    return Dump(site, texts, own)


def number_of_port(site: Compiled) -> np.ndarray:
    net = site.topology.networks["compute"]
    numbers = np.zeros(len(net.peer), int)
    for node in net.switches:
        ports = net.port_maps[net.port_map[node]]
        own = port_numbers(ports, site.intent.hardware.switches[ports.model])
        numbers[net.port_base[node] : net.port_base[node + 1]] = own
    return numbers


def asked(site: Compiled, *texts: str, **options) -> Work:
    files = tuple((f"dump-{number}", text) for number, text in enumerate(texts))
    return Work(network="compute", table_files=files, **options)


@pytest.mark.parametrize("operation", ["allreduce", "alltoall"])
@pytest.mark.parametrize("placement", ["contiguous", "random"])
@pytest.mark.parametrize("name", SITES)
def test_tables_of_the_derived_routing_give_the_derived_answer(name, placement, operation):
    dump, question = dumped(name), Question(operation=operation)
    expected = api.simulate(dump.site, asked(dump.site, placement=placement), question)

    assert expected.engine
    assert replace(expected, engine="") == api.simulate(
        dump.site, asked(dump.site, dump.text, placement=placement), question
    )


def test_a_file_a_switch_is_the_same_as_one_of_all():
    dump, question = dumped("superpod-h100-1su"), Question()
    whole = api.simulate_variants(dump.site, asked(dump.site, dump.text), question)

    assert whole == api.simulate_variants(dump.site, asked(dump.site, *dump.tables.values()), question)


def test_all_to_one_spine_shows():
    """Tables in which each leaf sends everything to the first spine load its link with all there is."""
    dump = dumped("superpod-h100-4su")
    graph = graph_of(dump.site.topology.networks["compute"])
    numbers, ups = number_of_port(dump.site), graph.links(Tier.LEAF)
    spine = int(graph.upper[ups].min())
    text = dump.text
    for leaf in np.unique(graph.lower[ups]).tolist():
        own = ups[graph.lower[ups] == leaf]
        at = numbers[graph.lower_port[own]].tolist()
        to = int(numbers[graph.lower_port[own[graph.upper[own] == spine][0]]])
        guid = next(iter(dump.site.devices.values())).subnet.switches[leaf].guid
        table = dump.tables[guid]
        for port in at:
            table = table.replace(f" {port:03d} : ", f" {to:03d} : ")
        text = text.replace(dump.tables[guid], table)
    even, odd = (
        api.simulate(dump.site, asked(dump.site, each, placement="random"), Question())
        for each in (dump.text, text)
    )

    assert all(spine in (hot.from_node, hot.to_node) for hot in odd.hottest)
    assert odd.share_percent * 4 < even.share_percent


def cut_short(dump: Dump) -> str:
    return dump.text[: len(dump.text) // 2]


def of_a_stranger(dump: Dump) -> str:
    return dump.text + HEAD.format(top=9, lid=9, guid=0xABCDEF, name="somebody")


def without_a_lid(dump: Dump) -> str:
    return dump.text.replace(f"0x{dump.lids[3]:04x} ", f"0x{0xBFFF:04x} ", 1)


def of_unknown_adapters(dump: Dump) -> str:
    return dump.text.replace(" : \n", " : (Channel Adapter portguid 0x00000000000000ff: 'x')\n")


@pytest.mark.parametrize(
    ("broken", "rule", "hint"),
    [
        (cut_short, r"dump-0: no table of \d+ switches: ", "ibroute -G 0x"),
        (of_a_stranger, r"dump-0:\d+: no switch of compute has the GUID 0xabcdef", "into the inventory"),
        (without_a_lid, r"dump-0:1: leaf-0-0 has no entry for LID \d+; 1 switch lack", "is the file whole"),
        (of_unknown_adapters, r"dump-0: no LID of \d+ ports of the job: ", "dump the tables anew"),
    ],
)
def test_files_that_are_not_the_whole_subnets_are_refused(broken, rule, hint):
    dump = dumped("superpod-h100-1su")
    with pytest.raises(Invalid, match=rule) as refused:
        api.simulate(dump.site, asked(dump.site, broken(dump)), Question())

    assert {"FAB864"} == {found.code for found in refused.value.diagnostics}
    assert any(hint in found.hint for found in refused.value.diagnostics)


def test_the_line_of_an_unknown_switch_is_where_its_table_begins():
    dump = dumped("superpod-h100-1su")
    text = of_a_stranger(dump)
    with pytest.raises(Invalid, match=f"dump-0:{text.count(chr(10)) - 1}: no switch"):
        api.simulate(dump.site, asked(dump.site, text), Question())


@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [("superpod-h100-1su", "nothing", "no forwarding table in it"), ("lab-8", "x", "is not an InfiniBand")],
)
def test_what_holds_no_tables_is_refused(name, text, rule):
    site = open_site(REFERENCE / name)
    with pytest.raises(Refused, match=rule):
        api.simulate(site, asked(site, text), Question())


def test_a_circle_ends_and_what_goes_round_in_it_does_not_arrive():
    dump = dumped("superpod-h100-4su")
    graph = graph_of(dump.site.topology.networks["compute"])
    up = int(graph.links(Tier.LEAF)[0])
    numbers, subnet = number_of_port(dump.site), next(iter(dump.site.devices.values())).subnet
    text = dump.text
    for node, port in ((graph.lower[up], graph.lower_port[up]), (graph.upper[up], graph.upper_port[up])):
        table = dump.tables[subnet.switches[int(node)].guid]
        head, lines = table.split("Destination\n")
        sent = "".join(f"{line[:7]}{numbers[port]:03d} : \n" for line in lines.splitlines())
        text = text.replace(table, f"{head}Destination\n{sent}")
    answer = api.simulate(dump.site, asked(dump.site, text, placement="random"), Question())

    assert answer.unsent_flows > 0
    assert all(one.load >= other.load for one, other in pairwise(answer.hottest))

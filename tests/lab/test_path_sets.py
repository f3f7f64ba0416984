"""The next hops that real BGP puts into the kernel are those that `fabric simulate` places flows over."""

from __future__ import annotations

import json
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network

import numpy as np
import pytest

from fabric.compiler import Compiled, open_site
from fabric.graph import Graph, Tier, graph_of, graphs
from fabric.lab import Fault, Lab, RunningLab, inject
from fabric.lab.lower_to_lab import lab_port_names
from fabric.simulation.routes import FAR, Routes, routes_of
from fabric.topology.roles import NONE, Role
from tests.lab.labs import needed_lab
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live

SITE = """
site: paths
units: 4
hosts:
  gpu: {per_unit: 1, gpus: 1, nics: {compute: {count: 1, speed: 400G}}}
networks:
  compute:
    rails: {leaves: 1}
    pods: {units: 2}
    routing: {bgp: {keepalive: 1s, hold: 3s}, bfd: {interval: 300ms, multiplier: 3}}
    tiers:
      leaf: {model: arista-7060x6-64pe, up: {ports: 2}}
      spine: {model: arista-7060x6-64pe, count: 2, up: {ports: 2}}
      superspine: {model: arista-7060x6-64pe, count: 2}
    lossless: null
"""
"""Two pods of two leaves and two spines, two superspines; a host on each leaf."""
DRAINED = "drained: [{device: SPINE, reason: swap the fan, owner: ops, expires: '2099-01-01'}]\n"

Paths = dict[tuple[str, str], frozenset[str]]
"""By switch and host: the ports that lead there, as the lab calls them."""


def site_in(folder, drained: str = "") -> Compiled:
    (folder / "site.yaml").write_text(SITE)
    (folder / "state.yaml").write_text(DRAINED.replace("SPINE", drained) if drained else "drained: []\n")
    return open_site(folder)


def placed(site: Compiled, graph: Graph) -> Paths:
    """What flows are placed over, from every switch that carries any to the hosts of other leaves."""
    routes, net = routes_of(graph), graph.net
    (context,) = site.devices.contexts
    names = lab_port_names(site.devices)
    port_of = np.concatenate((graph.lower_port, graph.upper_port))
    found: Paths = {}
    for host, leaf in leaves_of(graph).items():
        for node in live(graph):
            if node != leaf:
                links = next_links(routes, node, leaf - routes.leaves.start)
                own = (net.names[node], *(context.port_label(int(port_of[link]), node) for link in links))
                ports = frozenset(names[own[0], label] for label in own[1:])
                found[own[0], net.names[host]] = ports
    return found


def next_links(routes: Routes, node: int, leaf: int) -> list[int]:
    if routes.hops[node, leaf] >= FAR:
        return []
    return routes.next_hops(np.array([node], np.int32), np.array([leaf], np.int32)).links.tolist()


def live(graph: Graph) -> list[int]:
    """Switches with a link that carries."""
    ends = np.concatenate((graph.lower[graph.carries], graph.upper[graph.carries]))
    return [node for node in graph.net.switches if node in ends]


def leaves_of(graph: Graph) -> dict[int, int]:
    """The leaf of each host."""
    links = graph.links(Tier.HOST)
    return dict(zip(graph.lower[links].tolist(), graph.upper[links].tolist(), strict=True))


def installed(lab: RunningLab, graph: Graph) -> Paths:
    """What the kernels of the switches forward by: the longest prefix that a host is in."""
    net = graph.net
    links = graph.links(Tier.HOST)
    ports = dict(zip(graph.lower[links].tolist(), graph.lower_port[links].tolist(), strict=True))
    assert all(net.address[port] != NONE for port in ports.values())
    tables = {net.names[node]: table(lab, net.names[node]) for node in live(graph)}
    own = {(net.names[leaf], net.names[host]) for host, leaf in leaves_of(graph).items()}
    return {
        (switch, net.names[host]): longest(rows, IPv4Address(net.address[port]))
        for host, port in ports.items()
        for switch, rows in tables.items()
        if (switch, net.names[host]) not in own
    }


def table(lab: RunningLab, switch: str) -> list[tuple[IPv4Network, frozenset[str]]]:
    """Prefixes with their ports."""
    rows = json.loads(lab.output(switch, "ip", "-j", "route", "show"))
    return [
        (
            IPv4Network("0.0.0.0/0" if row["dst"] == "default" else row["dst"]),
            frozenset(hop["dev"] for hop in row.get("nexthops", [row]) if "dev" in hop),
        )
        for row in rows
    ]


def longest(rows: list[tuple[IPv4Network, frozenset[str]]], host: IPv4Address) -> frozenset[str]:
    fitting = [row for row in rows if host in row[0]]
    return max(fitting, key=lambda row: row[0].prefixlen)[1] if fitting else frozenset()


def settled(lab: RunningLab, graph: Graph, expected: Paths) -> Paths:
    """What is installed, of what is expected, once it is that or when patience is at its end."""
    found: Paths = {}

    def is_there() -> bool:
        rows = installed(lab, graph)
        found.update({place: rows[place] for place in expected})
        return found == expected

    with suppress(TimeoutError):  # the difference tells more
        until(is_there, PATIENCE_S, "the routes that are expected")
    return found


def test_kernels_forward_over_the_links_that_flows_are_placed_on(tmp_path):
    """All links there; then one of a leaf down, then one of a spine too."""
    needed_lab()
    site = site_in(tmp_path)
    whole = graph_of(site.topology.networks["compute"])
    (context,) = site.devices.contexts
    names = lab_port_names(site.devices)
    with Lab(site.devices, configured=True) as lab:
        lab.wait_for_sessions(PATIENCE_S)
        before = placed(site, whole)
        assert before == settled(lab, whole, before)
        assert {1, 2} == {len(ports) for ports in before.values()}
        down = []
        for tier in (Tier.LEAF, Tier.SPINE):
            link = int(whole.links(tier)[0])
            node, port = int(whole.upper[link]), int(whole.upper_port[link])
            box, label = whole.net.names[node], context.port_label(port, node)
            inject(lab, Fault(kind="down", box=box, port=names[box, label]))
            down.append(port)
            cut = graph_of(whole.net, shut=down)
            without = placed(site, cut)
            assert without != before
            assert without == settled(lab, cut, without)
            before = without


@pytest.mark.parametrize("role", [Role.SPINE, Role.SUPERSPINE])
def test_kernels_forward_around_a_switch_that_is_drained(tmp_path, role):
    """Wherever flows come by. A switch that only a drained one leads on from keeps that way, and gets no flows."""
    needed_lab()
    net = site_in(tmp_path).topology.networks["compute"]
    drained = net.names[net.role_start[role][0]]
    site = site_in(tmp_path, drained)
    graph = graphs(site.topology, site.devices, site.intent)["compute"]
    expected = {place: ports for place, ports in placed(site, graph).items() if ports}
    leaves = {net.names[leaf] for leaf in leaves_of(graph).values()}
    assert not any(drained == switch for switch, _host in expected)
    assert len(leaves) * (len(leaves) - 1) == sum(switch in leaves for switch, _host in expected)
    with Lab(site.devices, configured=True) as lab:
        lab.wait_for_sessions(PATIENCE_S)
        assert expected == settled(lab, graph, expected)

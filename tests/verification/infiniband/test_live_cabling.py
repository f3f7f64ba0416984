"""Planted faults, seen by the real ibnetdiscover in a simulated SuperPOD."""

from __future__ import annotations

import msgspec
import pytest

from fabric.verification.infiniband.cables.check_cables import cabling_findings
from fabric.verification.infiniband.reading.discovery import parse_ibnetdiscover
from fabric.verification.infiniband.reading.evidence import evidence_of
from fabric.verification.infiniband.verify_subnet import verify_subnet
from tests.infiniband.simulator import Manager, Simulator, need_tools
from tests.infiniband.sites import SUPERPOD, compiled
from tests.verification.infiniband.planting import (
    cabled,
    link_of,
    superpod,
    swapped,
    switch,
    uplinks,
    without,
)

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def subnet():
    need_tools()
    return superpod()


def leaf_to_leaf(subnet):
    one, other = uplinks(subnet, "leaf-0-0", "spine-0")[0], uplinks(subnet, "leaf-0-1", "spine-0")[0]
    wrong = msgspec.structs.replace(one, upper=other.lower, upper_port=other.lower_port)
    return cabled(subnet, (one, other), (wrong,))


FAULTS = {
    "nothing": (lambda s: s, []),
    "two hosts": (
        lambda s: swapped(s, link_of(s, "dgx-0-03", 2), link_of(s, "dgx-0-05", 2)),
        ["swapped:dgx-0-03.mlx5_2+dgx-0-05.mlx5_2"],
    ),
    "wrong rail": (
        lambda s: swapped(s, link_of(s, "dgx-0-03", 2), link_of(s, "dgx-0-03", 5)),
        ["wrong-rail:dgx-0-03.mlx5_2+dgx-0-03.mlx5_5"],
    ),
    "crossed uplinks": (
        lambda s: swapped(s, uplinks(s, "leaf-0-0", "spine-0")[0], uplinks(s, "leaf-0-1", "spine-1")[0]),
        ["swapped:leaf-0-0:33+leaf-0-1:41"],
    ),
    "leaf to leaf": (leaf_to_leaf, ["moved:leaf-0-0:33+leaf-0-1:33"]),
    "missing": (
        lambda s: cabled(s, (uplinks(s, "leaf-0-0", "spine-0")[0],)),
        ["missing:leaf-0-0:33"],
    ),
    "dead leaf": (lambda s: without(s, "leaf-0-4"), ["dead-switch:leaf-0-4"]),
    "dead spine": (lambda s: without(s, "spine-2"), ["dead-switch:spine-2"]),
    "dead host": (lambda s: without(s, "dgx-0-07"), ["dead-host:dgx-0-07"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_one_finding(subnet, fault, tmp_path):
    plant, expected = FAULTS[fault]

    with Simulator(plant(subnet), tmp_path) as simulator:
        seen = parse_ibnetdiscover(simulator.tool("ibnetdiscover"))

    assert [one.id for one in cabling_findings(subnet, seen, simulated=True)] == expected


def test_a_slow_and_a_narrow_link_are_seen(subnet, tmp_path):
    with Simulator(subnet, tmp_path) as simulator:
        normal = simulator.tool("ibnetdiscover")
    slow, narrow = uplinks(subnet, "leaf-0-0", "spine-0")[0], uplinks(subnet, "leaf-0-1", "spine-0")[1]
    net = trained(trained(normal, slow, "4xEDR"), narrow, "1xHDR")

    with Simulator(subnet, tmp_path / "again", net) as simulator:
        seen = parse_ibnetdiscover(simulator.tool("ibnetdiscover"))

    assert [one.id for one in cabling_findings(subnet, seen, simulated=True)] == [
        "width:leaf-0-1:34",
        "speed:leaf-0-0:33",
    ]


def trained(net, link, rate):
    """The output of ibnetdiscover, which ibsim reads too, with both ends of a link at another rate."""
    ends = ((link.lower, link.upper, link.upper_port), (link.upper, link.lower, link.lower_port))
    for own, far, port in ends:
        head, record, tail = net.partition(f'"S-{own:016x}"\t\t#')
        body, blank, rest = tail.partition("\n\n")
        lines = [
            line.replace("4xHDR", rate) if f'"S-{far:016x}"[{port}]' in line else line
            for line in body.split("\n")
        ]
        net = head + record + "\n".join(lines) + blank + rest
    return net


def test_what_breaks_under_a_running_manager_is_one_finding_and_the_rest_is_routed(tmp_path):
    need_tools()
    manager, text = compiled(SUPERPOD.format(units=1))["sm-1"]
    subnet = manager.subnet

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, text) as running:
        running.wait()
        verdicts = []
        for dead in ("spine-1", "leaf-0-4"):
            after = len(running.log())
            simulator.unplug(switch(subnet, dead).guid)
            running.wait("SUBNET UP", after=after)
            texts = {tool: simulator.tool(tool) for tool in ("ibnetdiscover", "dump_lfts")}
            verdicts.append(verify_subnet(subnet, evidence_of(texts), simulated=True))

    assert [[one.id for one in verdict.findings] for verdict in verdicts] == [
        ["dead-switch:spine-1"],
        ["dead-switch:leaf-0-4", "dead-switch:spine-1"],
    ]
    assert [(v.routes.pairs, v.routes.unreachable) for v in verdicts] == [(250 * 249, 0), (219 * 218, 0)]

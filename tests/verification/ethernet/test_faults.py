"""A network as built has no finding on any product; each planted fault is told by its name, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from fabric.platforms.emulation import PortFault
from fabric.verification.ethernet.planned_network import End
from fabric.verification.ethernet.verify_network import Evidence
from tests.platforms.sites import network as words
from tests.platforms.sites import override
from tests.verification.ethernet.played import (
    NOWHERE,
    PLAYED,
    Played,
    network,
    played,
    port_towards,
    rewired,
    specs_of,
)


@pytest.fixture(scope="module", params=PLAYED)
def built(request: pytest.FixtureRequest) -> Iterator[Played]:
    with played(network(request.param)) as running:
        yield running


def test_a_network_as_built_has_no_finding(built):
    verdict = built.verdict()

    assert () == verdict.findings
    assert {"devices", "cabling", "ports", "sessions", "queues"} <= {seen.section for seen in verdict.seen}
    assert "24 of 24 cables as planned" in {seen.text for seen in verdict.seen}


def test_a_cable_without_link_is_missing_and_its_session_is_not_told_too(built):
    port = built.port("leaf-0-0", "spine-0")
    with built.faulty("leaf-0-0", ports={port: PortFault(down=True)}):
        verdict = built.verdict()

    assert [f"missing:leaf-0-0:{port}"] == [finding.id for finding in verdict.findings]
    assert f"leaf-0-0 {port} (rack R12 at 40) to spine-0 " in verdict.findings[0].text


def test_a_host_without_link_is_missing_by_rack_and_nic(built):
    port = built.port("leaf-0-0", "gpu-0-0")
    with built.faulty("leaf-0-0", ports={port: PortFault(down=True)}):
        verdict = built.verdict()

    assert ["missing:gpu-0-0:nic0"] == [finding.id for finding in verdict.findings]
    assert f"gpu-0-0 nic0 (rack R07) to leaf-0-0 {port} (rack R12 at 40): no link" in verdict.findings[0].text


def test_a_link_at_another_speed_is_told(built):
    port = built.port("leaf-0-0", "gpu-0-0")
    with built.faulty("leaf-0-0", ports={port: PortFault(speed_mbps=100_000)}):
        verdict = built.verdict()

    assert [f"port-speed:leaf-0-0:{port}"] == [finding.id for finding in verdict.findings]
    assert "runs at 100G, planned is 400G" in verdict.findings[0].text


def test_a_port_that_carries_less_than_it_is_configured_for_is_told(built):
    port = built.port("leaf-0-0", "gpu-0-0")
    with built.faulty("leaf-0-0", ports={port: PortFault(mtu_bytes=1_600)}):
        verdict = built.verdict()

    assert [f"mtu:leaf-0-0:{port}"] == [finding.id for finding in verdict.findings]
    assert (
        f"leaf-0-0 {port} (rack R12 at 40), towards gpu-0-0 nic0 (rack R07), carries packets of 1,600 bytes, planned"
        in (verdict.findings[0].text)
    )


def test_a_switch_that_does_not_answer_is_one_finding(built):
    with built.faulty("spine-1", refuse=True):
        verdict = built.verdict()

    assert ["no-answer:spine-1"] == [finding.id for finding in verdict.findings]


def test_smaller_packets_on_one_switch_are_told(built):
    product = built.devices["spine-0"].platform
    with built.running("spine-0", network(product, words("ip_mtu: 4000"))):
        verdict = built.verdict()

    assert ["mtu"] == [finding.kind for finding in verdict.findings]
    assert "packets of 4,000 bytes, planned are 9,000" in verdict.findings[0].text
    assert ("spine-0",) == verdict.findings[0].subjects


def test_another_policy_of_queues_is_told(built):
    product = built.devices["leaf-0-0"].platform
    with built.running("leaf-0-0", network(product, words("lossless: null"))):
        verdict = built.verdict()

    assert {"queueing", "code-points", "watchdog"} >= {finding.kind for finding in verdict.findings}
    assert "queueing" in {finding.kind for finding in verdict.findings}
    assert {"leaf-0-0"} == {name for finding in verdict.findings for name in finding.subjects}


def test_fewer_paths_on_one_switch_are_told(built):
    if not built.answers().has_routes:
        return  # the sandbox does not evaluate the routes of this product
    product = built.devices["leaf-0-0"].platform
    with built.running("leaf-0-0", network(product, words("routing: {max_paths: 1}"))):
        verdict = built.verdict()

    assert ["narrow:leaf-0-0"] == [finding.id for finding in verdict.findings]
    assert "over 1 path, planned are 2" in verdict.findings[0].text


def test_a_switch_with_another_as_number_is_one_finding(built):
    product = built.devices["spine-0"].platform
    with built.running("spine-0", network(product, override("[{device: spine-0, asn: 4200099999}]"))):
        verdict = built.verdict()

    assert {"spine-0"} == {name for finding in verdict.findings for name in finding.subjects}
    assert "sessions" == verdict.findings[0].section


@pytest.mark.parametrize("product", PLAYED)
def test_two_swapped_uplinks_are_one_finding(product):
    devices = network(product)
    first, second = ((leaf, port_towards(devices, leaf, "spine-0")) for leaf in ("leaf-0-0", "leaf-0-1"))
    with played(devices, rewired(specs_of(devices), {first: second, second: first})) as swapped:
        verdict = swapped.verdict()

    assert [f"swapped:{':'.join(first)}+{':'.join(second)}"] == [finding.id for finding in verdict.findings]
    assert f"leaf-0-0 {first[1]} (rack R12 at 40) reaches spine-0 " in verdict.findings[0].text


def remembering(evidence: Evidence, old: dict[End, End]) -> Evidence:
    """The same answers, of switches that still remember these neighbours, before those of now and behind them."""
    return msgspec.structs.replace(
        evidence,
        answers={
            name: msgspec.structs.replace(
                answer,
                neighbors=tuple(
                    entry
                    for known in answer.neighbors
                    for entry in (
                        *((known[0], *far) for near, far in old.items() if near == (name, known[0])),
                        known,
                        *((known[0], *far) for near, far in old.items() if near == (name, known[0])),
                    )
                ),
            )
            for name, answer in evidence.answers.items()
        },
    )


def test_a_neighbour_who_has_left_hides_no_cable_that_is_right(built):
    """Its entry lives for two minutes. Who hears us too is there."""
    one, two = (("leaf-0-0", built.port("leaf-0-0", peer)) for peer in ("spine-0", "spine-1"))
    others = [(spine, built.port(spine, "leaf-0-1")) for spine in ("spine-0", "spine-1")]
    verdict = built.verdict(remembering(built.answers(), {one: others[0], two: others[1]}))

    assert () == verdict.findings


@pytest.mark.parametrize("product", PLAYED)
def test_a_planned_neighbour_who_has_left_hides_no_swapped_cable(product):
    """At any of the four ends, or at all."""
    devices = network(product)
    ends = [(leaf, port_towards(devices, leaf, "spine-0")) for leaf in ("leaf-0-0", "leaf-0-1")]
    ends += [("spine-0", port_towards(devices, "spine-0", leaf)) for leaf in ("leaf-0-0", "leaf-0-1")]
    with played(devices, rewired(specs_of(devices), {ends[0]: ends[1], ends[1]: ends[0]})) as swapped:
        answers, found = swapped.answers(), swapped.verdict().findings
        planned = {end: swapped.plan.cables[end] for end in ends}
        told = [swapped.verdict(remembering(answers, {end: planned[end]})).findings for end in ends]
        told.append(swapped.verdict(remembering(answers, planned)).findings)

    assert found
    assert [found] * 5 == told


@pytest.mark.parametrize("product", PLAYED)
def test_two_swapped_nics_of_a_host_are_on_the_wrong_rail(product):
    devices = network(product)
    nics = {("gpu-0-0", "nic0"): ("gpu-0-0", "nic1"), ("gpu-0-0", "nic1"): ("gpu-0-0", "nic0")}
    with played(devices, rewired(specs_of(devices), nics)) as swapped:
        verdict = swapped.verdict()

    assert ["wrong-rail:gpu-0-0:nic0+gpu-0-0:nic1"] == [finding.id for finding in verdict.findings]
    assert "NIC 0 of gpu-0-0 has landed on rail 1's leaf, it is rail 0's" in verdict.findings[0].text


@pytest.mark.parametrize("product", PLAYED)
def test_a_nic_in_the_port_of_another_host_has_moved(product):
    devices = network(product)
    own, other = (("leaf-0-0", port_towards(devices, "leaf-0-0", host)) for host in ("gpu-0-0", "gpu-0-1"))
    with played(devices, rewired(specs_of(devices), {other: NOWHERE, own: other})) as wrong:
        verdict = wrong.verdict()

    assert ["moved:gpu-0-0:nic0+gpu-0-1:nic0"] == [finding.id for finding in verdict.findings]
    told = f"gpu-0-0 nic0 (rack R07) reaches leaf-0-0 {other[1]} (rack R12 at 40) and should reach leaf-0-0 {own[1]}"
    assert told in verdict.findings[0].text

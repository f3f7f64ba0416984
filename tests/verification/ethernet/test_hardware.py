"""What a port really does to packets is told where it is not what its configuration says: by rack and port."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from fabric.platforms.driver import ReportsQueues
from fabric.platforms.emulation import PortFault
from fabric.platforms.registry import platform
from tests.platforms.sites import network as words
from tests.verification.ethernet.played import PLAYED, Played, network, played

FAULTS = {
    "pfc": PortFault(without_pfc=True),
    "ecn": PortFault(ecn_kmin_bytes=1_000),
    "dscp": PortFault(ignores_dscp=True),
}
PAGE = Path(__file__).parents[3] / "docs" / "verify.md"


def reports(name: str) -> bool:
    """Whether the driver of a product can tell what its ports do."""
    module, _, driver = platform(name).driver.partition(":")
    return bool(driver) and issubclass(getattr(import_module(module), driver), ReportsQueues)


REPORTING = tuple(name for name in PLAYED if reports(name))


@pytest.fixture(scope="module", params=REPORTING)
def built(request: pytest.FixtureRequest) -> Iterator[Played]:
    with played(network(request.param)) as running:
        yield running


def test_the_page_names_the_products_that_report_and_no_others():
    (row,) = (line for line in PAGE.read_text().splitlines() if "as the hardware has it" in line)

    assert {name for name in PLAYED if platform(name).title in row} == set(REPORTING)


def test_each_fault_of_the_hardware_is_told_by_rack_and_port_and_nothing_else_is(built):
    port = built.port("leaf-0-0", "gpu-0-0")
    assert () == built.verdict().findings
    told = set()
    for kind, fault in FAULTS.items():
        with built.faulty("leaf-0-0", ports={port: fault}):
            found = built.verdict().findings
        assert [finding.kind for finding in found] in ([], [kind])
        for finding in found:
            told.add(kind)
            assert finding.id == f"{kind}:leaf-0-0:{port}"
            assert f"leaf-0-0 {port} (rack R12 at 40), towards gpu-0-0 nic0 (rack R07): " in finding.text
    assert "pfc" in told
    reported = built.answers().answers["leaf-0-0"].queues[port]
    known = {"pfc": True, "ecn": reported.ecn is not None, "dscp": reported.trusts_dscp is not None}
    assert told == {kind for kind, tells in known.items() if tells}


def test_many_ports_with_one_fault_are_one_finding(built):
    with built.faulty("leaf-0-0", ports={"*": FAULTS["pfc"]}):
        findings = built.verdict().findings

    assert ["pfc"] == [finding.kind for finding in findings]
    assert "more ports of it" in findings[0].text


def test_what_the_configuration_does_not_ask_for_is_no_fault_of_the_hardware(built):
    product = built.devices["leaf-0-0"].platform
    with built.running("leaf-0-0", network(product, words("lossless: null"))):
        kinds = {finding.kind for finding in built.verdict().findings}

    assert not kinds & set(FAULTS)

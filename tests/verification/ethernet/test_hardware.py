"""What a port really does to packets is told where it is not what its configuration says: by rack and port."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from fabric.platforms.device_state import PortQueues
from fabric.platforms.emulation import PortFault
from fabric.platforms.registry import platform
from tests.platforms.sites import network as words
from tests.verification.ethernet.played import PLAYED, Played, network, played

DEVIATIONS: dict[str, tuple[str, PortFault]] = {
    "has_pfc": ("pfc", PortFault(without_pfc=True)),
    "pfc_priorities": ("pfc", PortFault(without_pfc=True)),
    "has_watchdog": ("pfc-watchdog", PortFault(without_watchdog=True)),
    "detect_ms": ("pfc-watchdog", PortFault(watchdog_detect_ms=1_400)),
    "marks": ("ecn", PortFault(without_ecn=True)),
    "ecn": ("ecn", PortFault(ecn_kmin_bytes=1_000)),
    "trusts_dscp": ("dscp", PortFault(ignores_dscp=True)),
    "dscp_to_traffic_class": ("dscp", PortFault(misplaces_dscp=True)),
    "is_scheduled": ("scheduling", PortFault(without_scheduler=True)),
    "shares": ("scheduling", PortFault(without_scheduler=True)),
}
"""By what a product tells: the finding, and the hardware that makes it."""
PAGE = Path(__file__).parents[3] / "docs" / "platforms.md"


def reports(name: str) -> dict[str, str]:
    """What the driver of a product can tell of its ports, and where it reads it."""
    module, _, driver = platform(name).driver.partition(":")
    return dict(getattr(getattr(import_module(module), driver), "queue_reports", {}))


REPORTING = tuple(name for name in PLAYED if reports(name))


@pytest.fixture(scope="module", params=REPORTING)
def built(request: pytest.FixtureRequest) -> Iterator[Played]:
    with played(network(request.param)) as running:
        yield running


def test_everything_that_a_port_can_tell_has_a_deviation():
    told = {name for field in msgspec.structs.fields(PortQueues) if (name := field.name) != "ecn_step_bytes"}

    assert told == set(DEVIATIONS)
    assert {what for name in PLAYED for what in reports(name)} <= told


def test_a_network_as_built_tells_what_its_product_says_and_has_no_finding(built):
    port = built.port("leaf-0-0", "gpu-0-0")
    answers = built.answers()
    told = msgspec.structs.asdict(answers.answers["leaf-0-0"].queues[port])

    assert set(reports(built.devices["leaf-0-0"].platform)) == {
        name for name, value in told.items() if name in DEVIATIONS and value is not None
    }
    assert () == built.verdict(answers).findings


def test_each_deviation_of_what_a_product_tells_is_found_by_rack_and_port_and_nothing_else_is(built):
    port = built.port("leaf-0-0", "gpu-0-0")
    for what in reports(built.devices["leaf-0-0"].platform):
        kind, fault = DEVIATIONS[what]
        with built.faulty("leaf-0-0", ports={port: fault}):
            found = built.verdict().findings

        assert [f"{kind}:leaf-0-0:{port}"] == [finding.id for finding in found], what
        text = found[0].text
        assert text.startswith(f"leaf-0-0 {port} (rack R12 at 40), towards gpu-0-0 nic0 (rack R07): ")
        assert "the device reports" in text
        assert "configured" in text or what == "trusts_dscp"
        assert found[0].hint


def test_many_ports_with_one_fault_are_one_finding(built):
    kind, fault = DEVIATIONS[next(iter(reports(built.devices["leaf-0-0"].platform)))]
    with built.faulty("leaf-0-0", ports={"*": fault}):
        findings = built.verdict().findings

    assert [kind] == [finding.kind for finding in findings]
    assert "more ports of it" in findings[0].text


def test_what_the_configuration_does_not_ask_for_is_no_fault_of_the_hardware(built):
    product = built.devices["leaf-0-0"].platform
    with built.running("leaf-0-0", network(product, words("lossless: null"))):
        kinds = {finding.kind for finding in built.verdict().findings}

    assert not kinds & {kind for kind, _ in DEVIATIONS.values()}

"""Counters of the emulated switch: they move with time and traffic, and as faults want them to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fabric.platforms.emulated_counters import TRAFFIC_BYTES_PER_S
from fabric.platforms.emulation import PortFault
from fabric.sandbox import Sandbox
from tests.platforms.eos import emulated

PORT = "Ethernet1/1"
COMMANDS = [
    "show interfaces",
    "show priority-flow-control counters",
    "show qos interfaces ecn counters queue",
]
LONG_S = 1000
SLACK_S = 100
"""What the machine may take for the test itself."""


@pytest.fixture(name="fabric")
def _fabric() -> Iterator[Sandbox]:
    texts = emulated.configs()
    specs = tuple(emulated.spec(name, 11 + i, config=texts[name]) for i, name in enumerate(texts))
    with emulated.sandbox(specs, block=9) as box:
        yield box


def counted(box: Sandbox, name: str = "leaf1", port: str = PORT) -> dict[str, Any]:
    """The counters of a port, by the fault that moves them."""
    interfaces, pauses, queues = emulated.opened(box, name).device.run_commands(COMMANDS)
    counters = interfaces["interfaces"][port]["interfaceCounters"]
    marked = queues["intfQueueCounters"][port]["queueCounters"]
    return {
        "bytes": counters["inOctets"],
        "errors_per_s": counters["totalInErrors"],
        "discards_per_s": counters["outDiscards"],
        "marked_per_s": sum(int(value) for value in marked.values() if value != "-"),
        "pause_received_per_s": pauses["interfaceCounters"][port]["rxFrames"],
        "pause_sent_per_s": pauses["interfaceCounters"][port]["txFrames"],
    }


def moved(box: Sandbox, name: str = "leaf1", port: str = PORT) -> dict[str, float]:
    """How much they move in a long time, by the second."""
    before = counted(box, name, port)
    box.advance(LONG_S)
    after = counted(box, name, port)
    return {key: (after[key] - before[key]) / LONG_S for key in before}


def near(expected: float) -> Any:
    return pytest.approx(expected, rel=SLACK_S / LONG_S)


def test_bytes_move_on_ports_with_carrier_and_on_no_other(fabric):
    assert near(TRAFFIC_BYTES_PER_S) == moved(fabric)["bytes"]
    assert near(TRAFFIC_BYTES_PER_S) == moved(fabric, port="Ethernet2/1")["bytes"]  # a host's
    assert 0 == moved(fabric, port="Ethernet9/1")["bytes"]


@pytest.mark.parametrize(
    "fault", ["errors_per_s", "discards_per_s", "marked_per_s", "pause_received_per_s", "pause_sent_per_s"]
)
@pytest.mark.parametrize("port", [PORT, "*"])
def test_a_fault_moves_its_counter_and_no_other_from_now_on(fabric, fault, port):
    fabric.advance(LONG_S)
    fabric.set_faults("leaf1", ports={port: PortFault(**{fault: 7.0})})
    assert counted(fabric)[fault] <= 7 * SLACK_S
    rates = moved(fabric)

    assert near(7) == rates.pop(fault)
    assert near(TRAFFIC_BYTES_PER_S) == rates.pop("bytes")
    assert {0} == set(rates.values())
    fabric.clear_faults("leaf1")
    assert 0 == moved(fabric)[fault]


@pytest.mark.parametrize("device", ["leaf1", "spine1"])
def test_a_port_whose_cable_is_cut_counts_no_more_at_both_ends(fabric, device):
    fabric.set_faults(device, ports={PORT: PortFault(down=True)})

    assert 0 == moved(fabric, "leaf1")["bytes"]
    assert 0 == moved(fabric, "spine1")["bytes"]
    ports = emulated.opened(fabric, device).get_interfaces()
    assert (False, True) == (ports[PORT]["is_up"], ports[PORT]["is_enabled"])


def test_a_port_tells_the_speed_that_a_fault_wants(fabric):
    fabric.set_faults("leaf1", ports={PORT: PortFault(speed_mbps=100_000)})
    (shown,) = emulated.opened(fabric, "leaf1").device.run_commands(["show interfaces"])

    assert 100_000_000_000 == shown["interfaces"][PORT]["bandwidth"]


@pytest.mark.parametrize("device", ["leaf1", "spine1"])
@pytest.mark.parametrize(
    "lines",
    [
        ("router bgp {asn}", "neighbor FABRIC shutdown"),
        (
            "route-map LEAVE permit 10", "set community GSHUT additive", "router bgp {asn}",
            "address-family ipv4", "neighbor FABRIC route-map LEAVE out",
        ),
        (
            "route-map LEAVE permit 10", "set community 65535:0", "router bgp {asn}",
            "neighbor FABRIC route-map LEAVE out",
        ),
    ],
    ids=["shut", "drained by family", "drained"],
)  # fmt: skip
def test_traffic_leaves_a_link_whose_session_is_down_or_drained_at_either_end(fabric, device, lines):
    asn = {"leaf1": "65101", "spine1": "65000"}[device]
    fabric.drift(device, *(line.format(asn=asn) for line in lines))
    fabric.advance(180)

    assert 0 == moved(fabric, "leaf1")["bytes"]
    assert 0 == moved(fabric, "spine1")["bytes"]
    assert near(TRAFFIC_BYTES_PER_S) == moved(fabric, port="Ethernet2/1")["bytes"]


def test_a_restart_counts_from_nothing(fabric):
    fabric.advance(LONG_S)
    emulated.opened(fabric, "leaf1").device.run_commands(["enable", "write memory"])
    fabric.reboot("leaf1")

    assert counted(fabric)["bytes"] <= TRAFFIC_BYTES_PER_S * SLACK_S

"""What every driver says of a device at work, in the same words."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import pytest

from fabric.platforms.device_state import PortState
from fabric.platforms.driver import AnswersAtOnce, Driver
from fabric.platforms.emulation import PortFault
from tests.contract.bench import Bench
from tests.contract.test_life_of_a_change import connected, is_virtual


def test_ports_sessions_neighbours_and_routes_are_told(device: Bench) -> None:
    with connected(device) as connection:
        ports = connection.get_port_states()
        sessions = connection.get_bgp_sessions()
        neighbours = connection.get_lldp_neighbors()
        widths = connection.get_route_widths()

    assert ports
    assert all(isinstance(port.is_up, bool) for port in ports.values())
    assert sessions
    assert set(neighbours) <= set(ports)
    assert all(width >= 1 for width in widths.values())


def test_reads_print_nothing(
    device: Bench, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Nor do they log what Python prints by itself where nobody listens: warnings and worse."""
    with connected(device) as connection:
        capfd.readouterr()
        connection.get_config(retrieve="running")
        _each(connection)
        connection.get_pending_commit()
        connection.get_open_candidates()
        shown = capfd.readouterr()

    assert (shown.out, shown.err) == ("", "")
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING] == []


def test_what_is_told_at_once_is_what_is_told_one_by_one(device: Bench) -> None:
    with connected(device) as connection:
        if not isinstance(connection, AnswersAtOnce):
            return
        before = _each(connection)
        at_once = connection.get_state()
        without_routes = connection.get_state(routes=False)
        after = _each(connection)

    assert [_keys(before)] * 2 == [_keys(at_once), _keys(after)]
    assert all(before[0].values())
    assert _keys(without_routes) == [*_keys(before)[:3], set()]
    for one, between, other in zip(before, at_once, after, strict=True):
        settled = [key for key in one if one[key] == other[key]]  # counters run on meanwhile
        assert [one[key] for key in settled] == [between[key] for key in settled]


def _each(connection: Driver) -> tuple[dict[str, Any], ...]:
    return (
        connection.get_lldp_neighbors(),
        connection.get_bgp_sessions(),
        connection.get_port_states(),
        connection.get_route_widths(),
    )


def _keys(state: Iterable[dict[str, Any]]) -> list[set[str]]:
    return [set(told) for told in state]


def test_what_a_port_counts_grows_with_what_goes_wrong_there(device: Bench) -> None:
    """Errors, drops, pauses and marks that a fault makes on every port are seen by the driver that can tell them."""
    if not is_virtual(device):
        return
    wrong = PortFault(
        errors_per_s=7, discards_per_s=5, pause_received_per_s=3, pause_sent_per_s=2, marked_per_s=11
    )
    with connected(device) as connection:
        before = connection.get_port_states()
        device.faults(ports={"*": wrong})
        device.pass_time(10)
        after = connection.get_port_states()
    moved = [
        name for name, port in after.items() if before[name].is_up and _total(port) > _total(before[name])
    ]

    assert moved


def _total(port: PortState) -> int:
    pauses = sum(port.pause_received.values()) + sum(port.pause_sent.values())
    return (port.errors or 0) + (port.discards or 0) + (port.marked or 0) + pauses

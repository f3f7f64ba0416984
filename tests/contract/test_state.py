"""What every driver says of a device at work, in the same words."""

from __future__ import annotations

from fabric.platforms.device_state import PortState
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

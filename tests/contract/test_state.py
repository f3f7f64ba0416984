"""What every driver says of a device at work, in the same words."""

from __future__ import annotations

from tests.contract.bench import Bench
from tests.contract.test_life_of_a_change import connected


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

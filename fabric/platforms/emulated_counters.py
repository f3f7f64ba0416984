"""Counters of an emulated device's ports: they move with the sandbox's time while there is traffic.

A port carries traffic while its link is up and, towards another switch, while a BGP session over it is up and neither
end asks for the traffic to go elsewhere (RFC 8326). How fast the rest moves is a matter of faults.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fabric.platforms.emulated_neighbors import Neighbors
from fabric.platforms.emulation import Faults, PortFault, Surroundings

TRAFFIC_BYTES_PER_S = 1_000_000_000
"""Of any port that carries some, in each direction."""
NO_FAULT = PortFault()
EVERY_PORT = "*"


class PortCounters(msgspec.Struct, kw_only=True):
    """What one port has counted since the device's start."""

    received_bytes: float = 0.0
    sent_bytes: float = 0.0
    errors: float = 0.0
    discards: float = 0.0
    marked: float = 0.0
    pause_received: float = 0.0
    pause_sent: float = 0.0
    counted_to_s: float = 0.0


class Counters:
    """The counters of one device."""

    def __init__(self, neighbors: Neighbors, faults: Faults, around: Surroundings) -> None:
        self._neighbors, self._faults, self._around = neighbors, faults, around
        self._ports: dict[str, PortCounters] = {}
        self._began_s = around.now()

    def clear(self) -> None:
        """The device restarts."""
        self._ports.clear()
        self._began_s = self._around.now()

    def fault(self, port: str) -> PortFault:
        """What is wrong with a port."""
        return self._faults.ports.get(port) or self._faults.ports.get(EVERY_PORT) or NO_FAULT

    def count(self, ports: Iterable[str]) -> None:
        """Count up to now, as things have been until now. To be called before they change."""
        for port in ports:
            self.port(port)

    def port(self, port: str) -> PortCounters:
        """What a port has counted up to now."""
        counted = self._ports.setdefault(port, PortCounters(counted_to_s=self._began_s))
        now = self._around.now()
        passed_s, counted.counted_to_s = now - counted.counted_to_s, now
        if passed_s > 0 and self._neighbors.has_carrier(port):
            self._add(counted, self.fault(port), passed_s, carries=self._carries(port))
        return counted

    def _add(self, counted: PortCounters, fault: PortFault, passed_s: float, *, carries: bool) -> None:
        bytes_ = (TRAFFIC_BYTES_PER_S * carries + fault.stuck_bytes_per_s) * passed_s
        counted.received_bytes += bytes_
        counted.sent_bytes += bytes_
        counted.errors += fault.errors_per_s * passed_s
        counted.discards += fault.discards_per_s * passed_s
        counted.marked += fault.marked_per_s * passed_s
        counted.pause_received += fault.pause_received_per_s * passed_s
        counted.pause_sent += fault.pause_sent_per_s * passed_s

    def _carries(self, port: str) -> bool:
        return self._neighbors.peer(port) is None or any(
            live is not None and not own.end.drained and not live.theirs.drained
            for own, live in self._neighbors.sessions_at(port)
        )

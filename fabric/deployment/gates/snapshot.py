"""What a device says of itself at one moment: before a wave, and while the gate watches."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fabric.deployment.connection.device_session import Connection
from fabric.platforms.base import AnyPlatform
from fabric.platforms.device_state import BgpSession, PortState

Neighbor = tuple[str, str, str]
"""Port, and host and port that LLDP sees at the other end."""


class Snapshot(msgspec.Struct, frozen=True):
    """One device."""

    sessions: Mapping[str, BgpSession] = msgspec.field(default_factory=dict)
    """By neighbour."""
    neighbors: frozenset[Neighbor] = frozenset()
    ports: Mapping[str, PortState] = msgspec.field(default_factory=dict)
    widths: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Prefix to the number of next hops; empty if routes were not asked for."""
    read_s: float = 0.0
    """When it came here (monotonic, of the process that runs the waves): rates are taken from two of them."""

    @property
    def up(self) -> frozenset[str]:
        """The neighbours with whom a session is up."""
        return frozenset(address for address, session in self.sessions.items() if session.is_up)

    @property
    def hold_s(self) -> float:
        """The longest time that a session which is up may look alive after it has died."""
        return max((s.hold_s or 0 for s in self.sessions.values() if s.is_up), default=0)


def snapshot(device: Connection, kind: AnyPlatform, *, routes: bool = True) -> Snapshot:
    """Ask a device, also for its `routes`. A subnet manager has no ports, and is asked by a gate of its own."""
    if kind.technology != "ethernet":
        return Snapshot()
    neighbors, sessions, ports, widths = device.state(routes=routes)
    links = {
        (port, neighbor["hostname"].partition(".")[0], neighbor["port"])
        for port, several in neighbors.items()
        for neighbor in several
    }
    return Snapshot(sessions, frozenset(links), ports, widths)

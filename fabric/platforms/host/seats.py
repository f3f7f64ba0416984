"""The ports of a host that are ours to set."""

from __future__ import annotations

import msgspec

from fabric.devices.hosts.model import Host, HostPort, NicFacts


class Seat(msgspec.Struct, frozen=True):
    """A port in the network, and what it is to the operating system."""

    port: HostPort
    facts: NicFacts

    @property
    def adaptive_routing(self) -> bool:
        """Whether each packet may take its own path."""
        return self.port.load_balancing == "per_packet"


def ethernet_seats(host: Host) -> tuple[Seat, ...]:
    """Every Ethernet port that has a name, in order."""
    return tuple(
        Seat(port, port.system) for port in host.ports if port.system is not None and not port.subnet
    )


def subnet_seats(host: Host) -> tuple[Seat, ...]:
    """Every InfiniBand port that has a name, in order. Its queues are the subnet manager's to set."""
    return tuple(Seat(port, port.system) for port in host.ports if port.system is not None and port.subnet)

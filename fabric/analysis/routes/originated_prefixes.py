"""Which prefixes a switch brings into BGP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network, IPv6Network

from fabric.devices.addresses import IpInterface
from fabric.devices.model import LinkRole, Prefix, PrefixRange, Relation, Switch


def originated(switch: Switch) -> Iterator[Prefix]:
    """Loopbacks, aggregates that cover something, and connected prefixes that are not in an aggregate."""
    routing = switch.routing
    yield from _allowed((address.network for address in switch.loopbacks), routing.loopbacks)
    connected = tuple(_allowed(connected_hosts(switch), routing.host_prefixes))
    covering = [block for block in routing.aggregates if any(inside(prefix, block) for prefix in connected)]
    yield from covering
    yield from (prefix for prefix in connected if not any(inside(prefix, block) for block in covering))


def connected_hosts(switch: Switch) -> Iterator[Prefix]:
    """The prefixes of ports and VLANs that hosts and attachments are on."""
    ends = (LinkRole.HOST, LinkRole.ATTACHMENT)
    ports = [port for port in switch.ports if port.role in ends and port.enabled]
    yield from dict.fromkeys(prefix_of(address) for port in ports for address in port.addresses)
    vlans = {port.vlan for port in ports}
    for gateway in switch.gateways:
        if gateway.vlan in vlans:
            yield from (prefix_of(address) for address in gateway.addresses)


def has_hosts(switch: Switch) -> bool:
    """Whether a host is connected."""
    return any(port.role is LinkRole.HOST and port.enabled for port in switch.ports)


def prefix_of(address: IpInterface) -> Prefix:
    """The prefix that an address lies in, from numbers alone: `IpInterface.network` reads a text."""
    kind, bits = (IPv4Network, 32) if address.version == 4 else (IPv6Network, 128)
    host_bits = bits - address.prefix_length
    return kind((address.value >> host_bits << host_bits, address.prefix_length))


def from_outside(switch: Switch) -> Iterator[tuple[str, int, Prefix]]:
    """Attachment, its AS number, and prefix: what neighbours outside the network may advertise here."""
    ports = {port.name for port in switch.ports if port.enabled}
    for neighbor in switch.routing.neighbors:
        if neighbor.relation is Relation.EXTERNAL and neighbor.port in ports and not switch.drained:
            yield from ((neighbor.peer, neighbor.remote_asn, prefix) for prefix in neighbor.accept)


def inside(prefix: Prefix, block: Prefix) -> bool:
    """Whether a prefix is a part of another, or the same."""
    return prefix.version == block.version and prefix.subnet_of(block)  # type: ignore[arg-type]  # versions are equal


def permitted(prefix: Prefix, ranges: Iterable[PrefixRange]) -> bool:
    """Whether a prefix list lets a prefix pass."""
    return any(
        inside(prefix, entry.prefix) and entry.shortest <= prefix.prefixlen <= entry.longest
        for entry in ranges
    )


def _allowed(prefixes: Iterable[Prefix], ranges: tuple[PrefixRange, ...]) -> Iterator[Prefix]:
    return (prefix for prefix in prefixes if permitted(prefix, ranges))
